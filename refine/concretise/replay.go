package concretise

import (
	"fmt"
	"math/big"

	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/harness"
)

// This file replays a feasible path in the interpreter of core programs: nothing is said
// to fail before it has failed there, under C's rules for integers and memory. The model
// of the path's conditions says what the inputs are; that the run is as the formulas say
// is not believed but seen.

// replayer makes the choices of the interpreter.
type replayer struct {
	path    *cex.Path
	exec    *cex.Execution
	model   *prover.Model
	machine *interp.Machine // nil while the initial values are asked for
	at      int             // the step that runs
	stack   []*cex.Frame    // the activations
	reads   []*logic.Term

	mentioned   map[*logic.Term]bool
	environment *environment // nil where all that is outside is one object
}

// replay runs p with the inputs of a model. The error says why the run is not the path,
// or what is undefined in it.
func (c *Confirmer) replay(p *cex.Path, f cex.Feasibility, e *environment) (*Witness, error) {
	run, err := c.replayWith(p, f, e, c.RunOptions())
	if err != nil && c.repeatsLiterals() {
		// Compilers may merge equal literals, or not: both are runs of the program.
		merging := c.RunOptions()
		merging.Merge = true
		if merged, other := c.replayWith(p, f, e.again(), merging); other == nil {
			return merged, nil
		}
	}
	return run, err
}

// repeatsLiterals reports whether two string literals have the same contents.
func (c *Confirmer) repeatsLiterals() bool {
	seen := map[string]bool{}
	for _, g := range c.Prog.Globals {
		if g.Merged && g.Text != nil {
			if seen[string(g.Text)] {
				return true
			}
			seen[string(g.Text)] = true
		}
	}
	return false
}

// newReplayer makes the choices of f's model, which formulas are about.
func newReplayer(p *cex.Path, f cex.Feasibility, e *environment, formulas []*logic.Term) replayer {
	return replayer{
		path: p, exec: f.Exec, model: f.Model, stack: []*cex.Frame{p.Steps[0].Frame}, environment: e,
		reads: decidingReads(formulas, f.Model), mentioned: map[*logic.Term]bool{},
	}
}

func (c *Confirmer) replayWith(p *cex.Path, f cex.Feasibility, e *environment, options interp.Options) (*Witness, error) {
	formulas := cex.Terms(f.Exec.Conds)
	if e != nil { // the pointers that the run follows, in the ways that the model takes
		formulas = append(append(formulas, f.Exec.Accessed...), f.Exec.Bases...)
	}
	choices := newReplayer(p, f, e, formulas)
	r := &choices
	rec := harness.NewRecorder(c.Prog, r, options)
	r.machine = rec.Machine()
	run := newWitness(rec)
	run.Path.Fails = p.Fails
	return run, r.run(run)
}

// run makes the steps of the path.
func (r *replayer) run(w *Witness) error {
	if err := r.machine.Err(); err != nil {
		return err
	}
	p := r.path
	for r.at = range p.Steps {
		s := p.Steps[r.at]
		top := r.machine.Top()
		if top == nil || top.Proc() != s.Frame.Proc || top.Node() != s.Node || top.Depth() != len(r.stack)-1 {
			return fmt.Errorf("control does not come to %s", s.ID())
		}
		last := r.at == len(p.Steps)-1
		if last && !p.Fails {
			w.arrive()
			return nil
		}
		if s.Enter != nil {
			r.stack = append(r.stack, s.Enter)
		}
		ev, err := w.step()
		switch {
		case err != nil:
			return err
		case last && ev.Kind == interp.Failed:
			return nil
		case last && !ev.Kind.Final():
			return fmt.Errorf("the assertion at %s holds in it (%s)", s.ID(), s.CoreNode().Text)
		case ev.Kind.Final():
			return fmt.Errorf("the run is %v at %s (%s)", ev.Kind, s.ID(), s.CoreNode().Text)
		}
		if s.Node == s.Frame.Proc.Exit() {
			r.stack = r.stack[:len(r.stack)-1]
		}
	}
	return fmt.Errorf("the path is empty")
}

// Branch takes the way of the path.
func (r *replayer) Branch(_ interp.Place, next []int) int {
	if r.at+1 < len(r.path.Steps) {
		want := r.path.Steps[r.at+1].Node
		for _, n := range next {
			if n == want {
				return n
			}
		}
	}
	return -1
}

// Value is the value of an input in the model.
func (r *replayer) Value(q interp.Request) *big.Int {
	v := r.modelled(q)
	switch {
	case v == nil:
		v = new(big.Int)
	case q.Pointer:
		v = r.pointer(q, v)
	}
	v = q.Type.Convert(v)
	if q.Hides(v) {
		v = new(big.Int)
	}
	return v
}
