package cubes

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"
)

// This file defines cubes and sets of cubes.

// Bits is a set of small numbers: bit i%64 of word i/64 tells whether i is in it.
type Bits []uint64

// Has reports whether i is in the set.
func (b Bits) Has(i int) bool { return i/64 < len(b) && b[i/64]>>(i%64)&1 != 0 }

// Len returns the number of elements.
func (b Bits) Len() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// put adds i to the set.
func (b *Bits) put(i int) {
	for len(*b) <= i/64 {
		*b = append(*b, 0)
	}
	(*b)[i/64] |= 1 << (i % 64)
}

// Cube is a conjunction of literals over predicates, which are named by their
// index: those in Pos hold, those in Neg do not. No index is in both. The empty
// cube is true.
type Cube struct{ Pos, Neg Bits }

// Literal is a predicate or its negation.
type Literal struct {
	Pred int // index of the predicate
	Neg  bool
}

// NewCube returns the conjunction of the literals.
func NewCube(lits ...Literal) Cube {
	var c Cube
	for _, l := range lits {
		if l.Neg {
			c.Neg.put(l.Pred)
		} else {
			c.Pos.put(l.Pred)
		}
	}
	return c
}

// Len returns the number of literals.
func (c Cube) Len() int { return c.Pos.Len() + c.Neg.Len() }

// Literals lists the literals by index.
func (c Cube) Literals() []Literal {
	var ls []Literal
	for i := 0; i < 64*max(len(c.Pos), len(c.Neg)); i++ {
		if c.Pos.Has(i) || c.Neg.Has(i) {
			ls = append(ls, Literal{i, c.Neg.Has(i)})
		}
	}
	return ls
}

// String prints a cube for dumps and tests: 0 & !2; true if empty.
func (c Cube) String() string {
	var parts []string
	for _, l := range c.Literals() {
		if l.Neg {
			parts = append(parts, fmt.Sprintf("!%d", l.Pred))
		} else {
			parts = append(parts, fmt.Sprint(l.Pred))
		}
	}
	if len(parts) == 0 {
		return "true"
	}
	return strings.Join(parts, " & ")
}

// cube is a cube as enumerated: ascending literals, 2*i for predicate i and 2*i+1 for its negation:
// 0 & !2 is [0 5]. Shorter first, then lexicographic, is the order of all output.
type cube []int

// public returns c in the form that other packages see.
func (c cube) public() Cube {
	var ls []Literal
	for _, l := range c {
		ls = append(ls, Literal{l / 2, l&1 != 0})
	}
	return NewCube(ls...)
}

// publicCubes returns the cubes in the form that other packages see.
func publicCubes(cs []cube) []Cube {
	var out []Cube
	for _, c := range cs {
		out = append(out, c.public())
	}
	return out
}

// inOrder sorts cubes in place, shorter ones first, then lexicographically, and returns them.
func inOrder(cs []cube) []cube {
	sort.Slice(cs, func(i, j int) bool {
		if len(cs[i]) != len(cs[j]) {
			return len(cs[i]) < len(cs[j])
		}
		return slices.Compare(cs[i], cs[j]) < 0
	})
	return cs
}

// cubeSet is a set of cubes none of which contains another. It is made for one question: whether a
// growing cube contains one of them.
type cubeSet struct {
	byLast map[int][]cube // by the last literal
}

// newCubeSet returns an empty set.
func newCubeSet() *cubeSet { return &cubeSet{byLast: map[int][]cube{}} }

// add adds a copy of c.
func (s *cubeSet) add(c cube) {
	if len(c) == 0 {
		return // a search that finds the empty cube asks no more
	}
	// The caller's cube is a prefix that changes.
	c = append(cube(nil), c...)
	last := c[len(c)-1]
	s.byLast[last] = append(s.byLast[last], c)
}

// inside reports whether some cube of the set that ends with the last literal of c is part of c. A
// cube that grows literal by literal contains a cube of the set if and only if this holds of one of
// its prefixes.
func (s *cubeSet) inside(c cube) bool {
	for _, small := range s.byLast[c[len(c)-1]] {
		if small.partOf(c) {
			return true
		}
	}
	return false
}

// has reports whether c is in the set.
func (s *cubeSet) has(c cube) bool {
	for _, o := range s.byLast[c[len(c)-1]] {
		if len(o) == len(c) && o.partOf(c) {
			return true
		}
	}
	return false
}

// partOf reports whether all literals of c are in big. Both are ascending.
func (c cube) partOf(big cube) bool {
	// i counts the literals of c met so far.
	i := 0
	for _, l := range big {
		if i < len(c) && c[i] == l {
			i++
		}
	}
	return i == len(c)
}
