package invgen

import (
	"context"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/backward"
	"c2bp/refine/cex"
	"c2bp/wp"
)

// This file keeps refinement from unrolling recursion. Where a path is in several activations of one
// procedure at once, atoms come back as n == 0, n == 1, n == 2, without end. What all activations have in
// common is more to the point: their results, and changes of globals, in terms of their arguments. From
//
//	int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
//
// comes \result >= 'n, and \result >= 0. As with loops these are candidates from one path; each is true
// of all activations that were looked at.

const (
	// nestedNeeded is how many activations of one procedure are in each other before
	// they are looked at.
	nestedNeeded = 3
	// mostActivations bounds how many are looked at, the innermost first.
	mostActivations = 6
)

// recursive returns the procedures of which nestedNeeded activations are in each other in the segment
// from … to-1 of a path, in order of their first; for each the longest such chain, and the activations
// that return before the end, the shortest first.
func recursive(p *cex.Path, from, to int) (procs []*core.Proc, chains, ended map[*core.Proc][]*cex.Frame) {
	chains, ended = map[*core.Proc][]*cex.Frame{}, map[*core.Proc][]*cex.Frame{}
	// 1. The activations that return, and the longest chain of each procedure in the segment.
	for _, s := range p.Steps[:to] {
		f := s.Enter
		if f == nil {
			continue
		}
		if f.Return >= 0 && f.Return < to {
			ended[f.Proc] = append(ended[f.Proc], f)
		}
		if f.Return >= 0 && f.Return < from {
			continue
		}
		if chain := cex.Nesting(f); len(chain) > len(chains[f.Proc]) {
			chains[f.Proc] = chain
		}
	}
	// 2. The procedures with a chain that is long enough.
	for _, s := range p.Steps[:to] {
		if f := s.Enter; f != nil && len(chains[f.Proc]) >= nestedNeeded && !slices.Contains(procs, f.Proc) {
			procs = append(procs, f.Proc)
		}
	}
	// 3. Short activations are innermost.
	for _, fs := range ended {
		slices.SortStableFunc(fs, func(f, g *cex.Frame) int { return (f.Return - f.Call) - (g.Return - g.Call) })
	}
	return procs, chains, ended
}

// RecursionSummaries returns the relations that hold in all activations of recursive procedures on a
// path, as hints at their returns, and those that are equations as summaries.
func (fd *Finder) RecursionSummaries(ctx context.Context, p *cex.Path, r *cex.Core) (hints map[int][]core.Expr, sums map[*core.Proc]backward.Summaries) {
	hints, sums = map[int][]core.Expr{}, map[*core.Proc]backward.Summaries{}
	procs, chains, ended := recursive(p, r.From, r.To)
	for _, q := range procs {
		// 1. Formals that change by a fixed number from activation to activation.
		divisors := fd.remainders(p, chains[q])
		// 2. Sample the innermost activations.
		acts := ended[q]
		if len(acts) > mostActivations {
			acts = acts[:mostActivations]
		}
		if len(acts) < 2 {
			continue
		}
		w := fd.sampleActivations(ctx, p, q, acts)
		// 3. Relations that hold in all of them.
		equations, all := w.relations(divisors)
		for _, f := range ended[q] {
			hints[f.Return] = append(hints[f.Return], all...)
		}
		sums[q] = equations
	}
	return hints, sums
}

// remainders adds predicates about the remainder of a formal by the number by which it changes from each
// activation of a chain to the next, and returns these numbers: the activations have that remainder in
// common, or every other one has.
func (fd *Finder) remainders(p *cex.Path, chain []*cex.Frame) map[*core.Var]*big.Int {
	q := chain[0].Proc
	// 1. The values of formals along the chain.
	t := logic.NewTable()
	x := fd.Execute(t, p, 0, 0)
	values := map[*core.Var][]*logic.Term{}
	at := map[int]*cex.Frame{}
	for _, f := range chain {
		at[f.Call] = f
	}
	for i := 0; i <= chain[len(chain)-1].Call; i++ {
		x.Step(p, i)
		if f := at[i]; f != nil {
			for _, v := range q.Formals {
				if t, ok := v.Type.(core.Int); ok && !t.Bool && !t.Float && !v.InMemory() {
					values[v] = append(values[v], x.Value(f, v))
				}
			}
		}
	}
	// 2. Predicates about remainders: in the procedure, of its symbolic constants, and at its calls.
	divisors := map[*core.Var]*big.Int{}
	for _, v := range q.Formals {
		d := divisor(t, values[v])
		if d == nil {
			continue
		}
		divisors[v] = d
		for _, e := range remaindersBy(d, v) {
			fd.Known.Add(q, e)
			fd.Known.Add(q, fd.Constants.In(q, e))
			fd.addAtCalls(p, q, e)
		}
	}
	return divisors
}

// mostRemainder bounds the divisors of remainders.
const mostRemainder = 6

// divisor returns the common divisor d > 1 of the differences of values, if all differences are known and
// d is at most mostRemainder; else nil. For n, n - 2, n - 4 it is 2.
func divisor(t *logic.Table, values []*logic.Term) *big.Int {
	d := new(big.Int)
	for i := 1; i < len(values); i++ {
		// The changes must be known, and be multiples of d.
		delta := t.Sub(values[i], values[i-1])
		if !delta.IsConst() {
			return nil
		}
		d.GCD(nil, nil, d, new(big.Int).Abs(delta.Val))
	}
	if d.Cmp(big.NewInt(2)) < 0 || d.Cmp(big.NewInt(mostRemainder)) > 0 {
		return nil
	}
	return d
}

// remaindersBy returns v % d == 0, v % d == 1, … but for the last, which is when none of them holds. By 3
// they are v % 3 == 0 and v % 3 == 1.
func remaindersBy(d *big.Int, v *core.Var) (out []core.Expr) {
	typ := v.Type.(core.Int)
	for r := int64(0); r < d.Int64()-1; r++ {
		out = append(out, &core.Binary{Op: core.Eq, X: remainderOf(v.Ref(), d), Y: core.NewConst(r, typ)})
	}
	return out
}

// remainderOf returns e % d.
func remainderOf(e core.Expr, d *big.Int) core.Expr {
	return &core.Binary{Op: core.Rem, X: e, Y: &core.Const{Val: d, Typ: e.Type().(core.Int)}}
}

// addAtCalls adds e, a predicate about formals of q, as one about the arguments before each call of q
// on a path.
func (fd *Finder) addAtCalls(p *cex.Path, q *core.Proc, e core.Expr) {
	for _, s := range p.Steps {
		if s.Enter != nil && s.Enter.Proc == q {
			fd.Known.Add(s.Frame.Proc, wp.Actual(s.Stmt().(*core.Call), e))
		}
	}
}
