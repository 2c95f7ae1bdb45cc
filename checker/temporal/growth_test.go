package temporal

import (
	"context"
	"fmt"
	"testing"
	"time"

	"c2bp/verdict"
)

// This file measures how the work grows with a system.

// program is the system of a program with n procedures, of 10 moves for each of 2 locations: a loop, in which a
// procedure calls one of the next two, or works. The last of them begin anew with the first. The location is a bit
// that they set and read.
//
//	procedure i: 0 loop head, 1 call of i+1, 2 call of i+2, 3 work, 4 return
type program struct{ n int }

const points = 5

func (p program) Start() ([]Move, error) { return []Move{{Word: []int{0}}}, nil }

func (p program) Moves(loc, symbol int) (m Moves, err error) {
	i, at := symbol/points, symbol%points
	point := func(i, at int) int { return i%p.n*points + at }
	to := func(loc int, word ...int) { m.List = append(m.List, Move{Loc: loc, Word: word}) }
	switch at {
	case 0:
		to(loc, point(i, 1))
		to(loc, point(i, 2))
		to(loc, point(i, 3))
		if i > 0 {
			to(loc, point(i, 4))
		}
	case 1, 2:
		if next := i + at; next < p.n {
			to(loc, point(next, 0), point(i, 0))
		} else {
			to(loc, point(i, 0))
		}
	case 3:
		to(1-loc, point(i, 0))
	case 4:
		to(loc)
	}
	return m, nil
}

func (p program) Label(loc, symbol int) Label {
	bits := uint64(loc)
	if symbol%points == 3 {
		bits |= 2
	}
	return Label{Atoms: bits}
}

// rules returns the number of moves.
func (p program) rules() (n int) {
	for loc := range 2 {
		for symbol := range p.n * points {
			m, _ := p.Moves(loc, symbol)
			n += len(m.List)
		}
	}
	return n
}

// work decides a formula, and returns the number of transitions of post*.
func work(t testing.TB, n int, formula string, want verdict.Verdict) int64 {
	r, err := Check(context.Background(), program{n}, mustParse(formula), Options{MaxSteps: 100})
	if err != nil || r.Verdict != want {
		t.Fatalf("%d procedures, %s: %v, %v", n, formula, r, err)
	}
	return r.Stats[len(r.Stats)-1].Value
}

var growing = []struct {
	formula string
	want    verdict.Verdict
}{
	{"G (a -> a W b)", verdict.True},
	{"F G b -> false", verdict.True},
	{"G F a", verdict.False},
}

// The work is linear in the size of the system: the number of locations is fixed.
func TestLinear(t *testing.T) {
	for _, f := range growing {
		small, large := work(t, 50, f.formula, f.want), work(t, 500, f.formula, f.want)
		if large > 11*small {
			t.Errorf("%s: %d transitions for 50 procedures, %d for 500", f.formula, small, large)
		}
	}
}

// BenchmarkGrowth prints a table: moves of the system, transitions of post*, and time.
//
//	go test ./checker/temporal -run XXX -bench Growth -benchtime 1x
func BenchmarkGrowth(b *testing.B) {
	for range b.N {
		for _, f := range growing {
			fmt.Printf("%s: %v\n%10s %12s %10s %10s\n", f.formula, f.want, "moves", "transitions", "ms", "µs/move")
			for _, n := range []int{50, 500, 1500, 6300} {
				start := time.Now()
				transitions := work(b, n, f.formula, f.want)
				took, rules := time.Since(start), program{n}.rules()
				fmt.Printf("%10d %12d %10d %10.1f\n", rules, transitions, took.Milliseconds(), float64(took.Microseconds())/float64(rules))
			}
		}
	}
}
