package interleave

import (
	"slices"

	"c2bp/checker/zom"
)

// This file finds deadlocks, records failures, and finds the runs to them.

// fail records a failure, unless one of its kind and node is known. The moves that lead to the failing
// state, which is the present one, are those of run, if there are any.
func (e *engine) fail(f Failure, run func() []Move) {
	for _, g := range e.r.Failures {
		if g.Kind == f.Kind && g.Outcome == f.Outcome && g.Node == f.Node {
			return
		}
	}
	if run != nil {
		f.Moves = run()
	}
	e.r.Failures = append(e.r.Failures, &f)
}

// over reports whether a failure ends the search.
func (e *engine) over() bool { return len(e.r.Failures) > 0 && !e.opts.All }

// stuck records a deadlock if the present state, which a move of a process has reached, is one.
func (e *engine) stuck(mv Move, run func() []Move) {
	if e.isStuck(mv) {
		e.fail(stopped(e.waitsAt(), mv.Process), func() []Move { return append(run(), mv) })
	}
}

// isStuck reports whether the present state, which a move of a process has reached, is a deadlock that is looked for.
func (e *engine) isStuck(mv Move) bool {
	// Nobody is stuck while the process that has moved can run.
	if e.opts.NoDeadlocks || e.opts.MissDeadlocks && mv.Pick >= 0 || e.s.Pending != 0 || e.m.Status(e.s, mv.Process) == zom.Runnable {
		return false
	}
	return e.deadlocked()
}

// stopped returns the failure that no process can run, after a step of a process; node is the result of waitsAt.
func stopped(node int32, process int) Failure {
	f := Failure{Kind: Deadlock, Process: process, Node: node}
	if node < 0 {
		f.Kind = Orphan
	}
	return f
}

// waitsAt returns the node of the first process that waits where it should not; -1 if there is none, as messages were
// not received.
func (e *engine) waitsAt() int32 {
	for p := range e.s.Procs {
		if e.m.Status(e.s, p) == zom.Waiting {
			f := e.s.Top(p)
			code := e.model.Prog.Procs[f.Proc]
			return code.Blocks[code.Blocks[f.PC].Wait].Node
		}
	}
	if !e.opts.Stuck {
		panic("interleave: no process waits")
	}
	return -1
}

// deadlocked reports whether no process can run, and one waits where it should not, or a search for stuck states finds
// that a message was not received.
func (e *engine) deadlocked() bool {
	waits := false
	for p := range e.s.Procs {
		switch e.m.Status(e.s, p) {
		case zom.Runnable:
			return false
		case zom.Waiting:
			waits = true
		}
	}
	return waits || e.opts.Stuck && e.orphans()
}

// run returns the moves from the initial state to a stored one.
func (e *engine) run(id ID) []Move {
	var way []ID
	for ; id != none; id = e.store.parent(id) {
		way = append(way, id)
	}
	slices.Reverse(way)
	return e.follow(way)
}

// follow returns the moves from each state to the next.
func (e *engine) follow(way []ID) (list []Move) {
	s, status, lost := e.s, e.status, e.lost
	e.s, e.status = zom.NewState(e.model.Prog), nil
	for i := 1; i < len(way); i++ {
		list = append(list, e.between(way[i-1], way[i]))
	}
	e.s, e.status, e.lost = s, status, lost
	return list
}

// between returns the first move from one stored state to another.
func (e *engine) between(from, to ID) Move {
	e.load(from)
	n := e.moves()
	want := slices.Clone(e.store.get(to))
	for i := range n {
		e.load(from)
		mv := e.move(i)
		if e.m.Step(e.s, mv.Process, mv.Pick) != zom.Stepped {
			continue
		}
		if e.writeForm(); string(e.canon.Out) == string(want) {
			return mv
		}
	}
	panic("interleave: a stored state is not reached from its parent")
}
