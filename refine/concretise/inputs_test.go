package concretise

import (
	"context"
	"math/big"
	"testing"

	"c2bp/logic"
	"c2bp/prover"
)

// TestDecidingReads: the value of a read in a model says nothing of the run if the condition of its case
// is false.
func TestDecidingReads(t *testing.T) {
	table := logic.NewTable()
	lo, hi := big.NewInt(0), big.NewInt(255)
	read := func(name string) *logic.Term { return table.App(name, lo, hi, table.Sym("p", lo, hi)) }
	first, later := read("M"), read("M@new#7")
	written := table.Sym("written", lo, hi)
	inside := table.Eq(written, table.Int(1))
	value := table.Ite(inside, later, first)
	conds := []*logic.Term{
		table.Eq(written, table.Int(0)),
		table.Eq(value, table.Int(5)),
		table.Or(table.And(inside, table.Eq(later, table.Int(9))), table.And(table.Not(inside), table.Eq(written, table.Int(0)))),
	}
	pr := prover.New(nil, prover.Options{})
	defer pr.Close()
	answer, model := pr.Model(context.Background(), conds, table)
	if answer != prover.Sat {
		t.Fatal(answer)
	}
	if got := decidingReads(conds, model); len(got) != 1 || got[0] != first {
		t.Errorf("%v, want %v", got, first)
	}
	if all := mapReads(conds); len(all) != 2 {
		t.Errorf("all reads are %v", all)
	}
}
