package alias

import "c2bp/frontend/core"

// This file finds the memory that a call can reach. The effect of a procedure is collected over all
// of its calls; a single call can change only memory that its own arguments lead to, the globals
// that the procedure mentions, and memory outside:
//
//	acquire(&a->lock);      // does not change b->lock, though
//	acquire(&b->lock);      // acquire may write both
//
// All else that the procedure writes is memory that it has allocated, which nobody else has seen
// yet.

// sources is the set of places from which a procedure, its callees included, gets addresses besides
// its formals.
type sources struct {
	objects bitset         // global variables in memory, by object
	values  map[setID]bool // contents of other global variables
	outside bool           // results of procedures without a body, arbitrary values
}

// add adds the sources o to s.
func (s *sources) add(o *sources) {
	s.objects.union(o.objects)
	for v := range o.values {
		s.values[v] = true
	}
	s.outside = s.outside || o.outside
}

// findSources computes the sources of all procedures, callees first. They are independent of the
// call: arguments are added for each (reachable).
func (r *Result) findSources(g callGraph) {
	r.sources = map[*core.Proc]*sources{}
	r.reached = map[*core.Call]bitset{}
	for _, component := range g.components {
		s := &sources{values: map[setID]bool{}}
		for _, p := range component {
			r.sources[p] = s
		}
		// The sources of the component's nodes, and of their callees outside of it.
		for _, p := range component {
			r.addSources(s, p)
			for _, q := range g.callees[p] {
				if t := r.sources[q]; t != s && t != nil {
					s.add(t)
				}
			}
		}
	}
}

// addSources adds the sources of the nodes of p.
func (r *Result) addSources(s *sources, p *core.Proc) {
	s.outside = s.outside || !p.HasBody()
	// 1. Globals and numbers in expressions.
	look := func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			switch e := e.(type) {
			case *core.AddrOf:
				r.addGlobal(s, e.Var)
			case *core.VarRef:
				r.addGlobal(s, e.Var)
			case *core.ToPtr: // a number may be the address of anything outside
				c, ok := e.X.(*core.Const)
				s.outside = s.outside || !ok || c.Val.Sign() != 0
			}
			return true
		})
	}
	for _, n := range p.Nodes {
		core.StmtExprs(n.Stmt, look)
		// 2. Arbitrary values, and results of unknown procedures.
		switch n := n.Stmt.(type) {
		case *core.Havoc:
			s.outside = s.outside || !n.Begin || n.Unset != nil
		case *core.Alloc:
			s.outside = s.outside || n.Unset != nil
		case *core.Fill:
			s.outside = s.outside || n.Byte == nil
		case *core.Call:
			if n.Callee == nil {
				_, unknown := r.targets(n)
				s.outside = s.outside || unknown
			}
		}
	}
}

// addGlobal adds v if it is a global.
func (r *Result) addGlobal(s *sources, v *core.Var) {
	switch {
	case v.Kind != core.Global:
	case v.InMemory():
		s.objects.set(int(r.solver.object(v)))
	default:
		s.values[r.variable(v.Ref())] = true
	}
}

// reachable returns the objects that c can reach.
func (r *Result) reachable(c *core.Call) bitset {
	if b, ok := r.reached[c]; ok {
		return b
	}
	// 1. Start from the arguments: the contents of an aggregate.
	w := &reachability{r: r, seen: bitset{}}
	for i, a := range c.Args {
		if a == nil {
			continue
		}
		set := r.eval(a)
		if i < len(c.Callee.Formals) {
			if t, ok := c.Callee.Formals[i].Type.(core.Agg); ok {
				set = r.contents(set, 0, extent(t.Size), outsideAddress)
			}
		}
		w.set(set)
	}
	for _, a := range c.Extra {
		if a != nil {
			w.set(r.eval(a))
		}
	}
	// 2. Add the sources of the callee.
	s := r.sources[c.Callee]
	for o := range r.solver.objects {
		if s.objects.has(o) {
			w.object(int32(o))
		}
	}
	for v := range s.values {
		w.set(v)
	}
	// 3. A number may lead to exposed objects.
	w.set(r.solver.setIn(r.solver.exposed))
	if s.outside {
		w.object(r.solver.addresses[outsideAddress].object)
	}
	// 4. Follow the contents of objects.
	w.run()
	r.reached[c] = w.seen
	return w.seen
}

// reachability is a search through the contents of objects.
type reachability struct {
	r      *Result
	inside bool // follow only what the program has stored in its own memory
	seen   bitset
	work   []int32
}

// set adds the objects of the addresses in set.
func (w *reachability) set(set setID) {
	for a := range w.r.solver.sets.all(set) {
		if a := w.r.solver.addresses[a]; w.r.solver.isOutside(a) {
			if !w.inside {
				w.object(outsideObject)
			}
		} else {
			w.object(a.object)
		}
	}
}

// object adds o, whose contents are still to be followed.
func (w *reachability) object(o int32) {
	if w.seen.has(int(o)) {
		return
	}
	w.seen.set(int(o))
	w.work = append(w.work, o)
}

// run follows the contents of the objects on the worklist. What is stored anywhere in an object
// counts, at whatever offset.
func (w *reachability) run() {
	for len(w.work) > 0 {
		n := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		if w.r.solver.objects[n].Kind == Outside {
			w.outside()
			continue
		}
		if len(w.r.solver.memories[n].lent) > 0 && !w.inside {
			w.object(outsideObject)
		}
		for _, p := range w.r.solver.memories[n].slots {
			w.set(w.r.solver.setIn(p.vertex))
		}
	}
}

// outside adds everything that has escaped.
func (w *reachability) outside() {
	for i, o := range w.r.solver.objects {
		if o.Escaped {
			w.object(int32(i))
		}
	}
}
