package checks

import (
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file has the properties of accesses (C11 6.5.3.2, 6.5.6).

// NotNull returns the property that a pointer is not null; cond says so.
func NotNull(cond core.Expr) Property { return Property{NullFollowed, plain(cond)} }

// Index returns the property that i, of an integer type, is the number of one of n elements.
func Index(i core.Expr, n int64) Property {
	return Property{OutOfBounds, plain(within(i, new(big.Int), big.NewInt(n-1)))}
}

// Nowhere returns nodes, each leading to the next, that assert for the kinds in s of which no property is asserted: no
// operation of this kind is in the program that could fail. They stand at pos, in the function with that name.
func (s Set) Nowhere(asserted func(property string) bool, pos source.Pos, name string) (nodes []*core.Node) {
	for _, k := range s.Kinds() {
		if slices.ContainsFunc(k.Properties(), asserted) {
			continue
		}
		c := &core.Check{Name: k.Properties()[0], Pos: pos, Text: "no operation of this kind"}
		nodes = append(nodes, &core.Node{
			Stmt: &core.Assert{Cond: truth(true), Check: c}, Succ: []int{len(nodes) + 1}, Pos: pos, Text: name, First: true,
		})
	}
	return nodes
}

// Always reports whether p holds for all values, as the form of its condition shows.
func (p Property) Always() bool { return p.Cond.always() }
