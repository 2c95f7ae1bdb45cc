package slic

import (
	"context"
	"errors"
	"fmt"
	"math/big"
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

// This file compares the programs with rules with an oracle: the program without rules is executed, its
// events are written down, and an interpreter of rules that knows syntax trees only says which rule is
// violated first, and how. An execution of the program with rules must say the same.

// event is an event of a run.
type event struct {
	fn     string // or the label, or "end"
	exit   bool
	label  bool
	args   []int64
	result int64
}

// scripted decides all that a run leaves open by the number of the call or the choice, so that the program
// with rules gets the same answers as that without.
type scripted struct {
	seed     uint64
	calls    int // of functions without a body, so far
	branches int
	passed   []string // properties that the run went past
	pick     int      // which of the opportunities to pick a watch is taken
	offered  int      // such opportunities so far
	element  int64    // the element, or object from outside, that is watched
	m        *interp.Machine
}

// number returns an arbitrary small number for a stream and an index.
func (s *scripted) number(stream, i int) int64 {
	return int64(rand.New(rand.NewPCG(s.seed, uint64(stream)<<32|uint64(i))).IntN(3))
}

// Branch goes past the assertions of rules, and notes them.
func (s *scripted) Branch(at interp.Place, next []int) int {
	for _, n := range next {
		if _, ok := at.Proc.Nodes[n].Stmt.(*core.Assert); ok && len(next) > 1 {
			s.passed = append(s.passed, at.Proc.Nodes[n].Text)
			return next[len(next)-1]
		}
	}
	if len(next) == 1 {
		return next[0]
	}
	// All ways but the last one choose a watch.
	if len(at.Proc.Nodes[at.Node].Succ) == len(next) && chooses(at.Proc, next[0]) {
		for _, n := range next[:len(next)-1] {
			if s.offered++; s.offered-1 == s.pick {
				return n
			}
		}
		return next[len(next)-1]
	}
	s.branches++
	return next[int(s.number(1, s.branches))%len(next)]
}

// chooses reports whether node i of p begins the choice of a watch.
func chooses(p *core.Proc, i int) bool {
	a, ok := p.Nodes[i].Stmt.(*core.Assume)
	return ok && core.Mentions(a.Cond, func(v *core.Var) bool { return strings.HasSuffix(v.Name, "$taken") })
}

// outside returns the address of an object from outside: the first ones are the program's that are known
// there, in the order of their births, and then come some that the program does not define.
func (s *scripted) outside(i int64, foreign bool) uint64 {
	var known []uint64
	start := uint64(0)
	for _, o := range s.m.Objects() {
		switch {
		case o.External():
			start = o.Start()
		case s.m.Known(o) && s.m.Live(o) && o.Proc() == nil && o.Size() == 12: // the first lock of a device
			known = append(known, o.Start()+4)
		case s.m.Known(o) && s.m.Live(o) && o.Proc() == nil && o.Size() == 4:
			known = append(known, o.Start())
		}
	}
	if n := int64(len(known)); !foreign && n > 0 {
		if k := i % (n + 1); k < n {
			return known[k]
		}
	}
	return start + 16*uint64(i)
}

// Value returns the result of a call by its number, 1 for choose, and something else for the rest.
func (s *scripted) Value(r interp.Request) *big.Int {
	switch {
	case r.Why == interp.ExternalResult && r.Pointer:
		return new(big.Int).SetUint64(s.outside(s.number(0, s.calls), false))
	case r.Why == interp.Havocked && r.Pointer && strings.HasPrefix(r.Var.Name, "$rule"):
		return new(big.Int).SetUint64(s.outside(s.element, true))
	case r.Why == interp.Havocked && r.Var != nil && r.Type == core.Int64 && strings.HasPrefix(r.Var.Name, "$rule"):
		return big.NewInt(s.element)
	case r.Why == interp.ExternalResult:
		return big.NewInt(s.number(0, s.calls))
	case r.Why == interp.Havocked && r.Var != nil && strings.HasPrefix(r.Var.Name, "$rule"):
		return big.NewInt(1)
	}
	return big.NewInt(0)
}

// maxSteps bounds the runs.
const maxSteps = 4000

// errEndless is the error of a run that is too long.
var errEndless = errors.New("too long")

// run executes p, and calls before before each step.
func run(p *core.Program, prepared *interp.Prepared, s *scripted, before func(f *interp.Frame, n *core.Node)) (interp.Event, *core.Node, error) {
	m := prepared.New(s, interp.Options{})
	s.m = m
	for range maxSteps {
		f := m.Top()
		n := f.Proc().Nodes[f.Node()]
		if c, ok := n.Stmt.(*core.Call); ok && n.Caller == nil {
			if q := calleeOf(p, f, c); q != nil && !q.HasBody() {
				s.calls++
			}
		}
		if before != nil {
			before(f, n)
		}
		e, err := m.Step()
		if err != nil || e.Kind.Final() {
			return e, n, err
		}
	}
	return interp.Event{}, nil, errEndless
}

// calleeOf returns the procedure that c calls in f.
func calleeOf(p *core.Program, f *interp.Frame, c *core.Call) *core.Proc {
	if c.Callee != nil {
		return c.Callee
	}
	addr, err := f.Eval(c.Target)
	for _, q := range p.Procs {
		if a, bad := f.Eval(&core.FuncAddr{Proc: q, Typ: p.Pointer()}); err == nil && bad == nil && a.Cmp(addr) == 0 {
			return q
		}
	}
	return nil
}

// tracer writes down the events of a run of a program without rules.
type tracer struct {
	t      *testing.T
	s      *scripted
	events []event
	frames []event // entry events of the procedures on the stack, by depth
	within string  // the function that is calling back
	prog   *core.Program
}

// value evaluates an expression.
func (r *tracer) value(f *interp.Frame, e core.Expr) int64 {
	v, err := f.Eval(e)
	if err != nil {
		r.t.Fatal(err)
	}
	return v.Int64()
}

// step notes the events of the node n, which is executed next.
func (r *tracer) step(f *interp.Frame, n *core.Node) {
	// 1. The begin of a procedure, where its frame is new.
	if len(r.frames) <= f.Depth() {
		e := event{fn: f.Proc().CName}
		for _, v := range f.Proc().Formals {
			e.args = append(e.args, f.Value(v).Int64())
		}
		r.frames = append(r.frames, e)
		if f.Depth() > 0 {
			r.events = append(r.events, e)
		}
	}
	for _, l := range n.Labels {
		r.events = append(r.events, event{fn: l, label: true})
	}
	// 2. Calls of functions without a body; those that call back begin at the loop.
	switch s := n.Stmt.(type) {
	case *core.Branch:
		if n.Caller != nil && r.within == "" {
			outer := f.Proc().Nodes[n.Succ[0]].Stmt.(*core.Call)
			r.within = n.Caller.CName
			r.events = append(r.events, r.call(f, outer))
		}
	case *core.Call:
		callee := calleeOf(r.prog, f, s)
		if callee == nil || callee.HasBody() || n.Caller != nil {
			break
		}
		e := r.call(f, &core.Call{Callee: callee, Args: s.Args, Extra: s.Extra})
		switch {
		case e.fn == "exit":
			r.events = append(r.events, event{fn: "end"})
			return
		case r.within == e.fn:
			r.within = ""
		default:
			r.events = append(r.events, e)
		}
		e.exit, e.result = true, r.s.number(0, r.s.calls)
		r.events = append(r.events, e)
	// 3. The end of a procedure.
	case *core.Return:
		e := r.frames[f.Depth()]
		r.frames = r.frames[:f.Depth()]
		e.exit = true
		if v := f.Proc().Result; v != nil {
			e.result = f.Value(v).Int64()
		}
		if f.Depth() == 0 {
			e = event{fn: "end"}
		}
		r.events = append(r.events, e)
	}
}

// call returns the event of a call.
func (r *tracer) call(f *interp.Frame, c *core.Call) event {
	e := event{fn: c.Callee.CName}
	for _, a := range slices.Concat(c.Args, c.Extra) {
		e.args = append(e.args, r.value(f, a))
	}
	return e
}

// automaton is a rule in execution.
type automaton struct {
	rule  *syntax.Checked
	state map[string]int64
	ended bool // by an assumption or a violation
	wrong string
}

// newAutomaton returns the rule in its initial state.
func newAutomaton(k *syntax.Checked) *automaton {
	a := &automaton{rule: k, state: map[string]int64{}}
	for _, g := range k.Ghosts {
		for i, c := range g.Enum {
			a.state[c.Text] = int64(i)
		}
	}
	for _, g := range k.Ghosts {
		a.state[g.Name.Text] = 0
		if g.Init != nil {
			a.state[g.Name.Text] = a.eval(g.Init, nil)
		}
	}
	return a
}

// observe executes the handlers of an event.
func (a *automaton) observe(e event) {
	for _, h := range a.rule.Handlers {
		if e.fn == "end" && h.Has(syntax.AtEnd) {
			a.exec(h.Body, nil)
		}
		for _, p := range h.Events {
			if p.Func.Text != e.fn || p.Label != e.label || p.Exit != e.exit {
				continue
			}
			names := map[string]int64{p.Result.Text: e.result}
			for i, n := range p.Params {
				names[n.Text] = e.args[i]
			}
			a.exec(h.Body, names)
		}
	}
}

// exec executes a statement.
func (a *automaton) exec(s syntax.Stmt, names map[string]int64) {
	if a.ended {
		return
	}
	switch s := s.(type) {
	case *syntax.Block:
		for _, s := range s.List {
			a.exec(s, names)
		}
	case *syntax.If:
		if a.eval(s.Cond, names) != 0 {
			a.exec(s.Then, names)
		} else if s.Else != nil {
			a.exec(s.Else, names)
		}
	case *syntax.Assign:
		v := a.eval(s.Value, names)
		switch s.Op {
		case "+=":
			v = a.state[s.To.Text] + v
		case "-=":
			v = a.state[s.To.Text] - v
		}
		a.state[s.To.Text] = v
	case *syntax.Abort:
		a.ended, a.wrong = true, s.Key
	case *syntax.Assume:
		a.ended = a.eval(s.Cond, names) == 0
	}
}

// eval evaluates an expression.
func (a *automaton) eval(e syntax.Expr, names map[string]int64) int64 {
	truth := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch e := e.(type) {
	case *syntax.Literal:
		v, _ := new(big.Int).SetString(e.Text, 0)
		return v.Int64()
	case *syntax.Ident:
		if v, ok := names[e.Text]; ok {
			return v
		}
		return a.state[e.Text]
	case *syntax.Paren:
		return a.eval(e.X, names)
	case *syntax.Choose:
		return a.eval(e.X, names)
	case *syntax.Unary:
		if v := a.eval(e.X, names); e.Op == "-" {
			return -v
		} else {
			return truth(v == 0)
		}
	case *syntax.Cond:
		if a.eval(e.C, names) != 0 {
			return a.eval(e.X, names)
		}
		return a.eval(e.Y, names)
	case *syntax.Binary:
		x, y := a.eval(e.X, names), a.eval(e.Y, names)
		switch e.Op {
		case "+":
			return x + y
		case "-":
			return x - y
		case "==":
			return truth(x == y)
		case "!=":
			return truth(x != y)
		case "<":
			return truth(x < y)
		case ">":
			return truth(x > y)
		case "&&":
			return truth(x != 0 && y != 0)
		case "||":
			return truth(x != 0 || y != 0)
		}
	}
	panic(fmt.Sprintf("no meaning of %T", e))
}

// loadProgram applies rules to a program whose functions without a body change nothing.
func loadProgram(t *testing.T, set *syntax.Set, rules []*syntax.Checked, text string) *Unit {
	t.Helper()
	u, err := Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{ReadFile: noFiles, Extern: core.ExternPure}, set, rules, false)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return u
}

// TestOracle: random programs with random rules violate what the oracle says they do.
func TestOracle(t *testing.T) {
	violated, kept, ends := 0, 0, map[string]int{}
	for seed := range testkit.Count[uint64](80, 20000) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
		text := g.program()
		set, err := rulesOf("rule.slic", g.rules(2+g.IntN(4), g.labels))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))},
			frontend.Options{ReadFile: noFiles, Extern: core.ExternPure, Observed: []string{"exit"}})
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, text)
		}
		u := loadProgram(t, set, set.Rules, text)
		if u.Unit == nil {
			continue // all mentions are in functions of which no code is kept
		}
		prepared := interp.Prepare(u.Program)
		for script := range uint64(4) {
			// 1. The run without rules, and the oracle.
			s := &scripted{seed: script}
			r := &tracer{t: t, s: s, prog: plain.Program}
			_, _, err := run(plain.Program, interp.Prepare(plain.Program), s, r.step)
			if err != nil {
				ends[err.Error()]++
				continue // undefined, or too long
			}
			var want []string
			autos := map[*syntax.Checked]*automaton{}
			for i, k := range set.Rules {
				if u.Rules[i].Applies {
					autos[k] = newAutomaton(k)
				}
			}
			for _, e := range r.events {
				for _, k := range set.Rules {
					if a := autos[k]; a != nil && a.wrong == "" {
						if a.observe(e); a.wrong != "" {
							want = append(want, fmt.Sprintf("%s: %s: wrong", k.Name.Text, a.wrong))
						}
					}
				}
			}
			// 2. The run with rules.
			s = &scripted{seed: script}
			last, node, err := run(u.Program, prepared, s, nil)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			got := s.passed
			if last.Kind == interp.Failed {
				got = append(got, node.Text)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, script %d: got %q, want %q\n%s\n%s\n%v\n%s", seed, script, got, want, text, u.Rules[0].File.Text, r.events, u.Program)
			}
			if len(want) > 0 {
				violated++
			} else {
				kept++
			}
		}
	}
	t.Logf("%d runs violate a rule, %d do not; without an end: %v", violated, kept, ends)
	if violated < 30 || kept < 100 {
		t.Errorf("only %d runs violate a rule, and %d do not", violated, kept)
	}
}
