package concretise

import (
	"math/big"
	"slices"
	"testing"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/wp"
)

// TestSmall: of the numbers that a path has from outside, those are small which its conditions let be so; no pointer is.
func TestSmall(t *testing.T) {
	table := logic.NewTable()
	lo, hi := big.NewInt(0), big.NewInt(1<<32-1)
	x := &outside{Execution: &cex.Execution{Facts: &cex.Facts{Bits: 64}, Table: table, Translator: wp.New(table, wp.OneRegion{}, 64), Inputs: map[cex.Input]*logic.Term{}}}
	input := func(name string, typ core.Type) *logic.Term {
		s := table.Sym(name, lo, hi)
		x.Inputs[cex.Input{Var: &core.Var{Name: name, Type: typ}}] = s
		return s
	}
	n, m, k, p := input("n", core.Uint32), input("m", core.Uint32), input("k", core.Uint32), input("p", core.Ptr{Bits: 64})
	for _, f := range []*logic.Term{
		table.Lt(table.Int(10), n), table.Lt(table.Int(2), table.Add(m, k)), table.Not(table.Eq(p, table.Int(0))),
	} {
		x.Conds = append(x.Conds, cex.Condition{Term: f})
	}
	pr := prover.New(nil, prover.Options{})
	defer pr.Close()
	c := &Confirmer{Prover: pr}
	kept := append(c.small(t.Context(), x), cex.Terms(x.Conds)...)
	for _, s := range []struct {
		name string
		f    *logic.Term
		want prover.Answer
	}{
		{"n", n, prover.Sat}, {"m", m, prover.Unsat}, {"k", k, prover.Unsat}, {"p", p, prover.Sat},
	} {
		large := append(slices.Clone(kept), table.Lt(table.Int(2), s.f))
		if got := pr.Check(t.Context(), large, table); got != s.want {
			t.Errorf("%s is large: %v, want %v", s.name, got, s.want)
		}
	}
}
