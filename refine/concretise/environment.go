package concretise

import (
	"context"
	"math/big"
	"slices"

	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
)

// This file gives a run memory that the program did not make. Where a path follows pointers that came
// from outside, its conditions leave open where they lead: any numbers do that make them hold, also
// such as put one struct into the middle of another. So the prover is asked for numbers that are far
// apart: each pointer then has an object of its own, made in the replay when it is first needed
// (interp.Request.Fresh; Khurshid–Păsăreanu–Visser 2003), and the contents that a model has at a number
// are those of this object.
//
//	d = get_dev();                get_dev() = 2^40          → environment object 1
//	b = d->bus;                   [2^40 + 8] = 2^40 + 2^24  → environment object 2
//	if (b->irq == 3) …            [2^40 + 2^24 + 4] = 3
//
// If that is impossible, because the path has found two of them equal or one object in another, they
// may be as their types allow: equal, or one a member of the other, or else far apart. Pointers whose
// difference or order the path asks for are always in one object: buf->end - buf->tail.

// outside is a path with the pointers from outside that it follows, its roots.
type outside struct {
	*cex.Execution
	mates   map[*logic.Term]*logic.Term // union-find of the roots that lead into one object
	like    *prover.Model               // of the path's conditions, with its pointers anywhere; nil if there is none
	numbers map[*logic.Term]bool        // integers among the roots; nil before they are looked for
}

// layout returns the numbers of objects of the environment: the first, and the distance between two. The
// program's objects are below the first.
func (c *Confirmer) layout() (first, step *big.Int) {
	if c.Bits == 32 {
		return big.NewInt(1 << 31), big.NewInt(1 << 20)
	}
	return big.NewInt(1 << 40), big.NewInt(1 << 24)
}

// mostApart bounds the roots of a path. mostNested bounds those whose positions are considered in pairs.
const mostApart, mostNested = 256, 48

// mostModels bounds the models of a path with its roots in one way.
const mostModels = 8

// environmentModels yields models of a feasible path in which its roots lie as their types allow, each
// with the environment for its replay: first one in which all are far apart; then one in which some are
// equal, or lead into each other's objects or to functions; then one in which some lead to the
// program's objects. In each, the formulas also hold. It yields none if the path follows no pointer from
// outside, or too many. yield says whether to go on, and returns conditions that further models have to keep.
func (c *Confirmer) environmentModels(ctx context.Context, pr *prover.Prover, x *outside, also []*logic.Term, yield func(cex.Feasibility, *environment) (away []*logic.Term, more bool)) {
	// 1. The roots that there may be, and which of them are in one object for sure.
	all := x.roots()
	if len(all) == 0 {
		return
	}
	first, step := c.layout()
	x.joinRelated()
	conds := slices.Concat(cex.Terms(x.Conds), x.wholeElements(), x.elements(), x.moves(step), x.alignment(), x.Defined, also)
	// 2. The ways in which they may lie. The program's objects are below them.
	used, asked := x.alone(all, first, step), x.asked(conds)
	ways := []struct {
		most int // roots
		lie  func(roots []*logic.Term) []*logic.Term
	}{
		{mostApart, func(roots []*logic.Term) []*logic.Term { return x.inRow(roots, first, step) }},
		{mostNested, func(roots []*logic.Term) []*logic.Term {
			return x.nestedOrApart(roots, c.functions(x, asked), nil, first, step)
		}},
		{mostNested, func(roots []*logic.Term) []*logic.Term {
			return x.nestedOrApart(roots, asked, asked, first, step)
		}},
	}
	conds = append(conds, x.below(new(big.Int).Sub(first, step), asked)...)
	kept := x.numbersKept(conds)
	models := mostModels
	if c.brief {
		ways, models = ways[:1], 1
	}
	for _, w := range ways {
		// 3. A model of each that is possible; and more, as long as a replay finds addresses that no run has.
		for range models {
			var lits []*logic.Term
			var model *prover.Model
			if len(kept) > 0 {
				lits, model = x.growing(ctx, pr, slices.Concat(conds, kept), all, used, w.most, w.lie)
			}
			if model == nil {
				lits, model = x.growing(ctx, pr, conds, all, used, w.most, w.lie)
			}
			if model == nil {
				break
			}
			model, err := c.Realistic(ctx, pr, x.Execution, lits, model)
			if err != nil || model == nil {
				break
			}
			away, more := yield(cex.Feasibility{Exec: x.Execution, Model: model}, &environment{first: first, width: step, numbers: x.leading()})
			if !more {
				return
			}
			if len(away) == 0 {
				break
			}
			conds = append(conds, away...)
		}
	}
}

// numbersKept returns equations by which the arguments of products, shifts and the like keep the values that they have in
// the model without objects. Where pointers lead seldom depends on numbers, and all the rest is linear:
//
//	1 << d->irq % 64 & d->enabled      d->irq == 3, d->enabled == 8
func (x *outside) numbersKept(conds []*logic.Term) (kept []*logic.Term) {
	if x.like == nil {
		return nil
	}
	for _, f := range cex.Meaningful(conds) {
		for _, a := range f.Args {
			if v, ok := x.like.Value(a); ok && !a.IsConst() {
				kept = append(kept, x.Table.Eq(a, x.Table.Big(v)))
			}
		}
	}
	return kept
}

// growing returns a model of conds in which those of all roots that it follows, and those in used, lie in a way; and
// the literals. It adds these roots to used. It returns nil if there is none, or if there are more than most.
// A read after many writes is one of many reads before them: only the write that it meets in the model says which.
func (x *outside) growing(ctx context.Context, pr *prover.Prover, conds, all []*logic.Term, used map[*logic.Term]bool, most int, lie func(roots []*logic.Term) []*logic.Term) ([]*logic.Term, *prover.Model) {
	for {
		// 1. A model in which the roots that are known lie so.
		roots := slices.DeleteFunc(slices.Clone(all), func(r *logic.Term) bool { return !used[r] })
		if len(roots) > most {
			return nil, nil
		}
		lits := append(conds[:len(conds):len(conds)], lie(roots)...)
		answer, model := pr.Model(ctx, lits, x.Table)
		if answer != prover.Sat {
			return nil, nil
		}
		// 2. Does it follow others?
		if !x.follow(used, model) {
			return lits, model
		}
	}
}
