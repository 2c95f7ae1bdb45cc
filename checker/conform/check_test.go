package conform

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// This file tests single pairs, refutations, divergence and limits.

// TestExamples: pairs that differ in one rule each.
func TestExamples(t *testing.T) {
	for _, c := range []struct {
		name, impl, spec string
		plain, coarse    bool
		why              string // the refutation, without sets
	}{
		{"the same", "0: a1; 1:", "0: a1; 1:", true, true, ""},
		{"an action that is not there", "0: b0", "0: a0", false, false, "no b beside {0}"},
		{"an action that is refused", "0: a0", "0: a0 b0", false, false, "ready {a}, no stable state for {}: {a,b}"},
		{"deadlock", "0: a1; 1:", "0: a1; 1: a1", false, false, "a; ready {}, no stable state for {}: {a}"},
		{"less internal choice", "0: a0", "0: t1 t2; 1: a0; 2: b0", true, true, ""},
		{"more internal choice", "0: t1 t2; 1: a0; 2: b0", "0: a0 b0", false, false, "t; ready {a}, no stable state for {}: {a,b}"},
		// Two families of ready sets are needed: {} is a subset of {a}, and does not have a.
		{"one family of ready sets", "0: t1 t2; 1:; 2: a1", "0: t1 t2; 1:; 2: a1", true, true, ""},
		{"an action in no ready set", "0: a0", "0: t1 a0; 1:", false, false, "ready {a}, no stable state for {a}: {}"},
		// Nothing is stable in a process that only diverges.
		{"specification that diverges", "0:", "0: t0", false, false, "ready {}, no stable state for {}:"},
		{"implementation that diverges", "0: t0", "0: a0", true, true, ""},
		{"both diverge", "0: t0", "0: t0", true, true, ""},
		{"divergence beside stable states", "0: a0", "0: t0 t1; 1: a1", true, true, ""},
		// C1 looks at one state, the coarser relation at what the actions so far tell.
		{"early choice", "0: a1 a2; 1: b3; 2: c3; 3:", "0: a1; 1: b2 c2; 2:", false, false, "a; ready {b}, no stable state for {}: {b,c}"},
		{"late choice", "0: a1; 1: b2 c2; 2:", "0: a1 a2; 1: b3; 2: c3; 3:", false, true, "a (no c beside {1} | no b beside {2})"},
		{"the second partner", "0: a1; 1: c2; 2:", "0: a1 a2; 1: b3; 2: c3; 3:", true, true, ""},
		{"a partner dies late", "0: a1; 1: b2; 2: c0", "0: a1 a2; 1: b3; 2: b4; 3: b0; 4: c0", true, true, ""},
		{"an assumption that does not hold", "0: tn a0", "0: a0 b0", true, true, ""},
	} {
		impl, spec := parse(t, c.impl), parse(t, c.spec)
		r := Check(t.Context(), impl, spec, Options{})
		if r.Conforms != c.plain || conforms(impl, spec, true) != c.coarse {
			t.Errorf("%s: %v, with sets %v", c.name, r.Conforms, !c.coarse)
		}
		if got := show(r.Refutation); got != c.why {
			t.Errorf("%s: %q, want %q", c.name, got, c.why)
		}
	}
}

// show writes a refutation on one line.
func show(r *Refutation) string {
	if r == nil {
		return ""
	}
	var parts []string
	run := r.Run
	if r.Kind == Refused {
		run = run[:len(run)-1]
	}
	for _, st := range run {
		parts = append(parts, string(name(st.Action)))
	}
	text := strings.Join(parts, " ")
	if text != "" && r.Kind != Dead {
		text += "; "
	}
	switch r.Kind {
	case Refused:
		text += fmt.Sprintf("no %c beside %s", name(r.Missing()), strings.ReplaceAll(fmt.Sprint(r.Spec), "[", "{"))
		return strings.ReplaceAll(text, "]", "}")
	case NoReadySet:
		y := []Action{r.Missing()}
		if y[0] == Hidden {
			y = nil
		}
		text += fmt.Sprintf("ready %s, no stable state for %s:", letters(r.Ready), letters(y))
		for _, o := range r.Offers {
			text += " " + letters(o.Ready)
		}
		return text
	}
	var list []string
	for _, b := range r.Branches {
		list = append(list, show(b))
	}
	return text + " (" + strings.Join(list, " | ") + ")"
}

// letters writes a set of actions.
func letters(set []Action) string {
	var list []string
	for _, a := range set {
		list = append(list, string(name(a)))
	}
	return "{" + strings.Join(list, ",") + "}"
}

// TestRefutations: a refutation is a run of the implementation, at whose end the specification lacks what it says,
// whatever it has done so far.
func TestRefutations(t *testing.T) {
	n := testkit.Count(3000, 100000)
	branches := 0
	for i := range n {
		impl, spec := pairOf(rand.New(rand.NewPCG(4, uint64(i))))
		for _, determinize := range []bool{false, true} {
			r := Check(t.Context(), impl, spec, Options{Determinize: determinize}).Refutation
			if r == nil {
				continue
			}
			if why := wrong(impl, spec, r, 0, 1); why != "" {
				t.Fatalf("%d: %v to %v: %s is wrong: %s", i, impl, spec, show(r), why)
			}
			branches += len(r.Branches)
			if determinize && len(r.Branches) > 0 {
				t.Fatalf("%d: %v to %v: a set of states has branches", i, impl, spec)
			}
		}
	}
	if branches < n/100 {
		t.Errorf("only %d branches", branches)
	}
}

// wrong returns why a refutation is wrong that begins at a state of the implementation and states of the
// specification; "" if it is right.
func wrong(impl, spec process, r *Refutation, i int, s bits) string {
	if r.From != i {
		return "it begins elsewhere"
	}
	// 1. It is a run. The last action of some is the one that is missing.
	for k, st := range r.Run {
		if !slices.Contains(impl[i], st) {
			return "it is no run"
		}
		i = st.To
		if last := k == len(r.Run)-1; st.Action != Hidden && !(last && r.Kind != NoReadySet) {
			s = spec.weakly(s, st.Action)
		}
	}
	// 2. The states of the specification are among those that are possible.
	var at bits
	for _, x := range r.Spec {
		at |= 1 << x
	}
	if at == 0 || at&^s != 0 {
		return "the specification is elsewhere"
	}
	// 3. The end.
	switch r.Kind {
	case Refused:
		if spec.weakly(at, r.Missing()) != 0 {
			return "the action is possible"
		}
	case NoReadySet:
		if !impl.isStable(i) || refusals(impl, spec, i, at) {
			return "C2 holds"
		}
	case Dead:
		after := spec.weakly(at, r.Missing())
		for x := range spec {
			if after.has(x) && naive(from(impl, i), from(spec, x)) {
				return "a state after the action will do"
			}
		}
		for _, b := range r.Branches {
			if why := wrong(impl, spec, b, i, after); why != "" {
				return why
			}
		}
	}
	return ""
}

// from returns a process that begins in another state: the two change places.
func from(p process, s int) process {
	swap := func(x int) int {
		switch x {
		case 0:
			return s
		case s:
			return 0
		}
		return x
	}
	q := make(process, len(p))
	for x := range p {
		for _, st := range p[x] {
			q[swap(x)] = append(q[swap(x)], Step{st.Action, swap(st.To)})
		}
	}
	return q
}

// TestDivergence: divergence is found in both, with a run to it, and does not change the verdict.
func TestDivergence(t *testing.T) {
	impl, spec := parse(t, "0: a1; 1: b2 t1; 2:"), parse(t, "0: a1; 1: b2; 2: t3; 3: t2 t4; 4:")
	r := Check(t.Context(), impl, spec, Options{})
	got := fmt.Sprint(r.Conforms, *r.Diverging[0], *r.Diverging[1])
	if want := "true {[{1 1}] [{0 1}]} {[{1 1} {2 2}] [{0 3} {0 2}]}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// An assumption that does not hold is no hidden step without end.
	stops := parse(t, "0: tn a0")
	if r := Check(t.Context(), stops, stops, Options{}); r.Diverging != [2]*Divergence{} {
		t.Errorf("%v", r.Diverging)
	}
}

// limited is a system with a limit.
type limited struct {
	process
	at  int
	err error
}

func (l limited) Steps(s int) ([]Step, error) {
	if s == l.at {
		return nil, l.err
	}
	return l.process[s], nil
}

// TestLimits: an error of a system leaves the verdict open, unless it was found before.
func TestLimits(t *testing.T) {
	full := errors.New("full")
	p := parse(t, "0: a1; 1: b2; 2:")
	for at := range 3 {
		if r := Check(t.Context(), limited{p, at, full}, p, Options{}); r.Conforms || r.Open != full || r.Refutation != nil {
			t.Errorf("implementation, state %d: %v", at, r)
		}
		if r := Check(t.Context(), p, limited{p, at, full}, Options{}); r.Conforms || r.Open != full {
			t.Errorf("specification, state %d: %v", at, r)
		}
	}
	other := parse(t, "0: a1; 1: c2; 2:")
	if r := Check(t.Context(), limited{p, 2, full}, other, Options{}); r.Open != nil || r.Refutation == nil {
		t.Errorf("%v", r)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(full)
	if r := Check(ctx, p, p, Options{}); r.Open != full {
		t.Errorf("%v", r)
	}
}

// TestPairs: pairs are found again in a table that grows.
func TestPairs(t *testing.T) {
	p := newPairs()
	for round := range 2 {
		for i := range int32(5000) {
			if got := p.number(i%71, i/71); got != i {
				t.Fatalf("round %d: pair %d has number %d", round, i, got)
			}
		}
	}
}
