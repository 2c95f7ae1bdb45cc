package abstract_test

import (
	"context"
	"fmt"
	"strings"

	"c2bp/abstract"
	"c2bp/boolprog"
	"c2bp/frontend"
	"c2bp/source"
)

// The procedure of Ball–Millstein–Rajamani 2005, Fig. 1 and 3, as the package comment shows it.
func Example() {
	c := source.NewFile("inc.c", []byte("int inc(int x) { x = x + 1; return x; }\n"))
	preds := source.NewFile("inc.preds", []byte("inc:\n x == 'x, x == 'x + 1\n"))

	ctx := context.Background()
	unit, err := frontend.Load(ctx, []*source.File{c}, frontend.Options{Entry: "inc"})
	if err != nil {
		fmt.Println(err)
		return
	}
	texts, err := abstract.ParsePredicates(preds)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := abstract.Abstract(ctx, unit.Program, texts, unit, abstract.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range r.Program.Procs {
		if p.Name == "inc" {
			fmt.Println(withoutComments(&boolprog.Program{Procs: []*boolprog.Proc{p}}))
		}
	}
	// Output:
	// bool<2> inc()
	// begin
	//     decl {x == 'x}, {x == 'x + 1};
	//     enforce !{x == 'x} | !{x == 'x + 1};
	//     {x == 'x}, {x == 'x + 1} := 1, 0;
	//     {x == 'x}, {x == 'x + 1} := choose(0, {x == 'x} | {x == 'x + 1}), choose({x == 'x}, !{x == 'x});
	//     skip;
	//     return {x == 'x}, {x == 'x + 1};
	// end
}

// withoutComments leaves out the annotations.
func withoutComments(p *boolprog.Program) string {
	var out []string
	for _, line := range strings.Split(p.String(), "\n") {
		if !strings.HasPrefix(strings.TrimSpace(line), "//@") {
			out = append(out, line)
		}
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}
