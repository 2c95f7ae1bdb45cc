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
//	p = get();      q = malloc(4);             likewise: others may have freed the target of p, unless it is
//	                                           assumed that they have not ([core.Program].Unreused)
//
// Under this assumption a pointer from outside leads to no object that the program has freed itself, either: which of
// them it may have led to is seldom known.
//
// A pointer does not lead to its target alone, but to the object around it: so p + d is not in the new object either, for
// no d that stays in the old one.
//
//	struct dev *d = get();  q = malloc(n);     &d->lock != q + i, for 0 <= i < n
//
// What others give as a number may be any address, and so may a pointer of which not even the origin is known.

// Kept returns the bytes around the target of x, read before s allocates an object, that are certain to be in one
// object alive then, if x is neither null nor a number of the first or last page: those from lo up to hi, counted from
// the target. There are none, lo = hi, if x may be a number, or lead to an object that is not alive. Of a pointer from
// outside they are the declared bytes, as it leads to an object of the type that it is declared with, or that it is
// followed as (usedTarget), but at least one.
// A value that nobody has set is never read (C17 6.3.2.1p2).
//
//	struct dev { long n; int lock; } *p;     p = &own, or p = get():   from 0 up to 16
//	int *l = &own.lock;                      from -8 up to 8
//
// An object may be freed before s only if control can get from some Free of it to s; and what a local variable leads to
// only if it was freed since the variable was set (living.go).
func (r *Result) Kept(x core.Expr, declared core.Range, s *core.Alloc) core.Range {
	return r.kept(x, declared, s, func(o int32) bool { return isLiving(x) || !r.freedBefore(s, o) || r.isLivingAt(x, o, s) })
}

// KeptEver is Kept for any value that x has at some time before s, not the one right before it alone.
func (r *Result) KeptEver(x core.Expr, declared core.Range, s *core.Alloc) core.Range {
	return r.kept(x, declared, s, func(o int32) bool { return isLiving(x) || !r.freedBefore(s, o) })
}

// kept is Kept for a pointer that leads to a living object of the program where isAlive says so.
func (r *Result) kept(x core.Expr, declared core.Range, s *core.Alloc, isAlive func(object int32) bool) core.Range {
	if s.Stack || s.Moved { // it may be where a variable was, or the object that is being reallocated
		return core.Range{}
	}
	// Each address of x must be in a living object: no number, within bounds, not on the stack, and
	// neither freed by the program nor by others.
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := core.Range{Off: -limit, End: limit}
	for n := range r.solver.sets.all(r.eval(x)) {
		a := r.solver.addresses[n]
		o := r.solver.objects[a.object]
		switch {
		case o.Kind == zero, o.Kind == small, isLiving(x) && !isStart(a, o):
		case o.Kind == Outside && r.prog.Unreused && r.givesPointers(a.object) && around(a, declared):
			kept = kept.Both(r.usedTarget(a, declared))
		case o.Kind != Variable && o.Kind != Allocation,
			a.stride != 0 || a.off < 0 || a.off > 0 && a.off >= o.Size,
			o.Site != nil && (o.Site.Stack || o.Escaped && !r.prog.Unreused),
			!isAlive(a.object):
			return core.Range{}
		default:
			kept = kept.Both(core.Range{Off: -a.off, End: max(o.Size-a.off, 1)})
		}
	}
	return kept
}

// isLiving reports whether x is a variable that always leads to the start of an object of the program, and that the
// program sets to another one before it frees that. What its points-to set has from outside was at other times in the
// variables that it is set from:
//
//	q = error();  q = malloc(4);  x = q;      x leads to no error
func isLiving(x core.Expr) bool {
	v, ok := x.(*core.VarRef)
	return ok && v.Var.Living
}

// isStart reports whether a is the start of an object of the program.
func isStart(a address, o *Object) bool {
	return a == address{object: a.object} && (o.Kind == Variable || o.Kind == Allocation)
}

// around reports whether the bytes declared, counted from a, are around the place to which a pointer from outside leads:
// the pointer itself, or one to an object that has that place as a part. A pointer that was moved ahead may be the end of an
// object.
//
//	struct item *d = container_of(get_node(), struct item, link);      8 bytes before the node
func around(a address, declared core.Range) bool {
	return a.stride == 0 && a.off <= 0 && -a.off < declared.End
}

// usedTarget returns the bytes declared, counted from a, a pointer from outside, or those of the largest object that the
// program follows it as: a void * leads to an object of the type that it is used as. A pointer that is
// used as objects of several types, of which none has the others as parts, leads to any of them.
//
//	struct item *i = file->private_data;  i->link …      as large as a struct item
func (r *Result) usedTarget(a address, declared core.Range) core.Range {
	// 1. Where is a among the uses?
	f := r.follows
	if f == nil {
		return declared
	}
	nodes, known := f.origin(a.object)
	if !known || len(nodes) > 1 {
		return declared
	}
	root, away := f.root(nodes[0])
	if f.stride[root] != 0 {
		return declared
	}
	// 2. The largest use of just this pointer.
	var used follow
	for _, x := range f.list[root].list {
		if !x.row && x.at == (address{off: a.off + away}) && x.shape.Size > used.shape.Size {
			used = x
		}
	}
	// 3. The others must be parts of it, or apart.
	for _, x := range f.usesOf(root) {
		if !natural(f.settled(x, used, root), used, 0) {
			return declared
		}
	}
	return core.Range{Off: declared.Off, End: max(declared.End, used.shape.Size)}
}

// givesPointers reports whether the values of an origin, an object outside, are pointers where the program gets
// them: the result of a function, an argument, a variable or a member of memory outside.
func (r *Result) givesPointers(origin int32) bool {
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
			r.pointers[r.solver.addresses[o].object] = isPointer
		}
	}
	return r.pointers[origin]
}

// givesNumbers reports whether the values of an origin, an object outside, are numbers for all that the program does with them:
// it gets them as numbers, from a function, as an argument, or from a member of a struct outside, and follows none as a
// pointer.
func (r *Result) givesNumbers(origin int32) bool {
	if is, known := r.plain[origin]; known || r.follows == nil {
		return is
	}
	r.plain[origin] = false // that of values which nothing is known of
	for k, o := range r.solver.origins {
		object := r.solver.addresses[o].object
		if _, known := r.plain[object]; known && object != origin {
			continue
		}
		// 1. Where it gets them.
		var t core.Type
		switch at := k.node.(type) {
		case nil:
			if k.record != nil && k.object == 0 && !r.solver.noNumbers[o] {
				t = core.Int{}
			}
		case partOf:
			if at == pieces {
				t = core.Int{}
			}
		case *core.Call:
			if at.Lhs != nil {
				t = at.Lhs.Type()
			}
		case *core.Havoc:
			t = at.Locs[k.n].Type()
		case *core.Var:
			t = at.Type
		}
		_, is := t.(core.Int)
		// 2. What it follows them as.
		if node, known := r.follows.nodes[object]; known && is {
			root, _ := r.follows.root(node)
			is = len(r.follows.list[root].list) == 0
		}
		r.plain[object] = is
	}
	return r.plain[origin]
}

// isPtr reports whether t is a type of pointers.
func isPtr(t core.Type) bool {
	_, is := t.(core.Ptr)
	return is
}

// freed is where the program frees objects, and what it makes after that.
type freed struct {
	ends    map[int32][]core.Position // by object
	outside []core.Position           // where it frees what a pointer from outside leads to
	after   map[*core.Alloc]map[int32]bool
	// An object that is known outside may be freed by any pointer from there.
	afterOutside map[*core.Alloc]bool
}

// freedBefore reports whether the program may have freed an object of o when s is executed.
func (r *Result) freedBefore(s *core.Alloc, o int32) bool {
	if r.freed == nil {
		r.findFreed()
	}
	return r.freed.after[s][o] || r.freed.afterOutside[s] && r.solver.objects[o].Escaped
}

// endsOf returns the positions at which objects of o may be freed.
func (r *Result) endsOf(o int32) []core.Position {
	if r.freed == nil {
		r.findFreed()
	}
	if r.solver.objects[o].Escaped {
		return slices.Concat(r.freed.ends[o], r.freed.outside)
	}
	return r.freed.ends[o]
}

// findFreed follows control from each Free to the allocations that it may reach.
func (r *Result) findFreed() {
	f := &freed{ends: map[int32][]core.Position{}, after: map[*core.Alloc]map[int32]bool{}, afterOutside: map[*core.Alloc]bool{}}
	r.freed = f
	// 1. Collect the positions at which objects are freed.
	flow := core.NewFlow(r.prog)
	for _, p := range r.prog.Procs {
		for i, n := range p.Nodes {
			if s, ok := n.Stmt.(*core.Free); ok {
				f.note(r, core.Position{Proc: p, Node: i}, s)
			}
		}
	}
	// 2. Search for allocations from there.
	for o, at := range f.ends {
		for n := range flow.After(at) {
			s, ok := n.Stmt.(*core.Alloc)
			if !ok {
				continue
			}
			if f.after[s] == nil {
				f.after[s] = map[int32]bool{}
			}
			f.after[s][o] = true
		}
	}
	for n := range flow.After(f.outside) {
		if s, ok := n.Stmt.(*core.Alloc); ok {
			f.afterOutside[s] = true
		}
	}
}

// note notes the objects that s, which is at a position, may free.
func (f *freed) note(r *Result, at core.Position, s *core.Free) {
	outside := false
	for n := range r.solver.sets.all(r.eval(s.Ptr)) {
		o := r.solver.addresses[n].object
		outside = outside || r.solver.objects[o].Kind == Outside
		if list := f.ends[o]; len(list) == 0 || list[len(list)-1] != at {
			f.ends[o] = append(list, at)
		}
	}
	if outside {
		f.outside = append(f.outside, at)
	}
}
