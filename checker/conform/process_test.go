package conform

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// This file defines small processes for tests: written as text, and random ones.

// process is a system whose steps are known: by state. State 0 is the initial one.
type process [][]Step

func (p process) Initial() int                { return 0 }
func (p process) Steps(s int) ([]Step, error) { return p[s], nil }

// String returns the text that parse reads.
func (p process) String() string {
	var b strings.Builder
	for s, list := range p {
		fmt.Fprintf(&b, "%d:", s)
		for _, st := range list {
			fmt.Fprintf(&b, " %c%d", name(st.Action), st.To)
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// name returns the letter of an action: t for hidden steps.
func name(a Action) byte {
	if a == Hidden {
		return 't'
	}
	return 'a' + byte(a) - 1
}

// parse reads a process: for each state the steps, as letter and target. "0: a1 t2; 1:; 2: b0". Target n is Nowhere.
func parse(t *testing.T, text string) process {
	t.Helper()
	var p process
	for _, line := range strings.Split(text, ";") {
		var list []Step
		fields := strings.Fields(line)
		if want := fmt.Sprintf("%d:", len(p)); len(fields) == 0 || fields[0] != want {
			t.Fatalf("%q: expected %s", text, want)
		}
		for _, f := range fields[1:] {
			st := Step{Action(f[0]-'a') + 1, int(f[1] - '0')}
			if f[0] == 't' {
				st.Action = Hidden
			}
			if f[1] == 'n' {
				st.To = Nowhere
			}
			list = append(list, st)
		}
		p = append(p, list)
	}
	return p
}

// random returns a process of at most 6 states with 3 actions.
func random(r *rand.Rand) process {
	n := 1 + r.IntN(6)
	p := make(process, n)
	for k := r.IntN(2*n + 2); k > 0; k-- {
		s, st := r.IntN(n), Step{Action(r.IntN(4)), r.IntN(n)}
		if st.Action == Hidden && r.IntN(12) == 0 {
			st.To = Nowhere
		}
		p[s] = append(p[s], st)
	}
	return p
}

// similar returns a process that differs from p in few steps. Often one conforms to the other.
func similar(r *rand.Rand, p process) process {
	q := make(process, len(p))
	for s := range p {
		q[s] = append([]Step{}, p[s]...)
	}
	for k := 1 + r.IntN(3); k > 0; k-- {
		s := r.IntN(len(q))
		switch n := len(q[s]); {
		case r.IntN(3) == 0 && n > 0:
			i := r.IntN(n)
			q[s] = append(q[s][:i], q[s][i+1:]...)
		case r.IntN(3) == 0 && len(q) < 6:
			// A state is split: a hidden step leads to a part of it.
			q[s] = append(q[s], Step{Hidden, len(q)})
			q = append(q, append([]Step{}, q[s][:n]...))
			if n > 0 {
				last := len(q) - 1
				q[last] = q[last][:r.IntN(n+1)]
			}
		case r.IntN(2) == 0:
			q = divided(r, q)
		default:
			q[s] = append(q[s], Step{Action(r.IntN(4)), r.IntN(len(q))})
		}
	}
	return q
}

// divided returns p with two steps in the place of one: to two states that share the steps of the one to which that
// step leads.
func divided(r *rand.Rand, p process) process {
	s := r.IntN(len(p))
	if len(p[s]) == 0 || len(p) > 4 {
		return p
	}
	i := r.IntN(len(p[s]))
	st := p[s][i]
	if st.To == Nowhere {
		return p
	}
	parts := [2][]Step{}
	for _, next := range p[st.To] {
		k := r.IntN(2)
		parts[k] = append(parts[k], next)
	}
	q := append(process{}, p...)
	q[s] = append(append([]Step{}, p[s]...), Step{st.Action, len(q) + 1})
	q[s][i].To = len(q)
	return append(q, parts[0], parts[1])
}

// pairOf returns two random processes. In most pairs, they are alike.
func pairOf(r *rand.Rand) (impl, spec process) {
	p := random(r)
	switch r.IntN(5) {
	case 0:
		return p, random(r)
	case 1:
		return similar(r, p), p
	case 2:
		return p, divided(r, p)
	}
	return p, similar(r, p)
}

// conforms reports whether one process conforms to another.
func conforms(impl, spec System, determinize bool) bool {
	return Check(context.Background(), impl, spec, Options{Determinize: determinize}).Conforms
}
