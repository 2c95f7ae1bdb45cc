package temporal

import "slices"

// This file evaluates formulas on words, by the definition.

// Holds reports whether f holds of the infinite word that begins with stem and then repeats loop, which is not
// empty, for ever. A letter has the bits of the atoms that hold.
func (f *Formula) Holds(stem, loop []uint64) bool {
	known := func(letters []uint64) (list []Letter) {
		for _, l := range letters {
			list = append(list, Letter{Atoms: l})
		}
		return list
	}
	return f.holds(known(stem), known(loop))
}

// MayHold reports whether f may hold of an infinite word that was observed, rather than produced by a system. If it is
// false, f does not hold whichever of the unknown atoms hold, in each round of the loop.
func (f *Formula) MayHold(stem, loop []Letter) bool {
	// In negation normal form more atoms, or more negations of atoms, make no formula false.
	return f.Normal(false).holds(stem, loop)
}

// holds reports whether f, in negation normal form if atoms are unknown, holds of a word in which all unknown atoms hold,
// and their negations, too.
func (f *Formula) holds(stem, loop []Letter) bool {
	w := word{letters: slices.Concat(stem, loop), loop: len(stem)}
	return w.values(f)[0]
}

// word is an infinite word: from its last letter it goes on at the index loop.
type word struct {
	letters []Letter
	loop    int
}

// values returns the values of f at the positions of the word.
func (w *word) values(f *Formula) []bool {
	out := make([]bool, len(w.letters))
	// 1. A formula without operands.
	switch f.Op {
	case True, False, Atom:
		for i, letter := range w.letters {
			out[i] = f.Op == True || f.Op == Atom && (letter.Atoms|letter.Unknown)>>f.Atom&1 == 1
		}
		return out
	}
	// 2. Operators that look at one position, or the next.
	x := w.values(f.X)
	y := x
	if f.Y != nil {
		y = w.values(f.Y)
	}
	for i := range out {
		switch f.Op {
		case Not:
			out[i] = !x[i] || f.X.Op == Atom && w.letters[i].Unknown>>f.X.Atom&1 == 1
		case Next:
			out[i] = x[w.next(i)]
		case And:
			out[i] = x[i] && y[i]
		case Or:
			out[i] = x[i] || y[i]
		case Implies:
			out[i] = !x[i] || y[i]
		case Iff:
			out[i] = x[i] == y[i]
		}
	}
	// 3. Fixed points: the least one of F and U, the greatest one of the others.
	switch f.Op {
	case Finally:
		w.fix(out, false, func(i int, next bool) bool { return x[i] || next })
	case Globally:
		w.fix(out, true, func(i int, next bool) bool { return x[i] && next })
	case Until:
		w.fix(out, false, func(i int, next bool) bool { return y[i] || x[i] && next })
	case Release:
		w.fix(out, true, func(i int, next bool) bool { return y[i] && (x[i] || next) })
	case Weak:
		w.fix(out, true, func(i int, next bool) bool { return y[i] || x[i] && next })
	}
	return out
}

// next returns the position after i.
func (w *word) next(i int) int {
	if i+1 == len(w.letters) {
		return w.loop
	}
	return i + 1
}

// fix computes the fixed point of a value that depends on that at the next position. Two rounds backwards are
// enough: the first decides the start of the loop.
func (w *word) fix(out []bool, first bool, value func(i int, next bool) bool) {
	for i := range out {
		out[i] = first
	}
	for range 2 {
		for i := len(out) - 1; i >= 0; i-- {
			out[i] = value(i, out[w.next(i)])
		}
	}
}
