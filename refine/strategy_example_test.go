package refine_test

import (
	"context"
	"fmt"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/refine"
	"c2bp/refine/technique"
	"c2bp/source"
)

// zeroTests proposes to ask of each number in the conditions of a core whether it is 0.
type zeroTests struct{}

func (zeroTests) Name() technique.Name { return "zero-tests" }

func (zeroTests) Propose(_ context.Context, q *refine.Query) {
	for _, c := range q.Core.Conds {
		p := q.Path.Steps[c.Step].Frame.Proc // the condition is in terms of this procedure
		for _, l := range core.Locs(c.Expr) {
			if t, isNumber := l.Type().(core.Int); isNumber {
				q.Add(p, &core.Binary{Op: core.Eq, X: l, Y: core.NewConst(0, t)})
			}
		}
	}
}

// A strategy of one's own is tried after those of the ladder; here, in place of all of them.
func ExampleStrategy() {
	text := `extern int in(void); void __VERIFIER_assert(int);
int main(void) { int n = in(), open = n == 0; if (open) __VERIFIER_assert(n == 0); return 0; }`
	unit, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	o, err := refine.Audit(context.Background(), unit.Program, refine.Options{
		Without: technique.Of(technique.All()...), Strategies: []refine.Strategy{zeroTests{}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(o.Result.Summary())
	for _, p := range o.Predicates {
		if from, ok := o.Origin(p.Expr); ok {
			fmt.Printf("%s  (%s)\n", p.Name, from.Rule)
		}
	}
	// Output:
	// TRUE
	// open == 0  (zero-tests)
	// n == 0  (zero-tests)
}
