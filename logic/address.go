package logic

import "math/big"

// This file knows addresses of objects: symbols whose values are far enough apart for
// the objects not to overlap.

// Addr is the address of an object of size bytes, an unknown in [4096, 2^bits - size].
// Objects of different names do not overlap: the intervals [a, a+size) of two such
// symbols are disjoint. (An object of size 0, or of unknown size, counts as one byte.)
// Tables decide equations by it, see [Table.Eq], and [Disjoint] states it to a prover.
func (t *Table) Addr(name string, size int64, bits int) *Term {
	n := big.NewInt(max(size, 1))
	hi := new(big.Int).Lsh(one, uint(bits))
	return t.intern(&Term{Op: OpSym, Name: name, Val: n, Lo: big.NewInt(firstAddress), Hi: hi.Sub(hi, n)})
}

// firstAddress is the least address of an object: the first page is never one.
const firstAddress = 4096

// Disjoint is the fact that two objects, whose addresses are different symbols, do not
// overlap.
func (t *Table) Disjoint(a, b *Term) *Term {
	return t.Or(t.Le(t.Add(a, t.Big(a.Val)), b), t.Le(t.Add(b, t.Big(b.Val)), a))
}

// apart reports whether s = 0 is false because it equates addresses inside two
// different objects: a - b + d with 0 <= d < size of a, or 0 <= -d < size of b.
func (t *Table) apart(s *Term) bool {
	if s.Op != OpSum || len(s.Args) != 2 || !s.Args[0].IsAddress() || !s.Args[1].IsAddress() {
		return false
	}
	if s.Coef[0].CmpAbs(one) != 0 || s.Coef[1].CmpAbs(one) != 0 || s.Coef[0].Sign() == s.Coef[1].Sign() {
		return false
	}
	a, b, d := s.Args[0], s.Args[1], s.Val
	if s.Coef[0].Sign() < 0 {
		a, b = b, a
	}
	limitA, limitB := a.Val, b.Val
	if t.mutate == apartWrong {
		limitA, limitB = new(big.Int).Add(limitA, one), new(big.Int).Add(limitB, one)
	}
	neg := new(big.Int).Neg(d)
	return d.Sign() >= 0 && d.Cmp(limitA) < 0 || neg.Sign() >= 0 && neg.Cmp(limitB) < 0
}
