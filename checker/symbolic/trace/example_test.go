package trace_test

import (
	"context"
	"fmt"
	"strings"

	"c2bp/boolprog"
	"c2bp/checker/symbolic"
	"c2bp/checker/symbolic/trace"
	"c2bp/source"
)

// The example of Ball–Rajamani 2000, §1. Node 6 of main is the one labelled R, node 5
// the test before it, at which h does not matter any more.
func Example() {
	const text = `decl g;
void main() begin
    decl h;
    h := !g; A(g, h); skip; A(g, h); skip;
    if (g) then R: skip; fi
end
void A(a1, a2) begin
    if (a1) then A(a2, a1); skip; else g := a2; fi
end`
	program, _, err := boolprog.Parse(source.NewFile("seed.bp", []byte(text)), boolprog.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	s, err := symbolic.Solve(ctx, boolprog.BuildGraph(program), symbolic.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := symbolic.Point{Proc: 0, Node: 6}
	where, _ := s.Valuations(ctx, symbolic.Point{Proc: 0, Node: 5})
	fmt.Println("the test is reached with", boolprog.ExprString(where))
	tr, _ := trace.NewFinder(s, trace.Options{}).Trace(ctx, []trace.Target{{Point: r}})
	show(tr)
	inner, _ := tr.Expand(ctx, 1)
	fmt.Println("inside the first call:")
	show(inner)
	// Output:
	// the test is reached with g
	// h := !g          g=1 h=*
	// A(g, h)          g=1 h=0
	// skip             g=1 h=0
	// A(g, h)          g=1 h=0
	// skip             g=1 h=0
	// if (g)           g=1 h=0
	// skip             g=1 h=0
	// inside the first call:
	// if (a1)          g=1 a1=1 a2=0
	// A(a2, a1)        g=1 a1=1 a2=0
	// skip             g=1 a1=1 a2=0
}

func show(t *trace.Trace) {
	for _, st := range t.Steps() {
		var vals []string
		for _, v := range st.Values {
			vals = append(vals, v.Name+"="+v.Val)
		}
		fmt.Printf("%-16s %s\n", st.Stmt, strings.Join(vals, " "))
	}
}
