package alias

import "c2bp/frontend/core"

// This file answers what a call may change.

// Affected reports whether c may change l, as the caller sees it after the call; the
// destination of c is the caller's doing and not counted. What is at one address
// before and after the call is compared: that the call may change the address, which
// l reads as well, is another question.
func (r *Result) Affected(c *core.Call, l core.Loc) bool {
	list, _ := r.Callees(c)
	if x := r.external[c]; x != nil && r.affects(x, l) {
		return true
	}
	for _, p := range list {
		if p.HasBody() && r.affects(r.effect(p), l) {
			return true
		}
	}
	return false
}

func (r *Result) affects(e *effect, l core.Loc) bool {
	switch l := l.(type) {
	case *core.VarRef:
		if !l.Var.InMemory() {
			i, ok := r.globals[l.Var]
			return ok && (e.all || e.globals.has(i))
		}
		first, bits := bitRange(l.Var.Type, 0)
		return r.affectsCell(e, address{r.solver.object(l.Var), 0, 0}, first, bits)
	case *core.Mem:
		first, bits := bitRange(l.Typ, l.Bit)
		set := r.PointsTo(l.Addr)
		for _, t := range set.targets {
			if r.affectsCell(e, address{t.Object.id, t.Off, t.Stride}, first, bits) {
				return true
			}
		}
		return set.IsEmpty() && e.outside
	}
	return false
}

// affectsCell reports whether e may change some of bits bits from first on behind a.
func (r *Result) affectsCell(e *effect, a address, first, bits int64) bool {
	o := r.solver.objects[a.object]
	switch {
	case o.Kind == Outside:
		return e.outside
	case o.Escaped && e.through,
		e.all && o.Kind == Variable && o.Var.Kind == core.Global,
		e.region && inRegion(o), e.objects[a.object]:
		return true
	}
	c := cell{a.off*8 + first, a.stride * 8, bits}.modulo()
	for _, n := range r.cells.ofObject[a.object] {
		if e.cells.has(n) && c.overlaps(r.cells.list[n].cell) {
			return true
		}
	}
	return false
}

// effect is that of a procedure of the program.
func (r *Result) effect(p *core.Proc) *effect {
	e, ok := r.effects[p]
	if !ok {
		panic("alias: procedure " + p.Name + " is not in the program")
	}
	return e
}

// MayWrite reports whether a call of p may change v as the caller sees it: v is a
// global, or a variable of the caller's frame. The destination of the call is
// the caller's doing and not counted.
func (r *Result) MayWrite(p *core.Proc, v *core.Var) bool {
	if !p.HasBody() {
		return r.externalMayWrite(v)
	}
	return r.affects(r.effect(p), v.Ref())
}

// externalMayWrite reports whether some call of an external may change v.
func (r *Result) externalMayWrite(v *core.Var) bool {
	switch {
	case r.prog.Extern == core.ExternPure || r.mutated == quietExternals:
		return false
	case r.prog.Extern == core.ExternAll && v.Kind == core.Global:
		return true
	}
	return v.InMemory() && r.solver.objects[r.solver.object(v)].Escaped
}
