package refine

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"c2bp/logic"
)

// What bit operations with constants are said to be, they are.
func TestExactBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	known := 0
	for range 3000 {
		table := logic.NewTable()
		x := table.Sym("x", nil, nil)
		name := []string{logic.FnAnd, logic.FnOr, logic.FnXor}[r.IntN(3)]
		f := table.Uninterpreted(name, nil, nil, x, table.Int(r.Int64N(1<<uint(1+r.IntN(40)))))
		e := exactBits(table, f)
		if e == nil {
			continue
		}
		known++
		for range 10 {
			v := big.NewInt(r.Int64N(1<<40) - 1<<39)
			sym := func(*logic.Term) *big.Int { return v }
			if e.Eval(sym, logic.Meaning).Sign() == 0 {
				t.Fatalf("%v is wrong for %v", e, v)
			}
		}
	}
	if known < 1500 {
		t.Errorf("only %d of 3000 operations are spelt out", known)
	}
}
