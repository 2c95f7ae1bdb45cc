package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file says where in a range of bytes a place begins, if it has a byte of it.
//
//	struct dev { long id; int lock; } *d = calloc(1, sizeof *d), *e = get();
//
// A program that gives away d may get it back as e. Then e->lock is at byte 8 of the zeros of calloc and nowhere else in them: all
// of the new object is one struct dev, in which there is no other one. So e->lock is 0 after the call if e == d, and as
// before if not: to know that e is not d is enough.

// Distance returns how many bytes after the start of the range w the place l begins, wherever the two have a byte in
// common; known is false if that is not one number.
func (r *Result) Distance(l, w *core.Mem) (d int64, known bool) {
	places, ranges := r.PointsTo(l.Addr).Targets(), r.PointsTo(w.Addr).Targets()
	for _, to := range ranges {
		// 1. The range begins at one byte of an object that the program allocates.
		if to.Object.Kind != Allocation || to.Stride != 0 {
			return 0, false
		}
		for _, from := range places {
			// 2. The place is in such an object as the program's own pointer leads there, or one from outside.
			at, one := from.Off, from.Stride == 0
			switch {
			case from.Object.Kind == Outside && to.Object.Escaped:
				at, one = r.offsetIn(l, to.Object)
			case from.Object != to.Object:
				continue
			}
			if !one || known && at-to.Off != d {
				return 0, false
			}
			d, known = at-to.Off, true
		}
	}
	return d, known
}

// offsetIn returns the byte of o at which the place l begins if a pointer from outside leads there: l is a member of a
// struct, o is one such struct as a whole, and objects outside that are not nested by their types do not overlap. It
// is used only if the ledger says so, and that such pointers lead to places of their types; one is false if the byte is not known.
func (r *Result) offsetIn(l *core.Mem, o *Object) (off int64, one bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.follows
	if f == nil {
		return 0, false
	}
	// 1. The struct that l is in, as far as the analysis has taken that into account.
	a := shownBy(l, r.prog.CharsApart)
	if a.wild || a.shape.Record == nil || a.cell.stride != 0 || a.shape.Size != o.Size || !f.isKnown(a) {
		return 0, false
	}
	// 2. The object is one, and no two of them overlap.
	if use := f.objects[o.id]; use == nil || !slices.ContainsFunc(use.whole, func(x follow) bool { return x.shape.Is(a.shape) }) || len(f.shapes.distances(a.shape, a.shape, false)) > 0 {
		return 0, false
	}
	// 3. The lines of the ledger.
	if f.told == nil {
		types, nesting := f.excludes()
		told := (types || f.places) && nesting
		f.told = &told
	}
	if !*f.told {
		return 0, false
	}
	first, _ := bitRange(l.Typ, l.Bit)
	return (a.cell.off - first) / 8, true
}
