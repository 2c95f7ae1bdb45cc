package interp

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"c2bp/frontend/core"
	"c2bp/ieee"
)

// This file defines random choices.

// Random makes choices by a seeded generator. Most values are such that conditions of the program
// go either way: constants of the program and their neighbours, 0, 1 and -1, small numbers, the
// ends of the type, the old value.
type Random struct {
	rng      *rand.Rand
	literals []int64 // modulo 2^64
}

// NewRandom returns choices for p that depend on p's text and seed alone.
func NewRandom(p *core.Program, seed uint64) *Random {
	r := &Random{rng: rand.New(rand.NewPCG(seed, 0x6332_6270))}
	seen := map[string]bool{}
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) { r.collect(e, seen) })
		}
	}
	slices.Sort(r.literals)
	return r
}

// Again returns choices for the same program by another seed, as NewRandom would, without another
// look at the program.
func (r *Random) Again(seed uint64) *Random {
	return &Random{rng: rand.New(rand.NewPCG(seed, 0x6332_6270)), literals: r.literals}
}

// Branch picks any of next.
func (r *Random) Branch(_ Place, next []int) int { return next[r.rng.IntN(len(next))] }

// Value picks a value, see [Random].
func (r *Random) Value(q Request) *big.Int { return toBig(q.Type, r.Pick(&q)) }

// Pick is Value modulo 2^64.
func (r *Random) Pick(q *Request) int64 {
	if q.Var != nil && q.Var.Logical {
		return r.rng.Int64N(2)
	}
	if v, ok := r.address(q); ok {
		return v
	}
	v := r.number(q)
	// A random number of 64 bits can be an address that is not known.
	if q.hides(v) {
		return 0
	}
	return v
}

// address returns an address for some requests for pointers, and for a few of the requests for
// numbers that are wide enough to hold one.
func (r *Random) address(q *Request) (v int64, ok bool) {
	targets := q.Targets()
	if len(targets) == 0 || q.Type.Bits < q.PointerBits() {
		return 0, false
	}
	switch n := r.rng.IntN(16); {
	case q.Pointer && n < 4:
		return 0, true // null
	case q.Pointer && n < 7 && q.hasOld:
		return q.old, true
	// An address of a known object, its start or a word in it; mostly of the external object, and
	// then rather of a new one of the environment.
	case q.Pointer && n < 15 || n == 0:
		o := targets[r.rng.IntN(len(targets))]
		if r.rng.IntN(2) == 0 {
			o = targets[0]
		}
		if o == targets[0] && r.rng.IntN(16) > 0 { // rather an object of its own
			if a, ok := r.fresh(q); ok {
				return convert(q.Type, a), true
			}
		}
		start, size := likely(o)
		if n%4 == 3 && size >= 16 {
			start += 8 * r.rng.Uint64N(uint64(size/8))
		}
		return convert(q.Type, int64(start)), true
	}
	return 0, false
}

// likely returns the bytes of o that a program probably uses: of an object of the environment not
// all its room.
func likely(o *Object) (start uint64, size int64) {
	if o.Environment() {
		return o.Home(), externalSize
	}
	return o.start, o.size
}

// mostFresh bounds the objects of the environment in a random run: a list from outside ends.
const mostFresh = 32

// fresh returns an address in a new object of the environment, with a probability that falls with
// their number.
func (r *Random) fresh(q *Request) (int64, bool) {
	if r.rng.IntN(mostFresh) < q.Environment() {
		return 0, false
	}
	return q.Fresh()
}

// likelier returns, for small n of 0 … 15, the old value, or a constant of the program or a
// neighbour.
func (r *Random) likelier(q *Request, n int) (v int64, ok bool) {
	switch {
	case n < 2 && q.hasOld:
		return q.old, true
	case n < 6 && len(r.literals) > 0:
		near := r.rng.Int64N(3) - 1
		return convert(q.Type, near+r.literals[r.rng.IntN(len(r.literals))]), true
	}
	return 0, false
}

// float returns the bits of a number, see [Random]: besides the likelier ones halves of small
// integers, infinities, NaN.
func (r *Random) float(q *Request) int64 {
	width := q.Type.Bits
	n := r.rng.IntN(16)
	if v, ok := r.likelier(q, n); ok {
		return v
	}
	switch {
	case n < 13:
		// Halves of small integers.
		two := ieee.FromInteger(2, true, width)
		return int64(ieee.Apply(ieee.Div, width, ieee.FromInteger(r.rng.Int64N(33)-16, true, width), two))
	case n < 14:
		sign := uint64(r.rng.Int64N(2)) << (width - 1)
		return int64(sign | ieee.Infinity(width))
	case n < 15:
		return int64(ieee.NaN(width, true))
	}
	return convert(q.Type, int64(r.rng.Uint64()))
}

// number returns a number, see [Random].
func (r *Random) number(q *Request) int64 {
	if q.Type.Float {
		return r.float(q)
	}
	// Of 16 numbers, as a rule, six are likelier ones if there are any; the others are -1, 0 or 1,
	// small, an end of the type, or anything.
	n := r.rng.IntN(16)
	if v, ok := r.likelier(q, n); ok {
		return v
	}
	switch {
	case n < 11:
		return convert(q.Type, r.rng.Int64N(3)-1)
	case n < 13:
		return convert(q.Type, r.rng.Int64N(33)-16)
	case n < 14:
		return maximum(q.Type)
	case n < 15:
		return minimum(q.Type)
	}
	return convert(q.Type, int64(r.rng.Uint64()))
}

// collect adds the constants of e.
func (r *Random) collect(e core.Expr, seen map[string]bool) {
	core.Walk(e, func(e core.Expr) bool {
		if c, ok := e.(*core.Const); ok && !seen[c.Val.String()] {
			seen[c.Val.String()] = true
			r.literals = append(r.literals, fromBig(c.Val))
		}
		return true
	})
}

// External overwrites some bytes of what the call reaches, mostly at the beginning
// of objects.
func (r *Random) External(c ExternalCall) (out []Write) {
	for range r.rng.IntN(4) {
		start, all := likely(c.Reached[r.rng.IntN(len(c.Reached))])
		size := int64(1) << r.rng.IntN(4)
		if r.rng.IntN(4) == 0 {
			size = all
		}
		if size > all || size == 0 {
			continue
		}
		// Choose a place, half of the time one of the first four.
		at := size * r.rng.Int64N(all/size)
		if r.rng.IntN(2) == 0 {
			at = size * r.rng.Int64N(min(4, all/size))
		}
		w := Write{Addr: start + uint64(at), Size: size}
		if r.rng.IntN(8) == 0 {
			w.Size = min(size, denseSize) // a great object is not overwritten with bytes of its own
			w.Bytes = make([]byte, w.Size)
			w.Bytes[0] = byte(r.rng.IntN(4))
		}
		out = append(out, w)
	}
	return out
}
