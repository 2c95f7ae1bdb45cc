package alias

import (
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
)

// TestSharing: merging cycles and sharing constraints changes nothing. Programs in
// which offsets are merged are left out, as which of them are depends on the order.
func TestSharing(t *testing.T) {
	compared := 0
	check := func(p *core.Program, seed uint64) {
		shared, plain := newSolver(p, 0), newSolver(p, 0)
		plain.plain = true
		a, b := shared.analyze().String(), plain.analyze().String()
		if shared.widened || plain.widened {
			return
		}
		compared++
		if a != b {
			t.Fatalf("seed %d: %s\n%s", seed, p, difference(a, b))
		}
	}
	for seed := range uint64(400) {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 1)), coregen.Config{Memory: true})
		p.Extern = core.Extern(seed % 3)
		check(p, seed)
	}
	for _, n := range []int{10, 20, 60} {
		check(largeProgram(n), uint64(n))
	}
	if compared < 150 {
		t.Errorf("only %d programs compared", compared)
	}
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
	x := w.global("x", core.Int32, true)
	e := toInt(addr(x), core.Uint64)
	for range 10000 {
		e = bin(e, core.Add, num64(1))
	}
	p := local(w.main, "p", ptr)
	do(w.main, set(p.Ref(), toPtr(e)))
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
