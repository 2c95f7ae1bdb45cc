package logic

import (
	"math/big"
	"slices"
	"strings"
)

// This file defines addresses of objects: symbols whose values are so far apart that the objects do
// not overlap, unless C allows that.

// Storage tells which other objects an object may overlap. The zero value is that of most objects:
// none.
type Storage struct {
	// Text is the contents of a constant that may be merged with another one: with an equal
	// one, or the end of a longer one, as "yz" is in "xyz" (C17 6.4.5p7, 6.5.2.5p7). Merged
	// says that it is one; nil Text that its contents are not known.
	Text   []byte
	Merged bool
	// Block is the block in whose execution the object lives, as the path of blocks around
	// it: /1/4/. Objects of blocks of which neither is inside the other are never alive
	// together, and may have one address. It is empty if the object lives longer.
	Block string
	// Calls are the activations of procedures around that in which the object lives, and that:
	// /0/7/. Objects of activations of which neither is around the other are never alive
	// together. It is empty where activations are not told apart.
	Calls string
	// Freed are the names of the addresses of objects that no longer lived when this one was
	// made.
	Freed []string
	// Align is what the address is a multiple of, a power of two; 0 says nothing.
	Align int64
}

// Addr returns the address of an object of size bytes, an unknown in [4096, 2^bits - 4096 - size]:
// no object reaches into the first or last page. Objects of different names do not overlap, except
// as storage says: the intervals [a, a+size) of two such symbols are disjoint. An object of size 0,
// or of unknown size, may be anywhere. Tables decide equations by this, see [Table.Eq], and
// [Table.Disjoint] states it to a prover.
func (t *Table) Addr(name string, size int64, bits int, storage Storage) *Term {
	n := big.NewInt(max(size, 0))
	hi := new(big.Int).Lsh(one, uint(bits))
	hi.Sub(hi, big.NewInt(firstAddress))
	term := &Term{Op: OpSym, Name: name, Val: n, Lo: big.NewInt(firstAddress), Hi: hi.Sub(hi, n)}
	if storage.Merged || storage.Block != "" || storage.Calls != "" || len(storage.Freed) > 0 {
		term.Storage = &storage
	}
	term.align = storage.Align
	return t.intern(term)
}

// residue returns a modulo k, in [0, k), if the alignment of objects tells: (&x + 6) mod 4 is 2 if
// x is at a multiple of 4. r is of no use unless known is true.
func residue(a *Term, k *big.Int) (r *big.Int, known bool) {
	switch {
	case a.IsConst():
		return new(big.Int).Mod(a.Val, k), true
	// k divides the alignment, so the address is 0 modulo k.
	case a.IsAddress() && a.align > 0 && divides(k, big.NewInt(a.align)):
		return new(big.Int), true
	// Summands with a factor that k divides do not matter; all others must be known.
	case a.Op == OpSum:
		r = new(big.Int).Set(a.Val)
		for i, x := range a.Args {
			if divides(k, a.Coef[i]) {
				continue
			}
			s, known := residue(x, k)
			if !known {
				return nil, false
			}
			r.Add(r, s.Mul(s, a.Coef[i]))
		}
		return r.Mod(r, k), true
	case a.Op == OpDiv: // the bits of what is divided
		// floor(y / v) modulo k depends on y modulo k*v only.
		if r, known = residue(a.Args[0], new(big.Int).Mul(k, a.Val)); known {
			r = floorDiv(r, a.Val)
		}
		return r, known
	// Both branches must have the same residue.
	case a.Op == OpIte:
		x, known := residue(a.Args[1], k)
		if !known {
			return nil, false
		}
		y, known := residue(a.Args[2], k)
		return x, known && x.Cmp(y) == 0
	}
	return nil, false
}

// mayBeAligned bounds the alignments of addresses that are used: [Table.Mod] and the addition of
// quotients look for a residue only if the modulus is at most this.
const mayBeAligned = 64

// firstAddress is the least address of an object: the first page is never one.
const firstAddress = 4096

// Disjoint states how two objects whose addresses are different symbols lie: that they do not
// overlap or, of constants that may be merged, overlap in one way only.
func (t *Table) Disjoint(a, b *Term) *Term {
	o := overlap(a, b)
	if o.anyhow {
		return t.True
	}
	// Otherwise one object ends before the other begins: Val is the size of an object.
	apart := t.Or(t.Le(t.Add(a, t.Big(a.Val)), b), t.Le(t.Add(b, t.Big(b.Val)), a))
	if o.merged {
		return t.Or(apart, t.Eq(t.Sub(a, b), t.Int(o.distance)))
	}
	return apart
}

// overlaps tells how two objects may overlap: not at all (the zero value), anyhow, or as merged
// constants, with a - b = distance. If "xyz", at a, and "yz", at b, are merged, the distance is -1.
type overlaps struct {
	anyhow, merged bool
	distance       int64
}

// MayOverlap reports whether the objects at the addresses a and b, different symbols, may
// overlap.
func MayOverlap(a, b *Term) bool { return overlap(a, b) != overlaps{} }

// overlap returns how the objects at the addresses a and b may overlap.
func overlap(a, b *Term) overlaps {
	x, y := a.Storage, b.Storage
	switch {
	// Objects without bytes, or of unknown size; and objects made after the other was freed.
	case a.Val.Sign() == 0 || b.Val.Sign() == 0:
		return overlaps{anyhow: true}
	case x != nil && slices.Contains(x.Freed, b.Name), y != nil && slices.Contains(y.Freed, a.Name):
		return overlaps{anyhow: true}
	case x == nil || y == nil:
		return overlaps{}
	// Objects of activations, or of blocks, that are never alive together.
	case x.Calls != "" && y.Calls != "" && x.Calls != y.Calls:
		return overlaps{anyhow: !strings.HasPrefix(x.Calls, y.Calls) && !strings.HasPrefix(y.Calls, x.Calls)}
	// Constants: one must be the end of the other to be merged with it.
	case x.Merged && y.Merged:
		s, t := string(x.Text), string(y.Text)
		switch {
		case x.Text == nil || y.Text == nil:
			return overlaps{anyhow: true}
		case strings.HasSuffix(s, t), strings.HasSuffix(t, s): // the ends are at one place
			return overlaps{merged: true, distance: int64(len(t) - len(s))}
			// Neither text ends with the other, so the constants are different objects.
		}
	case x.Block != "" && y.Block != "":
		return overlaps{anyhow: !strings.HasPrefix(x.Block, y.Block) && !strings.HasPrefix(y.Block, x.Block)}
	}
	return overlaps{}
}

// Merged returns the value of d, the distance from one address to another, in case the objects that
// they lie in, two constants, are merged; ok is false of other objects, which never are or may
// overlap anyhow.
func (t *Table) Merged(d *Term) (distance *Term, ok bool) {
	a, b, ok := addresses(d)
	if !ok {
		return nil, false
	}
	o := overlap(a, b)
	return t.Big(new(big.Int).Add(d.Val, big.NewInt(o.distance))), o.merged
}

// addresses returns a and b of a sum a - b + c of two objects' addresses.
func addresses(s *Term) (a, b *Term, ok bool) {
	if s.Op != OpSum || len(s.Args) != 2 || !s.Args[0].IsAddress() || !s.Args[1].IsAddress() {
		return nil, nil, false
	}
	if s.Coef[0].CmpAbs(one) != 0 || s.Coef[1].CmpAbs(one) != 0 || s.Coef[0].Sign() == s.Coef[1].Sign() {
		return nil, nil, false
	}
	if s.Coef[0].Sign() < 0 {
		return s.Args[1], s.Args[0], true
	}
	return s.Args[0], s.Args[1], true
}

// apart reports whether s = 0 is false because it equates addresses inside two different objects: a
// - b + d with 0 <= d < size of a, or 0 <= -d < size of b.
func (t *Table) apart(s *Term) bool {
	a, b, ok := addresses(s)
	if !ok {
		return false
	}
	d := s.Val
	if o := overlap(a, b); o.anyhow || o.merged && d.Cmp(big.NewInt(-o.distance)) == 0 {
		return false
	}
	neg := new(big.Int).Neg(d)
	return d.Sign() >= 0 && d.Cmp(a.Val) < 0 || neg.Sign() >= 0 && neg.Cmp(b.Val) < 0
}
