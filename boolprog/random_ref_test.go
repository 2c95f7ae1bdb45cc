package boolprog_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/boolprog/bpgen"
	"c2bp/source"
)

// These tests print, check and graph random programs with references.

// TestRandomReferencesRoundTrip prints programs that no parser has made, and notices a
// type that is lost.
func TestRandomReferencesRoundTrip(t *testing.T) {
	noticed := 0
	for seed := range programs() {
		p := fillBlocks(bpgen.References(seed, bpgen.ReferenceConfig{Depth: 3}))
		boolprog.RoundTrip(t, p, boolprog.ParseOptions{})
		if _, err := boolprog.Check(p); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if err := boolprog.BuildGraph(p).Validate(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		lost := strings.Replace(p.String(), "(ref C0 ", "(", 1)
		q, _, err := boolprog.Parse(source.NewFile("t.bp", []byte(lost)), boolprog.ParseOptions{})
		if err == nil && boolprog.Dump(q) != boolprog.Dump(p) {
			noticed++
		}
	}
	if noticed == 0 {
		t.Error("lost types were not noticed")
	}
}

// A slot is where an expression stands in a program.
type slot struct {
	proc  *boolprog.ProcGraph
	at    *boolprog.Expr
	loose bool // any reference will do: it is compared with null
}

// slots returns those of a program with a value that has a type to fit: all but what is
// printed.
func slots(g *boolprog.Graph) (list []slot) {
	for _, p := range g.Procs {
		var addSlot func(at *boolprog.Expr, loose bool)
		add := func(at *boolprog.Expr) { addSlot(at, false) }
		addSlot = func(at *boolprog.Expr, loose bool) {
			if *at == nil {
				return
			}
			list = append(list, slot{p, at, loose})
			switch e := (*at).(type) {
			case *boolprog.Not:
				add(&e.X)
			case *boolprog.Binary:
				addSlot(&e.X, isNull(e.Y))
				addSlot(&e.Y, isNull(e.X))
			case *boolprog.Choose:
				add(&e.P)
				add(&e.N)
			}
		}
		addAll := func(exprs []boolprog.Expr) {
			for i := range exprs {
				add(&exprs[i])
			}
		}
		add(&p.Proc.Enforce)
		boolprog.InspectStmts(p.Proc.Body, func(s *boolprog.Stmt) {
			switch op := s.Op.(type) {
			case *boolprog.Assume:
				add(&op.Cond)
			case *boolprog.Assert:
				add(&op.Cond)
			case *boolprog.AbortIf:
				add(&op.Cond)
			case *boolprog.While:
				add(&op.Cond)
			case *boolprog.If:
				addAll(op.Conds)
			case *boolprog.Return:
				addAll(op.Values)
			case *boolprog.Call:
				addAll(op.Args)
			case *boolprog.Assign:
				addAll(op.Rhs)
				add(&op.Constrain)
			}
		})
	}
	return list
}

func isNull(e boolprog.Expr) bool {
	_, ok := e.(*boolprog.Null)
	return ok
}

// TestRandomTypes puts a Boolean or an object of another class where a reference stood, or
// null where a Boolean stood, once in each of many programs: Check refuses them.
func TestRandomTypes(t *testing.T) {
	for seed := range programs() {
		p := bpgen.References(seed, bpgen.ReferenceConfig{})
		p.Classes = append(p.Classes, &boolprog.Class{Name: "Stranger"})
		p.Globals = append(p.Globals, &boolprog.Var{Name: "stranger", Class: "Stranger"})
		g := boolprog.BuildGraph(p)
		list := slots(g)
		if len(list) == 0 {
			continue
		}
		dice := rand.New(rand.NewPCG(seed, 7))
		s := list[dice.IntN(len(list))]
		switch {
		case !g.TypeOf(s.proc, *s.at).Ref:
			*s.at = &boolprog.Null{}
		case s.loose || dice.IntN(2) == 0:
			*s.at = &boolprog.Const{}
		default:
			*s.at = &boolprog.Ref{Name: "stranger"}
		}
		if _, err := boolprog.Check(p); err == nil {
			t.Errorf("seed %d: accepted\n%s", seed, p)
		}
	}
}
