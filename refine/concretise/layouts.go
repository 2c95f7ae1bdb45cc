package concretise

import (
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/cex"
)

// This file says in formulas how the roots of a path lie: each in an object of its own, or as their types allow.

// beside returns the formula that r is as near to s as places in one object are: at most an eighth of the
// distance between two objects away.
func (x *outside) beside(r, s *logic.Term, step *big.Int) *logic.Term {
	t := x.Table
	// An eighth of the distance between two objects.
	near := t.Big(new(big.Int).Rsh(step, 3))
	return t.And(t.Le(t.Sub(s, near), r), t.Le(r, t.Add(s, near)))
}

// wholeElements returns the formulas that pointers are whole elements apart where the path asks how many.
func (x *outside) wholeElements() (out []*logic.Term) {
	for _, r := range x.Related {
		if r.Size > 1 {
			out = append(out, x.Table.Eq(x.Table.Mod(x.Table.Sub(r.A, r.B), big.NewInt(r.Size)), x.Table.Int(0)))
		}
	}
	return out
}

// elements returns the formulas that pointers to elements of the program's objects are in these objects.
//
//	set_bit(n, chip.mask)        n / 64 is less than the elements of mask, as chip has no more
func (x *outside) elements() (out []*logic.Term) {
	for _, m := range x.Moved {
		for a := range logic.Subterms(m.From) {
			if a.IsAddress() {
				from := x.Table.And(x.Table.Le(a, m.From), x.Table.Le(m.From, x.Table.Add(a, x.Table.Big(a.Val))))
				out = append(out, x.Table.Implies(from, x.among(a, m.To)))
			}
		}
	}
	return out
}

// moves returns the formulas that pointers which the path computes from others are near them, as places in one object are:
// to elements of arrays, of which nothing says how many they have. They are moved by a few pages at a time, as a compiled
// program has to have room for the objects, or as far as the program says; and not at all from where there is none.
//
//	ring = regs + offset;    n = ring[at];    csr = regs + 0x134000
func (x *outside) moves(step *big.Int) (out []*logic.Term) {
	t, few := x.Table, new(big.Int).Rsh(step, 5)
	for _, m := range x.Moved {
		near := few
		if t.Sub(m.To, m.From).IsConst() {
			near = step
		}
		out = append(out, t.Or(t.Eq(m.To, m.From), t.And(x.Translator.Outer(m.From), x.beside(m.To, m.From, near))))
	}
	return out
}

// among returns the formula that place is in the object of the program at a; or where the path accesses nothing there, just
// after it, or if pointers may leave their objects, near it.
func (x *outside) among(a, place *logic.Term) *logic.Term {
	t, size := x.Table, x.SizeOf(a)
	if size == nil {
		return t.True
	}
	start, end := a, t.Add(a, size)
	switch {
	case slices.Contains(x.Accessed, place):
		return t.And(t.Le(start, place), t.Lt(place, end))
	case x.Prog.Strays:
		start, end = t.Sub(start, t.Int(page)), t.Add(end, t.Int(page))
	}
	return t.And(t.Le(start, place), t.Le(place, end))
}

// elementsOf returns the pointers to elements in the objects that roots lead to, by root.
func (x *outside) elementsOf() map[*logic.Term][]*logic.Term {
	elements, pointer := map[*logic.Term][]*logic.Term{}, x.pointerInputs()
	for _, m := range x.Moved {
		if from := x.pointersIn(m.From, pointer, anyValue); len(from) == 1 && x.Table.Sub(m.From, from[0]).IsConst() {
			elements[from[0]] = append(elements[from[0]], m.To)
		}
	}
	return elements
}

// alignment returns the formulas that scalars are where their sizes allow it, if their addresses are computed from numbers
// that are open. The pointers in them are multiples of these sizes in the run, if not in the model; of integers that are
// addresses, the last bits in the run are those in the model.
func (x *outside) alignment() (out []*logic.Term) {
	t, pointer := x.Table, x.pointerInputs()
	for _, a := range x.Aligned {
		distance := t.Int(0) // from all pointers
		add := func(by *big.Int, f *logic.Term) {
			roots := x.pointersIn(f, pointer, anyValue)
			if !f.IsAddress() && !slices.ContainsFunc(roots, func(r *logic.Term) bool { return !x.leading()[r] }) {
				distance = t.Add(distance, t.Scale(by, f))
			}
		}
		switch {
		case a.At.Op == logic.OpSum:
			distance = t.Big(a.At.Val)
			for i, f := range a.At.Args {
				add(a.At.Coef[i], f)
			}
		case len(x.leading()) > 0:
			add(big.NewInt(1), a.At)
		}
		out = append(out, t.Eq(t.Mod(distance, big.NewInt(a.To)), t.Int(0)))
	}
	return out
}

// functions returns those of the addresses at which functions are.
func (c *Confirmer) functions(x *outside, addresses []*logic.Term) []*logic.Term {
	// The addresses of all functions, of which the path uses some.
	procs := map[*logic.Term]bool{}
	for _, p := range c.Prog.Procs {
		procs[x.Translator.Value(&core.FuncAddr{Proc: p, Typ: core.Ptr{Bits: x.Bits}})] = true
	}
	return slices.DeleteFunc(slices.Clone(addresses), func(a *logic.Term) bool { return !procs[a] })
}

// inRow returns the formulas that the roots lie one after the other, each with an object of its own, but
// for those that lead into one object.
func (x *outside) inRow(roots []*logic.Term, first, step *big.Int) (out []*logic.Term) {
	// A root that shares the object of an earlier one is near it; the numbers of the others are fixed.
	at := new(big.Int).Set(first)
	met := map[*logic.Term]*logic.Term{} // by the representative
	elements := x.elementsOf()
	for _, r := range roots {
		for _, to := range elements[r] {
			out = append(out, x.beside(to, r, step))
		}
		if s := met[x.mate(r)]; s == nil {
			met[x.mate(r)] = r
			out = append(out, x.starts(r, at))
		} else {
			out = append(out, x.beside(r, s, step))
		}
		at = new(big.Int).Add(at, step)
	}
	return out
}

// starts returns the formula that r leads to an object at a number: to its first byte, or if r is an integer, near that,
// as programs keep marks in the last bits of addresses.
func (x *outside) starts(r *logic.Term, at *big.Int) *logic.Term {
	t := x.Table
	if !x.leading()[r] {
		return t.Eq(r, t.Big(at))
	}
	return t.And(t.Le(t.Big(at), r), t.Lt(r, t.Add(t.Big(at), t.Int(strictest))))
}

// strictest is the number of bytes of which all objects begin at multiples, in a run.
const strictest = 16

// nestedOrApart returns the formulas that two roots are far apart, or as far from each other as their
// types allow, or lead to something of the program's, which is below first: to functions if no memory is
// accessed through them, otherwise to objects.
func (x *outside) nestedOrApart(roots, functions, objects []*logic.Term, first, step *big.Int) (out []*logic.Term) {
	t := x.Table
	d, last := t.Big(step), new(big.Int).Mul(step, big.NewInt(mostApart))
	last.Add(last, first)
	// 1. Does a root lead to something of the program's? To an object that has room for all that is accessed there.
	pointer := x.pointerInputs()
	from := func(addresses []*logic.Term) map[*logic.Term]bool {
		roots := map[*logic.Term]bool{}
		for _, f := range addresses {
			for _, r := range x.pointersIn(f, pointer, anyValue) {
				roots[r] = true
			}
		}
		return roots
	}
	touched, whole := from(x.Touched), from(slices.Concat(x.Accessed, x.Released))
	elements := x.elementsOf()
	inside := func(r *logic.Term) *logic.Term {
		var in []*logic.Term
		addresses := objects
		if !touched[r] {
			addresses = functions
		}
		for _, a := range addresses {
			end := t.Add(a, t.Big(a.Val))
			fits := []*logic.Term{t.Le(a, r), t.Lt(r, end)}
			for _, o := range x.Owners[r] {
				fits = append(fits, t.Le(a, t.Add(r, t.Int(o.Off))), t.Le(t.Add(r, t.Int(o.Off+o.Shape.Size)), end))
			}
			for _, to := range elements[r] {
				fits = append(fits, x.among(a, to))
			}
			in = append(in, t.And(fits...))
		}
		return t.Or(in...)
	}
	// 2. If not, it is in the range of the environment, and in one of the allowed distances from each other.
	for i, r := range roots {
		own := []*logic.Term{t.Le(t.Big(first), r), t.Le(r, t.Big(last))}
		for _, to := range elements[r] {
			own = append(own, x.beside(to, r, step))
		}
		out = append(out, t.Or(inside(r), t.And(own...)))
		for _, s := range roots[:i] {
			if x.mate(r) == x.mate(s) {
				out = append(out, t.Or(inside(r), inside(s), x.beside(r, s, step)))
				continue
			}
			ways := []*logic.Term{inside(r), inside(s), t.Le(t.Add(r, d), s), t.Le(t.Add(s, d), r)}
			for _, k := range x.distances(r, s) {
				ways = append(ways, t.Eq(r, t.Add(s, t.Int(k))))
			}
			if !whole[r] {
				ways = append(ways, x.somewhereIn(r, s)...)
			}
			if !whole[s] {
				ways = append(ways, x.somewhereIn(s, r)...)
			}
			out = append(out, t.Or(ways...))
		}
	}
	return out
}

// somewhereIn returns the formulas that r, through which nothing is accessed or freed, lies in one of the objects to which s leads: the pointer
// at the end of a list leads to its head, a member of any struct.
//
//	for (i = entry(d->list.next); &i->link != &d->list; i = entry(i->link.next)) …
func (x *outside) somewhereIn(r, s *logic.Term) (ways []*logic.Term) {
	t := x.Table
	for _, o := range x.Owners[s] {
		after := t.Sub(r, t.Add(s, t.Int(o.Off)))
		inside := t.And(t.Le(t.Int(0), after), t.Lt(after, t.Int(o.Shape.Size)))
		ways = append(ways, t.And(inside, t.Eq(t.Mod(after, big.NewInt(int64(x.Bits/8))), t.Int(0))))
	}
	return ways
}

// distances lists how far r may be after s, if they lead into one object: by the places in the shape of
// one at which there may be the other. Two roots that nothing is accessed through, or one, may be equal.
//
//	s leads to a struct dev, r to its member bus at offset 8        8
//	both lead to a struct dev of 24 bytes                           0, 24, -24
func (x *outside) distances(r, s *logic.Term) (list []int64) {
	// 1. A pointer that no memory is accessed through may equal any other.
	mine, other := x.Owners[r], x.Owners[s]
	if len(mine) == 0 || len(other) == 0 {
		list = []int64{0}
	}
	// 2. For each object that r is known to be a part of, and each of s: where one is inside the other, or next
	// to it in an array.
	for _, a := range mine {
		for _, b := range other {
			away := b.Off - a.Off
			for _, k := range b.Shape.Places(a.Shape) {
				list = append(list, away+k)
			}
			for _, k := range a.Shape.Places(b.Shape) {
				list = append(list, away-k)
			}
			if a.Shape.Is(b.Shape) { // two elements of an array
				list = append(list, away+a.Shape.Size, away-a.Shape.Size)
			}
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	// 3. Where two of their structs would overlap although neither nests in the other, they are not.
	//
	//	s leads to a struct dev, r to the member link of a struct job      not where s has a member link, too
	return slices.DeleteFunc(list, func(k int64) bool {
		for _, a := range mine {
			for _, b := range other {
				d := k + a.Off - b.Off // how far a is after b
				if a.Shape.Record != nil && b.Shape.Record != nil && d < b.Shape.Size && -d < a.Shape.Size &&
					!b.Shape.Holds(d, a.Shape) && !a.Shape.Holds(-d, b.Shape) {
					return true
				}
			}
		}
		return false
	})
}

// page is the distance of which objects of the program that nothing is asked of are at multiples.
const page = 1 << 12

// below returns the formulas that the objects of the program which the path uses are below a number. Those of
// which no condition says anything have known places there, one below the other: hundreds of objects, each two of which must
// not overlap, are much for the prover.
func (x *outside) below(number *big.Int, asked []*logic.Term) (out []*logic.Term) {
	t := x.Table
	at, least := number, new(big.Int).Rsh(number, 1)
	for _, a := range x.addresses() {
		// The next place below those that are taken, if that is in the upper half of what there is.
		place := new(big.Int).Sub(at, a.Val)
		place.Sub(place, big.NewInt(1))
		place.Sub(place, new(big.Int).Mod(place, big.NewInt(page)))
		if slices.Contains(asked, a) || place.Cmp(least) < 0 {
			out = append(out, t.Lt(t.Add(a, t.Big(a.Val)), t.Big(number)))
			continue
		}
		out, at = append(out, t.Eq(a, t.Big(place))), place
	}
	return out
}

// asked lists the addresses of objects and functions of the program of which formulas say something. Only to those in the conditions
// of a path need a root lead: to any other, it might as well lead elsewhere.
func (x *outside) asked(formulas []*logic.Term) (list []*logic.Term) {
	for f := range logic.Subterms(formulas...) {
		if f.IsAddress() {
			list = append(list, f)
		}
	}
	return list
}

// addresses lists the addresses of objects and functions of the program that the path uses.
func (x *outside) addresses() []*logic.Term {
	return x.asked(append(cex.Terms(x.Conds), x.Accessed...))
}
