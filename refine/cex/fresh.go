package cex

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/wp"
)

// This file adds to conditions that a new object is none of those which were alive before. The program's own objects
// have addresses far apart anyway; but a pointer from outside, or one that memory holds at the start of a path, is any
// number, and would lead into the new object.
//
//	d = get();  q = malloc(8);  assume &d->lock == q + i        no bytes of *d are in the new object
//
// For a condition in which an equation states the distance of such a value x from a new object of n bytes at q, and for
// the bytes of one object around the target of x, from x + lo up to x + hi (Aliases.Kept), the conjunct is
//
//	x + hi <= q  or  q + n <= x + lo
//
// Likewise for the object of a global variable, at any time, and a value that leads to no part of it (Aliases.KeptFrom).
//
// The conjunct states a fact, so it holds in each run of the path, and a condition with it says no more than without. It is in
// the condition itself, not one of its own: a core of conditions has the facts that it needs.
//
// A value from outside leads to an object of each type that a pointer is declared with in which the path keeps it. If
// the path has freed something since it got the value, that may be what it leads to: what the abstraction
// assumes then (package alias, kept.go) is no reason to call a path infeasible.

// newObject is an object that the path has made.
type newObject struct {
	at   *logic.Term
	size *logic.Term
	step int
	by   *core.Alloc
}

// madeNow notes the object at address at, which s makes at a step.
func (x *Execution) madeNow(f *Frame, step int, s *core.Alloc, at *logic.Term) {
	if s.Stack || s.Moved {
		return
	}
	n := newObject{at: at, size: x.Table.Big(at.Val), step: step, by: s}
	if v := x.Eval(f, step, s.Size); !v.IsConst() {
		n.size = x.Table.Ite(x.Table.Lt(v, x.Table.Int(1)), x.Table.Int(1), v)
	}
	if x.made == nil {
		x.made = map[*logic.Term]newObject{}
	}
	x.made[at] = n
}

// SizeOf returns the size of the object of the program at address a, nil if it is not known.
func (x *Execution) SizeOf(a *logic.Term) *logic.Term {
	if n, ok := x.made[a]; ok {
		return n.size
	}
	for _, other := range x.Made {
		if other == a {
			return nil
		}
	}
	return x.Table.Big(a.Val)
}

// declare notes that value is kept in v: it leads to an object of the type that v is declared to point to.
func (x *Execution) declare(v *core.Var, value *logic.Term) {
	if v.To == nil {
		return
	}
	// As a distance from a value that the path does not compute.
	base, by := value.Displaced()
	if base.Op != logic.OpSym && base.Op != logic.OpApp || !by.IsInt64() {
		return
	}
	off := by.Int64()
	r := core.Range{Off: off, End: off + max(v.To.Size, 1)}
	if r.Off > 0 || r.End <= 0 { // it may lead to the end of an object
		return
	}
	if x.declared == nil {
		x.declared = map[*logic.Term][]core.Range{}
	}
	if !slices.Contains(x.declared[base], r) {
		x.declared[base] = append(x.declared[base], r)
	}
}

// withFacts returns the formula f with the facts about the new and the global objects that its equations mention.
func (x *Execution) withFacts(f *logic.Term) *logic.Term {
	facts := []*logic.Term{f}
	seen := map[*logic.Term]bool{}
	var visit func(g *logic.Term)
	visit = func(g *logic.Term) {
		if seen[g] {
			return
		}
		seen[g] = true
		for _, a := range g.Args {
			visit(a)
		}
		if g.Op != logic.OpEq || g.Args[0].Op != logic.OpSum {
			return
		}
		for _, a := range g.Args[0].Args {
			n, isNew := x.made[a]
			global := x.Translator.Global(a)
			if !isNew && global == nil {
				continue
			}
			for _, d := range wp.Distances(x.Table, g, a) {
				eachCase(d.From, func(v *logic.Term) {
					if isNew {
						facts = append(facts, x.apart(v, n)...)
					} else {
						facts = append(facts, x.apartFrom(v, a, global)...)
					}
				})
			}
		}
	}
	visit(f)
	return x.Table.And(facts...)
}

// eachCase calls f with each value that v may be, if it is one of several, once.
func eachCase(v *logic.Term, f func(*logic.Term)) {
	seen := map[*logic.Term]bool{}
	var visit func(v *logic.Term)
	visit = func(v *logic.Term) {
		switch {
		case seen[v]:
		case v.Op == logic.OpIte:
			seen[v] = true
			visit(v.Args[1])
			visit(v.Args[2])
		default:
			seen[v] = true
			f(v)
		}
	}
	visit(v)
}

// apart lists the facts about a value and a new object.
func (x *Execution) apart(value *logic.Term, n newObject) (facts []*logic.Term) {
	// The value must be older than the object, and the path must have freed nothing meanwhile.
	places, since := x.openSince(value)
	if len(places) == 0 || since >= n.step || slices.ContainsFunc(x.frees, func(i int) bool { return since < i && i < n.step }) {
		return nil
	}
	for _, declared := range slices.Concat(x.declared[value], []core.Range{core.DeclaredTarget(places[0])}) {
		kept := x.Aliases.KeptEver(places[0], declared, n.by)
		for _, l := range places[1:] {
			kept = kept.Both(x.Aliases.KeptEver(l, declared, n.by))
		}
		facts = append(facts, x.keptFrom(value, kept, n.at, n.size)...)
	}
	return facts
}

// apartFrom lists the facts about a value and the object of a global variable, at its address.
func (x *Execution) apartFrom(value, at *logic.Term, global *core.Var) []*logic.Term {
	places, _ := x.openSince(value)
	if len(places) == 0 {
		return nil
	}
	kept := x.Aliases.KeptFrom(places[0], global)
	for _, l := range places[1:] {
		kept = kept.Both(x.Aliases.KeptFrom(l, global))
	}
	return x.keptFrom(value, kept, at, x.Table.Big(at.Val))
}

// keptFrom lists the facts which say that the bytes kept around the target of value are in no object of size bytes at address
// at: they end before that begins, or the other way round. What is farther away than a page is said of places in
// memory only, and not of null, say.
func (x *Execution) keptFrom(value *logic.Term, kept core.Range, at, size *logic.Term) (facts []*logic.Term) {
	t := x.Table
	ends := func(r core.Range, or ...*logic.Term) {
		before := t.Le(t.Add(value, t.Int(r.End)), at)
		after := t.Le(t.Add(at, size), t.Add(value, t.Int(r.Off)))
		facts = append(facts, t.Or(append(or, before, after)...))
	}
	near := kept.Both(core.Range{Off: -core.PageSize, End: core.PageSize})
	if near.Off < near.End {
		ends(near)
	}
	if near.Off < near.End && near != kept {
		ends(kept, t.Not(x.Translator.Outer(value)))
	}
	return facts
}

// openSince returns the places that an open value is read from, and the step since which it is open, -1 for the start.
// There are none of other values.
func (x *Execution) openSince(value *logic.Term) (places []core.Loc, step int) {
	if in, ok := x.inputs[value]; ok {
		return []core.Loc{in.Var.Ref()}, in.Step
	}
	if value.Op == logic.OpApp && x.Translator.Open(value) {
		return x.Translator.Places(value), StepOpened(value)
	}
	return nil, 0
}
