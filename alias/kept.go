package alias

import "c2bp/frontend/core"

// This file says which values cannot be the address of an object that is being allocated: those of
// objects that are alive. A number may be, and so may a pointer to an object that was freed, and a
// pointer just past an array.
//
//	p = malloc(4);  q = malloc(4);             p != q
//	p = malloc(4);  free(p);  q = malloc(4);   p may be q
//	p = get();      q = malloc(4);             likewise: others may have freed the target of p, unless it is
//	                                           assumed that they have not ([core.Program].Unreused)

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
		case o.Kind == zero, o.Kind == Outside && r.prog.Unreused:
		case o.Kind != Variable && o.Kind != Allocation,
			a.stride != 0 || a.off < 0 || a.off > 0 && a.off >= o.Size,
			o.Site != nil && (o.Site.Stack || o.Escaped && !r.prog.Unreused),
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

// findFreed follows control from each Free to the allocations that it may reach.
func (r *Result) findFreed() {
	r.freed = map[*core.Alloc]map[int32]bool{}
	// 1. Collect the positions at which objects are freed.
	flow := core.NewFlow(r.prog)
	ends := map[int32][]core.Position{} // of the lifetimes of objects
	for _, p := range r.prog.Procs {
		for i, n := range p.Nodes {
			if f, ok := n.Stmt.(*core.Free); ok {
				for _, a := range r.solver.sets.lists[r.eval(f.Ptr)] {
					o := r.solver.addresses[a].object
					ends[o] = append(ends[o], core.Position{Proc: p, Node: i})
				}
			}
		}
	}
	// 2. Search for allocations from there.
	for o, at := range ends {
		for n := range flow.After(at) {
			s, ok := n.Stmt.(*core.Alloc)
			if !ok {
				continue
			}
			if r.freed[s] == nil {
				r.freed[s] = map[int32]bool{}
			}
			r.freed[s][o] = true
		}
	}
}
