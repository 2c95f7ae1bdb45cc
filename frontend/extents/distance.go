package extents

import (
	"math/big"
	"slices"

	"c2bp/frontend/checks"
	"c2bp/frontend/core"
)

// This file says how far from a pointer an address is.

// distance is a number of bytes: off, and each index times its size. An index of a declared array is one of its
// elements, which is asserted where it is used.
type distance struct {
	off     int64
	indices []*core.Index
}

// distanceOf returns the pointer that the address e is computed from, and the distance of e from it.
func distanceOf(e core.Expr) (base core.Expr, d distance) {
	for {
		switch x := e.(type) {
		case *core.Offset:
			d.off += x.Off
			e = x.X
		case *core.Index:
			if k, ok := core.ConstantOf(x.I); ok && abs(k) < 1<<31 && x.Size < 1<<31 {
				d.off += k * x.Size
			} else {
				d.indices = append(d.indices, x)
			}
			e = x.X
		default:
			return e, d
		}
	}
}

// constant reports whether d is a number.
func (d distance) constant() bool { return len(d.indices) == 0 }

// bounds returns the least and the greatest number that d may be, by the ranges of its indices.
func (d distance) bounds() (lo, hi *big.Int) {
	lo, hi = big.NewInt(d.off), big.NewInt(d.off)
	for _, x := range d.indices {
		a, b := checks.Range(x.I)
		if x.Count > 0 && x.Count < core.OpenEnd {
			a, b = new(big.Int), big.NewInt(x.Count-1)
		}
		size := big.NewInt(x.Size)
		lo = new(big.Int).Add(lo, new(big.Int).Mul(a, size))
		hi = new(big.Int).Add(hi, new(big.Int).Mul(b, size))
	}
	return lo, hi
}

// sum returns d without its constant part, as a number of 64 bits.
func (d distance) sum() core.Expr {
	var e core.Expr
	for _, x := range d.indices {
		i := x.I
		if i.Type() != core.Type(core.Int64) {
			i = &core.Conv{X: i, To: core.Int64}
		}
		if x.Size != 1 {
			i = is(core.Mul, i, core.NewConst(x.Size, core.Int64))
		}
		if e == nil {
			e = i
		} else {
			e = is(core.Add, e, i)
		}
	}
	return e
}

// atLeast returns the condition lo <= d; nil if it always holds, by the ranges of indices.
func (d distance) atLeast(lo int64) core.Expr {
	least, _ := d.bounds()
	switch {
	case least.Cmp(big.NewInt(lo)) >= 0:
		return nil
	case d.constant():
		return number(0)
	}
	// One index is compared as it is.
	if x := d.indices[0]; len(d.indices) == 1 && x.Size > 0 {
		return compare(core.Ge, x.I, ceil(lo-d.off, x.Size), x.I.Type().(core.Int))
	}
	return all(append(d.small(), is(core.Ge, d.sum(), core.NewConst(lo-d.off, core.Int64))))
}

// atMost returns the condition d <= hi, or d <= size + hi if size is not nil; nil if it always holds, by the ranges of
// indices.
func (d distance) atMost(hi int64, size core.Expr) core.Expr {
	_, greatest := d.bounds()
	switch {
	case size == nil && greatest.Cmp(big.NewInt(hi)) <= 0:
		return nil
	case size == nil && d.constant():
		return number(0)
	case d.constant():
		return is(core.Ge, size, core.NewConst(d.off-hi, core.Int64))
	}
	// One index is compared as it is.
	if x := d.indices[0]; size == nil && len(d.indices) == 1 && x.Size > 0 {
		return compare(core.Le, x.I, floor(hi-d.off, x.Size), x.I.Type().(core.Int))
	}
	bound := core.Expr(core.NewConst(hi-d.off, core.Int64))
	if size != nil {
		bound = plus(size, hi-d.off)
	}
	return all(append(d.small(), is(core.Le, d.sum(), bound)))
}

// small returns the conditions that the indices without a sign are numbers of 64 bits with a sign, bytes
// counted; a greater one is out of any bounds.
func (d distance) small() (list []core.Expr) {
	for _, x := range d.indices {
		if t := x.I.Type().(core.Int); !t.Signed && t.Bits == 64 && x.Size > 0 {
			list = append(list, compare(core.Le, x.I, 1<<62/x.Size, t))
		}
	}
	return list
}

// with returns d and size bytes more.
func (d distance) with(size core.Expr) distance {
	d.indices = append(slices.Clone(d.indices), &core.Index{I: size, Size: 1})
	return d
}

// compare returns i op k, for an index of type t.
func compare(op core.BinaryOp, i core.Expr, k int64, t core.Int) core.Expr {
	v := big.NewInt(k)
	switch {
	case t.Contains(v):
		return is(op, i, &core.Const{Val: v, Typ: t})
	case (v.Cmp(t.Min()) < 0) == (op == core.Ge):
		return number(1)
	}
	return number(0)
}

// plus returns e + k.
func plus(e core.Expr, k int64) core.Expr {
	switch {
	case k == 0:
		return e
	case k < 0:
		return is(core.Sub, e, core.NewConst(-k, core.Int64))
	}
	return is(core.Add, e, core.NewConst(k, core.Int64))
}

// all returns the conjunction of conditions, 1 for none; one that is 1 is left out.
func all(list []core.Expr) core.Expr {
	var cond core.Expr
	for _, c := range list {
		if k, ok := core.ConstantOf(c); ok && k != 0 {
			continue
		}
		if cond == nil {
			cond = c
		} else {
			cond = is(core.LAnd, cond, c)
		}
	}
	if cond == nil {
		return number(1)
	}
	return cond
}

// floor returns the greatest integer that is at most x / y, for a y above 0, and ceil the least that is at least
// x / y.
func floor(x, y int64) int64 {
	q := x / y
	if x%y < 0 {
		q--
	}
	return q
}

func ceil(x, y int64) int64 { return -floor(-x, y) }

// abs returns the magnitude of x.
func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}
