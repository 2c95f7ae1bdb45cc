package cubes

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"c2bp/logic"
	"c2bp/logic/logicgen"
	"c2bp/prover"
)

var background = context.Background()

// dump runs goals through a space and prints all that it finds.
func dump(t *testing.T, s *Space, goals []*logic.Term) string {
	t.Helper()
	var b strings.Builder
	for _, g := range goals {
		cover, limited, err := s.Strengthen(background, g)
		fmt.Fprintln(&b, cover, limited, err)
	}
	cubes, limited, err := s.Infeasible(background)
	fmt.Fprintln(&b, cubes, limited, err)
	return b.String()
}

// The work-savers, the history and the number of workers do not show in results.
func TestSaversDoNotShow(t *testing.T) {
	switches := []SpaceOptions{
		{NoCone: true}, {NoPool: true}, {NoSyntactic: true}, {NoInfeasible: true},
		{NoCone: true, NoPool: true, NoSyntactic: true, NoInfeasible: true},
	}
	p, plain := prover.New(nil, prover.Options{}), prover.New(nil, prover.Options{NoMemo: true, NoModelPool: true})
	for seed := range uint64(25) {
		g := logicgen.New(seed+1000, 2+int(seed%4), seed%2 == 0)
		preds, goal := g.Scope(2 + int(seed%6))
		goals := []*logic.Term{goal, g.T.Not(goal), preds[0], g.T.Not(preds[1])}
		_, more := g.Scope(2)
		goals = append(goals, more, g.T.Not(more))
		bounds := SpaceOptions{}
		if seed%2 == 1 {
			bounds = SpaceOptions{MaxExact: 3, MaxCube: 2}
		}
		want := dump(t, NewSpace(plain, g.T, preds, bounds), goals)
		for i, o := range append(switches, SpaceOptions{}) {
			o.MaxExact, o.MaxCube = bounds.MaxExact, bounds.MaxCube
			if got := dump(t, NewSpace(p, g.T, preds, o), goals); got != want {
				t.Fatalf("seed %d, switches %d: preds %v, goals %v:\n%s\nwithout savers:\n%s", seed, i, preds, goals, got, want)
			}
		}
		// Asked in another order, with infeasible cubes and models at hand.
		s := NewSpace(p, g.T, preds, bounds)
		s.pool.max = 20 // and much forgotten
		if _, _, err := s.Infeasible(background); err != nil {
			t.Fatal(err)
		}
		for i := range goals {
			if _, _, err := s.Strengthen(background, goals[len(goals)-1-i]); err != nil {
				t.Fatal(err)
			}
		}
		s.goals = map[*logic.Term]*outcome{}
		if got := dump(t, s, goals); got != want {
			t.Fatalf("seed %d: preds %v, goals %v, asked again:\n%s\nfirst:\n%s", seed, preds, goals, got, want)
		}
	}
	if s := plain.Stats(); s.PoolHits+s.MemoHits+s.Models != 0 {
		t.Errorf("savers that are off: %+v", s)
	}
	t.Logf("with savers %+v", p.Stats())
	t.Logf("without     %+v", plain.Stats())
}

func TestWorkersShareAMemo(t *testing.T) {
	memo := prover.NewMemo()
	results := make([]string, 3)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			g := logicgen.New(3, 4, true)
			preds, goal := g.Scope(7)
			_, other := g.Scope(2)
			goals := []*logic.Term{goal, other, g.T.Not(goal)}
			p := prover.New(memo, prover.Options{NoModelPool: i == 1})
			results[i] = dump(t, NewSpace(p, g.T, preds, SpaceOptions{}), goals)
		})
	}
	wg.Wait()
	if results[0] != results[1] || results[0] != results[2] {
		t.Errorf("workers differ:\n%s", strings.Join(results, "\n"))
	}
}

func TestInfeasibleIsItsDefinition(t *testing.T) {
	p, reference := prover.New(nil, prover.Options{}), prover.New(nil, prover.Options{NoMemo: true})
	found := 0
	for seed := range uint64(60) {
		g := logicgen.New(seed+500, 2, seed%2 == 0)
		n := 2 + int(seed%5)
		preds, goal := g.Scope(n)
		s := NewSpace(p, g.T, preds, SpaceOptions{})
		got, limited, err := s.Infeasible(background)
		if err != nil || limited {
			t.Fatal(limited, err)
		}
		want := newNaive(reference, g.T, preds, goal).infeasible(n)
		if fmt.Sprint(got) != format(want) {
			t.Errorf("seed %d, %v:\n got %v\nwant %v", seed, preds, got, format(want))
		}
		found += len(want)
	}
	if found < 60 {
		t.Errorf("only %d infeasible cubes", found)
	}
}

func TestStrengthen(t *testing.T) {
	tab := logic.NewTable()
	lo, hi := big.NewInt(-1<<31), big.NewInt(1<<31-1)
	x, y, z := tab.Sym("x", lo, hi), tab.Sym("y", lo, hi), tab.Sym("z", lo, hi)
	num := tab.Int
	is := func(a *logic.Term, v int64) *logic.Term { return tab.Eq(a, num(v)) }
	m := func(a *logic.Term) *logic.Term { return tab.App("M", nil, nil, a) }
	tests := []struct {
		name  string
		preds []*logic.Term
		goal  *logic.Term
		want  string
	}{
		{"true", []*logic.Term{is(x, 1)}, tab.True, "[true]"},
		{"false", []*logic.Term{is(x, 1)}, tab.False, "[]"},
		{"valid", []*logic.Term{is(x, 1)}, tab.Or(tab.Lt(x, num(5)), tab.Lt(num(3), x)), "[true]"},
		{"unsatisfiable", []*logic.Term{is(x, 1)}, tab.And(tab.Lt(x, y), tab.Lt(y, z), tab.Lt(z, x)), "[]"},
		{"nothing in scope", nil, is(x, 1), "[]"},
		{"nothing related", []*logic.Term{is(y, 1), is(z, 1)}, is(x, 1), "[]"},
		{"the literal itself", []*logic.Term{tab.Lt(x, num(5)), tab.Lt(num(5), x), is(x, 5)}, is(x, 5), "[2]"},
		{"its negation", []*logic.Term{tab.Lt(x, num(5)), tab.Lt(num(5), x), is(x, 5)}, tab.Not(is(x, 5)), "[!2]"},
		{"equal by arithmetic", []*logic.Term{tab.Lt(x, num(5))}, tab.Le(tab.Add(x, x), num(9)), "[0]"},
		{"a disjunction", []*logic.Term{is(x, 1), is(x, 2), is(x, 3)}, tab.And(tab.Lt(num(1), x), tab.Lt(x, num(4))), "[1 2]"},
		{"two steps", []*logic.Term{tab.Lt(x, y), tab.Lt(y, z)}, tab.Lt(x, z), "[0 & 1]"},
		{"x != y", []*logic.Term{tab.Lt(x, y), tab.Lt(y, x)}, is(tab.Sub(x, y), 0), "[!0 & !1]"},
		{"Ball–Millstein–Rajamani 2005, §5.5", []*logic.Term{tab.Eq(x, y), tab.Eq(m(x), z)}, tab.Eq(m(y), z), "[0 & 1]"},
		{"one region, no shared symbol", []*logic.Term{is(x, 4), is(y, 4), is(m(y), 1)}, is(m(x), 1), "[0 & 1 & 2]"},
		{"the same predicate twice", []*logic.Term{is(x, 1), is(x, 1)}, is(x, 1), "[0]"},
		{"valid in range", []*logic.Term{is(x, 1), tab.Lt(tab.Sub(x, y), num(1<<40))}, is(x, 1), "[0]"},
	}
	p := prover.New(nil, prover.Options{})
	for _, tt := range tests {
		s := NewSpace(p, tab, tt.preds, SpaceOptions{})
		cover, limited, err := s.Strengthen(background, tt.goal)
		if fmt.Sprint(cover) != tt.want || limited || err != nil {
			t.Errorf("%s: got %v %v %v, want %v", tt.name, cover, limited, err, tt.want)
		}
		for _, c := range cover {
			if !p.Valid(background, tab.Implies(s.Term(c), tt.goal), tab) {
				t.Errorf("%s: %v does not imply the goal", tt.name, c)
			}
		}
	}
}

func TestPool(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const preds = 5
	p := newPool(preds)
	p.max = 200
	truths := map[*prover.Model][]bool{}
	for i := range 500 {
		m, truth := &prover.Model{}, make([]bool, preds)
		for j := range truth {
			truth[j] = r.IntN(3) > 0
		}
		truths[m] = truth
		p.add(m, truth)
		if i%50 != 0 {
			continue
		}
		if p.trim() && len(p.models) > 200 {
			t.Errorf("%d models are left", len(p.models))
		}
		if last := p.models[len(p.models)-1]; last != m {
			t.Error("the newest model was forgotten")
		}
		for l := range 2 * preds {
			count := 0
			for n, m := range p.models {
				if p.holds(l, n) != (truths[m][l/2] != (l&1 != 0)) {
					t.Fatalf("literal %d in model %d of %d", l, n, len(p.models))
				}
				if p.holds(l, n) {
					count++
				}
			}
			if p.meets(cube{l}) != (count > 0) {
				t.Errorf("literal %d holds in %d models", l, count)
			}
		}
	}
}

func TestCones(t *testing.T) {
	tab := logic.NewTable()
	var x []*logic.Term
	for i := range 9 {
		x = append(x, tab.Sym(fmt.Sprintf("x%d", i), nil, nil))
	}
	three, zero := big.NewInt(3), tab.Int(0)
	preds := []*logic.Term{
		tab.Lt(x[0], x[1]),
		tab.Eq(tab.Div(x[2], three), zero), // division by a constant connects nothing
		tab.Eq(tab.Mod(x[3], three), zero),
		tab.Eq(tab.App("M", nil, nil, x[4]), zero), // a memory region does
		tab.Eq(tab.App("M", nil, nil, x[5]), zero),
		tab.Lt(x[6], x[0]),
	}
	c := newCones(preds)
	if got := fmt.Sprint(c.groups()); got != "[[0 5] [1] [2] [3 4]]" {
		t.Error(got)
	}
	if got := fmt.Sprint(c.of(tab.Lt(x[1], x[3])), c.of(tab.Lt(x[8], tab.App("M", nil, nil, x[7])))); got != "[0 2 5] [3 4]" {
		t.Error(got)
	}
}

// A large cone is searched for short cubes, and the result says so.
func TestBounds(t *testing.T) {
	tab := logic.NewTable()
	var preds []*logic.Term
	sum := tab.Int(0)
	for i := range 5 {
		x := tab.Sym(fmt.Sprintf("x%d", i), new(big.Int), nil)
		sum = tab.Add(sum, x)
		preds = append(preds, tab.Eq(x, tab.Int(0)))
	}
	goal := tab.Eq(sum, tab.Int(0))
	p := prover.New(nil, prover.Options{})
	for _, tt := range []struct {
		opts SpaceOptions
		want string
	}{
		{SpaceOptions{}, "[0 & 1 & 2 & 3 & 4] false"},
		{SpaceOptions{MaxExact: 5, MaxCube: 1}, "[0 & 1 & 2 & 3 & 4] false"},
		{SpaceOptions{MaxExact: 4}, "[] true"},
		{SpaceOptions{MaxExact: 4, MaxCube: 5}, "[0 & 1 & 2 & 3 & 4] true"},
	} {
		cover, limited, _ := NewSpace(p, tab, preds, tt.opts).Strengthen(background, goal)
		if got := fmt.Sprint(cover, limited); got != tt.want {
			t.Errorf("%+v: got %s, want %s", tt.opts, got, tt.want)
		}
	}
	// x0+…+x4 < 1 is infeasible with any x_i > 0, and connects the group.
	preds = append(preds, goal)
	cubes, limited, _ := NewSpace(p, tab, preds, SpaceOptions{MaxExact: 5}).Infeasible(background)
	if got := fmt.Sprint(cubes, limited); got != "[!0 & 5 !1 & 5 !2 & 5 !3 & 5 !4 & 5] true" {
		t.Error(got)
	}
	cubes, limited, _ = NewSpace(p, tab, preds, SpaceOptions{}).Infeasible(background)
	if got := fmt.Sprint(cubes, limited); got != "[!0 & 5 !1 & 5 !2 & 5 !3 & 5 !4 & 5 0 & 1 & 2 & 3 & 4 & !5] false" {
		t.Error(got)
	}
}

// Scopes may have hundreds of predicates.
func TestManyPredicates(t *testing.T) {
	tab := logic.NewTable()
	var preds []*logic.Term
	for i := range 300 {
		preds = append(preds, tab.Eq(tab.Sym(fmt.Sprintf("x%d", i/2), nil, nil), tab.Int(int64(i%2))))
	}
	p := prover.New(nil, prover.Options{})
	s := NewSpace(p, tab, preds, SpaceOptions{})
	goal := tab.Lt(tab.Sym("x149", nil, nil), tab.Int(1))
	cover, limited, err := s.Strengthen(background, goal)
	if fmt.Sprint(cover) != "[298]" || limited || err != nil || !cover[0].Pos.Has(298) || cover[0].Len() != 1 {
		t.Error(cover, limited, err)
	}
	cubes, limited, err := s.Infeasible(background)
	if len(cubes) != 150 || limited || err != nil || fmt.Sprint(cubes[149]) != "298 & 299" {
		t.Error(cubes, limited, err)
	}
}

// The number of queries is part of the contract: a change shows here.
func TestQueryCounts(t *testing.T) {
	for _, tt := range []struct{ preds, max int64 }{{4, 6}, {8, 25}, {12, 70}, {20, 180}} {
		p := prover.New(nil, prover.Options{NoMemo: true})
		for seed := range uint64(10) {
			tab := logic.NewTable()
			fs := logicgen.Dense(tab, int(tt.preds)+1, seed)
			if _, _, err := NewSpace(p, tab, fs[:tt.preds], SpaceOptions{}).Strengthen(background, fs[tt.preds]); err != nil {
				t.Fatal(err)
			}
		}
		s := p.Stats()
		t.Logf("%d predicates: %d queries a goal", tt.preds, s.Queries/10)
		if s.Queries > 10*tt.max || s.BadModels > 0 {
			t.Errorf("%d predicates: %+v", tt.preds, s)
		}
	}
}

// A search ends when its context is cancelled, and says so.
func TestCancelledSearch(t *testing.T) {
	tab := logic.NewTable()
	p := prover.New(nil, prover.Options{Patience: 1000})
	ctx, cancel := context.WithTimeout(background, 50*time.Millisecond)
	defer cancel()
	s := NewSpace(p, tab, logicgen.Pigeons(tab, 14)[:20], SpaceOptions{})
	start := time.Now()
	if _, _, err := s.Strengthen(ctx, tab.And(logicgen.Pigeons(tab, 14)...)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Strengthen: %v", err)
	}
	if _, _, err := s.Infeasible(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Infeasible: %v", err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}
