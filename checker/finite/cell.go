package finite

import (
	"math/bits"

	"c2bp/boolprog"
)

// This file defines references as bits.

// cell is a place of a reference: a variable, a field of an object, a parameter or a result. Its value is a
// number: 0 is null, k+1 the object objects[k], and the last number undecided, if it may be.
type cell struct {
	objects   []int
	undecided bool
	bits      []string // names of the variables, least significant first
}

// newCell returns a cell for references to some objects. name names the variable for a bit, and says to
// which of how many it belongs.
func newCell(to set, undecided bool, name func(bit, of int) string) *cell {
	c := &cell{objects: to.list(), undecided: undecided}
	n := c.width()
	for i := range n {
		c.bits = append(c.bits, name(i, n))
	}
	return c
}

// width returns the number of bits.
func (c *cell) width() int {
	greatest := len(c.objects)
	if c.undecided {
		greatest++
	}
	return bits.Len(uint(greatest))
}

// null is the number of null.
const null = 0

// noNumber is the number of undecided.
func (c *cell) noNumber() int { return len(c.objects) + 1 }

// is returns the condition that c has a number, after the assignment with next.
func (c *cell) is(number int, next bool) boolprog.Expr {
	var all boolprog.Expr = yes
	for i, name := range c.bits {
		all = and(all, literal(&boolprog.Ref{Name: name, Next: next}, number>>i&1 == 1))
	}
	return all
}

// value is a reference as conditions on it, of which at most one holds; it is null if none does.
type value []guard

type guard struct {
	object int
	when   boolprog.Expr
}

// value returns the reference that c leads to.
func (c *cell) value(next bool) value {
	var v value
	for k, o := range c.objects {
		v = append(v, guard{o, c.is(k+1, next)})
	}
	return v
}

// of returns the condition that v leads to an object.
func (v value) of(o int) boolprog.Expr {
	var e boolprog.Expr = no
	for _, g := range v {
		if g.object == o {
			e = or(e, g.when)
		}
	}
	return e
}

// isNull returns the condition that v is null.
func (v value) isNull() boolprog.Expr {
	var e boolprog.Expr = no
	for _, g := range v {
		e = or(e, g.when)
	}
	return not(e)
}

// equal returns the condition that two references are equal.
func equal(v, w value) boolprog.Expr {
	e := and(v.isNull(), w.isNull())
	for _, g := range v {
		e = or(e, and(g.when, w.of(g.object)))
	}
	return e
}

// number returns the number of an object in c, or none.
func (c *cell) number(o int) int {
	for k, at := range c.objects {
		if at == o {
			return k + 1
		}
	}
	return none
}

// encode returns the bits of v in c, which has the objects of v.
func (c *cell) encode(v value) []boolprog.Expr {
	out := make([]boolprog.Expr, len(c.bits))
	for i := range out {
		out[i] = no
		for _, g := range v {
			if n := c.number(g.object); n != none && n>>i&1 == 1 {
				out[i] = or(out[i], g.when)
			}
		}
	}
	return out
}

// constant returns the bits of a number.
func (c *cell) constant(number int) []boolprog.Expr {
	out := make([]boolprog.Expr, len(c.bits))
	for i := range out {
		out[i] = &boolprog.Const{Val: number>>i&1 == 1}
	}
	return out
}

// copies reports whether the bits of c are those of d for each value.
func (c *cell) copies(d *cell) bool {
	if c.undecided != d.undecided || len(c.objects) != len(d.objects) {
		return false
	}
	for i, o := range c.objects {
		if d.objects[i] != o {
			return false
		}
	}
	return true
}

// The constants, and operators that simplify.
var (
	yes = &boolprog.Const{Val: true}
	no  = &boolprog.Const{}
)

func constantOf(e boolprog.Expr) (val, is bool) {
	c, is := e.(*boolprog.Const)
	return is && c.Val, is
}

func not(e boolprog.Expr) boolprog.Expr {
	if val, is := constantOf(e); is {
		return &boolprog.Const{Val: !val}
	}
	if n, is := e.(*boolprog.Not); is {
		return n.X
	}
	return &boolprog.Not{X: e}
}

func and(x, y boolprog.Expr) boolprog.Expr {
	if val, is := constantOf(x); is {
		if val {
			return y
		}
		return no
	}
	if val, is := constantOf(y); is {
		if val {
			return x
		}
		return no
	}
	return &boolprog.Binary{Op: boolprog.And, X: x, Y: y}
}

// ite returns e where a condition without choices holds, and otherwise f.
func ite(when, e, f boolprog.Expr) boolprog.Expr {
	return or(and(when, e), and(not(when), f))
}

// or returns x | y.
func or(x, y boolprog.Expr) boolprog.Expr {
	if val, is := constantOf(x); is {
		if val {
			return yes
		}
		return y
	}
	if val, is := constantOf(y); is {
		if val {
			return yes
		}
		return x
	}
	return &boolprog.Binary{Op: boolprog.Or, X: x, Y: y}
}

func literal(r *boolprog.Ref, positive bool) boolprog.Expr {
	if positive {
		return r
	}
	return &boolprog.Not{X: r}
}
