package wp

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file uses that a new object is different from all objects that are alive, and that a global one is not where a pointer
// leads that leads elsewhere.
//
// Where package alias is certain that a pointer p leads to an object that is alive (Aliases.Kept), this object and the
// new one share no byte. For bytes j of the old object, counted from where p leads, and i of the new one, of n bytes,
//
//	p + j != new + i,  for all lo <= j < hi, 0 <= i < n
//
// or, for each difference d of two such numbers, p != new + d: so an equation that says p = new + d holds only
// if d is not in the range 1 - hi <= d <= n - 1 - lo. The distance d may be a term that is not known:
//
//	struct dev { long id[20]; int lock; } *p = get();      &p->lock = new + i      is p = new + (i - 160)
//
// A null pointer, or an error, is not near an object either: p + j is in the first page, for a p that is null and a
// j of less than a page, and C gives p + j no meaning for another number p of the first or last page. For a j of more than a
// page the equation is kept if p is such a number.

// unlikeNew returns phi, which is about the state before s, without the equations that cannot hold
// there, because the object that s makes is not alive yet:
//
//	WP(q := alloc, p = q)         p = new         false, if p points to a live object, or is null
//	WP(q := alloc, p + 8 = q + i) p + 8 = new + i only if i is out of bounds
func (tr *Translator) unlikeNew(phi *logic.Term, s *core.Alloc) *logic.Term {
	t, made := tr.T, tr.Allocated(s)
	size := t.Big(made.Val)
	if _, known := core.ConstantOf(s.Size); !known {
		size = tr.Value(s.Size)
	}
	return tr.withEquations(phi, func(f *logic.Term) *logic.Term {
		g := f
		for _, d := range Distances(t, f, made) {
			if kept := tr.kept(d.From, func(l core.Loc) core.Range { return tr.keptAt(l, s) }); kept.Off < kept.End {
				g = t.And(g, tr.outOf(d, kept, made.Val, size))
			}
		}
		return g
	})
}

// Tested returns the formula "e is not zero" of the condition of an assumption or assertion, without the equations that cannot
// hold there.
func (tr *Translator) Tested(e core.Expr) *logic.Term { return tr.awayFromGlobals(tr.Cond(e)) }

// awayFromGlobals returns phi without the equations that cannot hold, because they state that a pointer is near a global
// object, and it leads to others (Aliases.KeptFrom):
//
//	struct dev { int id; struct list l; } *p = get();    &p->l = &head    false, if head is no struct dev
func (tr *Translator) awayFromGlobals(phi *logic.Term) *logic.Term {
	if len(tr.mem.globals) == 0 {
		return phi
	}
	return tr.withEquations(phi, func(f *logic.Term) *logic.Term {
		g := f
		for _, d := range tr.nearGlobals(f) {
			g = tr.T.And(g, tr.outOf(d.Distance, d.kept, d.object.Val, tr.T.Big(d.object.Val)))
		}
		return g
	})
}

// nearGlobal is the distance of a pointer from the start of a global object, and the bytes around its target that are not there.
type nearGlobal struct {
	Distance
	kept   core.Range
	object *logic.Term
}

// nearGlobals lists the pointers of which the equation f states the distance from a global object that they do not lead to.
func (tr *Translator) nearGlobals(f *logic.Term) (list []nearGlobal) {
	s := f.Args[0]
	if s.Op != logic.OpSum {
		return nil
	}
	for _, a := range s.Args {
		v := tr.Global(a)
		if v == nil {
			continue
		}
		for _, d := range Distances(tr.T, f, a) {
			kept := tr.kept(d.From, func(l core.Loc) core.Range { return tr.mem.aliases.KeptFrom(l, v) })
			if kept.Off < kept.End {
				list = append(list, nearGlobal{d, kept, a})
			}
		}
	}
	return list
}

// Global returns the global variable whose object, of a known size, is at address a, nil if there is none.
func (tr *Translator) Global(a *logic.Term) *core.Var {
	if a.Val == nil || a.Val.Sign() == 0 {
		return nil
	}
	return tr.mem.globals[a]
}

// withEquations returns phi with each equation replaced by the result of function of for it. Equations inside terms stay as they are.
func (tr *Translator) withEquations(phi *logic.Term, of func(f *logic.Term) *logic.Term) *logic.Term {
	t := tr.T
	done := map[*logic.Term]*logic.Term{}
	var with func(f *logic.Term) *logic.Term
	with = func(f *logic.Term) *logic.Term {
		if g := done[f]; g != nil {
			return g
		}
		g := f
		switch f.Op {
		case logic.OpNot:
			g = t.Not(with(f.Args[0]))
		case logic.OpAnd, logic.OpOr:
			var list []*logic.Term
			for _, a := range f.Args {
				list = append(list, with(a))
			}
			if g = t.And(list...); f.Op == logic.OpOr {
				g = t.Or(list...)
			}
		case logic.OpEq:
			g = of(f)
		}
		done[f] = g
		return g
	}
	return with(phi)
}

// outOf returns the condition under which the equation that says d, the distance of a pointer from an object of size bytes,
// which are least or more, may hold, as kept are the bytes around its target that are in another object.
func (tr *Translator) outOf(d Distance, kept core.Range, least *big.Int, size *logic.Term) *logic.Term {
	t := tr.T
	out := func(r core.Range) *logic.Term {
		// The pointer is far before the object, or after the end of that, which is a number or a term.
		off := t.Add(d.Is, t.Int(r.Off))
		after := t.And(t.Not(t.Lt(off, t.Big(least))), t.Not(t.Lt(off, size)))
		return t.Or(t.Lt(d.Is, t.Int(1-r.End)), after)
	}
	near := kept.Both(core.Range{Off: -core.PageSize, End: core.PageSize})
	if near == kept {
		return out(kept)
	}
	return t.And(out(near), t.Or(t.Not(tr.Outer(d.From)), out(kept)))
}

// Outer returns the condition that x is not a number of the first or last page.
func (tr *Translator) Outer(x *logic.Term) *logic.Term {
	last := new(big.Int).Lsh(big.NewInt(1), uint(tr.mem.bits))
	return tr.T.And(tr.T.Le(tr.T.Int(core.PageSize), x), tr.T.Lt(x, tr.T.Big(last.Sub(last, big.NewInt(core.PageSize)))))
}

// Distance says that the value From is Is bytes after the start of an object.
type Distance struct{ From, Is *logic.Term }

// Distances lists the distances of values from the start of the object at made that the equation f states.
func Distances(t *logic.Table, f, made *logic.Term) (list []Distance) {
	s := f.Args[0]
	if s.Op != logic.OpSum {
		return nil
	}
	// 1. Its sum, which is 0, has made as a summand, once.
	at := -1
	for i, a := range s.Args {
		if a == made {
			at = i
		}
	}
	one := big.NewInt(1)
	if at < 0 || s.Coef[at].CmpAbs(one) != 0 {
		return nil
	}
	// 2. Any other summand x of the opposite sign may be the value: s = ±(made - x + rest).
	for i, x := range s.Args {
		if i == at || s.Coef[i].CmpAbs(one) != 0 || s.Coef[i].Sign() == s.Coef[at].Sign() {
			continue
		}
		rest := t.Scale(s.Coef[at], s)
		list = append(list, Distance{From: x, Is: t.Add(rest, x, t.Scale(big.NewInt(-1), made))})
	}
	return list
}

// kept returns the bytes around the target of the value x that are certain not to be in some object; at says it of the
// value of a place.
func (tr *Translator) kept(x *logic.Term, at func(l core.Loc) core.Range) core.Range {
	if v := tr.mem.vars[x]; v != nil {
		return at(v.Ref())
	}
	// A read of memory: at each of the places that it may be of.
	places := tr.mem.places[x]
	if len(places) == 0 || tr.mem.isUnknown(x) {
		return core.Range{}
	}
	kept := at(places[0])
	for _, l := range places[1:] {
		kept = kept.Both(at(l))
	}
	return kept
}

// keptAt is kept for the pointer at l.
func (tr *Translator) keptAt(l core.Loc, s *core.Alloc) core.Range {
	return tr.mem.aliases.Kept(l, core.DeclaredTarget(l), s)
}
