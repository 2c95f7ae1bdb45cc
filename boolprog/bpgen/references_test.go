package bpgen

import (
	"context"
	"fmt"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/refexec"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// shares says what random programs with references are like, in percent of them, or of
// their nodes.
type shares struct{ complete, failing, nulls, reached int }

func (s shares) String() string {
	return fmt.Sprintf("%d%% explored completely, %d%% with a failing assertion, %d%% with a null dereference; %d%% of nodes reached",
		s.complete, s.failing, s.nulls, s.reached)
}

// good reports whether the programs are worth deciding.
func (s shares) good() bool {
	return s.complete >= 50 && s.failing >= 25 && s.failing <= 75 && s.nulls >= 5 && s.nulls <= 60 && s.reached >= 40
}

func measure(t *testing.T, programs, states int, c ReferenceConfig) (s shares) {
	nodes := 0
	for seed := range uint64(programs) {
		p := References(seed, c)
		if _, err := boolprog.Check(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		r, err := refexec.Explore(context.Background(), boolprog.BuildGraph(p), refexec.Options{MaxStates: states})
		if err != nil {
			t.Fatal(err)
		}
		s.complete += one(r.Complete)
		s.failing += one(len(r.Failures) > 0)
		s.nulls += one(len(r.Nulls) > 0)
		for _, proc := range r.Nodes {
			nodes += len(proc)
			for _, reached := range proc {
				s.reached += one(reached)
			}
		}
	}
	for _, n := range []*int{&s.complete, &s.failing, &s.nulls} {
		*n = *n * 100 / programs
	}
	s.reached = s.reached * 100 / nodes
	return s
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// TestShares checks that programs with references can be decided by brute force, that
// both verdicts are common, and that most of the program matters.
func TestShares(t *testing.T) {
	n := 250
	if testkit.Long() {
		n = 5000
	}
	s := measure(t, n, 20_000, ReferenceConfig{})
	t.Log(s)
	if !s.good() {
		t.Errorf("%d programs: %s", n, s)
	}
	if s := measure(t, 80, 1000, ReferenceConfig{}); !s.good() {
		t.Errorf("80 programs: %s", s)
	}
	for name, bad := range map[string]ReferenceConfig{
		"no guards":           {Unguarded: 100},
		"too many assertions": {Asserts: 60, Optional: 100},
		"too many calls":      {Endless: 100},
	} {
		if s := measure(t, 80, 1000, bad); s.good() {
			t.Errorf("%s make no difference: %s", name, s)
		}
	}
}

// TestReferences checks that what is meant to occur does, that a seed gives one program,
// and that its text can be read back.
func TestReferences(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(500) {
		p := References(seed, ReferenceConfig{})
		if again := References(seed, ReferenceConfig{}); again.String() != p.String() {
			t.Fatalf("seed %d gives two programs", seed)
		}
		if !readsBack(t, p) {
			t.Fatalf("seed %d cannot be read back:\n%s", seed, p)
		}
		count(seen, p)
		countReferences(seen, p)
	}
	for _, what := range []string{
		"enforce", "constrain", "recursion", "several results", "discarded", "no return", "prime", "choose", "schoose", "parallel",
		"label", "cyclic", "not cyclic", "several classes", "arbitrary field", "reference parameter", "reference result", "mixed results",
		"field target", "field target of a call", "field of a field", "called from several sites", "calls an earlier one",
		"*boolprog.Assume", "*boolprog.Assert", "*boolprog.AbortIf", "*boolprog.Return", "*boolprog.Call", "*boolprog.If", "*boolprog.While",
		"*boolprog.Dead", "*boolprog.Print", "*boolprog.New", "*boolprog.Null", "*boolprog.Select",
	} {
		if seen[what] < 5 {
			t.Errorf("%s: only %d in 500 programs", what, seen[what])
		}
	}
}

// readsBack reports whether the text of p has the text of p.
func readsBack(t *testing.T, p *boolprog.Program) bool {
	read, _, err := boolprog.Parse(source.NewFile("r.bp", []byte(p.String())), boolprog.ParseOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return read.String() == p.String()
}

// countReferences counts what count does not.
func countReferences(seen map[string]int, p *boolprog.Program) {
	is := func(what string, yes bool) { seen[what] += one(yes) }
	cyclic := false
	for _, c := range p.Classes {
		for _, f := range c.Fields {
			cyclic = cyclic || f.Class == c.Name
			_, arbitrary := f.Init.(*boolprog.Nondet)
			is("arbitrary field", arbitrary)
		}
	}
	is("cyclic", cyclic)
	is("not cyclic", !cyclic)
	is("several classes", len(p.Classes) > 1)
	place := map[string]int{}
	for i, proc := range p.Procs {
		place[proc.Name] = i
	}
	sites := map[string]int{}
	for i, proc := range p.Procs {
		for _, v := range proc.Params {
			is("reference parameter", v.Class != "")
		}
		booleans := 0
		for _, class := range proc.Returns {
			is("reference result", class != "")
			booleans += one(class == "")
		}
		is("mixed results", booleans > 0 && booleans < proc.Results)
		boolprog.InspectStmts(proc.Body, func(s *boolprog.Stmt) {
			is("label", len(s.Labels) > 0)
			switch op := s.Op.(type) {
			case *boolprog.Assign:
				is("field target", op.Lhs[0].Field != "")
				for _, e := range op.Rhs {
					s, ok := e.(*boolprog.Select)
					is("field of a field", ok && isSelect(s.X))
				}
			case *boolprog.Call:
				for _, r := range op.Lhs {
					is("field target of a call", r.Field != "")
				}
				sites[op.Callee.Name]++
				is("calls an earlier one", place[op.Callee.Name] < i)
			}
		})
	}
	for _, n := range sites {
		is("called from several sites", n > 1)
	}
}

func isSelect(e boolprog.Expr) bool {
	_, ok := e.(*boolprog.Select)
	return ok
}
