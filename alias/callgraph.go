package alias

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/internal/graph"
)

// This file defines the call graph: the procedures that a call may call, and the strongly connected
// components of procedures that call each other. A call through a pointer may call the procedures
// that the pointer may point to, and, if it comes from outside, those that are known there and have
// suitable types; procedures without a body are among them.

// callGraph is the call graph of a program.
type callGraph struct {
	callees    map[*core.Proc][]*core.Proc
	components [][]*core.Proc // procedures that call each other, callees before their callers
}

// callGraph returns the call graph of the program.
func (r *Result) callGraph() callGraph {
	procs := r.prog.Procs
	g := callGraph{callees: map[*core.Proc][]*core.Proc{}}
	number := map[*core.Proc]int{}
	all := make([]int, len(procs))
	// 1. Number the procedures, and find their callees.
	for i, p := range procs {
		g.callees[p] = r.callees(p)
		number[p], all[i] = i, i
	}
	callees := func(i int) (list []int) {
		for _, q := range g.callees[procs[i]] {
			list = append(list, number[q])
		}
		return list
	}
	// 2. Translate the components back.
	for _, component := range graph.Components(len(procs), all, callees) {
		var list []*core.Proc
		for _, i := range component {
			list = append(list, procs[i])
		}
		g.components = append(g.components, list)
	}
	return g
}

// Recursive returns the procedures that may have several activations at a time.
func (r *Result) Recursive() map[*core.Proc]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	recursive := map[*core.Proc]bool{}
	g := r.callGraph()
	for _, component := range g.components {
		for _, p := range component {
			if len(component) > 1 || slices.Contains(g.callees[p], p) {
				recursive[p] = true
			}
		}
	}
	return recursive
}

// callees returns the procedures that p may call, in order, each once.
func (r *Result) callees(p *core.Proc) []*core.Proc {
	var out []*core.Proc
	seen := map[*core.Proc]bool{}
	for _, n := range p.Nodes {
		if c, ok := n.Stmt.(*core.Call); ok {
			list, _ := r.targets(c)
			// Keep the first of repeated ones.
			for _, q := range list {
				if !seen[q] {
					seen[q] = true
					out = append(out, q)
				}
			}
		}
	}
	return out
}

// Callees returns the procedures that c may call, in the order of the program; unknown reports
// whether the callee may also be outside of the program. Procedures that take another number of
// arguments are left out: calling them is undefined.
func (r *Result) Callees(c *core.Call) (list []*core.Proc, unknown bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.targets(c)
}

// targets is Callees for this package. Before the solver is done, callees of calls through pointers are
// bound one by one instead (bindTarget); the two agree.
func (r *Result) targets(c *core.Call) (list []*core.Proc, unknown bool) {
	if c.Callee != nil {
		return []*core.Proc{c.Callee}, false
	}
	for _, t := range r.set(r.eval(c.Target)).targets {
		switch t.Object.Kind {
		case Function:
			list = append(list, t.Object.Proc)
		// Among the procedures that are known outside, types are compared.
		case Outside:
			unknown = true
			for _, p := range r.solver.escapedProcs {
				if r.solver.leadsTo(c, p) {
					list = append(list, p)
				}
			}
		}
	}
	// Order them as in the program.
	slices.SortFunc(list, func(p, q *core.Proc) int { return int(r.solver.function[p] - r.solver.function[q]) })
	list = slices.Compact(list)
	return slices.DeleteFunc(list, func(p *core.Proc) bool { return !fits(c, p) }), unknown
}

// Strangers returns the procedures that the target of c could lead to from outside, except that
// their types differ from those that c calls, and those that only the harness calls.
func (r *Result) Strangers(c *core.Call) (others, harnessed []*core.Proc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	set := r.set(r.eval(c.Target))
	for _, p := range r.solver.escapedProcs {
		// A procedure that the program itself makes the pointer lead to is a target, whatever its
		// type.
		own := slices.ContainsFunc(set.targets, func(t Target) bool { return t.Object.Proc == p && t.Object.Kind == Function })
		switch {
		case !set.Outside() || own || !fits(c, p):
		case !sameTypes(c, p):
			others = append(others, p)
		case !r.solver.leadsTo(c, p):
			harnessed = append(harnessed, p)
		}
	}
	for _, list := range [][]*core.Proc{others, harnessed} {
		slices.SortFunc(list, func(p, q *core.Proc) int { return int(r.solver.function[p] - r.solver.function[q]) })
	}
	return others, harnessed
}

// Misfits returns the procedures that the target of c, a call through a pointer, may lead to
// although they take another number of arguments.
func (r *Result) Misfits(c *core.Call) (list []*core.Proc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.set(r.eval(c.Target)).targets {
		if p := t.Object.Proc; t.Object.Kind == Function && !fits(c, p) && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(p, q *core.Proc) int { return int(r.solver.function[p] - r.solver.function[q]) })
	return list
}
