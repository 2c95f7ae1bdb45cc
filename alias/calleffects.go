package alias

import "c2bp/frontend/core"

// This file answers which places a call may change: those in the effect of its callees (effects.go)
// that it can also reach (reachability.go).
//
//	void release(struct dev *d) { d->lock = 0; n++; }
//
//	release(&a);         affects a.lock and n; not b.lock, nor a.size
//
// A place outside is affected by stores through pointers from outside if their types may overlap.

// Affected reports whether c may change l, as the caller sees it after the call; the assignment to
// the destination of c is the caller's and does not count. The contents of one address before and
// after the call are compared: whether the call may change the address that l is at, which l reads
// as well, is another question.
func (r *Result) Affected(c *core.Call, l core.Loc) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.effectsOf(c) {
		if r.affects(e, l) && r.canReach(c, e, l) {
			return true
		}
	}
	return false
}

// canReach reports whether c can reach memory that l may lie in. Variables outside of memory are
// changed by name. Without it, acquire(&a->lock) would affect b->lock as soon as some other call is
// acquire(&b->lock).
func (r *Result) canReach(c *core.Call, e *effect, l core.Loc) bool {
	// 1. Effects of externals take their arguments into account already.
	if c.Callee == nil || !c.Callee.HasBody() || e.region || e.all {
		return true
	}
	// 2. Is the place in an object that the call reaches?
	switch l := l.(type) {
	case *core.VarRef:
		return !l.Var.InMemory() || r.reachable(c).has(int(r.solver.object(l.Var)))
	case *core.Mem:
		set := r.set(r.eval(l.Addr))
		for _, t := range set.targets {
			if r.reachable(c).has(int(t.Object.id)) {
				return true
			}
		}
		return set.IsEmpty() || set.Outside()
	}
	return true
}

// effectsOf lists the effects of the procedures that c may call.
func (r *Result) effectsOf(c *core.Call) []*effect {
	var out []*effect
	if x := r.outsideEffect(c); x != nil {
		out = append(out, x)
	}
	list, _ := r.targets(c)
	for _, p := range list {
		if p.HasBody() {
			out = append(out, r.effect(p))
		}
	}
	return out
}

// affects reports whether e may change l.
func (r *Result) affects(e *effect, l core.Loc) bool {
	switch l := l.(type) {
	case *core.VarRef:
		// 1. A variable outside of memory, by name; in memory, as a cell.
		if !l.Var.InMemory() {
			i, ok := r.globals[l.Var]
			return ok && (e.all || e.globals.has(i))
		}
		first, bits := bitRange(l.Var.Type, 0)
		return r.affectsCell(e, at(r.solver.object(l.Var), 0), first, bits)
	case *core.Mem:
		first, bits := bitRange(l.Typ, l.Bit)
		// 2. A place in memory, at each of its addresses.
		set := r.set(r.eval(l.Addr))
		for _, t := range set.targets {
			if t.Object.Kind == Outside && r.follows != nil {
				if r.affectsOutside(e, r.follows.shown(l)) {
					return true
				}
			} else if r.affectsCell(e, t.address(), first, bits) {
				return true
			}
		}
		return set.IsEmpty() && e.outside
	}
	return false
}

// affectsOutside reports whether e may change the place outside that a, a pointer from there, leads
// to.
func (r *Result) affectsOutside(e *effect, a access) bool {
	switch f := r.follows; {
	case !e.outside:
		return false
	case e.through || e.region || e.all || e.nowhere || !f.isKnown(a):
		return true
	case e.foreign && !r.hidden.hides(a.typed):
		return true
	default:
		// 1. Places outside that may overlap by their types.
		for n, t := range r.places {
			if (e.typed.has(n) || e.limited.has(n) && !r.hidden.hides(a.typed)) && f.shapes.overlap(a.typed, t) {
				return true
			}
		}
		// 2. Objects of the program that the pointer may lead to, as they have escaped.
		for i, o := range r.solver.objects {
			if !o.Escaped || !o.isMemory() || o.Kind == Outside {
				continue
			}
			if e.objects[o.id] && f.inObject(a.typed, o.id, whole(o.bits())) {
				return true
			}
			for _, n := range r.cells.ofObject[i] {
				if e.cells.has(n) && f.inObject(a.typed, o.id, r.cells.list[n].cell) {
					return true
				}
			}
		}
		return false
	}
}

// affectsCell reports whether e may change some of bits bits from first on after a.
func (r *Result) affectsCell(e *effect, a address, first, bits int64) bool {
	// 1. Everything outside is one.
	o := r.solver.objects[a.object]
	if o.Kind == Outside {
		return e.outside
	}
	// 2. Effects on any byte of the object.
	if e.anywhere(o) {
		return true
	}
	// 3. Functions without a body, and stores through pointers from outside that may lead into the object.
	c := a.cell(first, bits)
	if e.byOthers(o) && !r.hidesCell(o.id, c) {
		return true
	}
	if o.Escaped && r.follows != nil {
		for n, t := range r.places {
			if (e.typed.has(n) || e.limited.has(n) && !r.hidesCell(o.id, c)) && r.follows.inObject(t, o.id, c) {
				return true
			}
		}
	}
	// 4. Stores to cells of the object.
	for _, n := range r.cells.ofObject[a.object] {
		if e.cells.has(n) && c.overlaps(r.cells.list[n].cell) {
			return true
		}
	}
	return false
}

// anywhere reports whether e may change any byte of o, otherwise than by the cells that it lists.
func (e *effect) anywhere(o *Object) bool {
	return !isLiteral(o) && (o.Escaped && e.through ||
		e.all && o.Kind == Variable && o.Var.Kind == core.Global ||
		e.region && inRegion(o) ||
		e.objects[o.id])
}

// byOthers reports whether functions without a body may change bytes of o, hidden ones excepted.
func (e *effect) byOthers(o *Object) bool { return e.foreign && o.Escaped && !isLiteral(o) }

// effect returns the effect of a procedure of the program.
func (r *Result) effect(p *core.Proc) *effect {
	e, ok := r.effects[p]
	if !ok {
		panic("alias: procedure " + p.Name + " is not in the program")
	}
	return e
}
