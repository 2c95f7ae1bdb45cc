package threadexec

import (
	"slices"
	"strconv"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
)

// This file defines states, and the steps of a thread.

// frame is a call that has not ended.
type frame struct {
	proc, node int
	locals     uint64
	returned   bool   // the call at node has returned, and its results are not assigned yet
	results    uint64 // these, or those with which this frame returns
}

// thread is a thread; one that has ended has no frames.
type thread struct {
	frames   []frame // the first one at the bottom
	sections int     // atomic sections that have begun and not ended
}

// state is a state of a program.
type state struct {
	globals uint64
	threads []thread
}

// key returns a text that tells states apart.
func (s state) key() string {
	var b []byte
	add := func(n uint64) { b = append(strconv.AppendUint(b, n, 16), ' ') }
	add(s.globals)
	for _, t := range s.threads {
		add(uint64(t.sections))
		add(uint64(len(t.frames)))
		for _, f := range t.frames {
			add(uint64(f.proc))
			add(uint64(f.node))
			add(f.locals)
			add(f.results)
			b = strconv.AppendBool(b, f.returned)
		}
	}
	return string(b)
}

// with returns a copy of s in which thread t is another one.
func (s state) with(t int, next thread) state {
	s.threads = slices.Clone(s.threads)
	s.threads[t] = next
	return s
}

// Site names a node.
type Site struct{ Proc, Node int }

// outcome is the outcome of a step: a state, unless the run ends.
type outcome struct {
	next  state
	ends  bool
	fails bool // the assertion fails, and the run ends
}

// program executes steps.
type program struct{ graph *boolprog.Graph }

// initial returns the states in which the program starts.
func (x *program) initial() (list []state) {
	for globals := range uint64(1) << len(x.graph.Globals) {
		for locals := range uint64(1) << len(x.graph.Main.Vars) {
			main := frame{proc: x.graph.Main.Index, node: x.graph.Main.Entry, locals: locals}
			list = append(list, state{globals, []thread{{frames: []frame{main}}}})
		}
	}
	return list
}

// runs reports whether thread t may make the next step.
func (s state) runs(t int) bool {
	if len(s.threads[t].frames) == 0 {
		return false
	}
	for i := range s.threads {
		if i != t && s.threads[i].sections > 0 {
			return false
		}
	}
	return true
}

// at returns the site at which thread t is, and whether the results of a call are to be assigned there.
func (s state) at(t int) (Site, bool) {
	f := s.threads[t].frames[len(s.threads[t].frames)-1]
	return Site{f.proc, f.node}, f.returned
}

// view is a state as a frame sees it.
func (x *program) view(s state, f frame) (*boolprog.ProcGraph, bpexec.State) {
	return x.graph.Procs[f.proc], bpexec.State{Globals: s.globals, Locals: f.locals}
}

// eval returns the values that e can have.
func eval(p *boolprog.ProcGraph, v bpexec.State, e boolprog.Expr) bpexec.Values {
	return bpexec.Eval(e, func(r *boolprog.Ref) bool { return bpexec.Get(p, v, r.Name) })
}

// words returns the values that a list of expressions can have, that of the first one in bit 0.
func words(p *boolprog.ProcGraph, v bpexec.State, list []boolprog.Expr) []uint64 {
	out := []uint64{0}
	for i, e := range list {
		can := eval(p, v, e)
		var next []uint64
		for _, w := range out {
			if can.Has(false) {
				next = append(next, w)
			}
			if can.Has(true) {
				next = append(next, w|1<<i)
			}
		}
		out = next
	}
	return out
}

// forbidden reports whether the enforce clause of the top frame forbids a step of thread t.
func (x *program) forbidden(s state, t int) bool {
	fs := s.threads[t].frames
	p, v := x.view(s, fs[len(fs)-1])
	return p.Proc.Enforce != nil && !eval(p, v, p.Proc.Enforce).Has(true)
}

// step returns the outcomes of a step of thread t.
func (x *program) step(s state, t int) (list []outcome) {
	th := s.threads[t]
	below, f := th.frames[:len(th.frames)-1], th.frames[len(th.frames)-1]
	p, v := x.view(s, f)
	n := p.Nodes[f.node]
	// to adds the outcome in which the frame is at a successor, and sees the state w.
	to := func(succ int, w bpexec.State, sections int, more ...thread) {
		next := frame{proc: f.proc, node: n.Succ[succ], locals: w.Locals, results: f.results}
		after := s.with(t, thread{append(slices.Clone(below), next), th.sections + sections})
		after.globals = w.Globals
		after.threads = append(after.threads, more...)
		list = append(list, x.settle(after, t))
	}
	// 1. The results of a call are a step of their own.
	if f.returned {
		w := bpexec.Return(p, f.node, v, s.globals, f.results)
		f.results = 0
		to(0, w, 0)
		return list
	}
	// 2. A state that the clause forbids ends the run.
	if x.forbidden(s, t) {
		return []outcome{{ends: true}}
	}
	// 3. The statement.
	switch n.Kind {
	case boolprog.NodeSkip:
		sections := 0
		switch n.Stmt.Op.(type) {
		case *boolprog.AtomicBegin:
			sections = 1
		case *boolprog.AtomicEnd:
			sections = -1
		}
		for i := range n.Succ {
			to(i, v, sections)
		}
	case boolprog.NodeAssume, boolprog.NodeAssert:
		can := eval(p, v, n.Cond)
		if can.Has(true) {
			to(0, v, 0)
		}
		if can.Has(false) {
			list = append(list, outcome{ends: true, fails: n.Kind == boolprog.NodeAssert})
		}
	case boolprog.NodeBranch:
		can := eval(p, v, n.Cond)
		if can.Has(true) {
			to(0, v, 0)
		}
		if can.Has(false) {
			to(1, v, 0)
		}
	case boolprog.NodeAssign:
		for _, w := range bpexec.Assignments(p, n.Assign, v) {
			to(0, w, 0)
		}
	case boolprog.NodeDead:
		all := []bpexec.State{v}
		for _, r := range n.Dead.Vars {
			for _, w := range slices.Clone(all) {
				all = append(all, bpexec.Set(p, w, r.Name, !bpexec.Get(p, w, r.Name)))
			}
		}
		for _, w := range all {
			to(0, w, 0)
		}
	case boolprog.NodeReturn:
		for _, w := range words(p, v, n.Values) {
			f.results = w
			to(0, v, 0)
		}
	case boolprog.NodeCall:
		for _, callee := range x.entered(n, words(p, v, n.Call.Args)) {
			after := s.with(t, thread{append(slices.Clone(th.frames), callee), th.sections})
			list = append(list, x.settle(after, t))
		}
	case boolprog.NodeStart:
		// 4. A thread: with a copy of the frame, or in a procedure.
		if n.Callee == nil {
			to(0, v, 0, thread{frames: []frame{{proc: f.proc, node: n.Succ[1], locals: v.Locals}}})
			break
		}
		for _, callee := range x.entered(n, words(p, v, n.Call.Args)) {
			to(0, v, 0, thread{frames: []frame{callee}})
		}
	case boolprog.NodeEnd:
		list = append(list, outcome{next: s.with(t, thread{sections: th.sections})})
	}
	return list
}

// entered returns the frames with which the callee of n can begin: other locals than the parameters are
// arbitrary.
func (x *program) entered(n *boolprog.Node, args []uint64) (list []frame) {
	params, vars := len(n.Callee.Proc.Params), len(n.Callee.Vars)
	for _, a := range args {
		for others := range uint64(1) << (vars - params) {
			list = append(list, frame{proc: n.Callee.Index, node: n.Callee.Entry, locals: a | others<<params})
		}
	}
	return list
}

// settle returns the outcome of a step of thread t that leads to s: a frame at its exit is left.
func (x *program) settle(s state, t int) outcome {
	fs := s.threads[t].frames
	f := fs[len(fs)-1]
	if f.node != x.graph.Procs[f.proc].Exit {
		return outcome{next: s}
	}
	if x.forbidden(s, t) {
		return outcome{ends: true}
	}
	below := slices.Clone(fs[:len(fs)-1])
	if k := len(below); k > 0 {
		below[k-1].returned, below[k-1].results = true, f.results
	}
	return outcome{next: s.with(t, thread{below, s.threads[t].sections})}
}
