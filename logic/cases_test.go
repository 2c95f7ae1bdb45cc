package logic

import (
	"fmt"
	"testing"
)

// TestCases: an atom over a few reads after writes is taken apart, one over a sum of many is not: with 40 of them there
// would be 2^40 cases.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		reads int
		apart bool
	}{{1, true}, {3, true}, {40, false}} {
		table := NewTable()
		sum := table.Int(0)
		for i := range c.reads {
			sym := func(s string) *Term { return table.Sym(fmt.Sprint(s, i), nil, nil) }
			// The value at p after a write to q; under it, in the value that is written, another one.
			inner := table.Ite(table.Eq(sym("r"), sym("s")), sym("a"), sym("b"))
			sum = table.Add(sum, table.Ite(table.Eq(sym("p"), sym("q")), inner, sym("c")))
		}
		if got := table.Lt(sum, table.Int(7)).Op != OpLe; got != c.apart {
			t.Errorf("%d reads: taken apart: %v", c.reads, got)
		}
	}
}
