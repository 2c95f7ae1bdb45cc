package interleave

import (
	"context"
	"reflect"
	"testing"

	"c2bp/checker/lowerzing"
	"c2bp/frontend/zing/zingtest"
	"c2bp/internal/testkit"
)

// teamText is a model of some thousand states, more than a piece has.
const teamText = `
array Forks[6] bool;
class P {
    static Forks forks = new Forks;
    static int meals;
    static void dine(int one, int other) {
        while (true) {
            atomic { select { wait(!forks[one]) -> forks[one] = true; } }
            atomic { select { wait(!forks[other]) -> forks[other] = true; } }
            meals = (meals + 1) % 3;
            forks[one] = false;
            forks[other] = false;
        }
    }
    activate static void main() { int i; atomic { while (i < 6) { async dine(i, (i + 1) % 6); i = i + 1; } } }
};`

// TestTeam: the result does not depend on the number of workers.
func TestTeam(t *testing.T) {
	texts := []string{teamText}
	for _, m := range zingtest.Models() {
		texts = append(texts, m.Text)
	}
	for seed := range uint64(testkit.Count(100, 2000)) {
		texts = append(texts, zingtest.Random(seed+7000), zingtest.Mutant(seed+7000))
	}
	stored := 0
	for i, text := range texts {
		p, err := zingtest.Load("m.zing", text)
		if err != nil {
			t.Fatal(err)
		}
		low := lowerzing.Program(p, lowerzing.Options{Unchecked: i%5 == 1})
		search := func(opts Options, jobs, piece int) *Result {
			opts.Jobs = jobs
			e := newEngine(context.Background(), Model{low.Prog, low.Activate}, opts)
			e.piece = piece
			return e.explore()
		}
		for k, opts := range []Options{
			{All: true, MaxStates: 10000, Cooperative: i%7 == 1},
			{MaxStates: 2000, MissDeadlocks: i%2 == 1},
			{Search: Bounded, Bound: 9, All: i%2 == 1, NoDeadlocks: i%3 == 1, MaxStates: 2000},
		} {
			want := search(opts, 1, pieceStates)
			stored += want.Stored
			// Small pieces, as most models have few states.
			piece := []int{1, 7, pieceStates}[(i+k)%3]
			if got := search(opts, 2+i%2, piece); !reflect.DeepEqual(got, want) {
				t.Fatalf("search %d, pieces of %d: %+v\nwant %+v\n%s", k, piece, got, want, text)
			}
		}
	}
	if stored < 20000 {
		t.Errorf("only %d states", stored)
	}
}
