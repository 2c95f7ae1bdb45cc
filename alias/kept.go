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
//
// What others give as a number may be any address, and so may a pointer of which not even the origin is known.

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
		case o.Kind == zero, o.Kind == Outside && r.prog.Unreused && r.givesPointers(n):
		case o.Kind != Variable && o.Kind != Allocation,
			a.stride != 0 || a.off < 0 || a.off > 0 && a.off >= o.Size,
			o.Site != nil && (o.Site.Stack || o.Escaped && !r.prog.Unreused),
			r.freedBefore(s)[a.object]:
			return false
		}
	}
	return true
}

// givesPointers reports whether the values of the origin at address n, outside, are pointers where the program gets
// them: the result of a function, an argument, a variable or a member of memory outside.
func (r *Result) givesPointers(n int32) bool {
	if len(r.pointers) != len(r.solver.origins) { // predicates add origins
		r.pointers = map[int32]bool{}
		for k, o := range r.solver.origins {
			isPointer := true
			switch at := k.node.(type) {
			case nil: // a place outside
			case *core.Call:
				isPointer = at.Lhs != nil && isPtr(at.Lhs.Type())
			case *core.Havoc:
				isPointer = isPtr(at.Locs[k.n].Type())
			case *core.Var:
				isPointer = isPtr(at.Type)
			default:
				isPointer = false
			}
			r.pointers[o] = isPointer
		}
	}
	return r.pointers[n]
}

// isPtr reports whether t is a type of pointers.
func isPtr(t core.Type) bool {
	_, is := t.(core.Ptr)
	return is
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
