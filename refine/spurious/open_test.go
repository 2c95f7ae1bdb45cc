package spurious

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/abstract"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/prover"
	"c2bp/source"
)

// TestOpen: after some questions about a procedure that the prover leaves open with all its effort, it makes one attempt
// at the next ones, which decides them if they are easy. Other procedures have questions of their own.
func TestOpen(t *testing.T) {
	// 1. A program with variables for each pigeon and hole, and a counter.
	const holes = 10
	var text, sum strings.Builder
	for i := range holes + 1 {
		for j := range holes {
			fmt.Fprintf(&text, "extern int in%d_%d;\n", i, j)
			fmt.Fprintf(&sum, " + in%d_%d", i, j)
		}
	}
	text.WriteString("extern int n;\nvoid other(void) { n = n + 1; }\nint main(void) { n = n + 1; other(); return" + sum.String() + "; }\n")
	unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text.String()))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	prog := unit.Program
	global := func(name string) core.Expr {
		for _, v := range prog.Globals {
			if v.Name == name {
				return v.Ref()
			}
		}
		t.Fatal("no global ", name)
		return nil
	}
	// 2. Two predicates: each pigeon has a hole, and no hole has two. Further ones are about the counter.
	zero := core.NewConst(0, core.Int32)
	is := func(i, j int) core.Expr {
		return &core.Binary{Op: core.Gt, X: global(fmt.Sprintf("in%d_%d", i, j)), Y: zero}
	}
	join := func(op core.BinaryOp, x, y core.Expr) core.Expr {
		if x == nil {
			return y
		}
		return &core.Binary{Op: op, X: x, Y: y}
	}
	var every, single core.Expr
	for i := range holes + 1 {
		var some core.Expr
		for j := range holes {
			some = join(core.LOr, some, is(i, j))
			for k := range i {
				both := join(core.LAnd, is(i, j), is(k, j))
				single = join(core.LAnd, single, &core.Unary{Op: core.Not, X: both})
			}
		}
		every = join(core.LAnd, every, some)
	}
	preds := []*abstract.Predicate{abstract.NewPredicate(nil, every, "every"), abstract.NewPredicate(nil, single, "single")}
	for i := range int64(4) {
		preds = append(preds, abstract.NewPredicate(nil, &core.Binary{Op: core.Lt, X: global("n"), Y: core.NewConst(i, core.Int32)}, fmt.Sprint("n", i)))
	}
	r, err := abstract.Program(t.Context(), prog, preds, abstract.Options{Jobs: 1, MaxExact: 1, MaxCube: 1})
	if err != nil {
		t.Fatal(err)
	}
	// 3. Questions about the moves n = n + 1.
	pr := prover.New(nil, prover.Options{})
	defer pr.Close()
	e := &Excluder{Prover: pr, Open: map[*core.Proc]int{}}
	move := func(proc string) abstract.Move {
		p := prog.Proc(proc)
		for i, n := range p.Nodes {
			if _, ok := n.Stmt.(*core.Assign); ok {
				return abstract.Move{Proc: p, Node: i, Part: abstract.Holds}
			}
		}
		t.Fatal("no assignment in ", proc)
		return abstract.Move{}
	}
	fact := func(i int, side abstract.Side, neg bool) abstract.Literal {
		return abstract.Literal{Fact: abstract.Fact{Side: side, Pred: preds[i].Var()}, Neg: neg}
	}
	for i, c := range []struct {
		proc string
		lits []abstract.Literal
		gone bool
		hard int64 // questions so far at which all effort was made
	}{
		{"main", []abstract.Literal{fact(2, abstract.Before, false), fact(4, abstract.After, true)}, true, 0},
		{"main", []abstract.Literal{fact(2, abstract.Before, false), fact(5, abstract.After, true)}, true, 0},
		{"main", []abstract.Literal{fact(0, abstract.Before, false), fact(1, abstract.Before, false)}, false, 1},
		{"main", []abstract.Literal{fact(0, abstract.Before, false), fact(1, abstract.Before, false), fact(2, abstract.Before, false)}, false, 2},
		{"main", []abstract.Literal{fact(0, abstract.Before, false), fact(1, abstract.Before, false), fact(3, abstract.Before, false)}, false, 2},
		{"main", []abstract.Literal{fact(3, abstract.Before, false), fact(5, abstract.After, true)}, true, 2},
		{"other", []abstract.Literal{fact(0, abstract.Before, false), fact(1, abstract.Before, false), fact(4, abstract.Before, false)}, false, 3},
	} {
		if gone := e.impossible(t.Context(), r, move(c.proc), c.lits); gone != c.gone || pr.Err() != nil {
			t.Errorf("question %d: impossible is %v, %v", i, gone, pr.Err())
		}
		if hard := pr.Stats().Hard; hard != c.hard {
			t.Errorf("question %d: %d hard ones, want %d", i, hard, c.hard)
		}
	}
}
