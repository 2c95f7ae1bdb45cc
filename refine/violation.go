package refine

import (
	"context"
	"fmt"
	"slices"

	"c2bp/abstract"
	"c2bp/checker/ltlcheck"
	"c2bp/checker/pushdown"
	"c2bp/frontend/core/interp"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/concretise"
	"c2bp/refine/harness"
	"c2bp/verdict"
)

// This file replays violations of formulas of temporal logic (package checker/ltlcheck). One that no continuation can
// make good is a finite run, so it has a path through the core program. A run along the path violates the formula,
// too, if its own states do: the atoms are evaluated on these, and nothing is taken from the abstraction but the way.
//
//	abstraction   queue = A0, A0.{done != 0} = 1, {…} = 0     one step before the end of complete
//	path          main:0 … complete:7
//	replay        queue = &object 3, done = 1                 the same, as {…} is 0 there
//
// Any other violation is a lasso (lasso.go).

// violation is a violation of the abstraction that is replayed.
type violation struct {
	*ltlcheck.Violation
	program *abstract.Result
	path    *cex.Path
	at      []int // by step of the violation: the step of the path before which its state is; -1 if it is no state
	facts   *cex.Facts

	// Of a lasso: the activations under way where a round begins, and the variables on which it depends there.
	stack    []*cex.Frame
	relevant map[cex.Slot]bool
}

// newViolation returns a violation of the abstraction r with its path, or why it has none.
func newViolation(facts *cex.Facts, r *abstract.Result, v *ltlcheck.Violation) (x *violation, why string, err error) {
	if v.Why != "" {
		return nil, v.Why, nil
	}
	p, at, err := cex.ReadRun(facts.Prog, v.Steps(), v.Fails, v.IsState)
	if err != nil {
		return nil, "", err
	}
	p.Stops = !v.Fails
	x = &violation{Violation: v, program: r, path: p, at: at, facts: facts}
	return x, x.place(), nil
}

// replay looks for a run of the program that goes the way of x and violates the formula as well. It returns this run, whose
// trace has the states that it goes through; or why there is none.
func (x *violation) replay(ctx context.Context, patient *prover.Prover) (run *verdict.Failure, why string, err error) {
	w := &watched{violation: x}
	c := &concretise.Confirmer{
		Facts: x.facts, Prover: patient, Patient: func() *prover.Prover { return patient }, MaxSteps: len(x.path.Steps) + 1,
		Watch: w.watch,
	}
	var inputs *harness.Recording
	if x.Heads() == nil {
		inputs, why, err = c.Follow(ctx, x.path, x.wishes(), w.isViolation)
	} else {
		inputs, why, err = x.followLasso(ctx, c, w)
	}
	if inputs == nil || err != nil {
		return nil, why, err
	}
	f := (&concretise.Failure{Trace: w.found, Recording: inputs, RestsOn: w.restsOn}).Verdict()
	return &f, "", nil
}

// paths returns the paths that a run of the program takes: of a lasso, those with one round and with two. What excludes many
// rounds is mostly how far they have counted, of which there is no end.
func (x *violation) paths() []*cex.Path {
	if x.Heads() == nil || x.Stays {
		return []*cex.Path{x.path}
	}
	var list []*cex.Path
	for _, i := range x.Heads()[1:3] {
		list = append(list, &cex.Path{Steps: x.path.Steps[:x.at[i]+1], Stops: true})
	}
	return list
}

// place finds the states on the path; it says why they are not the moments before its steps, "" if they are.
func (x *violation) place() (why string) {
	last := -1
	for i, st := range x.Steps() {
		if !x.IsState(i) {
			x.at[i] = -1
			continue
		}
		at := x.at[i]
		if at < 0 {
			return "it has a state before its first statement"
		}
		// The last node of a procedure changes nothing: all states there, and at the end, are that before it. Nor does the
		// node at which a run ends.
		isExit := x.path.Steps[at].Node == x.path.Steps[at].Frame.Proc.Exit() || x.Stays && i == x.Heads()[0]
		switch {
		case x.AtEnd(i) && (!isExit || at != last):
			return fmt.Sprintf("the end of %s is no place in C", st.Proc)
		case at < last, at == last && !isExit:
			return fmt.Sprintf("it has two states at %s", x.path.Steps[at].ID())
		}
		last = at
	}
	// The run ends before the last step of the path, at the last state.
	if last != len(x.path.Steps)-1 {
		return "it ends inside of a statement"
	}
	return ""
}

// wishes returns conditions that a run along the path had better satisfy: the values of the abstraction at all states, or else at the
// last one, which mostly decides.
func (x *violation) wishes() []concretise.Wanted {
	last := func(ex *cex.Execution, step int) {
		if step == len(x.path.Steps)-1 {
			x.wanted(ex, step)
		}
	}
	return []concretise.Wanted{x.wanted, last}
}

// wanted adds the conditions that the predicates which the formula mentions have the values of the abstraction.
func (x *violation) wanted(ex *cex.Execution, step int) {
	for i, at := range x.at {
		if at != step {
			continue
		}
		frame := x.path.Steps[step].Frame
		vars, heap := x.Mentioned(i)
		for _, c := range x.program.Told(frame.Proc, vars, heap) {
			if x.facts.IsRead(c.Expr) {
				ex.Require(frame, step, c.Expr, !c.Holds)
			}
		}
		return
	}
}

// watched is a violation with the states of a run along its path.
type watched struct {
	*violation
	viewer       *abstract.Viewer
	plain, temps []pushdown.Observation // by step of the violation; without and with temporaries of the front end
	done         int                    // steps of the path that were seen
	machine      *interp.Machine
	heads        *heads         // of a lasso
	found        *verdict.Trace // of the last run, if it violates the formula
	restsOn      []verdict.Choice
}

// watch views the state before a step of the path.
func (w *watched) watch(step int, m *interp.Machine) (done bool) {
	if step == 0 { // another run
		w.viewer, w.done, w.machine, w.found, w.restsOn = w.program.Viewer(), 0, m, nil, nil
		w.plain, w.temps = make([]pushdown.Observation, len(w.at)), make([]pushdown.Observation, len(w.at))
		w.heads = &heads{forms: m.Forms()}
	}
	w.done = step + 1
	for i, at := range w.at {
		if at != step {
			continue
		}
		if !w.Stays && slices.Contains(w.Heads(), i) && w.comesBack(i) {
			return true
		}
		w.plain[i] = pushdown.Observation(w.viewer.View(m, false))
		w.temps[i] = pushdown.Observation(w.viewer.View(m, true))
	}
	return false
}

// isViolation reports whether the last run came to the last state and violates the formula. Variables in sight are those
// of C; but the front end's own, which the abstraction has, must make no difference.
func (w *watched) isViolation() bool {
	if w.done != len(w.path.Steps) || w.machine.Err() != nil {
		return false
	}
	observed := w.Observed
	if w.Stays {
		observed = func(states []pushdown.Observation) *verdict.Trace {
			return w.ObservedLasso(states, w.Heads()[0], len(states))
		}
	}
	if observed(w.temps) != nil {
		w.found = observed(w.plain)
	}
	return w.found != nil
}
