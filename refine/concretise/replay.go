package concretise

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/event"
)

// This file replays a feasible path in the interpreter of core programs: nothing is said to fail before
// it has failed there, under C's rules for integers and memory. The inputs are those of a model of the
// path's conditions; that the run is as the formulas say is seen, not believed.

// replayer makes the choices of a run in the interpreter as a model of the path has them.
type replayer struct {
	path    *cex.Path
	exec    *cex.Execution
	model   *prover.Model
	machine *interp.Machine // nil while the initial values are asked for
	at      int             // the step of the path that runs
	stack   []*cex.Frame    // the activations of the path, the entry's first
	reads   []*logic.Term   // reads of memory that the conditions depend on in the model

	mentioned   map[*logic.Term]bool // answers of mentions
	environment *environment         // nil where all that is outside is one object

	from   *logic.Term   // the open value that the last answer was read from, nil for none
	denied *big.Int      // the first address in the run that the model has and the run does not allow
	away   []*logic.Term // conditions that take such addresses away

	watch func(step int, m *interp.Machine) (done bool) // called before each step of the path; or nil
}

// replay runs p with the inputs of the model in f. The error says why the run is not the path, or names
// an undefined step of it.
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
	// Literals are globals that compilers may merge.
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

// newReplayer returns the choices of f's model; formulas are those that say which memory matters: reads
// that they do not depend on in the model have any value.
func newReplayer(p *cex.Path, f cex.Feasibility, e *environment, formulas []*logic.Term) replayer {
	return replayer{
		path: p, exec: f.Exec, model: f.Model, stack: []*cex.Frame{p.Steps[0].Frame}, environment: e,
		reads: decidingReads(formulas, f.Model), mentioned: map[*logic.Term]bool{},
	}
}

// replayWith is replay with given options of the interpreter, which say whether equal string literals are
// one object.
func (c *Confirmer) replayWith(p *cex.Path, f cex.Feasibility, e *environment, options interp.Options) (*Witness, error) {
	// 1. The memory that matters is read by the conditions, and where pointers from outside get objects, by
	// the addresses that the path uses.
	formulas := cex.Terms(f.Exec.Conds)
	if e != nil { // and the pointers that the run follows, in the ways that the model takes
		formulas = slices.Concat(formulas, f.Exec.Accessed, f.Exec.Bases, f.Exec.Released, f.Exec.Defined)
	}
	choices := newReplayer(p, f, e, formulas)
	r := &choices
	r.watch = c.Watch
	// 2. Run, and record the inputs for the harness.
	run := c.newWitness(r, options)
	run.Path.Fails = p.Fails
	return run, c.play(r, run)
}

// play makes the steps of a run whose choices are those of r, perhaps through others.
func (c *Confirmer) play(r *replayer, run *Witness) error {
	r.machine = run.Rec.Machine()
	err := r.run(run)
	if err != nil {
		if r.denied != nil {
			pointer := core.Ptr{Bits: c.Bits}
			err = fmt.Errorf("%w; an arbitrary pointer would lead to %s, which is not known outside then", err, run.spell(r.denied, pointer))
		}
		err = &unplayed{err, r.away}
		c.Report.Report(event.Unplayed{Steps: len(r.path.Steps), Outside: r.environment != nil, Err: err})
	}
	return err
}

// run makes the steps of the path. The run must come to each node of it, and fail at the last if the
// path does.
func (r *replayer) run(w *Witness) error {
	if err := r.machine.Err(); err != nil {
		return err
	}
	p := r.path
	for r.at = range p.Steps {
		s := p.Steps[r.at]
		// 1. Is the run where the path is?
		top := r.machine.Top()
		if top == nil || top.Proc() != s.Frame.Proc || top.Node() != s.Node || top.Depth() != len(r.stack)-1 {
			return fmt.Errorf("control does not come to %s", s.ID())
		}
		if r.watch != nil && r.watch(r.at, r.machine) {
			w.arrive()
			return nil
		}
		// 2. A path to a node that must not be reached ends before that node.
		last := r.at == len(p.Steps)-1
		if last && !p.Fails {
			w.arrive()
			return nil
		}
		if s.Enter != nil {
			r.stack = append(r.stack, s.Enter)
		}
		// 3. Make the step. Only the last may end the run, by failing.
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

// unplayed is the error of a replay that does not fail.
type unplayed struct {
	error
	away []*logic.Term // conditions without which it would be the same
}

// awayFrom returns conditions that a model has to keep lest its replay end with err for the same reason; none if
// nothing is known.
func awayFrom(err error) []*logic.Term {
	// Only replays have such errors.
	if u, ok := errors.AsType[*unplayed](err); ok {
		return u.away
	}
	return nil
}

// Branch takes the way of the path, -1 if that is not open.
func (r *replayer) Branch(_ interp.Place, next []int) int {
	// The node of the next step, if control can go there.
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

// unmodelled returns the value of an input of which the model says nothing: 0, or where that is unlikely a
// new object of the environment.
func (r *replayer) unmodelled(q interp.Request) *big.Int {
	if r.environment != nil && r.environment.likely && q.Pointer && !q.Indeterminate && r.machine != nil {
		if a, ok := q.Fresh(); ok {
			return new(big.Int).SetUint64(uint64(a))
		}
	}
	return new(big.Int)
}

// Value returns the value of an input in the model, as an address in the run if it is a pointer or followed as one; 0 if the
// model says nothing, or something that the request excludes.
func (r *replayer) Value(q interp.Request) *big.Int {
	// 1. The value in the model, or 0.
	r.from = nil
	v := r.modelled(q)
	switch {
	case v == nil:
		v = r.unmodelled(q)
	case q.Pointer, r.environment.isAddress(r.from):
		v = r.pointer(q, v)
	}
	// 2. As a value of the type that is asked for, and not one that the request rules out.
	v = q.Type.Convert(v)
	if q.Hides(v) {
		r.deny(q, v)
		v = new(big.Int)
	}
	return v
}

// deny records that the run does not allow the address v as the answer to q, as nothing outside knows the object there.
func (r *replayer) deny(q interp.Request, v *big.Int) {
	if r.denied == nil {
		r.denied = v
	}
	if r.from == nil {
		return
	}
	// The open value leads into no object that is not known: the next one would be no better.
	t := r.exec.Table
	for _, o := range r.machine.Objects() {
		if start := r.symbol(o); start != nil && r.mentions(start) && q.Hides(new(big.Int).SetUint64(o.Start())) {
			end := t.Add(start, t.Int(max(o.Size(), 1)))
			r.away = append(r.away, t.Or(t.Lt(r.from, start), t.Le(end, r.from)))
		}
	}
}
