package concretise

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/verdict"
)

// This file looks for other failing runs near one that rests on unlikely choices: the program may fail on
// another path, too, which needs fewer of them.
//
//	d = find(3);
//	if (!d) return cleanup();       a run that comes here by null …
//	…
//	assert(ready);                  … need not be the only one that fails
//
// A neighbour makes the choices of the run, one after the other at each node, except that some of the unlikely
// ones are likely, or all; and now and then another choice. That it fails is seen in the interpreter.

// mostNeighbours bounds the neighbours of a run, mostRounds the times that a better run is looked for again, and
// longer the steps that a neighbour may have more.
const mostNeighbours, mostRounds, longer = 48, 4, 20

// made is the choices that a run has made, by node.
type made struct {
	values   map[spotOf][]*big.Int
	branches map[spotOf][]int
}

// spotOf is a request at a node.
type spotOf struct {
	node *core.Node
	v    *core.Var
}

// neighbour makes the choices of a run that is like another one.
type neighbour struct {
	of      *made
	rng     *rand.Rand // nil: no choice is another one
	at      map[spotOf]int
	machine *interp.Machine
}

// next returns the number of times that this was called for k before.
func (c *neighbour) next(k spotOf) int {
	c.at[k]++
	return c.at[k] - 1
}

// other reports whether a choice is another one than that of the run: once in n times.
func (c *neighbour) other(n int) bool { return c.rng != nil && c.rng.IntN(n) == 0 }

// Branch takes the way of the run, if it is open.
func (c *neighbour) Branch(at interp.Place, next []int) int {
	n := at.Proc.Nodes[at.Node]
	k := spotOf{node: n}
	i := c.next(k)
	often := 8
	if n.Caller != nil {
		often = 2 // a call back is unlikely
	}
	if list := c.of.branches[k]; i < len(list) && slices.Contains(next, list[i]) && !c.other(often) {
		return list[i]
	}
	if c.rng == nil {
		return next[0]
	}
	return next[c.rng.IntN(len(next))]
}

// Value returns the value of the run, if that is likely.
func (c *neighbour) Value(q interp.Request) *big.Int {
	k := spotOf{q.Proc.Nodes[q.Node], q.Var}
	i := c.next(k)
	var old *big.Int
	if list := c.of.values[k]; i < len(list) {
		old = list[i]
	}
	keep := c.rng != nil && c.rng.IntN(2) == 0 // an unlikely choice
	switch {
	case q.Pointer && !q.Indeterminate && c.machine != nil:
		// 1. A pointer to an object of the program, or to one of its own.
		if old != nil && !q.Hides(old) {
			o := c.machine.Object(old.Uint64())
			if keep && (o != nil || old.Sign() == 0) || o != nil && !o.Environment() && !o.External() {
				return old
			}
		}
		if a, ok := q.Fresh(); ok {
			return new(big.Int).SetUint64(uint64(a))
		}
		return new(big.Int)
	case old != nil && (old.Sign() >= 0 || keep || !ofCall(q)) && !q.Pointer && q.Type.Contains(old) && !q.Hides(old) && !c.other(8):
		// 2. The number of the run.
		return old
	case c.rng == nil || q.Pointer || q.Indeterminate:
		return new(big.Int)
	}
	// 3. Another number, often a small one.
	v := big.NewInt(c.rng.Int64N(3))
	if c.rng.IntN(4) == 0 {
		v.SetInt64(c.rng.Int64N(1 << 31))
	}
	if q.Var != nil && q.Var.Logical {
		v.SetInt64(c.rng.Int64N(2))
	}
	if v = q.Type.Convert(v); q.Hides(v) || v.Sign() < 0 {
		v = new(big.Int)
	}
	return v
}

// neighbour looks for another failing run near run, nil if it finds none. The number tells which ones are
// tried.
func (c *Confirmer) neighbour(ctx context.Context, site verdict.Site, run *Witness, number int) *Witness {
	steps := len(run.Path.Steps) + longer // people read the run
	choices := &neighbour{of: &run.tally.made, at: map[spotOf]int{}}
	if number > 0 {
		choices.rng = rand.New(rand.NewPCG(uint64(number), 0))
	}
	// 1. Does it fail?
	m := interp.New(c.Prog, choices, c.RunOptions())
	choices.machine = m
	last := 0
	for ; ; last++ {
		if m.Err() != nil || last == steps || last%1024 == 0 && ctx.Err() != nil {
			return nil
		}
		top := m.Top()
		there := top != nil && top.Proc().NodeID(top.Node()) == site.Node
		if there && site.Kind == verdict.Label {
			break
		}
		e, err := m.Step()
		if err != nil || e.Kind.Final() && (e.Kind != interp.Failed || !there) {
			return nil
		}
		if e.Kind == interp.Failed {
			break
		}
	}
	// 2. Once more, for the record.
	again := &neighbour{of: choices.of, at: map[spotOf]int{}}
	if number > 0 {
		again.rng = rand.New(rand.NewPCG(uint64(number), 0))
	}
	w := c.newWitness(again, c.RunOptions())
	again.machine = w.Rec.Machine()
	if err := c.repeat(w, last+1, site); err != nil {
		return nil
	}
	return w
}
