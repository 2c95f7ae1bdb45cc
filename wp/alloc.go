package wp

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file uses that a new object is different from all objects that are alive.
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
	done := map[*logic.Term]*logic.Term{}
	// Rebuild the formula without such equations. Equations inside terms stay as they are.
	var without func(f *logic.Term) *logic.Term
	without = func(f *logic.Term) *logic.Term {
		if g := done[f]; g != nil {
			return g
		}
		g := f
		switch f.Op {
		case logic.OpNot:
			g = t.Not(without(f.Args[0]))
		case logic.OpAnd, logic.OpOr:
			var list []*logic.Term
			for _, a := range f.Args {
				list = append(list, without(a))
			}
			if g = t.And(list...); f.Op == logic.OpOr {
				g = t.Or(list...)
			}
		case logic.OpEq:
			for _, d := range Distances(t, f, made) {
				if kept := tr.kept(d.From, s); kept.Off < kept.End {
					g = t.And(g, tr.outOf(d, kept, made, s))
				}
			}
		}
		done[f] = g
		return g
	}
	return without(phi)
}

// PageSize is the number of bytes of the first page, and of the last, in which no object is.
const PageSize = 4096

// outOf returns the condition under which the equation that says d, the distance of a pointer from the new object at
// made, may hold, as kept are the bytes around its target that are in another object.
func (tr *Translator) outOf(d Distance, kept core.Range, made *logic.Term, s *core.Alloc) *logic.Term {
	t := tr.T
	out := func(r core.Range) *logic.Term {
		// The pointer is far before the new object, or after the end of that, which is a number or a term.
		off := t.Add(d.Is, t.Int(r.Off))
		after := t.Not(t.Lt(off, t.Big(made.Val)))
		if _, known := core.ConstantOf(s.Size); !known {
			after = t.And(after, t.Not(t.Lt(off, tr.Value(s.Size))))
		}
		return t.Or(t.Lt(d.Is, t.Int(1-r.End)), after)
	}
	near := kept.Both(core.Range{Off: -PageSize, End: PageSize})
	if near == kept {
		return out(kept)
	}
	return t.And(out(near), t.Or(t.Not(tr.Outer(d.From)), out(kept)))
}

// Outer returns the condition that x is not a number of the first or last page.
func (tr *Translator) Outer(x *logic.Term) *logic.Term {
	last := new(big.Int).Lsh(big.NewInt(1), uint(tr.mem.bits))
	return tr.T.And(tr.T.Le(tr.T.Int(PageSize), x), tr.T.Lt(x, tr.T.Big(last.Sub(last, big.NewInt(PageSize)))))
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

// kept returns the bytes around the target of the value x before s that are certain not to be in the object that s
// makes.
func (tr *Translator) kept(x *logic.Term, s *core.Alloc) core.Range {
	if v := tr.mem.vars[x]; v != nil {
		return tr.keptAt(v.Ref(), s)
	}
	// A read of memory as it is before s: at each of the places that it may be of.
	places := tr.mem.places[x]
	if len(places) == 0 || tr.mem.isUnknown(x) {
		return core.Range{}
	}
	kept := tr.keptAt(places[0], s)
	for _, l := range places[1:] {
		kept = kept.Both(tr.keptAt(l, s))
	}
	return kept
}

// keptAt is kept for the pointer at l.
func (tr *Translator) keptAt(l core.Loc, s *core.Alloc) core.Range {
	return tr.mem.aliases.Kept(l, core.DeclaredTarget(l), s)
}
