package logic

import "math/big"

// This file simplifies quotients and remainders by constants, so that the slices of bits from which
// a number is put together are found in it again.

// divSlices returns floor(a / k) in a simpler form, nil if there is none:
//
//	floor(floor(x/m) / k)  =  floor(x / (m*k))
//	floor((x mod m) / k)   =  floor(x/k) mod (m/k)   if k divides m
//	floor((g*x + r) / k)   =  floor(x / (k/g))       if g divides k and 0 <= r < g
//	floor((k*x + r) / k)   =  x + floor(r/k)
func (t *Table) divSlices(a *Term, k *big.Int) *Term {
	switch a.Op {
	case OpDiv:
		return t.Div(a.Args[0], new(big.Int).Mul(a.Val, k))
	case OpMod:
		if divides(k, a.Val) {
			return t.Mod(t.Div(a.Args[0], k), new(big.Int).Quo(a.Val, k))
		}
	case OpSum:
		// A common divisor g of k and summands is taken out, if the rest is below g.
		if g, x, _ := t.aligned(a, k); x != nil {
			return t.Div(x, new(big.Int).Quo(k, g))
		}
		// Otherwise whole multiples of k are.
		if x, r := t.split(a, k); x != t.Int(0) {
			return t.Add(x, t.Div(r, k))
		}
	}
	return nil
}

// modSlices returns a mod k in a simpler form, nil if there is none:
//
//	(x mod m) mod k    =  x mod k                    if k divides m
//	(g*x + r) mod k    =  g * (x mod (k/g)) + r      if g divides k and 0 <= r < g
//	(k*x + r) mod k    =  r mod k
func (t *Table) modSlices(a *Term, k *big.Int) *Term {
	switch a.Op {
	case OpMod:
		if divides(k, a.Val) {
			return t.Mod(a.Args[0], k)
		}
	case OpSum:
		if g, x, r := t.aligned(a, k); x != nil {
			return t.Add(t.Scale(g, t.Mod(x, new(big.Int).Quo(k, g))), r)
		}
		if x, r := t.split(a, k); x != t.Int(0) {
			return t.Mod(r, k)
		}
	}
	return nil
}

// divides reports whether k divides m.
func divides(k, m *big.Int) bool { return new(big.Int).Mod(m, k).Sign() == 0 }

// split writes a sum as g*x + r: x has all summands that g divides, and as much of the constant as
// leaves that of r in [0, g).
func (t *Table) split(a *Term, g *big.Int) (x, r *Term) {
	whole, rest := newSum(), newSum()
	whole.val, rest.val = new(big.Int).DivMod(a.Val, g, new(big.Int))
	for i, s := range a.Args {
		if divides(g, a.Coef[i]) {
			whole.addAtom(new(big.Int).Quo(a.Coef[i], g), s)
		} else {
			rest.addAtom(a.Coef[i], s)
		}
	}
	return whole.term(t), rest.term(t)
}

// aligned writes a sum as g*x + r with 0 <= r < g, where g > 1 is a divisor of k: the greatest
// common divisor of k and a coefficient that is found. x is nil if there is none. For the sum
// 4*y + (z mod 2) + 2 and k = 8 it finds g = 4, x = y and r = z mod 2 + 2.
func (t *Table) aligned(a *Term, k *big.Int) (g *big.Int, x, r *Term) {
	for _, c := range a.Coef {
		// Try the common divisors of k and the coefficients; the rest must not carry.
		d := new(big.Int).GCD(nil, nil, k, new(big.Int).Abs(c))
		if d.Cmp(one) == 0 || g != nil && d.Cmp(g) <= 0 {
			continue
		}
		y, rest := t.split(a, d)
		if within(rest, new(big.Int), new(big.Int).Sub(d, one)) {
			g, x, r = d, y, rest
		}
	}
	return g, x, r
}
