package concretise

import (
	"context"
	"fmt"
	"slices"

	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/harness"
)

// This file replays paths that are of interest for the states that they go through, and not because they end at an
// assertion that fails.

// The reasons why a path is not followed.
const (
	infeasible = "its path is infeasible"
	unfound    = "no run along its path was found that violates it"
	vague      = "the prover cannot tell whether its path is feasible"
)

// Follow replays a path in the interpreter, with Watch. Each of wanted adds conditions before each step that the run had
// better satisfy, too; seen reports whether a replay that was watched shows the violation that is looked for. The answer is that run,
// as it was recorded, or why there is none to believe.
//
// It is believed if it depends on nothing that the front end has made up: the compiled program is not run, since it
// could not tell.
func (c *Confirmer) Follow(ctx context.Context, p *cex.Path, wanted []Wanted, seen func() bool) (run *harness.Recording, why string, err error) {
	return c.follow(ctx, p, wanted, func(f cex.Feasibility, e *environment) (*Witness, error) {
		w, err := c.replay(p, f, e)
		if err != nil || !seen() {
			return nil, err
		}
		return w, nil
	})
}

// Wanted adds conditions before a step of an execution.
type Wanted func(x *cex.Execution, step int)

// follow looks for a model of a path with which a replay finds the run that is looked for.
func (c *Confirmer) follow(ctx context.Context, p *cex.Path, wanted []Wanted, replay func(cex.Feasibility, *environment) (*Witness, error)) (run *harness.Recording, why string, err error) {
	// 1. Whatever is made up on the way may be what an atom reads.
	if why := c.madeUpOn(p); why != "" {
		return nil, why, nil
	}
	try := func(f cex.Feasibility, e *environment) error {
		w, err := replay(f, e)
		if w != nil {
			run = w.Rec.Recording()
		}
		return err
	}
	// 2. A run with what is wanted, or else one without.
	nothing := func(*cex.Execution, int) {}
	for _, before := range append(slices.Clone(wanted), nothing) {
		f, answer, err := c.SolveWith(ctx, c.Patient(), p, before)
		switch {
		case err != nil:
			return nil, "", err
		case answer == prover.Unsat:
			why = infeasible
		case f.Model == nil:
			why = vague
		default:
			why = unfound
			_ = try(f, nil) // a replay that fails is none
		}
		if run != nil {
			return run, "", nil
		}
	}
	if why == infeasible {
		return nil, why, nil
	}
	// 3. One with objects for the pointers from outside that the path follows.
	x := &outside{Execution: c.ExecuteWatched(ctx, logic.NewTable(), p)}
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	c.environmentModels(ctx, c.Patient(), x, nil, func(f cex.Feasibility, e *environment) ([]*logic.Term, bool) {
		err := try(f, e)
		return awayFrom(err), run == nil
	})
	if run != nil {
		why = ""
	}
	return run, why, nil
}

// madeUpOn says which step of a path the front end has made up, "" if it has none.
func (c *Confirmer) madeUpOn(p *cex.Path) string {
	for i, s := range p.Steps {
		n := s.CoreNode()
		if made := madeUp(n); made != "" {
			return fmt.Sprintf("it depends on a value that is not represented, %s at %s", made, n.Pos)
		}
		if i+1 < len(p.Steps) && isOpenBranch(s, p.Steps[i+1]) {
			return fmt.Sprintf("it depends on the way taken at %s, which is not represented: %s", n.Pos, n.Text)
		}
	}
	return ""
}
