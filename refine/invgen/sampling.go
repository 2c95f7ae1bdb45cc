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

// This file samples activations of a procedure: numbers at their entry and at their return.

// sampling is a procedure with samples of some activations.
type sampling struct {
	*Finder
	ctx      context.Context
	path     *cex.Path
	proc     *core.Proc
	conds    []pathCondition // of the whole path
	anyState []*activation   // each executed alone, from any state
	onPath   []*activation   // the same where the path comes to them
	entries  []*core.Var     // numbers that it may depend on: formals and globals
	exits    []*core.Var     // numbers that it may change: the result and globals
}

// pathCondition is a condition of the path, with its activation.
type pathCondition struct {
	frame *cex.Frame
	expr  core.Expr
}

// activation is the numbers at the entry and the return of one activation, under the conditions that it
// takes the path.
type activation struct {
	t           *logic.Table
	conds       []*logic.Term
	entry, exit map[*core.Var]*logic.Term // numbers at entry and return, as terms over the start
	samples     []sample
}

// sample is one run of an activation: the numbers at entry and exit, in the order of sampling.entries and
// exits.
type sample struct {
	of          *activation
	entry, exit []*big.Int
}

// samplesOf returns the samples of all activations.
func samplesOf(acts []*activation) (out []sample) {
	for _, a := range acts {
		out = append(out, a.samples...)
	}
	return out
}

// isNumber reports whether v holds a number and is not in memory.
func isNumber(v *core.Var) bool {
	_, ok := v.Type.(core.Int)
	return ok && !v.InMemory()
}

// sampleActivations samples the activations of q on a path.
func (fd *Finder) sampleActivations(ctx context.Context, p *cex.Path, q *core.Proc, frames []*cex.Frame) *sampling {
	w := &sampling{Finder: fd, ctx: ctx, path: p, proc: q}
	// 1. Execute each activation alone, from any state.
	var alone []*cex.Execution
	for _, f := range frames {
		alone = append(alone, fd.Execute(logic.NewTable(), p, f.Call+1, f.Return))
	}
	// 2. The numbers: formals and the result, and globals that any of the activations writes to.
	for _, v := range q.Formals {
		if isNumber(v) {
			w.entries = append(w.entries, v)
		}
	}
	if q.Result != nil && isNumber(q.Result) {
		w.exits = append(w.exits, q.Result)
	}
	for _, g := range fd.Prog.Globals {
		if isNumber(g) && slices.ContainsFunc(alone, func(x *cex.Execution) bool { return x.Writes(g) }) {
			w.entries = append(w.entries, g)
			w.exits = append(w.exits, g)
		}
	}
	// 3. Their values at entry and return, from any state.
	for i, f := range frames {
		x := alone[i]
		a := newActivation(x.Table)
		a.conds = cex.Terms(x.Conds)
		for _, v := range w.entries {
			a.entry[v] = x.Open(-1, cex.SlotOf(f, v).Frame, v)
		}
		for _, v := range w.exits {
			a.exit[v] = x.Value(f, v)
		}
		w.anyState = append(w.anyState, a)
	}
	// 4. The same where the path comes to the activations.
	w.fromPath(frames)
	// 5. Sample.
	for _, a := range slices.Concat(w.anyState, w.onPath) {
		w.sample(a)
	}
	return w
}

// newActivation returns an activation without conditions and numbers.
func newActivation(t *logic.Table) *activation {
	return &activation{t: t, entry: map[*core.Var]*logic.Term{}, exit: map[*core.Var]*logic.Term{}}
}

// fromPath executes the path, and records the activations where it comes to them.
func (w *sampling) fromPath(frames []*cex.Frame) {
	// 1. The activations, and where they end.
	x := w.Execute(logic.NewTable(), w.path, 0, 0)
	acts, ends, last := map[*cex.Frame]*activation{}, map[int]*cex.Frame{}, 0
	for _, f := range frames {
		acts[f] = newActivation(x.Table)
		w.onPath = append(w.onPath, acts[f])
		ends[f.Return] = f
		last = max(last, f.Return)
	}
	// 2. Their numbers at entry and return, and the conditions of the path so far.
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
	// 3. All conditions, for the bounds of calls (entrybounds.go).
	for _, c := range x.Conds {
		w.conds = append(w.conds, pathCondition{w.path.Steps[c.Step].Frame, c.Expr})
	}
}

// mostSamples is how many runs of each activation are compared.
const mostSamples = 3

// sample takes up to mostSamples samples of an activation, which differ in the numbers at its entry.
func (w *sampling) sample(a *activation) {
	lits := slices.Clone(a.conds)
	for range mostSamples {
		// 1. A model of the conditions, other than those before.
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
		// 2. The next sample must have other numbers at the entry.
		a.samples = append(a.samples, s)
		lits = append(lits, a.t.Not(same))
	}
}
