package alias

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
)

// TestSharing: merging cycles and sharing constraints changes nothing.
func TestSharing(t *testing.T) {
	if compared, err := compareSharing(); err != nil || compared < 150 {
		t.Errorf("%d programs compared: %v", compared, err)
	}
}

// compareSharing compares with a solver that merges and shares nothing. Programs in
// which offsets are merged are left out, as which of them are depends on the order.
func compareSharing() (compared int, err error) {
	check := func(p *core.Program, seed uint64) {
		shared, plain := newSolver(p), newSolver(p)
		plain.plain = true
		a, b := shared.analyze().String(), plain.analyze().String()
		switch {
		case shared.widened || plain.widened:
		case a != b:
			err = fmt.Errorf("seed %d: %s\n%s", seed, p, difference(a, b))
		default:
			compared++
		}
	}
	for seed := uint64(0); seed < 400 && err == nil; seed++ {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 1)), coregen.Config{Memory: true})
		p.Extern = core.Extern(seed % 3)
		check(p, seed)
	}
	for n := 10; n < 60 && err == nil; n += 20 {
		check(largeProgram(n), uint64(n))
	}
	return compared, err
}

// TestDeterminism: the same program has the same dump.
func TestDeterminism(t *testing.T) {
	p := largeProgram(50)
	first := Analyze(p).String()
	for range 3 {
		if Analyze(p).String() != first {
			t.Fatal("two analyses differ")
		}
	}
}

// TestDeep analyses an expression that is nested 10,000 times.
func TestDeep(t *testing.T) {
	w := newWorld()
	x := w.Global("x", core.Int32, true)
	e := toInt(addr(x), core.Uint64)
	for range 10000 {
		e = bin(e, core.Add, num64(1))
	}
	p := local(w.Main, "p", ptr)
	do(w.Main, set(p.Ref(), toPtr(e)))
	r := w.analyze(t)
	points(t, r, p.Ref(), "{x+10000}")
}

// difference lists the lines that only one of two texts has.
func difference(a, b string) string {
	var out strings.Builder
	count := map[string]int{}
	for _, line := range strings.Split(a, "\n") {
		count[line]++
	}
	for _, line := range strings.Split(b, "\n") {
		count[line]--
	}
	for _, text := range []string{a, b} {
		for _, line := range strings.Split(text, "\n") {
			if count[line] > 0 {
				out.WriteString("with sharing only: " + line + "\n")
			} else if count[line] < 0 {
				out.WriteString("without sharing only: " + line + "\n")
			}
			count[line] = 0
		}
	}
	return out.String()
}
