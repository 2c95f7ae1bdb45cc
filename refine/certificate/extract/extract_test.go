package extract

import (
	"testing"

	"c2bp/boolprog"
	"c2bp/refine/certificate"
	"c2bp/source"
)

// Where a core node starts in the Boolean program: at the first statement with its id that
// is no goto, wherever the goto stands.
func TestFirstNodes(t *testing.T) {
	const text = `
		void main() begin
		  decl a;
		  if (*) then
		    //@ main:7 x.c:7:1 x;
		    goto L;
		  fi
		  //@ main:3 x.c:3:1 x;
		  a := 1;
		  L:
		  //@ main:7 x.c:7:1 x;
		  a := 0;
		  //@ main:7 x.c:7:1 x;
		  assume(a);
		end`
	p, _, err := boolprog.Parse(source.NewFile("x.bp", []byte(text)), boolprog.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := boolprog.Check(p); err != nil {
		t.Fatal(err)
	}
	g := boolprog.BuildGraph(p)
	first := firstNodes(g)
	for id, want := range map[string]string{"main:3": "a := 1", "main:7": "a := 0"} {
		at, ok := first[id]
		if got := boolprog.StmtString(g.Procs[at.Proc].Nodes[at.Node].Stmt.Op); !ok || got != want {
			t.Errorf("%s starts at %q, %v; want %q", id, got, ok, want)
		}
	}
}

// Chains of operators become flat, negations move inwards.
func TestFormula(t *testing.T) {
	ref := func(name string) boolprog.Expr { return &boolprog.Ref{Name: name} }
	join := func(op boolprog.BinOp, x, y boolprog.Expr) boolprog.Expr { return &boolprog.Binary{Op: op, X: x, Y: y} }
	index := map[string]int{"a": 0, "b": 1, "c": 2}
	e := &boolprog.Not{X: join(boolprog.Or, join(boolprog.Or, ref("a"), &boolprog.Not{X: ref("b")}), &boolprog.Ref{Name: "c", Next: true})}
	f, err := newFormulas(index).of(e)
	if err != nil {
		t.Fatal(err)
	}
	if f.Op != certificate.And || len(f.Args) != 3 || f.Args[1].Op != certificate.Holds || f.Args[1].Pred != 1 ||
		f.Args[2].Op != certificate.Not || f.Args[2].Args[0].Op != certificate.Held {
		t.Errorf("%s became %+v", boolprog.ExprString(e), f)
	}
	for _, bad := range []boolprog.Expr{ref("d"), &boolprog.Nondet{}, join(boolprog.And, ref("a"), &boolprog.Choose{P: ref("a"), N: ref("b")})} {
		if _, err := newFormulas(index).of(bad); err == nil {
			t.Errorf("%s is no formula over predicates", boolprog.ExprString(bad))
		}
	}
}
