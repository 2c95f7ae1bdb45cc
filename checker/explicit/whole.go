package explicit

import (
	"context"
	"errors"
	"fmt"

	"c2bp/boolprog"
	"c2bp/checker/lower"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file defines the search without summaries: states are whole, with all frames. It searches
// depth first, with one state that is changed and changed back, and allocates nothing but the table
// of forms.

// Whole is the result of a search without summaries.
type Whole struct {
	States int // number of canonical forms
	Bytes  int // length of all forms
	Steps  int64

	found findings
	graph *boolprog.Graph
	prog  *zom.Program
	opts  Options
	kept  []keptTrace // of SearchTraces, the shortest first
}

// keptTrace is a target with a trace to it.
type keptTrace struct {
	to    Target
	trace *WholeTrace
}

// Reached reports whether control can reach p.
func (w *Whole) Reached(p Point) bool { return w.found.reached[p.Proc][p.Node] != nowhere }

// CanFail reports whether p is an assertion that can fail.
func (w *Whole) CanFail(p Point) bool { return w.found.failed[p.Proc][p.Node] != nowhere }

// UsesNull reports whether a field of null can be asked for at p.
func (w *Whole) UsesNull(p Point) bool { return w.found.nullUsed[p.Proc][p.Node] != nowhere }

// Stats returns the work counters.
func (w *Whole) Stats() []verdict.Stat {
	return []verdict.Stat{
		{Name: "whole states", Value: int64(w.States)},
		{Name: "bytes of states", Value: int64(w.Bytes)},
		{Name: "steps", Value: w.Steps},
	}
}

// search is the state of a search.
type search struct {
	*Whole
	m     *zom.Machine
	s     *zom.State
	canon zom.Canon
	table *table
	stack []turn // the states on the path to the present one
	stop  error
}

// turn is a state on the path to the present one.
type turn struct {
	mark    zom.Mark
	process int32 // the process whose steps are tried
	begun   bool  // the machine has a next outcome of the process
}

// mostCalls is the number of nested calls at which SearchWhole gives up.
const mostCalls = 1000

// SearchWhole searches all states of g. It fails with ctx.Err(), a *PathError, or a *CallsError; then
// the result holds everything found so far.
func SearchWhole(ctx context.Context, g *boolprog.Graph, opts Options) (*Whole, error) {
	if opts.HeapPath == 0 {
		opts.HeapPath = DefaultHeapPath
	}
	w := &Whole{found: newFindings(g), graph: g, prog: lower.Program(g), opts: opts}
	err := w.search(ctx)
	return w, err
}

// Chooses reports whether g chooses objects (any C), or changes all of a class (dead C.f). Which ones
// these are is not known of a procedure without its callers: such programs are searched whole, and not
// by Solve.
func Chooses(g *boolprog.Graph) bool {
	chooses := false
	for _, p := range g.Procs {
		for _, n := range p.Nodes {
			if n.Dead != nil && len(n.Dead.Fields) > 0 {
				return true
			}
			if n.Assign == nil {
				continue
			}
			for _, e := range n.Assign.Rhs {
				_, is := e.(*boolprog.Any)
				chooses = chooses || is
			}
		}
	}
	return chooses
}

// CallsError says that calls may be nested without an end.
type CallsError struct{ Limit int }

func (e *CallsError) Error() string { return fmt.Sprintf("calls nested more than %d deep", e.Limit) }

// search runs until the stack is empty.
func (w *Whole) search(ctx context.Context) error {
	p := w.prog
	x := &search{Whole: w, m: zom.NewMachine(p), s: zom.NewState(p), table: newTable()}
	x.m.Visited = func(p, node int32) { x.found.reached[p][node] = 0 }
	x.s.Start(p.Main)
	x.reach()
	for turns := 0; len(x.stack) > 0 && x.stop == nil; turns++ {
		if turns%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x.turn()
	}
	return x.stop
}

// reach puts the present state on the stack if it is new.
func (x *search) reach() {
	// A state that was seen is not pushed: turn goes back from it.
	x.canon.Whole(x.s)
	x.stop = x.limits(x.s, &x.canon)
	if _, isNew := x.table.insert(x.canon.Out); isNew {
		x.stack = append(x.stack, turn{mark: x.s.Mark()})
		x.m.Push()
	}
	x.States, x.Bytes = x.table.size(), x.table.bytes
}

// StatesError says that there are more states than allowed, or too many steps for so few: a step that reads many
// Booleans that nothing has determined has an outcome for each of their values.
type StatesError struct {
	Limit int
	Steps bool
}

func (e *StatesError) Error() string {
	if e.Steps {
		return fmt.Sprintf("more than %d steps for each of %d states", stepsOfState, e.Limit)
	}
	return fmt.Sprintf("more than %d states", e.Limit)
}

// stepsOfState is how many steps a search may make for each state that it may have.
const stepsOfState = 200

// tooManySteps returns the error after so many steps that the search has no end in sight; nil if it goes on.
func (w *Whole) tooManySteps() error {
	if w.opts.States > 0 && w.Steps > stepsOfState*int64(w.opts.States) {
		return &StatesError{Limit: w.opts.States, Steps: true}
	}
	return nil
}

// limits returns the error at a state with this form from which the search may have no end; nil if it
// goes on.
func (w *Whole) limits(s *zom.State, canon *zom.Canon) error {
	if canon.Depth > w.opts.HeapPath {
		return &PathError{Limit: w.opts.HeapPath, Path: w.path(s, canon)}
	}
	for p := range s.Procs {
		if len(s.Procs[p].Frames) > mostCalls {
			return &CallsError{mostCalls}
		}
	}
	if w.opts.States > 0 && w.States > w.opts.States {
		return &StatesError{Limit: w.opts.States}
	}
	return nil
}

// path names the longest path of references of a state, which has this form.
func (w *Whole) path(s *zom.State, canon *zom.Canon) string {
	// The form counts the globals first, then the slots of the frames from the bottom.
	root, fields := canon.Path()
	slots := w.prog.Globals
	for p := range s.Procs {
		for _, f := range s.Procs[p].Frames {
			proc := w.prog.Procs[f.Proc]
			slots = append(slots[:len(slots):len(slots)], proc.Slots[:proc.Scratch]...)
		}
	}
	name, class := slots[root].Name, slots[root].Class
	for _, f := range fields {
		if class < 0 {
			break // an argument or result, whose class is not known
		}
		field := w.prog.Classes[class].Fields[f]
		name, class = name+"."+field.Name, field.Class
	}
	return shorten(name)
}

// SearchTraces is SearchWhole, breadth first, which keeps a shortest trace to each of the targets that it meets:
// Trace need not search again. It fails with the same errors. After a *StatesError no trace is kept.
func SearchTraces(ctx context.Context, g *boolprog.Graph, opts Options, targets []Target) (*Whole, error) {
	if opts.HeapPath == 0 {
		opts.HeapPath = DefaultHeapPath
	}
	w := &Whole{found: newFindings(g), graph: g, prog: lower.Program(g), opts: opts}
	// 1. Search.
	x := w.nearest(targets)
	x.all = true
	stopped := x.search(ctx)
	var states *StatesError
	if ctx.Err() != nil || errors.As(stopped, &states) {
		return w, stopped
	}
	// 2. Execute the runs to targets.
	for _, a := range x.arrivals {
		t, err := w.execute(x, a)
		if err != nil {
			return w, err
		}
		w.kept = append(w.kept, keptTrace{targets[a.target], t})
	}
	return w, stopped
}

// turn tries the next outcome of the state on top of the stack.
func (x *search) turn() {
	// 1. Go back to the state, and find its next process or outcome.
	t := &x.stack[len(x.stack)-1]
	x.s.Undo(t.mark)
	if t.begun && !x.m.Next() {
		t.process++
		t.begun = false
	}
	// The next process that has not ended.
	for !t.begun {
		if int(t.process) == len(x.s.Procs) {
			x.stack = x.stack[:len(x.stack)-1]
			x.m.Pop()
			return
		}
		if x.s.Top(int(t.process)) != nil {
			t.begun = true
		} else {
			t.process++
		}
	}
	// 2. Make the step.
	x.Steps++
	if x.stop = x.tooManySteps(); x.stop != nil {
		return
	}
	o := x.m.Run(x.s, int(t.process))
	at := x.m.Record.Node
	switch o {
	case zom.Stepped:
		x.reach()
	case zom.Failed:
		x.found.failed[x.s.Top(int(t.process)).Proc][at] = 0
	case zom.NullUsed:
		x.found.nullUsed[x.s.Top(int(t.process)).Proc][at] = 0
	}
}
