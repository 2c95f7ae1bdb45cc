package threads

import (
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/explicit"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file finds runs. The steps that reached a state first lead back to the start; they are executed again from
// there, in a state that still has the threads that have ended and the values that nobody reads.

// Move is a step of a run: thread Thread, by the order of creation, executes the statement at Point or, with Back,
// assigns the results of the call there.
type Move struct {
	Thread int
	explicit.Point
	Back bool
}

// Trace is a run to a target.
type Trace struct {
	Moves     []Move            // the last one meets the target
	Switches  int               // how often the thread changes
	Processes []verdict.Process // before the last move

	target int
	steps  []verdict.Step
}

// Target returns the index of the target to which t leads.
func (t *Trace) Target() int { return t.target }

// Steps returns the executed statements.
func (t *Trace) Steps() []verdict.Step { return t.steps }

// Trace returns the run to that one of the targets that was met first, or nil if none was.
func (r *Result) Trace(targets []explicit.Target) *Trace {
	best, t := arrival{from: nowhere}, &Trace{}
	for i, to := range targets {
		at := r.reached[to.Proc][to.Node]
		switch to.Goal {
		case explicit.Fail:
			at = r.failed[to.Proc][to.Node]
		case explicit.Null:
			at = r.nulls[to.Proc][to.Node]
		}
		if at.from != nowhere && (best.from == nowhere || at.from < best.from) {
			best, t.target = at, i
		}
	}
	if best.from == nowhere {
		return nil
	}
	r.execute(t, best)
	return t
}

// execute makes the steps of a run, of which the last one is given, and notes them in t.
func (x *search) execute(t *Trace, last arrival) {
	// 1. Go back to the start.
	path := []arrival{last}
	for by := x.moves[last.from]; by.from != nowhere; by = x.moves[by.from] {
		path = append(path, by)
	}
	slices.Reverse(path)
	// 2. Execute the steps.
	w := &walk{search: x, s: zom.NewState(x.prog), t: t, m: zom.NewMachine(x.prog), number: 1}
	w.s.Start(x.prog.Main)
	for i, by := range path {
		w.step(by, i == len(path)-1)
	}
}

// walk is the execution of a run.
type walk struct {
	*search
	s      *zom.State
	m      *zom.Machine
	t      *Trace
	number int      // of the state, as the user counts them
	firsts []string // by thread: the procedure with which it began
}

// step makes a step, or only shows it if it is the last one.
func (w *walk) step(by arrival, isLast bool) {
	thread := w.thread(by.thread)
	top := *w.s.Top(thread)
	code := w.prog.Procs[top.Proc].Code
	p := w.graph.Procs[top.Proc]
	n := p.Nodes[code[top.PC].Node]
	before := w.snapshot(thread)
	// 1. Note it, unless it is the last part of another one.
	mv := Move{Thread: thread, Point: explicit.Point{Proc: int(top.Proc), Node: int(code[top.PC].Node)}, Back: top.PC > 0 && code[top.PC-1].Op == zom.Call}
	exits := n.Kind == boolprog.NodeExit
	if !exits {
		w.note(mv, n, &before)
	}
	if isLast {
		w.t.Processes = w.processes(thread)
		return
	}
	// 2. Make it, with the choices that the search made.
	w.m.Follow(w.choices(by))
	if o := w.m.Run(w.s, thread); o != zom.Stepped {
		panic("threads: a run ends before its target: " + o.String())
	}
	if w.holder(w.s) == nowhere {
		w.number++
	}
	// 3. What has become of it.
	if k := len(w.t.steps); k > 0 && !exits && n.Stmt != nil {
		w.effect(&w.t.steps[k-1], n, mv, before)
	}
}

// thread returns the number, by creation, of the thread with an index among those that have not ended.
func (w *walk) thread(index int32) int {
	for p := range w.s.Procs {
		if w.s.Top(p) == nil {
			continue
		}
		if index == 0 {
			return p
		}
		index--
	}
	panic("threads: no such thread")
}

// choices returns the choices of a step of the search.
func (w *walk) choices(by arrival) []int32 {
	x := w.search
	x.load(by.from)
	mark := x.s.Mark()
	x.m.Rewind()
	for range by.outcome {
		x.m.Run(x.s, int(by.thread))
		x.s.Undo(mark)
		x.m.Next()
	}
	x.m.Run(x.s, int(by.thread))
	return slices.Clone(x.m.Choices())
}
