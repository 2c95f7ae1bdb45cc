package abstract

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/internal/testkit"
)

// generated makes the program and predicates of a seed, without memory.
func generated(seed uint64) (*core.Program, []*Predicate) {
	return generatedBy(coregen.Config{}, seed)
}

// withMemory are programs with pointers, structs, arrays and a heap.
var withMemory = coregen.Config{Memory: true}

func generatedBy(c coregen.Config, seed uint64) (*core.Program, []*Predicate) {
	prog, gen := coregen.Generate(rand.New(rand.NewPCG(seed, 11)), c)
	var preds []*Predicate
	for _, g := range gen {
		preds = append(preds, NewPredicate(g.Proc, g.Expr, core.CString(g.Expr)))
	}
	return prog, preds
}

// campaignExact keeps the rare program with ten connected congruences from taking
// minutes; it also sends larger cones the way of limited cubes.
const campaignExact = 6

// tally counts what a campaign did.
type tally struct {
	programs, runs, discarded, steps int
}

// campaign simulates runs of generated programs until a violation.
func campaign(c coregen.Config, from, programs uint64, runs int, opts Options) (tally, error) {
	var n tally
	for seed := from; seed < from+programs; seed++ {
		prog, preds := generatedBy(c, seed)
		s, err := newSimulation(prog, preds, opts)
		if err != nil {
			return n, fmt.Errorf("program %d: %w", seed, err)
		}
		n.programs++
		for r := range runs {
			steps, err := s.run(seed*1000+uint64(r), 200)
			n.runs++
			n.steps += steps
			if errors.Is(err, errDiscarded) {
				n.discarded++
				continue
			}
			if err != nil {
				return n, fmt.Errorf("program %d, run %d: %w", seed, r, err)
			}
		}
	}
	return n, nil
}

// TestSoundness executes random programs with random predicates: every concrete step
// must have an abstract successor equal to the concrete valuation.
func TestSoundness(t *testing.T) {
	for name, c := range map[string]coregen.Config{"integers": {}, "memory": withMemory} {
		t.Run(name, func(t *testing.T) {
			programs, runs := testkit.Count[uint64](40, 2000), 50
			if c.Memory { // which takes longer
				programs = testkit.Count[uint64](16, 2000)
			}
			n, err := campaign(c, 0, programs, runs, Options{Jobs: 1, MaxExact: campaignExact})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d programs, %d runs (%d met undefined behaviour), %d steps", n.programs, n.runs, n.discarded, n.steps)
		})
	}
}
