package alias

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/coregen"
	"c2bp/frontend/core/interp"
)

// TestConstants: in random runs, each read that is replaced by cases yields what the case
// that applies says, and one applies.
func TestConstants(t *testing.T) {
	seen, err := checkConstants(600, 0)
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d reads of constants", seen)
	if seen < 1000 {
		t.Error("too little happens")
	}
}

// TestWrittenConstants: it is noticed if what somebody changes is taken for constant.
func TestWrittenConstants(t *testing.T) {
	if seen, err := checkConstants(600, writtenConstants); err == nil {
		t.Errorf("unnoticed in %d reads", seen)
	}
}

func checkConstants(programs uint64, m mutation) (seen int, err error) {
	for seed := range programs {
		p, _ := coregen.Generate(rand.New(rand.NewPCG(seed, 7)), coregen.Config{Memory: true})
		if seed%4 == 3 {
			p.Extern = core.Extern(seed / 4 % 3)
		}
		reads := constantReads(analyze(p, m).findConstants())
		if len(reads) == 0 {
			continue
		}
		for run := range uint64(4) {
			n, err := watchConstants(p, run, reads)
			seen += n
			if err != nil {
				return seen, fmt.Errorf("seed %d, run %d: %w\n%s", seed, run, err, p)
			}
		}
	}
	return seen, nil
}

// constantRead is a read and what it is replaced by.
type constantRead struct {
	read  core.Expr
	cases []oneCase
}

// constantReads lists the reads that Resolve would replace.
func constantReads(k *constants) map[*core.Node][]constantRead {
	out := map[*core.Node][]constantRead{}
	for _, p := range k.prog.Procs {
		for _, n := range p.Nodes {
			if k.initial[n] {
				continue
			}
			core.ReplaceOperands(n.Stmt, func(e core.Expr) core.Expr {
				for _, l := range core.Loads(e) {
					c := constantRead{read: l}
					m, isMem := l.(*core.Mem)
					if value := k.direct(l); value != core.Expr(l) {
						c.cases = []oneCase{{core.NewConst(1, core.Int32), value}}
					} else if isMem {
						c.cases = k.cases(m)
					}
					if len(c.cases) > 0 {
						out[n] = append(out[n], c)
					}
				}
				return e
			})
		}
	}
	return out
}

// watchConstants runs p and compares.
func watchConstants(p *core.Program, run uint64, reads map[*core.Node][]constantRead) (seen int, err error) {
	m := interp.New(p, interp.NewRandom(p, run), interp.Options{MaxFrames: 30})
	for m.Steps() < 400 {
		f := m.Top()
		for _, c := range reads[f.Proc().Nodes[f.Node()]] {
			n, err := c.compare(f)
			seen += n
			if err != nil {
				return seen, fmt.Errorf("at %s: %w", f.Proc().NodeID(f.Node()), err)
			}
		}
		if e, err := m.Step(); err != nil || e.Kind.Final() {
			break
		}
	}
	return seen, nil
}

// compare holds the cases against what is read in f; seen is 0 if the read is undefined.
func (c constantRead) compare(f *interp.Frame) (seen int, err error) {
	got, err := f.Eval(c.read)
	if err != nil {
		return 0, nil
	}
	for _, k := range c.cases {
		if holds, err := f.Eval(k.test); err == nil && holds.Sign() != 0 {
			if want, err := f.Eval(k.value); err != nil || want.Cmp(got) != 0 {
				return 1, fmt.Errorf("%s is %v, not %s", core.ExprString(c.read), got, core.ExprString(k.value))
			}
			return 1, nil
		}
	}
	return 1, fmt.Errorf("%s is none of the cases", core.ExprString(c.read))
}

// TestTruth: conditions on constants, addresses among them.
func TestTruth(t *testing.T) {
	w := newWorld()
	f, g := w.proc("f", core.Void{}), w.proc("g", core.Void{})
	x, y := w.global("x", agg(8)), w.global("y", agg(8))
	eq := func(a, b core.Expr) core.Expr { return &core.Binary{Op: core.Eq, X: a, Y: b} }
	for _, c := range []struct {
		e             core.Expr
		always, never bool
	}{
		{eq(fn(f), fn(f)), true, false},
		{eq(fn(f), fn(g)), false, true},
		{eq(fn(f), null), false, true},
		{fn(f), true, false},
		{null, false, true},
		{eq(addr(x), plus(addr(x), 4, "")), false, true},
		{eq(plus(addr(x), 4, ""), plus(addr(x), 4, "")), true, false},
		{eq(addr(x), addr(y)), false, true},
		{eq(plus(addr(x), 8, ""), addr(y)), false, false}, // the end of one may be the start of the other
		{eq(plus(addr(x), 8, ""), null), false, false},
		{eq(fn(f), addr(x)), false, true},
		{&core.Unary{Op: core.Not, X: fn(f)}, false, true},
		{&core.Binary{Op: core.Lt, X: num(1), Y: num(2)}, true, false},
		{&core.Binary{Op: core.Lt, X: addr(x), Y: addr(y)}, false, false},
		{&core.Binary{Op: core.LOr, X: eq(fn(f), fn(f)), Y: eq(num(1), x.Ref())}, true, false},
		{&core.Binary{Op: core.LAnd, X: eq(fn(f), fn(f)), Y: eq(num(1), x.Ref())}, false, false},
	} {
		holds, known := truth(c.e)
		if always, never := known && holds, known && !holds; always != c.always || never != c.never {
			t.Errorf("%s: always %v, never %v", core.ExprString(c.e), always, never)
		}
	}
}
