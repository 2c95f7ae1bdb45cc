package refine

import (
	"context"
	"fmt"

	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/checker/ltlcheck"
	"c2bp/checker/pushdown"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/concretise"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// This file replays violations of formulas of temporal logic (package checker/ltlcheck). One that no continuation can
// make good is a finite run, so it has a path through the core program. A run along the path violates the formula,
// too, if its own states do: the atoms are evaluated on these, and nothing is taken from the abstraction but the way.
//
//	abstraction   queue = A0, A0.{done != 0} = 1, {…} = 0     one step before the end of complete
//	path          main:0 … complete:7
//	replay        queue = &object 3, done = 1                 the same, as {…} is 0 there

// violation is a violation of the abstraction that is replayed.
type violation struct {
	*ltlcheck.Violation
	program *abstract.Result
	path    *cex.Path
	at      []int // by step of the violation: the step of the path before which its state is; -1 if it is no state
}

// ReplayViolation looks for a run of a program, of which r is the abstraction, that goes the way of v and violates the
// formula as well. It returns this run, whose trace has the states that it goes through; or why there is none.
func ReplayViolation(ctx context.Context, prog *core.Program, r *abstract.Result, v *ltlcheck.Violation) (run *verdict.Failure, why string, err error) {
	// 1. The path, and where on it the states are.
	p, at, err := cex.ReadRun(prog, v.Steps(), false)
	if err != nil {
		return nil, "", err
	}
	x := &violation{v, r, p, at}
	if why := x.place(); why != "" {
		return nil, why, nil
	}
	// 2. A run along it.
	patient := prover.New(nil, prover.Options{Patience: pathPatience})
	defer patient.Close()
	w := &watched{violation: x}
	c := &concretise.Confirmer{
		Facts: cex.NewFacts(prog, alias.Analyze(prog), technique.Set{}), Prover: patient, Patient: func() *prover.Prover { return patient },
		MaxSteps: len(p.Steps) + 1, Watch: w.watch,
	}
	var t *verdict.Trace
	// The values of the abstraction at all states, or else at the last one: it mostly decides.
	last := func(ex *cex.Execution, step int) {
		if step == len(p.Steps)-1 {
			x.wanted(ex, step)
		}
	}
	inputs, why, err := c.Follow(ctx, p, []func(*cex.Execution, int){x.wanted, last}, func() bool {
		t = w.trace()
		return t != nil
	})
	if inputs == nil || err != nil {
		return nil, why, err
	}
	f := (&concretise.Failure{Trace: t, Recording: inputs}).Verdict()
	return &f, "", nil
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
		// The last node of a procedure changes nothing: all states there, and at the end, are that before it.
		isExit := x.path.Steps[at].Node == x.path.Steps[at].Frame.Proc.Exit()
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

// wanted adds the conditions that the predicates which the formula mentions have the values of the abstraction.
func (x *violation) wanted(ex *cex.Execution, step int) {
	for i, at := range x.at {
		if at != step {
			continue
		}
		frame := x.path.Steps[step].Frame
		for _, v := range x.Mentioned(i) {
			for _, q := range x.program.Predicates {
				isHere := q.This == nil && q.Var() == v.Name && (q.Proc == nil || q.Proc == frame.Proc)
				if isHere && v.Val != "*" {
					ex.Require(frame, step, q.Expr, v.Val == "0")
				}
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
}

// watch views the state before a step of the path.
func (w *watched) watch(step int, m *interp.Machine) {
	if step == 0 { // another run
		w.viewer, w.done, w.machine = w.program.Viewer(), 0, m
		w.plain, w.temps = make([]pushdown.Observation, len(w.at)), make([]pushdown.Observation, len(w.at))
	}
	w.done = step + 1
	for i, at := range w.at {
		if at == step {
			w.plain[i] = pushdown.Observation(w.viewer.View(m, false))
			w.temps[i] = pushdown.Observation(w.viewer.View(m, true))
		}
	}
}

// trace returns the trace of the last run, nil if it does not violate the formula. Variables in sight are those of C;
// but the front end's own, which the abstraction has, must make no difference.
func (w *watched) trace() *verdict.Trace {
	if w.done != len(w.path.Steps) || w.machine.Err() != nil || w.Observed(w.temps) == nil {
		return nil
	}
	return w.Observed(w.plain)
}
