package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file says which values cannot be the address of an object that is being allocated: those of
// objects that are alive. A number may be, and so may a pointer to an object that was freed, and a
// pointer just past an array.
//
//	p = malloc(4);  q = malloc(4);             p != q
//	p = malloc(4);  free(p);  q = malloc(4);   p may be q
//	p = get();      q = malloc(4);             likewise: others may have freed the target of p

// Kept reports whether x, read before s allocates an object, is null or the address of a byte in an
// object that is alive then, in every run. A value that nobody has set is never read (C17
// 6.3.2.1p2).
//
// It is flow-insensitive about values but not about lifetimes: an object may be freed before s only
// if control can get from some Free of it to s.
func (r *Result) Kept(x core.Expr, s *core.Alloc) bool {
	if s.Stack || s.Moved { // it may be where a variable was, or the object that is being reallocated
		return false
	}
	// Each address of x must be in a living object: no number, within bounds, not on the stack, and
	// neither freed by the program nor by others.
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.solver.sets.lists[r.eval(x)] {
		a := r.solver.addresses[n]
		o := r.solver.objects[a.object]
		switch {
		case o.Kind == zero:
		case o.Kind != Variable && o.Kind != Allocation,
			a.stride != 0 || a.off < 0 || a.off > 0 && a.off >= o.Size,
			o.Site != nil && (o.Site.Stack || o.Escaped),
			r.freedBefore(s)[a.object]:
			return false
		}
	}
	return true
}

// freedBefore returns the objects that the program may have freed when s is executed.
func (r *Result) freedBefore(s *core.Alloc) map[int32]bool {
	if r.freed == nil {
		r.findFreed()
	}
	return r.freed[s]
}

// findFreed follows control from each Free to the allocations that it may reach. It does not
// distinguish calls: where a procedure returns, control goes to all its callers.
func (r *Result) findFreed() {
	r.freed = map[*core.Alloc]map[int32]bool{}
	// 1. Collect the callers of procedures, and the positions at which objects are freed.
	f := flow{result: r, callers: map[*core.Proc][]position{}}
	ends := map[int32][]position{} // of the lifetimes of objects
	for _, p := range r.prog.Procs {
		for i, n := range p.Nodes {
			switch st := n.Stmt.(type) {
			case *core.Call:
				for _, q := range r.entered(st) {
					f.callers[q] = append(f.callers[q], position{p, i})
				}
			case *core.Free:
				for _, a := range r.solver.sets.lists[r.eval(st.Ptr)] {
					o := r.solver.addresses[a].object
					ends[o] = append(ends[o], position{p, i})
				}
			}
		}
	}
	// 2. Search for allocations from there.
	for o, at := range ends {
		for s := range f.after(at) {
			if r.freed[s] == nil {
				r.freed[s] = map[int32]bool{}
			}
			r.freed[s][o] = true
		}
	}
}

// position is a node of a procedure.
type position struct {
	proc *core.Proc
	node int
}

// flow is the control flow of a program.
type flow struct {
	result  *Result
	callers map[*core.Proc][]position
}

// entered lists the procedures with a body that c may enter: all of them if it calls through a
// pointer. After devirt.Resolve no call does.
func (r *Result) entered(c *core.Call) (list []*core.Proc) {
	switch {
	case c.Callee == nil:
		for _, p := range r.prog.Procs {
			if p.HasBody() {
				list = append(list, p)
			}
		}
	case c.Callee.HasBody():
		list = append(list, c.Callee)
	}
	return list
}

// after returns the allocations that control may reach after the given positions.
func (f *flow) after(from []position) map[*core.Alloc]bool {
	found, seen := map[*core.Alloc]bool{}, map[position]bool{}
	work := slices.Clone(from)
	// Each position is visited once.
	next := func(p *core.Proc, i int) {
		if at := (position{p, i}); !seen[at] {
			seen[at] = true
			work = append(work, at)
		}
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		// Enter the callee, return to all callers, and go on to the successors.
		n := at.proc.Nodes[at.node]
		switch st := n.Stmt.(type) {
		case *core.Alloc:
			found[st] = true
		case *core.Call:
			for _, q := range f.result.entered(st) {
				next(q, 0)
			}
		case *core.Return:
			for _, c := range f.callers[at.proc] {
				for _, i := range c.proc.Nodes[c.node].Succ {
					next(c.proc, i)
				}
			}
		}
		for _, i := range n.Succ {
			next(at.proc, i)
		}
	}
	return found
}
