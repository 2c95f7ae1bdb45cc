package concretise

import (
	"math/big"
	"testing"

	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/wp"
)

// TestMoves: what is computed from a pointer is near it, in any number of steps, and from where there is no object only that
// place itself. What is at a fixed distance, which the program says, is as far away as it is.
func TestMoves(t *testing.T) {
	const step = 1 << 24
	table := logic.NewTable()
	regs, offset, at := table.Sym("regs", nil, nil), table.Sym("offset", nil, nil), table.Sym("at", nil, nil)
	ring := table.Add(regs, offset)
	x := &outside{Execution: &cex.Execution{Table: table, Translator: wp.New(table, wp.OneRegion{}, 64)}}
	x.Moved = []cex.Move{{From: regs, To: ring}, {From: ring, To: table.Add(ring, at)}}
	pr := prover.New(nil, prover.Options{})
	defer pr.Close()
	for _, c := range []struct {
		name             string
		regs, offset, at int64
		want             prover.Answer
	}{
		{"near", 1 << 40, 8, 100, prover.Sat},
		{"before", 1 << 40, -8, 4, prover.Sat},
		{"far", 1 << 40, step, 0, prover.Unsat},
		{"far from there", 1 << 40, 8, step, prover.Unsat},
		{"null", 0, 8, 0, prover.Unsat},
		{"null that stays", 0, 0, 0, prover.Sat},
	} {
		is := func(s *logic.Term, n int64) *logic.Term { return table.Eq(s, table.Int(n)) }
		if got := pr.Check(t.Context(), append(x.moves(big.NewInt(step)), is(regs, c.regs), is(offset, c.offset), is(at, c.at)), table); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	for distance, want := range map[int64]prover.Answer{8: prover.Sat, step / 16: prover.Sat, 16 * step: prover.Unsat} {
		x.Moved = []cex.Move{{From: regs, To: table.Add(regs, table.Int(distance))}}
		if got := pr.Check(t.Context(), append(x.moves(big.NewInt(step)), table.Eq(regs, table.Int(1<<40))), table); got != want {
			t.Errorf("at distance %d: %v, want %v", distance, got, want)
		}
	}
}
