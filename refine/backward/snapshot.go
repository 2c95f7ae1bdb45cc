package backward

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// snapshot is what variables outside of memory held at a call, as terms over the start.
type snapshot struct {
	t      *logic.Table
	values map[cex.Slot]*logic.Term
	args   []*logic.Term
	entry  map[cex.Slot]*logic.Term // what formals and globals held when the caller was entered
}

// valueOf is what v held at the call, in the caller's activation f; that of a symbolic
// constant was set at the activation's entry.
func (s *snapshot) valueOf(v *core.Var, f *cex.Frame) *logic.Term {
	if v.Kind != core.Ghost {
		return s.values[cex.Slot{Frame: f, Var: v}]
	}
	if r, ok := v.Init.(*core.VarRef); ok {
		return s.entry[cex.Slot{Frame: nil, Var: r.Var}]
	}
	return nil
}

// snapshots executes a stretch of a path to see what variables hold at its calls.
func snapshots(facts *cex.Facts, p *cex.Path, from, to int) map[int]*snapshot {
	out := map[int]*snapshot{}
	x := facts.Execute(logic.NewTable(), p, from, from)
	entry := map[*cex.Frame]map[cex.Slot]*logic.Term{}
	if f := p.Steps[from].Frame; f.Caller == nil || from == 0 || p.Steps[from-1].Enter == f {
		entry[f] = inputsOf(x, f)
	}
	for i := from; i < to; i++ {
		s := p.Steps[i]
		if s.Enter != nil {
			shot := &snapshot{t: x.Table, values: map[cex.Slot]*logic.Term{}, entry: entry[s.Frame]}
			for k, v := range x.Values {
				if k.Frame == nil || k.Frame == s.Frame {
					shot.values[k] = v
				}
			}
			for j, arg := range s.Stmt().(*core.Call).Args {
				if algebra.IsScalar(s.Enter.Proc.Formals[j].Type) {
					shot.args = append(shot.args, x.Eval(s.Frame, i, arg))
				} else {
					shot.args = append(shot.args, nil)
				}
			}
			out[i] = shot
		}
		x.Step(p, i)
		if s.Enter != nil {
			entry[s.Enter] = inputsOf(x, s.Enter)
		}
	}
	return out
}

// inputsOf is what formals and globals hold now, at the entry of an activation, which are
// looked up without the activation.
func inputsOf(x *cex.Execution, f *cex.Frame) map[cex.Slot]*logic.Term {
	out := map[cex.Slot]*logic.Term{}
	for _, v := range f.Proc.Formals {
		if !v.InMemory() && algebra.IsScalar(v.Type) {
			out[cex.Slot{Frame: nil, Var: v}] = x.Value(f, v)
		}
	}
	for _, g := range x.Prog.Globals {
		if !g.InMemory() && algebra.IsScalar(g.Type) {
			out[cex.Slot{Frame: nil, Var: g}] = x.Value(nil, g)
		}
	}
	return out
}
