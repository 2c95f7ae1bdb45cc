package interp

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/internal/testkit"
)

// counted makes random choices that depend on how many were made before. So a copy of it
// goes on as the original does.
type counted struct {
	random *Random
	made   uint64
}

func (c *counted) again() *Random {
	c.made++
	return c.random.Again(c.made)
}

func (c *counted) Branch(at Place, next []int) int     { return c.again().Branch(at, next) }
func (c *counted) Value(q Request) *big.Int            { return c.again().Value(q) }
func (c *counted) External(x ExternalCall) []Write     { return c.again().External(x) }
func (c *counted) copyOf() *counted                    { d := *c; return &d }
func newCounted(p *core.Program, seed uint64) *counted { return &counted{NewRandom(p, 0), seed << 32} }

// numbered makes the choices of counted as numbers.
type numbered struct{ *counted }

func (n numbered) Number(q *Request) int64 { return n.again().Pick(q) }

// logRun makes steps and writes down what they do, and what memory holds in the end.
func logRun(m *Machine, steps int) (log []string) {
	for range steps {
		e, err := m.Step()
		line := fmt.Sprint(e.Kind, e.Node, e.Depth, err)
		if f := m.Top(); f != nil {
			for _, v := range slices.Concat(f.Proc().Formals, f.Proc().Locals, m.prog.Globals) {
				line += fmt.Sprint(" ", f.Value(v))
			}
		}
		if log = append(log, line); err != nil || e.Kind.Final() {
			break
		}
	}
	for _, o := range m.Objects() {
		log = append(log, fmt.Sprint(o, m.held(o), m.Known(o)))
	}
	return log
}

// randomProgram is one with memory.
func randomProgram(seed uint64) *core.Program {
	p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 11)), coregen.Config{Memory: true, Preds: 1})
	return p
}

// copies runs copies of machines beside their originals; it reports whether all went the
// same way, and how many steps that was.
func copies(programs uint64, o Options) (same bool, steps int) {
	o.MaxFrames = 50
	for seed := range programs {
		p := randomProgram(seed)
		c := newCounted(p, seed)
		m := New(p, c, o)
		for range 5 + seed%40 {
			if e, err := m.Step(); err != nil || e.Kind.Final() {
				break
			}
		}
		n := m.Copy(c.copyOf())
		before := logRun(n.Copy(c.copyOf()), 200)
		original := logRun(m, 200)
		if !slices.Equal(before, original) || !slices.Equal(logRun(n, 200), original) {
			return false, steps
		}
		steps += len(original)
	}
	return true, steps
}

// TestCopy checks that a copy of a machine goes on as the original does, whichever runs first.
func TestCopy(t *testing.T) {
	if same, steps := copies(testkit.Count[uint64](150, 3000), Options{}); !same || steps < 3000 {
		t.Errorf("a copy is like its original: %v, in %d steps", same, steps)
	}
}

// ways runs programs by big numbers and by numbers, by what was prepared for another run,
// too, and with accesses observed or not. It reports whether all is the same, and how many
// steps that was.
func ways(programs uint64) (same bool, steps int) {
	for seed := range programs {
		p := randomProgram(seed)
		plain := logRun(New(p, newCounted(p, seed), Options{MaxFrames: 50, OnAccess: func(Access) {}}), 200)
		prepared := Prepare(p)
		for range 2 {
			quick := prepared.New(numbered{newCounted(p, seed)}, Options{MaxFrames: 50})
			if !slices.Equal(plain, logRun(quick, 200)) {
				return false, steps
			}
		}
		steps += len(plain)
	}
	return true, steps
}

// TestWaysOfRunning checks that a run does not depend on how it is made.
func TestWaysOfRunning(t *testing.T) {
	if same, steps := ways(testkit.Count[uint64](150, 3000)); !same || steps < 3000 {
		t.Errorf("two ways of running are the same: %v, in %d steps", same, steps)
	}
}

// wrong answers with a number that is none of the type.
type wrong struct{ script }

func (*wrong) Number(q *Request) int64 { return 1 << 40 }

func TestNumberOutOfRange(t *testing.T) {
	main := newProc("main", core.Void{})
	local(main, "x", core.Int32)
	line(main, &core.Skip{})
	if _, err := New(program(t, nil, main), &wrong{}, Options{}).Step(); err == nil {
		t.Error("a number out of range went unnoticed")
	}
}

// TestOverlap chooses between assumptions of which one, both or none can be entered.
func TestOverlap(t *testing.T) {
	x := global("x", core.Int32)
	main := newProc("main", core.Void{})
	main.Nodes = []*core.Node{
		node(&core.Branch{}, 1, 2),
		node(&core.Assume{Cond: bin(x.Ref(), core.Lt, num(5))}, 3),
		node(&core.Assume{Cond: bin(x.Ref(), core.Lt, num(10))}, 3),
		node(&core.Return{}),
	}
	p := program(t, []*core.Var{x}, main)
	for value, want := range map[int64]int{3: 2, 7: 1, 12: 0} {
		open := 0
		s := &script{values: []int64{value}, pick: func(next []int) int { open = len(next); return next[0] }}
		e, err := New(p, s, Options{}).Step()
		if err != nil || open != want || (e.Kind == Blocked) != (want == 0) {
			t.Errorf("of x = %d there are %d ways, %v (%v)", value, open, e.Kind, err)
		}
	}
}

// held is what the bytes of o are, the marks of those that are arbitrary still; of an object
// of the environment, those around its home.
func (m *Machine) held(o *Object) (out []string) {
	from, to := int64(0), o.size
	if o.Environment() {
		from = int64(o.Home()-o.start) - 512
		to = from + 1024
	}
	m.settle(o, from, to-from)
	for i := from; i < to; i++ {
		c := m.bytesAt(o, i, 1)
		if c.unknown != nil && c.unknown[0] != 0 {
			out = append(out, fmt.Sprint("?", c.unknown[0]))
		} else {
			out = append(out, fmt.Sprint(c.data[0]))
		}
	}
	return out
}

// TestKnownInCopy: a procedure whose address reaches an external in a copy stays unknown in the others.
func TestKnownInCopy(t *testing.T) {
	l := newLab()
	line(l.main,
		&core.Call{Lhs: l.p.Ref(), Callee: l.ext, Args: []core.Expr{&core.FuncAddr{Proc: l.main, Typ: ptr}}},
		set(l.q, &core.FuncAddr{Proc: l.main, Typ: ptr}),
		&core.Call{Lhs: l.p.Ref(), Callee: l.ext, Args: []core.Expr{l.q.Ref()}})
	m := New(program(t, l.globals, l.ext, l.main), &spy{}, Options{})
	known := func(m *Machine) (n int) {
		for _, o := range m.Objects() {
			if o.Proc() == l.main && m.Known(o) {
				n++
			}
		}
		return n
	}
	for range 2 {
		s := &spy{}
		c := m.Copy(s)
		finish(t, c, Finished)
		wantLog(t, "known", s.targets, "0: external, main", "2: external, main")
		if known(c) != 1 || known(m) != 0 || known(c.Copy(s)) != 1 {
			t.Errorf("in the copy, the original, and a copy of the copy: %d, %d, %d", known(c), known(m), known(c.Copy(s)))
		}
	}
}

// TestForgottenInCopy: the destination of a call is freed, a copy forgets it, and another object is made. The result
// has no place, in the copy as in the original.
func TestForgottenInCopy(t *testing.T) {
	l := newLab()
	f := newProc("f", core.Int32)
	f.Result = local(f, "one", core.Int32)
	line(f,
		&core.Free{Ptr: l.p.Ref()},
		&core.Alloc{Lhs: l.q.Ref(), Size: num(4)},
		set(f.Result, num(1)))
	line(l.main,
		&core.Alloc{Lhs: l.p.Ref(), Size: num(4)},
		&core.Call{Lhs: at(l.p.Ref(), 0, core.Int32), Callee: f})
	m := New(program(t, l.globals, f, l.main), &script{}, Options{})
	for range 3 { // to after the Free
		if _, err := m.Step(); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range []*Machine{m.Copy(&script{}), m} {
		if _, err := m.Run(t.Context(), 100); err == nil || !strings.Contains(err.Error(), "access outside of a live object") {
			t.Errorf("the run ended with %v", err)
		}
	}
}
