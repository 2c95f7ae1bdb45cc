package coregen

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

func generate(seed uint64, c Config) (*core.Program, []Pred) {
	return Generate(rand.New(rand.NewPCG(seed, 7)), c)
}

var configs = []Config{{}, {Simple: true}, {NoPointers: true}, {Procs: 6, Stmts: 8, Nesting: 3, Globals: 6, Preds: 8}}

// TestValid checks that programs and predicates are well-formed.
func TestValid(t *testing.T) {
	for i, c := range configs {
		for seed := range uint64(1000) {
			p, preds := generate(seed, c)
			if err := core.Validate(p); err != nil {
				t.Fatalf("config %d, seed %d: %v", i, seed, err)
			}
			for _, q := range preds {
				if err := core.ValidatePredicate(p, q.Proc, q.Expr); err != nil {
					t.Fatalf("config %d, seed %d: %s: %v", i, seed, core.ExprString(q.Expr), err)
				}
			}
		}
	}
}

func TestDeterministic(t *testing.T) {
	text := func() string {
		p, preds := generate(3, Config{})
		s := p.String()
		for _, q := range preds {
			s += core.ExprString(q.Expr) + "\n"
		}
		return s
	}
	if a, b := text(), text(); a != b {
		t.Errorf("two programs from one seed:\n%s\n%s", a, b)
	}
}

// TestVariety checks that each feature named in the package comment turns up in
// a good number of programs.
func TestVariety(t *testing.T) {
	const programs = 1000
	count := map[string]int{}
	for seed := range uint64(programs) {
		p, preds := generate(seed, Config{})
		has := map[string]bool{}
		for _, q := range p.Procs {
			if !q.HasBody() {
				has["external"] = true
			}
			for i, n := range q.Nodes {
				features(has, q, i, n)
			}
		}
		for _, q := range preds {
			core.WalkVars(q.Expr, func(v *core.Var) {
				has["predicate on "+v.Kind.String()] = true
				if v.Name == `\result` {
					has[`predicate on \result`] = true
				}
			})
		}
		for f := range has {
			count[f]++
		}
	}
	for _, want := range []string{
		"external", "recursion", "loop at node 0", "backward edge", "branch without conditions",
		"call without destination", "call to local", "call to formal", "call to global", "call to temp",
		"ResultConv", "parallel assignment", "havoc", "region havoc", "opaque havoc",
		"assert", "assume", "volatile write", "logical temp", "argument of opaque type",
		"predicate on global", "predicate on formal", "predicate on local", "predicate on ghost",
		`predicate on \result`,
	} {
		if count[want] < programs/50 {
			t.Errorf("%s: in %d of %d programs", want, count[want], programs)
		}
		delete(count, want)
	}
	for f := range count {
		t.Errorf("a feature that is not expected: %s", f)
	}
}

func features(has map[string]bool, p *core.Proc, i int, n *core.Node) {
	for _, s := range n.Succ {
		if s == 0 {
			has["loop at node 0"] = true
		}
		if s <= i {
			has["backward edge"] = true
		}
	}
	switch s := n.Stmt.(type) {
	case *core.Assert:
		has["assert"] = true
	case *core.Assume:
		has["assume"] = has["assume"] || n.Origin == core.Plain
		if !has["assume"] {
			delete(has, "assume")
		}
	case *core.Branch:
		if _, ok := p.Nodes[n.Succ[0]].Stmt.(*core.Assume); !ok {
			has["branch without conditions"] = true
		}
	case *core.Assign:
		if len(s.Lhs) > 1 {
			has["parallel assignment"] = true
		}
		v := s.Lhs[0].(*core.VarRef).Var
		if v.Volatile {
			has["volatile write"] = true
		}
		if v.Logical {
			has["logical temp"] = true
		}
	case *core.Havoc:
		has["havoc"] = true
		if s.Region {
			has["region havoc"] = true
		}
		for _, l := range s.Locs {
			if l.Type() == core.Type(pointer) {
				has["opaque havoc"] = true
			}
		}
	case *core.Call:
		if s.Callee == p {
			has["recursion"] = true
		}
		for _, a := range s.Args {
			if a == nil {
				has["argument of opaque type"] = true
			}
		}
		if s.ResultConv != nil {
			has["ResultConv"] = true
		}
		if s.Lhs == nil {
			has["call without destination"] = true
		} else {
			has["call to "+s.Lhs.(*core.VarRef).Var.Kind.String()] = true
		}
	}
}

// TestRuns runs programs and measures what runs are worth: how they end, how
// long they are, and how many predicates take both values somewhere.
func TestRuns(t *testing.T) {
	const programs = 400
	ends := map[string]int{}
	steps, evaluated, both := 0, 0, 0
	for seed := range uint64(programs) {
		p, preds := generate(seed, Config{})
		values := make([]int, len(preds))
		for run := range uint64(4) {
			n, end := follow(p, preds, values, run)
			steps += n
			ends[end]++
		}
		for _, v := range values {
			if v != 0 {
				evaluated++
			}
			if v == 3 {
				both++
			}
		}
	}
	runs := programs * 4
	summary := fmt.Sprintf("%d runs, %d steps, ends %v; of %d predicates %d took both values", runs, steps, ends, evaluated, both)
	t.Log(summary)
	if steps < 30*runs || ends["finished"] < runs/10 || ends["undefined"] > runs/2 || both < evaluated*2/5 {
		t.Error("poor runs: " + summary)
	}
}

// follow makes one run and notes in values which truth values the predicates had:
// bit 0 false, bit 1 true.
func follow(p *core.Program, preds []Pred, values []int, seed uint64) (steps int, end string) {
	opts := interp.Options{MaxFrames: 50, Ghosts: Ghosts(preds)}
	m := interp.New(p, interp.NewRandom(p, seed), opts)
	for m.Steps() < 500 {
		f := m.Top()
		for i, q := range preds {
			if q.Proc == nil || q.Proc == f.Proc() {
				values[i] |= 1 + truth(q.Expr, f)
			}
		}
		e, err := m.Step()
		var ub *interp.UBError
		switch {
		case errors.As(err, &ub):
			return m.Steps(), "undefined"
		case err != nil:
			return m.Steps(), "too deep"
		case e.Kind.Final():
			return m.Steps(), e.Kind.String()
		}
	}
	return m.Steps(), "too long"
}

func truth(e core.Expr, f *interp.Frame) int {
	if core.EvalMath(e, f.Value).Sign() != 0 {
		return 1
	}
	return 0
}

// TestEvaluatorsAgree evaluates predicates bit-precisely and mathematically in
// the states of random runs: where C defines the value, the two are equal.
func TestEvaluatorsAgree(t *testing.T) {
	defined := 0
	for seed := range uint64(300) {
		p, preds := generate(seed, Config{Preds: 8})
		m := interp.New(p, interp.NewRandom(p, seed), interp.Options{MaxFrames: 50, Ghosts: Ghosts(preds)})
		for m.Steps() < 100 {
			f := m.Top()
			for _, q := range preds {
				if q.Proc != nil && q.Proc != f.Proc() {
					continue
				}
				got, err := f.Eval(q.Expr)
				if err != nil {
					continue
				}
				defined++
				if want := core.EvalMath(q.Expr, f.Value); got.Cmp(want) != 0 {
					t.Fatalf("seed %d: %s is %s bit-precisely and %s mathematically\n%s",
						seed, core.ExprString(q.Expr), got, want, p)
				}
			}
			if e, err := m.Step(); err != nil || e.Kind.Final() {
				break
			}
		}
	}
	if defined < 10000 {
		t.Errorf("only %d evaluations", defined)
	}
}
