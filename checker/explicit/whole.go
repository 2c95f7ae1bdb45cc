package explicit

import (
	"context"
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
	x.limits()
	if _, isNew := x.table.insert(x.canon.Out); isNew {
		x.stack = append(x.stack, turn{mark: x.s.Mark()})
		x.m.Push()
	}
	x.States, x.Bytes = x.table.size(), x.table.bytes
}

// limits stops the search at a state from which it may have no end.
func (x *search) limits() {
	if x.canon.Depth > x.opts.HeapPath {
		x.stop = &PathError{Limit: x.opts.HeapPath, Path: x.path()}
	}
	for p := range x.s.Procs {
		if len(x.s.Procs[p].Frames) > mostCalls {
			x.stop = &CallsError{mostCalls}
		}
	}
}

// path names the longest path of references of the latest form.
func (x *search) path() string {
	// The form counts the globals first, then the slots of the frames from the bottom.
	root, fields := x.canon.Path()
	slots := x.prog.Globals
	for p := range x.s.Procs {
		for _, f := range x.s.Procs[p].Frames {
			proc := x.prog.Procs[f.Proc]
			slots = append(slots[:len(slots):len(slots)], proc.Slots[:proc.Scratch]...)
		}
	}
	name, class := slots[root].Name, slots[root].Class
	for _, f := range fields {
		if class < 0 {
			break // an argument or result, whose class is not known
		}
		field := x.prog.Classes[class].Fields[f]
		name, class = name+"."+field.Name, field.Class
	}
	return shorten(name)
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
