package bpgen

import (
	"fmt"
	"testing"

	"c2bp/boolprog"
)

// TestPrograms checks that all programs are well-formed and that all constructs
// occur among them.
func TestPrograms(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(1000) {
		p := Generate(seed, Config{})
		if _, err := boolprog.Check(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if again := Generate(seed, Config{}); again.String() != p.String() {
			t.Fatalf("seed %d gives two programs", seed)
		}
		count(seen, p)
	}
	for _, what := range []string{"enforce", "constrain", "recursion", "main called", "several results", "discarded",
		"hidden", "results ignored", "no return", "elsif", "dfs", "main with parameters", "prime", "choose", "schoose",
		"*boolprog.Skip", "*boolprog.Goto", "*boolprog.Assume", "*boolprog.Assert", "*boolprog.Return", "*boolprog.Assign",
		"*boolprog.Call", "*boolprog.If", "*boolprog.While", "*boolprog.Dead", "*boolprog.Print", "*boolprog.AbortIf",
		"*boolprog.Const", "*boolprog.Nondet", "*boolprog.Not", "*boolprog.Binary", "empty block", "parallel"} {
		if seen[what] < 5 {
			t.Errorf("%s: only %d in 1000 programs", what, seen[what])
		}
	}
}

func count(seen map[string]int, p *boolprog.Program) {
	is := func(what string, yes bool) {
		if yes {
			seen[what]++
		}
	}
	globals := map[string]bool{}
	for _, v := range p.Globals {
		globals[v.Name] = true
	}
	for _, proc := range p.Procs {
		is("enforce", proc.Enforce != nil)
		is("dfs", proc.Dfs)
		is("several results", proc.Results > 1)
		is("main with parameters", proc.Name == "main" && len(proc.Params) > 0)
		for _, v := range proc.Locals {
			is("hidden", globals[v.Name])
		}
		_, ends := proc.Body[len(proc.Body)-1].Op.(*boolprog.Return)
		is("no return", proc.Results > 0 && !ends)
		boolprog.InspectStmts(proc.Body, func(s *boolprog.Stmt) {
			is(fmt.Sprintf("%T", s.Op), true)
			var exprs []boolprog.Expr
			switch op := s.Op.(type) {
			case *boolprog.Assign:
				is("constrain", op.Constrain != nil)
				is("parallel", len(op.Lhs) > 1)
				exprs = append(op.Rhs, op.Constrain)
			case *boolprog.Call:
				is("recursion", op.Callee.Name == proc.Name)
				is("main called", op.Callee.Name == "main")
				is("results ignored", len(op.Lhs) == 0)
				for _, r := range op.Lhs {
					is("discarded", r.Name == "_")
				}
			case *boolprog.If:
				is("elsif", len(op.Conds) > 1)
				is("empty block", len(op.Thens[0]) == 0)
			}
			for _, e := range exprs {
				boolprog.Inspect(e, func(e boolprog.Expr) {
					is(fmt.Sprintf("%T", e), true)
					switch e := e.(type) {
					case *boolprog.Ref:
						is("prime", e.Next)
					case *boolprog.Choose:
						is("choose", !e.Strict)
						is("schoose", e.Strict)
					}
				})
			}
		})
	}
}

// TestThreads checks that all statements about threads occur.
func TestThreads(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(300) {
		p := Threads(seed)
		if again := Threads(seed); again.String() != p.String() {
			t.Fatalf("seed %d gives two programs", seed)
		}
		count(seen, p)
	}
	for _, what := range []string{"enforce", "constrain", "no return", "*boolprog.Goto", "*boolprog.Assume", "*boolprog.Assert",
		"*boolprog.Return", "*boolprog.Call", "*boolprog.If", "*boolprog.While", "*boolprog.Dead", "*boolprog.StartThread",
		"*boolprog.StartCall", "*boolprog.EndThread", "*boolprog.AtomicBegin", "*boolprog.AtomicEnd"} {
		if seen[what] < 5 {
			t.Errorf("%s: only %d in 300 programs", what, seen[what])
		}
	}
}

// TestConfig checks the switches.
func TestConfig(t *testing.T) {
	for seed := range uint64(300) {
		seen := map[string]int{}
		count(seen, Generate(seed, Config{NoEnforce: true, NoConstrain: true, NoRecursion: true}))
		if seen["enforce"]+seen["constrain"]+seen["recursion"]+seen["main called"] > 0 {
			t.Fatalf("seed %d ignores the configuration", seed)
		}
	}
}
