package concretise

import (
	"context"
	"math/big"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
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

// TestAsks: a request may be for what is read with its type, a pointer or a number of as many bits.
func TestAsks(t *testing.T) {
	number, pointer := core.Int{Bits: 64}, core.Ptr{Bits: 64}
	for _, c := range []struct {
		q    interp.Request
		typ  core.Type
		want bool
	}{
		{interp.Request{Type: number}, core.Int64, true},
		{interp.Request{Type: number}, core.Int32, false},
		{interp.Request{Type: number}, pointer, false},
		{interp.Request{Type: number, Pointer: true}, pointer, true},
		{interp.Request{Type: number, Pointer: true}, number, false},
		{interp.Request{Type: number}, core.Agg{Size: 8}, false},
	} {
		if got := asks(c.q, &core.Mem{Typ: c.typ}); got != c.want {
			t.Errorf("%v, pointer %v, for %v: %v", c.q.Type, c.q.Pointer, c.typ, got)
		}
	}
}
