package backward

import (
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/preds"
)

// This file asks a comparison of a pointer with a global variable of the other pointers that the program compares with
// that variable. A rule on an object watches one of many, and each of its events asks whether it is about that one:
//
//	lock(&a->lock)     if (&a->lock == watch) …          a == watch - 8
//	lock(&b->lock)     if (&b->lock == watch) …          b == watch - 16
//
// That a lock is released where it was taken needs the comparison in each of the functions that do so. One path shows
// it for one of them: instead of a path for each, the comparison is asked everywhere as soon as one path needs it. As
// with copies, that needs no path, and finds nothing that paths would not find one after the other.

// compared is the pointers that conditions compare with each global variable that is a pointer outside of memory.
type compared map[*core.Var][]source

// comparedOf collects the comparisons in prog.
func comparedOf(prog *core.Program) compared {
	out := compared{}
	for _, p := range prog.Procs {
		for _, n := range p.Nodes {
			e := core.Condition(n.Stmt)
			if e == nil {
				continue
			}
			for _, atom := range algebra.Atoms(e) {
				if b, ok := atom.(*core.Binary); ok {
					out.add(p, b.X, b.Y)
					out.add(p, b.Y, b.X)
				}
			}
		}
	}
	return out
}

// add adds that p compares e with w, if that is such a variable.
func (c compared) add(p *core.Proc, e, w core.Expr) {
	if v := watched(w); v != nil && watched(e) == nil {
		c[v] = append(c[v], source{p, e})
	}
}

// watched returns the variable that e is, if that is a global pointer outside of memory, else nil. The start of the object
// that is watched, which each end of an object is compared with, is none: of these comparisons few are needed.
func watched(e core.Expr) *core.Var {
	r, ok := e.(*core.VarRef)
	if !ok || r.Var.Kind != core.Global || r.Var.InMemory() || r.Var.Living || !isPointer(e) {
		return nil
	}
	return r.Var
}

// comparison returns the variable that predicate e compares a pointer with, up to an offset, nil if it is no such comparison.
func comparison(e core.Expr) *core.Var {
	b, ok := e.(*core.Binary)
	if !ok || b.Op != core.Eq && b.Op != core.Ne || !isPointer(b.X) {
		return nil
	}
	for _, side := range []core.Expr{b.X, b.Y} {
		base, _ := algebra.Base(side)
		if v := watched(base); v != nil {
			return v
		}
	}
	return nil
}

// mostThrough bounds the calls through which a pointer that is compared with a variable is followed to where its
// structure is known:
//
//	lock(&a->lock)  →  static inline void lock(struct lock *l) { lock_raw(l); }
const mostThrough = 3

// mostCompared bounds the comparisons that are asked for one variable.
const mostCompared = 200

// Compare adds to a set, if one of its predicates from number before on compares a pointer with a global variable, the
// comparisons of all other pointers that the program compares with it.
func (c *Copies) Compare(set *preds.Set, before int) {
	asked := map[*core.Var]bool{}
	for _, q := range set.List[before:] {
		w := comparison(q.Expr)
		if w == nil || asked[w] {
			continue
		}
		asked[w] = true
		most := len(set.List) + mostCompared
		for _, o := range c.compared[w] {
			c.compare(set, w, o, mostThrough, most)
		}
	}
}

// compare adds the comparison of o with w, and if o is a formal or a copy as it is, those of its sources.
func (c *Copies) compare(set *preds.Set, w *core.Var, o source, through, most int) {
	if len(set.List) >= most {
		return
	}
	base, off := algebra.Base(o.e)
	switch x := base.(type) {
	case *core.VarRef:
		if x.Var.Kind == core.Global || x.Var.InMemory() {
			return
		}
	case *core.Mem:
	default: // the address of a variable, or a number: a path says whether that matters
		return
	}
	set.Add(o.p, &core.Binary{Op: core.Eq, X: base, Y: algebra.Displace(w.Ref(), -off)})
	// What is the pointer a copy of?
	if base == o.e && through > 0 {
		for _, s := range c.sources(base) {
			c.compare(set, w, s, through-1, most)
		}
	}
}
