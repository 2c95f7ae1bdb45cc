package cex

import (
	"fmt"
	"math/big"
	"testing"

	"c2bp/logic"
	"c2bp/prover"
)

// TestRealistic: a model is found in which bits, chosen by shifts, are set and cleared in numbers of 64 bits; all
// applications have their values in C, and the prover is asked a few times only. Two conditions that only their
// meaning excludes have no such model.
func TestRealistic(t *testing.T) {
	for n := 1; n <= 3; n++ {
		table := logic.NewTable()
		word := new(big.Int).Lsh(big.NewInt(1), 64)
		most := new(big.Int).Sub(word, big.NewInt(1))
		var lits []*logic.Term
		for i := range n {
			// x & 1 << b % 64 is not 0, and y & ~(1 << b % 64) is z, with z > 10.
			b := table.Sym(fmt.Sprint("b", i), new(big.Int), most)
			x, y := table.Sym(fmt.Sprint("x", i), new(big.Int), most), table.Sym(fmt.Sprint("y", i), new(big.Int), most)
			bit := table.Mod(table.Uninterpreted(logic.FnShl, new(big.Int), most, table.Int(1), table.Mod(b, big.NewInt(64))), word)
			others := table.Sub(table.Big(most), bit)
			lits = append(lits,
				table.Not(table.Eq(table.Uninterpreted(logic.FnAnd, new(big.Int), most, x, bit), table.Int(0))),
				table.Le(table.Int(11), table.Uninterpreted(logic.FnAnd, new(big.Int), most, y, others)))
		}
		pr := prover.New(nil, prover.Options{})
		facts, x := &Facts{}, &Execution{Table: table}
		answer, model := pr.Model(t.Context(), lits, table)
		if answer != prover.Sat {
			t.Fatal(n, answer)
		}
		model, err := facts.Realistic(t.Context(), pr, x, lits, model)
		if err != nil || model == nil {
			t.Fatal(n, model, err)
		}
		for _, f := range Meaningful(lits) {
			args := make([]*big.Int, len(f.Args))
			for i, a := range f.Args {
				args[i], _ = model.Value(a)
			}
			if got, _ := model.Value(f); got.Cmp(logic.Meaning(f.Name, args)) != 0 {
				t.Errorf("%d: %v = %v for %v", n, f, got, args)
			}
		}
		if q := pr.Stats().Queries; q > 20 {
			t.Errorf("%d: %d queries", n, q)
		}
		pr.Close()
	}
	// x * x == 3
	table := logic.NewTable()
	x := table.Sym("x", new(big.Int), big.NewInt(7))
	lits := []*logic.Term{table.Eq(table.Uninterpreted(logic.FnMul, nil, nil, x, x), table.Int(3))}
	pr := prover.New(nil, prover.Options{})
	defer pr.Close()
	answer, model := pr.Model(t.Context(), lits, table)
	if answer != prover.Sat {
		t.Fatal(answer)
	}
	if model, err := (&Facts{}).Realistic(t.Context(), pr, &Execution{Table: table}, lits, model); err != nil || model != nil {
		t.Errorf("the square of %v is 3 (%v)", model, err)
	}
}
