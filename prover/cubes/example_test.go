package cubes_test

import (
	"context"
	"fmt"

	"c2bp/logic"
	"c2bp/prover"
	"c2bp/prover/cubes"
)

// The example of Ball–Millstein–Rajamani 2005, §4.2: WP(x := x+1, x < 5) over x < 5 and x = 2.
func ExampleSpace_Strengthen() {
	t := logic.NewTable()
	x := t.Sym("x", nil, nil)
	p := prover.New(nil, prover.Options{})
	preds := []*logic.Term{t.Lt(x, t.Int(5)), t.Eq(x, t.Int(2))}
	space := cubes.NewSpace(p, t, preds, cubes.SpaceOptions{})
	wp := t.Subst(preds[0], map[*logic.Term]*logic.Term{x: t.Add(x, t.Int(1))})

	cover, _, _ := space.Strengthen(context.Background(), wp)
	infeasible, _, _ := space.Infeasible(context.Background())
	fmt.Println("goal      ", wp)
	fmt.Println("cover     ", cover)
	fmt.Println("infeasible", infeasible)
	// Output:
	// goal       (-3 + x) <= 0
	// cover      [1]
	// infeasible [!0 & 1]
}
