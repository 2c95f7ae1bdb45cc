package slic

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/frontend/slic/syntax"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares rules for each object with an oracle that has an automaton for each object: the events
// of a run and the lives of its objects are written down, and each address that an event was about gets an
// automaton for each life of the memory around it. The program with the rule is executed once for each place
// that a run can watch; all together they must violate the rule in the ways that the automata do.

// entry is an event, or the begin or end of the object that starts at an address.
type entry struct {
	event
	begins, ends uint64
	starts       []uint64 // of the objects that the arguments and the result point to
}

// recorder writes down the entries of a run of a program without rules.
type recorder struct {
	t    *testing.T
	s    *scripted
	prog *core.Program
	log  []entry
	last *core.Node // an allocation that was executed
	top  *interp.Frame
	deep int // frames whose begin is written down
}

// value evaluates an expression.
func (r *recorder) value(f *interp.Frame, e core.Expr) uint64 {
	v, err := f.Eval(e)
	if err != nil {
		r.t.Fatal(err)
	}
	return v.Uint64()
}

// objectAt returns the start of the live object around an address, 0 without one.
func (r *recorder) objectAt(addr uint64) uint64 {
	if o := r.s.m.Object(addr); o != nil && r.s.m.Live(o) {
		return o.Start()
	}
	return 0
}

// note writes down an event.
func (r *recorder) note(e event) {
	n := entry{event: e}
	for _, a := range append(slices.Clone(e.args), e.result) {
		n.starts = append(n.starts, r.objectAt(uint64(a)))
	}
	r.log = append(r.log, n)
}

// locals writes down begins or ends of the variables of f.
func (r *recorder) locals(f *interp.Frame, begin bool) {
	for _, v := range slices.Concat(f.Proc().Formals, f.Proc().Locals) {
		if !v.InMemory() {
			continue
		}
		a := r.value(f, &core.AddrOf{Var: v, Typ: r.prog.Pointer()})
		if begin {
			r.log = append(r.log, entry{begins: a})
		} else {
			r.log = append(r.log, entry{ends: a})
		}
	}
}

// step writes down the entries for the node n, which is executed next.
func (r *recorder) step(f *interp.Frame, n *core.Node) {
	// 1. An allocation that was executed just now.
	if r.last != nil {
		r.log = append(r.log, entry{begins: r.value(r.top, r.last.Stmt.(*core.Alloc).Lhs)})
		r.last = nil
	}
	// 2. A new frame.
	if r.deep <= f.Depth() {
		r.deep = f.Depth() + 1
		r.locals(f, true)
	}
	switch s := n.Stmt.(type) {
	case *core.Alloc:
		r.last, r.top = n, f
	case *core.Free:
		if a := r.value(f, s.Ptr); a != 0 {
			r.log = append(r.log, entry{ends: a})
		}
	case *core.Havoc:
		for _, v := range begun(s) {
			if v.InMemory() {
				a := r.value(f, &core.AddrOf{Var: v, Typ: r.prog.Pointer()})
				r.log = append(r.log, entry{ends: a}, entry{begins: a})
			}
		}
	case *core.Call:
		if s.Callee.HasBody() {
			break
		}
		e := event{fn: s.Callee.CName}
		for _, a := range s.Args {
			e.args = append(e.args, int64(r.value(f, a)))
		}
		r.note(e)
		e.exit = true
		if _, isPtr := s.Callee.RetType.(core.Ptr); isPtr {
			e.result = int64(r.s.outside(r.s.number(0, r.s.calls), false))
		}
		r.note(e)
	// 3. The end of the program, and of frames.
	case *core.Return:
		if f.Depth() == 0 {
			r.log = append(r.log, entry{event: event{fn: "end"}})
		}
		r.locals(f, false)
		r.deep = f.Depth()
	}
}

// instance executes the rule for the object at an address, in the life of the memory at base that entry at
// belongs to, and returns the key of its first violation.
func instance(k *syntax.Checked, log []entry, at int, base, addr uint64) string {
	// 1. The life: from the last begin before the entry.
	from := 0
	for i := range at {
		if log[i].begins == base {
			from = i + 1
		}
	}
	a := newAutomaton(k)
	alive := true
	initial := maps.Clone(a.state)
	die := func() {
		for _, h := range k.Handlers {
			if alive && h.Has(syntax.AtDeath) {
				a.exec(h.Body, nil)
			}
		}
		alive = false
	}
	for _, e := range log[from:] {
		if e.ends == base {
			die()
			return a.wrong
		}
		if e.fn == "" {
			continue
		}
		// 2. Begins at events, then what is done there, then ends.
		for _, l := range k.Lives {
			if names, is := matches(k, l.Event, e.event, addr); is && !l.Death && names != nil && (l.If == nil || a.eval(l.If, names) != 0) {
				a.state, alive = maps.Clone(initial), true
			}
		}
		for _, h := range k.Handlers {
			if e.fn == "end" && h.Has(syntax.AtEnd) && alive {
				a.exec(h.Body, nil)
			}
			for _, p := range h.Events {
				if names, is := matches(k, p, e.event, addr); is && alive {
					a.exec(h.Body, names)
				}
			}
		}
		for _, l := range k.Lives {
			if names, is := matches(k, l.Event, e.event, addr); is && l.Death && (l.If == nil || a.eval(l.If, names) != 0) {
				die()
			}
		}
	}
	return a.wrong
}

// matches reports whether e is an event p, of the object at addr if p binds the object, and returns the
// names that it binds.
func matches(k *syntax.Checked, p *syntax.Point, e event, addr uint64) (map[string]int64, bool) {
	if p.Func.Text != e.fn || p.Exit != e.exit {
		return nil, false
	}
	names := map[string]int64{p.Result.Text: e.result}
	for i, n := range p.Params {
		names[n.Text] = e.args[i]
	}
	if p.Binds(k.Object.Name.Text) && uint64(names[k.Object.Name.Text]) != addr {
		return nil, false
	}
	return names, true
}

// violations returns the keys by which some object violates the rule.
func violations(k *syntax.Checked, log []entry) (keys []string) {
	for i, e := range log {
		for j, base := range e.starts {
			addr := uint64(e.result)
			if j < len(e.args) {
				addr = uint64(e.args[j])
			}
			if base == 0 {
				continue
			}
			if key := instance(k, log, i, base, addr); key != "" {
				keys = append(keys, fmt.Sprintf("%s: %s: wrong", k.Name.Text, key))
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// place writes an expression for a pointer to a lock.
func (g *generator) place() string {
	return g.pickOf("p", "p", "q", "&g0.a", "&g0.b", "&g1.a", "&tab[x]", "&tab[1]", "&here", "(d ? &d->a : p)", "(d ? &d->b : q)")
}

// objectStmts writes statements of a program with locks.
func (g *generator) objectStmts(n int) {
	for range n {
		switch g.IntN(16) {
		case 0, 1, 2, 3:
			fmt.Fprintf(g, "%s(%s);\n", g.pickOf("take", "give", "take", "give", "init", "drop"), g.place())
		case 4:
			fmt.Fprintf(g, "both(%s, %s);\n", g.place(), g.place())
		case 5:
			fmt.Fprintf(g, "%s = %s;\n", g.pickOf("p", "q"), g.place())
		case 6:
			fmt.Fprintf(g, "%s = get();\n", g.pickOf("p", "q"))
		case 7:
			fmt.Fprintf(g, "touch();\n")
		case 8:
			fmt.Fprintf(g, "helper(%s, x);\n", g.place())
		case 9:
			fmt.Fprintf(g, "d = malloc(sizeof(struct dev));\n")
		case 10:
			fmt.Fprintf(g, "free(d); d = 0; p = &g0.a; q = &g1.b;\n")
		case 11:
			fmt.Fprintf(g, "x = (x + 1) %% 3;\n")
		case 12, 14, 15:
			fmt.Fprintf(g, "{ struct lock inner; take(&inner); %s(&inner); }\n", g.pickOf("give", "take", "init"))
		case 13:
			if g.depth < 2 {
				g.depth++
				fmt.Fprintf(g, "if (x %s %d) {\n", g.pickOf("==", "<"), g.IntN(3))
				g.objectStmts(1 + g.IntN(2))
				g.WriteString("}\n")
				g.depth--
			}
		}
	}
}

// objectProgram writes a program with locks in global and local variables, in an array, on the heap, and
// from outside.
func (g *generator) objectProgram() string {
	g.WriteString("extern void *malloc(unsigned long);\nextern void free(void *);\nstruct lock { int x; };\nstruct dev { int n; struct lock a, b; };\n" +
		"extern void take(struct lock *l), give(struct lock *l), init(struct lock *l), drop(struct lock *l);\n" +
		"extern void both(struct lock *l, struct lock *m), touch(void);\nextern struct lock *get(void);\n" +
		"static struct dev g0, g1;\nstatic struct lock tab[3];\n")
	fmt.Fprintf(g, "static void helper(struct lock *l, int n)\n{\nstruct lock mine;\n%s(l);\n%s(&mine);\nif (n == 1) helper(&mine, 0);\n%s(%s);\n}\n",
		g.pickOf("take", "give", "init"), g.pickOf("take", "take", "init"), g.pickOf("give", "take", "drop"), g.pickOf("l", "&mine"))
	g.WriteString("int main(void)\n{\nstruct lock here, *p = &g0.a, *q = &tab[0];\nstruct dev *d = 0;\nint x = 0, n = 0;\n")
	g.objectStmts(3 + g.IntN(5))
	if g.IntN(2) == 0 {
		fmt.Fprintf(g, "while (n < %d) {\nn++;\n", 2+g.IntN(2))
		g.objectStmts(2 + g.IntN(3))
		g.WriteString("}\n")
	}
	g.WriteString("return 0;\n}\n")
	return g.String()
}

// objectRule writes a rule for each lock. Nothing is wrong with a lock that no event was about: such locks
// are everywhere.
func (g *generator) objectRule(i int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rule r%d \"r\"\n", i)
	b.WriteString("object l : struct lock *\nstate { enum { s0, s1, s2 } s; int u, n; }\n")
	if g.IntN(2) == 0 {
		fmt.Fprintf(&b, "birth on %s\n", g.pickOf("init(l).exit", "init(l).entry", "l = get().exit", "l = get().exit if (l)"))
	}
	if g.IntN(2) == 0 {
		fmt.Fprintf(&b, "death on %s\n", g.pickOf("drop(l).entry", "drop(l).exit", "both(_, l).exit", "drop(l).entry if (s != s1)"))
	}
	for i := range 3 + g.IntN(4) {
		e := g.pickOf("take(l).entry", "take(l).exit", "give(l).entry", "give(l).exit", "init(l).entry", "both(l, _).entry", "both(_, l).exit", "l = get().exit", "drop(l).exit", "touch().entry")
		if i == 1 {
			e = g.pickOf("take(l).entry", "take(l).exit", "give(l).entry") // some event binds the object
		}
		head := "on " + e
		if i == 0 {
			head = g.pickOf("at end", "at end", "at death", "at end, death")
		}
		fmt.Fprintf(&b, "%s {\n", head)
		if i == 0 {
			fmt.Fprintf(&b, "if (u && s == %s) abort \"end: wrong\";\n", g.pickOf("s0", "s1", "s2"))
		}
		if strings.Contains(head, "l)") || strings.Contains(head, "(l,") || strings.Contains(head, "l =") {
			b.WriteString("u = 1;\n")
		}
		for range 1 + g.IntN(2) {
			switch g.IntN(6) {
			case 0, 1, 5:
				fmt.Fprintf(&b, "if (u && s == %s && n < %d) abort \"k%d: wrong\";\n", g.pickOf("s0", "s1", "s2"), 1+g.IntN(3), i)
			case 2:
				fmt.Fprintf(&b, "s = %s;\n", g.pickOf("s1", "s2"))
			case 3:
				b.WriteString("n++;\n")
			case 4:
				fmt.Fprintf(&b, "if (s == s1) s = %s; else s = s1;\n", g.pickOf("s0", "s2"))
			}
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// TestObjectOracle: the objects of random programs violate random rules in the ways that the oracle says.
func TestObjectOracle(t *testing.T) {
	violated, kept, runs := 0, 0, 0
	for seed := range testkit.Count[uint64](16, 10000) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 2))}
		text := g.objectProgram()
		set, err := rulesOf("rule.slic", g.objectRule(0)+g.objectRule(1)+g.objectRule(2)+g.objectRule(3))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{ReadFile: noFiles, Extern: core.ExternPure})
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, text)
		}
		u := loadProgram(t, set, set.Rules, text)
		if u.Unit == nil {
			continue // none of the rules applies
		}
		prepared := interp.Prepare(u.Program)
		for script := range uint64(2) {
			// 1. The objects of the run without the rule.
			s := &scripted{seed: script}
			r := &recorder{t: t, s: s, prog: plain.Program}
			if _, _, err := run(plain.Program, interp.Prepare(plain.Program), s, r.step); err != nil {
				continue
			}
			var want []string
			for i, k := range set.Rules {
				if u.Rules[i].Applies {
					want = append(want, violations(k, r.log)...)
				}
			}
			// 2. A run with the rule for each place that can be watched.
			var got []string
			for pick := 0; ; pick++ {
				most := 0
				for _, element := range []int64{0, 1, 2, 4, 8} {
					s := &scripted{seed: script, pick: pick, element: element}
					last, node, err := run(u.Program, prepared, s, nil)
					if err != nil {
						continue // an element that is not there
					}
					runs++
					most = max(most, s.offered)
					if got = append(got, s.passed...); last.Kind == interp.Failed {
						got = append(got, node.Text)
					}
				}
				if pick > most {
					break
				}
			}
			slices.Sort(got)
			got = slices.Compact(got)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, script %d: got %q, want %q\n%s\n%s\n%s", seed, script, got, want, text, u.Rules[0].File.Text, u.Program)
			}
			for i, k := range set.Rules {
				switch bad := slices.ContainsFunc(want, func(s string) bool { return strings.HasPrefix(s, k.Name.Text+":") }); {
				case bad:
					violated++
				case u.Rules[i].Applies:
					kept++
				}
			}
		}
	}
	t.Logf("%d rules are violated, %d are not; %d runs", violated, kept, runs)
	if violated < 15 || kept < 15 {
		t.Errorf("only %d rules are violated, and %d are not", violated, kept)
	}
}
