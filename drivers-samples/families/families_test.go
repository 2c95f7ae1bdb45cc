package families

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"c2bp/drivers-samples/concrete"
	"c2bp/internal/testkit"
)

func compiler(t *testing.T) *concrete.Compiler {
	t.Helper()
	gcc, err := concrete.New(t.TempDir(), concrete.Options{})
	if errors.Is(err, concrete.ErrNoCompiler) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return gcc
}

// members are programs of all families, in pairs.
func members(seeds int) (out [][2]Program) {
	pair := func(make func(bool) Program) { out = append(out, [2]Program{make(false), make(true)}) }
	for _, n := range []int{1, 2, 9} {
		pair(func(unsafe bool) Program { return Locks(n, unsafe) })
	}
	for seed := range uint64(seeds) {
		pair(func(unsafe bool) Program { return Handshake(4, 12, seed, unsafe) })
		pair(func(unsafe bool) Program { return Handshake(30, 110, seed, unsafe) })
		pair(func(unsafe bool) Program { return Driver(4, seed, unsafe) })
		pair(func(unsafe bool) Program { return Driver(20, seed, unsafe) })
		pair(func(unsafe bool) Program { return Outside(2, seed, unsafe) })
		pair(func(unsafe bool) Program { return Outside(5, seed, unsafe) })
		pair(func(unsafe bool) Program { return Heap(2, 5, seed, unsafe) })
	}
	return out
}

// TestVerdicts: witnesses fail, and nothing else does. The witness of the unsafe
// program is a run of the safe one as well, and comes to no failure there. Random runs
// would show a wrong TRUE: they find a good part of the failures there are.
func TestVerdicts(t *testing.T) {
	gcc := compiler(t)
	seeds, runs := testkit.Count(2, 30), testkit.Count(100, 2000)
	found, pairs := 0, members(seeds)
	for i, pair := range pairs {
		var exe [2]*concrete.Executable
		for k, p := range pair {
			var err error
			if exe[k], err = gcc.Compile(concrete.Program{Name: fmt.Sprint(p.Name, i), Text: p.Text + p.Environment}); err != nil {
				t.Fatal(err)
			}
			tally, err := exe[k].Check(concrete.Claim{Line: p.Line, Witness: p.Witness}, uint64(i), runs)
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
			if tally.Runs[concrete.Failed] > 0 {
				found++
			}
		}
		r, err := exe[0].Run(pair[1].Witness)
		if err != nil {
			t.Fatal(err)
		}
		if r.End != concrete.Short || r.Used != len(pair[1].Witness) {
			t.Errorf("%s: the witness of the unsafe program %s in line %d", pair[0].Name, r.End, r.Line)
		}
	}
	t.Logf("random runs find %d failures of %d", found, len(pairs))
	if found*5 < len(pairs) {
		t.Errorf("random runs find only %d failures of %d", found, len(pairs))
	}
}

// TestPairs: safe and unsafe programs differ in one place, and the same arguments give
// the same program.
func TestPairs(t *testing.T) {
	again := members(3)
	for i, pair := range members(3) {
		if pair[0].Text != again[i][0].Text || pair[1].Text != again[i][1].Text {
			t.Errorf("%s: another text the second time", pair[0].Name)
		}
		if d := different(pair[0].Text, pair[1].Text); d == 0 || d > 8 {
			t.Errorf("%s: %d lines are others in the unsafe program", pair[0].Name, d)
		}
		if n := len(property.FindAllString(pair[0].Text, -1)); n != 1 {
			t.Errorf("%s: %d properties", pair[0].Name, n)
		}
	}
}

// different counts the lines that only one of a and b has.
func different(a, b string) (n int) {
	count := map[string]int{}
	for line := range strings.Lines(a) {
		count[line]++
	}
	for line := range strings.Lines(b) {
		count[line]--
	}
	for _, c := range count {
		n += max(c, -c)
	}
	return n
}

// TestSizes: programs are as large as the documentation says.
func TestSizes(t *testing.T) {
	for seed := range uint64(10) {
		for _, c := range []struct {
			p         Program
			low, high int
		}{
			{Handshake(30, 110, seed, false), 600, 900},
			{Driver(10, seed, false), 700, 1100},
			{Driver(30, seed, false), 2000, 3000},
			{Outside(30, seed, false), 4800, 6000},
		} {
			if n := strings.Count(c.p.Text, "\n"); n < c.low || n > c.high {
				t.Errorf("%s has %d lines, want %d to %d", c.p.Name, n, c.low, c.high)
			}
		}
	}
}

// TestSearch: the exhaustive search of handshakes is what says that safe ones are safe. With
// any check turned round it must find a failure.
func TestSearch(t *testing.T) {
	for seed := range uint64(20) {
		h := newHandshake(6, 24, newRand(seed))
		for s, st := range h.states {
			for _, f := range st.checked {
				st.known[f] = 1 - st.known[f]
				if h.search() == nil {
					t.Errorf("seed %d: state %d: the check of %s cannot fail", seed, s, flagNames[f])
				}
				st.known[f] = 1 - st.known[f]
			}
		}
		if h.search() != nil {
			t.Errorf("seed %d fails", seed)
		}
	}
}

// TestDrivers: nothing is dead, and all kinds of defects occur.
func TestDrivers(t *testing.T) {
	kinds := map[defectKind]int{}
	for seed := range uint64(60) {
		d := newDriver(12, seed, nil)
		if n := d.uncalled(); n > 0 {
			t.Errorf("seed %d: nothing calls %d procedures", seed, n)
		}
		b, _ := d.broken(12, seed)
		kinds[b.defect.kind]++
	}
	for k := keep; k <= twice; k++ {
		if kinds[k] == 0 {
			t.Errorf("no defect of kind %d among %v", k, kinds)
		}
	}
}
