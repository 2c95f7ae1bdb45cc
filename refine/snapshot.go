package refine

import (
	"c2bp/frontend/core"
	"c2bp/logic"
)

// snapshot is what variables outside of memory held at a call, as terms over the start.
type snapshot struct {
	t      *logic.Table
	values map[place]*logic.Term
	args   []*logic.Term
	entry  map[place]*logic.Term // what formals and globals held when the caller was entered
}

// valueOf is what v held at the call, in the caller's activation f; that of a symbolic
// constant was set at the activation's entry.
func (s *snapshot) valueOf(v *core.Var, f *Frame) *logic.Term {
	if v.Kind != core.Ghost {
		return s.values[place{f, v}]
	}
	if r, ok := v.Init.(*core.VarRef); ok {
		return s.entry[place{nil, r.Var}]
	}
	return nil
}

// snapshots executes a stretch of a path to see what variables hold at its calls.
func (a *world) snapshots(p *Path, from, to int) map[int]*snapshot {
	out := map[int]*snapshot{}
	x := a.execute(logic.NewTable(), p, from, from)
	entry := map[*Frame]map[place]*logic.Term{}
	if f := p.Steps[from].Frame; f.Caller == nil || from == 0 || p.Steps[from-1].Enter == f {
		entry[f] = inputsOf(x, f)
	}
	for i := from; i < to; i++ {
		s := p.Steps[i]
		if s.Enter != nil {
			shot := &snapshot{t: x.t, values: map[place]*logic.Term{}, entry: entry[s.Frame]}
			for k, v := range x.values {
				if k.frame == nil || k.frame == s.Frame {
					shot.values[k] = v
				}
			}
			for j, arg := range s.stmt().(*core.Call).Args {
				if isScalar(s.Enter.Proc.Formals[j].Type) {
					shot.args = append(shot.args, x.eval(s.Frame, i, arg))
				} else {
					shot.args = append(shot.args, nil)
				}
			}
			out[i] = shot
		}
		x.step(p, i)
		if s.Enter != nil {
			entry[s.Enter] = inputsOf(x, s.Enter)
		}
	}
	return out
}

// inputsOf is what formals and globals hold now, at the entry of an activation, which are
// looked up without the activation.
func inputsOf(x *execution, f *Frame) map[place]*logic.Term {
	out := map[place]*logic.Term{}
	for _, v := range f.Proc.Formals {
		if !v.InMemory() && isScalar(v.Type) {
			out[place{nil, v}] = x.value(f, v)
		}
	}
	for _, g := range x.prog.Globals {
		if !g.InMemory() && isScalar(g.Type) {
			out[place{nil, g}] = x.value(nil, g)
		}
	}
	return out
}
