package backward

import (
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file records the values of variables at the calls of a path.

// snapshot is the values of variables outside of memory at a call, as terms over the start.
type snapshot struct {
	t      *logic.Table
	values map[cex.Slot]*logic.Term
	args   []*logic.Term
	entry  map[cex.Slot]*logic.Term // the values of formals and globals when the caller was entered
}

// valueOf returns the value of v at the call, in the caller's activation f; for the symbolic constant
// of a variable, the value at the entry of f. It is nil if it is not known.
func (s *snapshot) valueOf(v *core.Var, f *cex.Frame) *logic.Term {
	if v.Kind != core.Ghost {
		return s.values[cex.Slot{Frame: f, Var: v}]
	}
	if r, ok := v.Init.(*core.VarRef); ok {
		return s.entry[cex.Slot{Var: r.Var}]
	}
	return nil
}

// snapshots executes the steps from … to-1 of a path and returns a snapshot for each call in them, by
// step.
func snapshots(facts *cex.Facts, p *cex.Path, from, to int) map[int]*snapshot {
	out := map[int]*snapshot{}
	x := facts.Execute(logic.NewTable(), p, from, from)
	// Entry values are known of activations that begin in the segment.
	entry := map[*cex.Frame]map[cex.Slot]*logic.Term{}
	if f := p.Steps[from].Frame; f.Caller == nil || from == 0 || p.Steps[from-1].Enter == f {
		entry[f] = inputsOf(x, f)
	}
	for i := from; i < to; i++ {
		s := p.Steps[i]
		if s.Enter != nil {
			// 1. At a call: the variables of the caller, globals, and arguments.
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
		// 2. After it: the callee's entry.
		if s.Enter != nil {
			entry[s.Enter] = inputsOf(x, s.Enter)
		}
	}
	return out
}

// inputsOf returns the values of formals and globals at the entry of activation f, which is now. The
// keys have no frame.
func inputsOf(x *cex.Execution, f *cex.Frame) map[cex.Slot]*logic.Term {
	out := map[cex.Slot]*logic.Term{}
	for _, v := range f.Proc.Formals {
		if !v.InMemory() && algebra.IsScalar(v.Type) {
			out[cex.Slot{Var: v}] = x.Value(f, v)
		}
	}
	for _, g := range x.Prog.Globals {
		if !g.InMemory() && algebra.IsScalar(g.Type) {
			out[cex.Slot{Var: g}] = x.Value(nil, g)
		}
	}
	return out
}
