package explicit

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"c2bp/checker/lower"
)

// This file makes flat models: one process, a loop over guarded actions, and finitely many
// states. Each is written as a Boolean program and in Promela.

// flat is a model. Bits start as 0.
type flat struct {
	name    string
	bits    []string
	refs    []string // variables that lead to cells; each starts with one of its own, whose next is itself
	actions []action
}

// action may happen if its guard holds: assignments and assertions, one after the other.
type action struct {
	guard string
	do    []string
}

// flips turns over any of n bits.
func flips(n int) flat {
	m := flat{name: fmt.Sprintf("%d bits, any of which is turned over", n)}
	for i := range n {
		b := fmt.Sprintf("b%d", i)
		m.bits = append(m.bits, b)
		m.actions = append(m.actions, action{"1", []string{b + " := !" + b}})
	}
	return m
}

// counter counts with n digits in a ring; a carry goes from digit to digit, one at a time.
func counter(n int) flat {
	m := flat{name: fmt.Sprintf("a ring counter of %d digits with a carry", n)}
	for i := range n {
		m.bits = append(m.bits, fmt.Sprintf("c%d", i), fmt.Sprintf("carry%d", i))
		digit, carry, next := fmt.Sprintf("c%d", i), fmt.Sprintf("carry%d", i), fmt.Sprintf("carry%d", (i+1)%n)
		m.actions = append(m.actions,
			action{carry + " & !" + digit, []string{carry + " := 0", digit + " := 1"}},
			action{carry + " & " + digit, []string{digit + " := 0", carry + " := 0", next + " := 1"}},
			action{"!" + carry, []string{carry + " := 1"}})
	}
	return m
}

// lock has n clients that ask for a lock and take it when they have the token, which goes
// round. No two have the lock.
func lock(n int) flat {
	m := flat{name: fmt.Sprintf("%d clients with a lock and a token", n), bits: []string{"locked"}}
	var critical []string
	for i := range n {
		critical = append(critical, fmt.Sprintf("in%d", i))
		m.bits = append(m.bits, fmt.Sprintf("want%d", i), critical[i], fmt.Sprintf("token%d", i))
	}
	var none []string
	for i := range n {
		none = append(none, fmt.Sprintf("!token%d", i))
	}
	m.actions = append(m.actions, action{strings.Join(none, " & "), []string{"token0 := 1"}})
	for i := range n {
		want, in, token, next := fmt.Sprintf("want%d", i), critical[i], fmt.Sprintf("token%d", i), fmt.Sprintf("token%d", (i+1)%n)
		others := "!" + strings.Join(append(append([]string{}, critical[:i]...), critical[i+1:]...), " & !")
		m.actions = append(m.actions,
			action{"!" + want, []string{want + " := 1"}},
			action{want + " & !" + in + " & " + token + " & !locked", []string{"locked := 1", in + " := 1", "assert(" + others + ")"}},
			action{in, []string{in + " := 0", want + " := 0", "locked := 0"}},
			action{token + " & !" + want, []string{token + " := 0", next + " := 1"}})
	}
	return m
}

// ring has n variables that lead to n cells with a bit each; they walk along, change where
// the cells lead to, turn the bits over, and change places.
func ring(n int) flat {
	m := flat{name: fmt.Sprintf("%d variables and cells that lead to each other", n)}
	for i := range n {
		m.refs = append(m.refs, fmt.Sprintf("v%d", i))
	}
	for i, v := range m.refs {
		w := m.refs[(i+1)%n]
		m.actions = append(m.actions,
			action{"1", []string{v + " := " + v + ".next"}},
			action{"1", []string{v + ".next := " + w}},
			action{"1", []string{v + ".b := !" + v + ".b"}})
	}
	return m
}

// boolean is the model as a Boolean program.
func (m flat) boolean() string {
	var b strings.Builder
	if m.refs != nil {
		fmt.Fprintf(&b, "class Cell { bool b; ref Cell next; }\nref Cell %s;\n", strings.Join(m.refs, ", "))
	}
	if m.bits != nil {
		fmt.Fprintf(&b, "decl %s;\n", strings.Join(m.bits, ", "))
	}
	b.WriteString("void main() begin\n")
	for _, x := range m.bits {
		fmt.Fprintf(&b, "  %s := 0;\n", x)
	}
	for _, v := range m.refs {
		fmt.Fprintf(&b, "  %s := new Cell;\n  %s.next := %s;\n", v, v, v)
	}
	var labels []string
	for i := range m.actions {
		labels = append(labels, fmt.Sprintf("A%d", i))
	}
	fmt.Fprintf(&b, "L: goto %s;\n", strings.Join(labels, ", "))
	for i, a := range m.actions {
		fmt.Fprintf(&b, "%s: ", labels[i])
		if a.guard != "1" {
			fmt.Fprintf(&b, "assume(%s); ", a.guard)
		}
		fmt.Fprintf(&b, "%s; goto L;\n", strings.Join(a.do, "; "))
	}
	b.WriteString("end\n")
	return b.String()
}

var fieldOf = regexp.MustCompile(`(\w+)\.(\w+)`)

// promela is the model in Promela: cells are numbers, fields are arrays.
func (m flat) promela() string {
	var b strings.Builder
	for _, x := range m.bits {
		fmt.Fprintf(&b, "bit %s;\n", x)
	}
	if n := len(m.refs); n > 0 {
		fmt.Fprintf(&b, "bit b[%d];\nbyte next[%d];\n", n, n)
		for _, v := range m.refs {
			fmt.Fprintf(&b, "byte %s;\n", v)
		}
	}
	b.WriteString("init {\n")
	for i, v := range m.refs {
		fmt.Fprintf(&b, "  %s = %d;\n  next[%d] = %d;\n", v, i, i, i)
	}
	b.WriteString("  do\n")
	spell := func(text string) string {
		text = strings.NewReplacer(":=", "=", "&", "&&", "|", "||").Replace(text)
		return fieldOf.ReplaceAllString(text, "$2[$1]")
	}
	for _, a := range m.actions {
		b.WriteString("  :: ")
		if a.guard != "1" {
			fmt.Fprintf(&b, "%s -> ", spell(a.guard))
		}
		fmt.Fprintf(&b, "%s\n", spell(strings.Join(a.do, "; ")))
	}
	b.WriteString("  od\n}\n")
	return b.String()
}

// The search finds the states that there are, and what the search with summaries finds.
func TestFlatModels(t *testing.T) {
	// Behind the assignments at the start, control is in front of the big goto, of the
	// assignment of an action or of the goto behind that, with any values of the bits.
	for _, n := range []int{1, 3, 6} {
		w, err := SearchWhole(context.Background(), parsed(t, flips(n).boolean()), Options{})
		if err != nil || w.States != n+(2*n+1)<<n {
			t.Errorf("%d bits: %d states, want %d; %v", n, w.States, n+(2*n+1)<<n, err)
		}
	}
	for _, m := range []flat{counter(3), lock(3), ring(2)} {
		g := parsed(t, m.boolean())
		w, err := SearchWhole(context.Background(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := Solve(context.Background(), g, Options{})
		if err == nil {
			err = compare(g, s.facts, func(p Point) facts { return facts{w.Reached(p), w.CanFail(p), w.UsesNull(p)} })
		}
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
}

// The search itself allocates nothing: what it does are its tables and stacks, which grow to
// twice the size each time, so that their number does not grow with the steps.
func TestSearchDoesNotAllocate(t *testing.T) {
	for _, m := range []flat{flips(11), counter(5), lock(5), ring(3)} {
		g := parsed(t, m.boolean())
		p := lower.Program(g)
		var w *Whole
		allocated := testing.AllocsPerRun(2, func() {
			w = &Whole{found: newFindings(g), graph: g, prog: p, opts: Options{HeapPath: DefaultHeapPath}}
			if err := w.search(context.Background()); err != nil {
				t.Fatal(err)
			}
		})
		t.Logf("%s: %.0f allocations in %d steps", m.name, allocated, w.Steps)
		if w.Steps < 5000 || allocated > 250 {
			t.Errorf("%s: %.0f allocations in %d steps", m.name, allocated, w.Steps)
		}
	}
}
