package alias

import "c2bp/frontend/core"

// This file shows the tests that use package devirt as well what they hold against runs.

// ObjectOf returns the object of a variable, an allocation site or a procedure, whichever is not nil;
// the outside one if all are.
func (r *Result) ObjectOf(v *core.Var, site *core.Alloc, p *core.Proc) *Object {
	s := r.solver
	n := int32(outsideObject)
	switch {
	case v != nil:
		n = s.varObject[v]
	case site != nil:
		n = s.site[site]
	case p != nil:
		n = s.function[p]
	}
	return s.objects[n]
}

// Writes reports whether c may change some of bits bits from first on in o.
func (r *Result) Writes(c *core.Call, o *Object, first, bits int64) (found bool) {
	for _, e := range r.effectsOf(c) {
		found = found || r.affectsCell(e, at(o.id, 0), first, bits)
	}
	return found
}

// AnalyzeBlurred analyses p with objects that are blurred as soon as they have more than n slots, and returns
// how many are.
func AnalyzeBlurred(p *core.Program, n int64) (r *Result, blurred int) {
	s := newSolver(p)
	s.fewSlots = n
	r = s.analyze()
	for _, m := range s.memories {
		if m.blurred {
			blurred++
		}
	}
	return r, blurred
}
