package checks

import (
	"math/big"

	"c2bp/frontend/core"
)

// This file has the properties of accesses (C11 6.5.3.2, 6.5.6).

// NotNull returns the property that a pointer is not null; cond says so.
func NotNull(cond core.Expr) Property { return Property{NullFollowed, plain(cond)} }

// Index returns the property that i, of an integer type, is the number of one of n elements.
func Index(i core.Expr, n int64) Property {
	return Property{OutOfBounds, plain(within(i, new(big.Int), big.NewInt(n-1)))}
}

// Nowhere returns a node, for an end of the procedure q, which asserts that no operation of kind k is in the program that
// could fail. next is the index of the node after it.
func (k Kind) Nowhere(q *core.Proc, next int) *core.Node {
	c := &core.Check{Name: k.Properties()[0], Pos: q.Pos, Text: "no operation of this kind"}
	return &core.Node{Stmt: &core.Assert{Cond: truth(true), Check: c}, Succ: []int{next}, Pos: q.Pos, Text: q.CName, First: true}
}

// Always reports whether p holds for all values, as the form of its condition shows.
func (p Property) Always() bool { return p.Cond.always() }
