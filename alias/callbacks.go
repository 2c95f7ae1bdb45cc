package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file finds the procedures that a procedure without a body calls back because memory that it
// is given leads to them. The front end makes loops of calls for functions among the arguments; a
// function in a structure is known only to an alias analysis:
//
//	c.set = set; reg(&c);       reg may call set
//
// The memory of the program is followed, through any number of pointers. The ledger says that a
// procedure without a body does not call functions that are stored outside or were given earlier.

// Callbacks are the procedures that each call of a procedure without a body calls back, besides those
// that the front end knows.
type Callbacks map[*core.Call][]*core.Proc

// AnalyzeCallbacks analyses p with the calls from outside that memory leads to. Each of them may
// make more functions known outside, so that it repeats the analysis until there are no more.
func AnalyzeCallbacks(p *core.Program) (*Result, Callbacks) {
	back := Callbacks{}
	for {
		s := newSolver(p)
		s.back = back
		r := s.analyze()
		if p.Callbacks != core.CallbacksNow || p.CallsBack || !r.addCallbacks(back) {
			return r, back
		}
	}
}

// addCallbacks adds the calls from outside in r's program to back, and reports whether there are
// more than before.
func (r *Result) addCallbacks(back Callbacks) (more bool) {
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			c, ok := n.Stmt.(*core.Call)
			// Leave out calls in loops of callbacks, in models, and from outside.
			if !ok || n.Caller != nil || n.Model != nil || c.By != nil || !r.mayCallBack(c) {
				continue
			}
			for _, f := range r.ledTo(c) {
				if !slices.Contains(back[c], f) {
					back[c] = append(back[c], f)
					more = true
				}
			}
		}
	}
	return more
}

// mayCallBack reports whether c may call a procedure without a body that calls back.
func (r *Result) mayCallBack(c *core.Call) bool {
	if c.Callee != nil {
		return CallsBack(c.Callee)
	}
	list, unknown := r.targets(c)
	return unknown || slices.ContainsFunc(list, CallsBack)
}

// CallsBack reports whether f may call back procedures of the program: it has no body, and is neither
// assembly nor declared to call nothing.
func CallsBack(f *core.Proc) bool { return !f.HasBody() && !f.Quiet && !f.Assembly }

// ledTo returns the procedures with bodies that c leads to, in the order of the program: those that
// its arguments reach in memory, and those among its arguments that no other nodes call back.
func (r *Result) ledTo(c *core.Call) (list []*core.Proc) {
	// 1. Search memory from the arguments.
	w := &reachability{r: r, seen: bitset{}, inside: true}
	for i, a := range slices.Concat(c.Args, c.Extra) {
		if a == nil {
			continue
		}
		if set := r.eval(a); slices.Contains(c.CalledBack, i) {
			w.data(set)
		} else {
			w.set(set)
		}
	}
	w.run()
	// 2. Keep the procedures that were met.
	for _, p := range r.solver.escapedProcs { // what c is given is known outside
		if p.HasBody() && w.seen.has(int(r.solver.function[p])) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(p, q *core.Proc) int { return int(r.solver.function[p] - r.solver.function[q]) })
	return list
}

// data adds the objects of the addresses in set but for procedures and objects outside.
func (w *reachability) data(set setID) {
	for a := range w.r.solver.sets.all(set) {
		if o := w.r.solver.addresses[a].object; w.r.solver.objects[o].Kind != Function && !w.r.solver.isOutside(w.r.solver.addresses[a]) {
			w.object(o)
		}
	}
}

// calledFrom lets the arguments of c, a call of a procedure without a body, and anything else from
// outside flow to the procedures that it calls back: a callback gets pointers that the registering
// call was given.
func (s *solver) calledFrom(c *callSite) {
	for _, f := range s.back[c.stmt] {
		s.callBack(f)
		for _, v := range f.Formals {
			if _, pointer := v.Type.(core.Ptr); !pointer {
				continue
			}
			for _, a := range slices.Concat(c.args, c.extra) {
				s.assign(v.Ref(), s.move(a, move{mode: mix}))
			}
		}
	}
}
