package shylockcheck

import (
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/frontend/shylock"
	"c2bp/frontend/shylock/shytest"
	"c2bp/source"
	"c2bp/verdict"
)

// FuzzCheck checks any program that is correct, and a formula about its first variable: runs are made again in the
// concrete semantics, so a wrong one is a panic.
func FuzzCheck(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(shytest.Random(rand.New(rand.NewPCG(seed, 2)), shytest.Kind(seed%5)))
	}
	f.Add("main :: p(nil, nil); main  p(a, b) :: a := q(b); b := q  q(c) :: return c")
	f.Add("globals g; main :: (g := new + [g != nil] g := g.f.f); g.f := g; main")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := shylock.Load(source.NewFile("fuzz.shy", []byte(text)))
		if err != nil {
			return
		}
		opts := Options{Bound: 4, MaxStates: 500, All: len(text)%2 == 0}
		if r := Check(t.Context(), p, opts); r.Verdict == verdict.Unknown && r.Reason == "" {
			t.Fatal("no reason")
		}
		formula := "F G true"
		if len(p.Globals) > 0 && !strings.ContainsFunc(p.Globals[0].Name, func(r rune) bool { return r > 'z' }) {
			formula = "F G {!" + p.Globals[0].Name + "}"
		}
		g, err := ParseFormula(source.NewFile("formula", []byte(formula)), p)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := CheckFormula(t.Context(), p, g, opts, true); err != nil || r.Verdict == verdict.Unknown && r.Reason == "" {
			t.Fatal(err)
		}
	})
}
