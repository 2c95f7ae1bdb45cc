package concretise

import (
	"fmt"
	"math/big"
	"testing"

	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
)

// TestBelow: objects of which conditions say something are anywhere below a number, the others at places there that
// are apart, and all formulas hold together.
func TestBelow(t *testing.T) {
	table := logic.NewTable()
	address := func(i int) *logic.Term {
		return table.Addr(fmt.Sprint("&x", i), int64(2000*i), 64, logic.Storage{})
	}
	asked := address(1)
	conds := []cex.Condition{{Term: table.Eq(asked, table.Int(1<<20-3*page))}}
	x := &outside{Execution: &cex.Execution{Table: table, Conds: conds}}
	for i := range 6 {
		x.Accessed = append(x.Accessed, table.Add(address(i), table.Int(4)))
	}
	for _, c := range []struct {
		number int64
		fixed  int // addresses with places of their own
	}{{1 << 21, 5}, {1 << 16, 4}} {
		// The condition is about an address above the second number.
		below := x.below(big.NewInt(c.number), x.asked(cex.Terms(conds)))
		fixed := 0
		for _, f := range below {
			if f.Op == logic.OpEq && !f.Mentions(asked) {
				fixed++
			}
		}
		if len(below) != 6 || fixed != c.fixed {
			t.Errorf("below %d: %d formulas, %d of them places: %v", c.number, len(below), fixed, below)
		}
		pr := prover.New(nil, prover.Options{})
		want := prover.Sat
		if c.number < 1<<20 {
			want = prover.Unsat
		}
		if got := pr.Check(t.Context(), append(cex.Terms(conds), below...), table); got != want {
			t.Errorf("below %d: %v, want %v: %v", c.number, got, want, below)
		}
		if got := pr.Check(t.Context(), below, table); got != prover.Sat {
			t.Errorf("below %d: without the condition %v", c.number, got)
		}
		pr.Close()
	}
}
