package invgen

import (
	"context"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
)

// This file looks at what activations do: numbers at their entry and at their return.

// watched is a procedure with activations of it.
type sampling struct {
	*Finder
	ctx      context.Context
	path     *cex.Path
	proc     *core.Proc
	conds    []pathCondition
	anyState []*activation // each executed alone, from any state
	onPath   []*activation // the same where the path comes to them
	entries  []*core.Var   // numbers that it may depend on
	exits    []*core.Var   // numbers that it may change
}

// pathCondition is a condition with its activation.
type pathCondition struct {
	frame *cex.Frame
	expr  core.Expr
}

// activation is what one activation does under some conditions, which say that it takes the
// path.
type activation struct {
	t           *logic.Table
	conds       []*logic.Term
	entry, exit map[*core.Var]*logic.Term
	samples     []sample
}

// sample is one run of an activation, by number of entries and exits.
type sample struct {
	of          *activation
	entry, exit []*big.Int
}

func samplesOf(acts []*activation) (out []sample) {
	for _, a := range acts {
		out = append(out, a.samples...)
	}
	return out
}

func isNumber(v *core.Var) bool {
	_, ok := v.Type.(core.Int)
	return ok && !v.InMemory()
}

func (fd *Finder) sampleActivations(ctx context.Context, p *cex.Path, q *core.Proc, frames []*cex.Frame) *sampling {
	w := &sampling{Finder: fd, ctx: ctx, path: p, proc: q}
	for _, v := range q.Formals {
		if isNumber(v) {
			w.entries = append(w.entries, v)
		}
	}
	if q.Result != nil && isNumber(q.Result) {
		w.exits = append(w.exits, q.Result)
	}
	var alone []*cex.Execution
	for _, f := range frames {
		alone = append(alone, fd.Execute(logic.NewTable(), p, f.Call+1, f.Return))
	}
	for _, g := range fd.Prog.Globals {
		if isNumber(g) && slices.ContainsFunc(alone, func(x *cex.Execution) bool { return x.Writes(g) }) {
			w.entries = append(w.entries, g)
			w.exits = append(w.exits, g)
		}
	}
	for i, f := range frames {
		w.anyState = append(w.anyState, w.fromAnyState(alone[i], f))
	}
	w.fromPath(frames)
	for _, a := range slices.Concat(w.anyState, w.onPath) {
		w.sample(a)
	}
	return w
}

// alone is an activation executed from any state.
func (w *sampling) fromAnyState(x *cex.Execution, f *cex.Frame) *activation {
	a := &activation{t: x.Table, conds: cex.Terms(x.Conds), entry: map[*core.Var]*logic.Term{}, exit: map[*core.Var]*logic.Term{}}
	for _, v := range w.entries {
		a.entry[v] = x.Open(-1, cex.SlotOf(f, v).Frame, v)
	}
	for _, v := range w.exits {
		a.exit[v] = x.Value(f, v)
	}
	return a
}

// walk looks at activations where the path comes to them.
func (w *sampling) fromPath(frames []*cex.Frame) {
	x := w.Execute(logic.NewTable(), w.path, 0, 0)
	acts, ends, last := map[*cex.Frame]*activation{}, map[int]*cex.Frame{}, 0
	for _, f := range frames {
		acts[f] = &activation{t: x.Table, entry: map[*core.Var]*logic.Term{}, exit: map[*core.Var]*logic.Term{}}
		w.onPath = append(w.onPath, acts[f])
		ends[f.Return] = f
		last = max(last, f.Return)
	}
	for i := 0; i <= last; i++ {
		if f := ends[i]; f != nil {
			acts[f].conds = cex.Terms(x.Conds)
			for _, v := range w.exits {
				acts[f].exit[v] = x.Value(f, v)
			}
		}
		x.Step(w.path, i)
		if f := w.path.Steps[i].Enter; acts[f] != nil {
			for _, v := range w.entries {
				acts[f].entry[v] = x.Value(f, v)
			}
		}
	}
	for _, c := range x.Conds {
		w.conds = append(w.conds, pathCondition{w.path.Steps[c.Step].Frame, c.Expr})
	}
}

// mostSamples is how many runs of each activation are compared.
const mostSamples = 3

// sample takes samples of an activation, which differ in what it was called with.
func (w *sampling) sample(a *activation) {
	lits := slices.Clone(a.conds)
	for range mostSamples {
		answer, m := w.Prover.Model(w.ctx, lits, a.t)
		if answer != prover.Sat {
			return
		}
		s := sample{of: a}
		same := a.t.True
		for _, v := range w.entries {
			value, ok := m.Value(a.entry[v])
			if !ok {
				return
			}
			s.entry = append(s.entry, value)
			same = a.t.And(same, a.t.Eq(a.entry[v], a.t.Big(value)))
		}
		for _, v := range w.exits {
			value, ok := m.Value(a.exit[v])
			if !ok {
				return
			}
			s.exit = append(s.exit, value)
		}
		a.samples = append(a.samples, s)
		lits = append(lits, a.t.Not(same))
	}
}
