package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file answers which places may share a bit by their types: places outside of the program, and
// in objects of its own that others know.

// overlap reports whether a and b may share a bit.
func (f *follows) overlap(a, b where) bool {
	switch {
	case (a.pieces || b.pieces) && !f.joined:
		return false
	case a.object != 0 && b.object != 0:
		return a.object == b.object && a.cell.overlaps(b.cell)
	case a.object != 0:
		return f.inObject(b.typed, a.object, a.cell)
	case b.object != 0:
		return f.inObject(a.typed, b.object, b.cell)
	}
	return f.shapes.overlap(a.typed, b.typed)
}

// placed returns w in the smallest record in which it lies by the uses of the pointer that leads there: a number that
// is accessed at byte 168 of something that the program uses as a struct net_device is that member. Without
// such a use, w is returned as it is: a number anywhere.
func (f *follows) placed(w where) where {
	node, known := f.nodes[w.from.object]
	if w.from.object == 0 || !known {
		return w
	}
	root, away := f.root(node)
	if f.stride[root] != 0 {
		return w
	}
	// 1. Uses in which the place lies as a whole.
	from, size := w.from.add(away, 0, 0), w.shape.Size
	var best follow
	off := int64(0) // the place in best
	for _, x := range f.list[root].list {
		if x.shape.Record == nil || x.at.stride != from.stride || x.at.count != from.count {
			continue
		}
		d := from.off - x.at.off
		if !from.isBounded() { // in an element of the array that the pointer is moved along
			d = mod(d, from.stride)
		}
		within := d+size <= x.shape.Size || x.shape.Holds(d, w.shape) // or in an array without an end
		if 0 <= d && within && (best.shape.Record == nil || x.shape.Size < best.shape.Size) {
			best, off = x, d
		}
	}
	if best.shape.Record == nil {
		return w
	}
	// 2. The place, or the row that it is in: no access leaves an array.
	place := at(0, off)
	if w.inRow {
		row, ok := best.shape.Record.RowAt(off, size)
		if !ok || !f.result.prog.ArraysApart {
			return w
		}
		place = address{off: row.Off, stride: size, count: row.Count}
	}
	return where{typed: typed{shape: best.shape, cell: place.cell(0, 8*size)}}
}

// inObject reports whether t, a place that a pointer from outside leads to, may share bits with c
// in an object of the program that others know. The type of such an object is the one that it is
// declared with, and those that the program uses it as; an array of characters may hold anything, unless they
// are apart. Nobody writes to a string literal: whatever else than characters is read there from outside is as
// arbitrary as any value from outside, and stays.
func (f *follows) inObject(t typed, object int32, c cell) bool {
	switch {
	case t.wild:
		return true
	case isLiteral(f.result.solver.objects[object]) && (t.shape.Record != nil || t.shape.Size > 1):
		return false
	case isOfOthers(f.result.solver.objects[object].Var, t.shape.Record):
		return false
	}
	// 1. Nothing is known of the object's type.
	list := f.objects[object].of()
	own, declared := f.declared(object)
	if !declared && len(list) == 0 || declared && f.holdsAnything(own) {
		return true
	}
	// 2. The declared type, and uses of the object that it does not contain; or it is around that.
	if declared {
		if f.result.prog.Declared && own.shape.Record != nil {
			inner := typed{shape: own.shape, cell: c.shift(address{off: -own.at.off, stride: own.at.stride})}
			return t.shape.Is(own.shape) && t.cell.overlaps(inner.cell) || f.shapes.holds(inner, t)
		}
		if f.inFollow(t, own, c, false) {
			return true
		}
		for _, x := range list {
			if !own.contains(x) && f.inFollow(t, x, c, true) {
				return true
			}
		}
		return f.isAround(t, object, c)
	}
	// 3. An allocation has no room for it, and the program uses it as nothing that is larger: only a part of it, if it is around that.
	if o := f.result.solver.objects[object]; o.Size > 0 && t.shape.Record != nil && t.shape.Size > o.Size &&
		!slices.ContainsFunc(list, func(x follow) bool { return x.shape.Size > o.Size }) {
		return f.isAround(t, object, c)
	}
	// 4. The uses of an allocation, but those that are parts of another; or it is around that.
	return slices.ContainsFunc(list, func(x follow) bool { return !f.isPart(x, object) && f.inFollow(t, x, c, true) }) || f.isAround(t, object, c)
}

// isAround reports whether t may share bits with c in an object, as a struct around it of which the program accesses these bits.
func (f *follows) isAround(t typed, object int32, c cell) bool {
	l := f.objects[object]
	return l != nil && slices.ContainsFunc(l.around, func(x touch) bool {
		both, ok := c.both(address{off: x.at.off + x.bytes.Off}.cell(0, 8*(x.bytes.End-x.bytes.Off)))
		return ok && f.inFollow(t, x.follow, both, true)
	})
}

// isPart reports whether x, a use of an allocation, is a part of another one that is as large as the objects are: the
// use as a list, say, of the member of a struct that was allocated. The objects are such structs then.
func (f *follows) isPart(x follow, object int32) bool {
	l := f.objects[object]
	return l != nil && slices.ContainsFunc(l.whole, func(y follow) bool { return !y.shape.Is(x.shape) && y.contains(x) })
}

// inFollow reports whether t may share bits with c in an object that is used as x; other says that
// x may be a part of a larger object.
func (f *follows) inFollow(t typed, x follow, c cell, other bool) bool {
	// Positions in the object, or in any of those at the stride.
	x = x.anyInRow()
	inner := typed{shape: x.shape, cell: c.shift(address{off: -x.at.off})}
	if x.at.stride > 0 {
		inner.cell = inner.cell.shift(address{stride: x.at.stride})
	}
	switch {
	case t.shape.Is(x.shape) && t.cell.overlaps(inner.cell):
		return true
	case !other && x.at.stride == 0 && t.shape.Size > x.shape.End(): // there is no room for it
		return false
	case f.shapes.areLaid(t, inner, !other):
		return true
	}
	return f.shapes.holds(inner, t) || other && f.shapes.holds(t, inner)
}

// isKnown reports whether the analysis has taken into account the type that a shows: the program
// dereferences its pointer so, or might. A predicate need not, as it may cast. If it is false,
// types must not be used to tell a from other places.
func (f *follows) isKnown(a access) bool {
	if a.wild {
		return true
	}
	s := f.result.solver
	for n := range s.sets.all(f.result.eval(a.base)) {
		v := s.addresses[n].add(a.start, 0, 0)
		if !s.isOutside(v) {
			continue
		}
		nodes, known := f.origin(v.object)
		if !known {
			return false
		}
		for _, node := range nodes {
			root, away := f.root(node)
			if f.isPostponed(root) || !f.isUse(root, v.add(away, 0, 0), a) {
				return false
			}
		}
	}
	return true
}

// isUse reports whether the program follows values of a root as a shows, at the place v, or could without laying other types over
// each other.
func (f *follows) isUse(root int, v address, a access) bool {
	x := follow{shape: a.shape, at: f.inside(v), row: a.inRow}
	// 1. A part that is in an object of the program, if the struct is around that, was left out of account if the program does
	//    not access it.
	if bytes := bytesOf(a.cell); len(f.windows[a.shape.Record].Common(core.Ranges{bytes})) > 0 && !f.list[root].hasTouched[touch{x.upTo(f.stride[root]), bytes}] {
		return false
	}
	// 2. It does.
	if f.list[root].has[x.upTo(f.stride[root])] {
		return true
	}
	// 3. It could: wherever it may have got the value.
	for _, s := range f.upstreams(root) {
		x := x
		x.at = x.at.add(s.off, 0, 0)
		x = x.upTo(s.stride)
		for _, y := range f.list[s.root].list {
			z, y := f.settled(x, y, s.root), f.settled(y, x, s.root)
			if !f.coexist(z, y, s.stride) || !f.coexist(z, z, s.stride) {
				return false
			}
		}
	}
	return true
}

// origin returns the nodes of the origin object: its own, or those of the reads of the same place.
func (f *follows) origin(object int32) (nodes []int, known bool) {
	if node, known := f.nodes[object]; known {
		return []int{node}, true
	}
	return f.readAs(object)
}

// readAs returns the origins of the values that the program reads from a place outside, when object is the origin of
// reads of this place as a predicate writes it: pdev->dev.driver_data, where the program reads dev->driver_data. A value is
// there that the program would read there, too. All stores there must be known to reach one of its reads: had the program
// read the place so, nothing would be different. If it is not so, known is false.
func (f *follows) readAs(object int32) (nodes []int, known bool) {
	a, met := f.readsAs[object]
	if !met {
		a.nodes, a.known = f.findReadAs(object)
		f.readsAs[object] = a
	}
	return a.nodes, a.known
}

// placeOf returns the place outside, a member of a struct, from which the values of the origin object are read; ok is false of
// any other origin.
func (f *follows) placeOf(object int32) (place where, ok bool) {
	s := f.result.solver
	for k, n := range s.origins {
		if s.addresses[n].object == object && k.node == nil && k.object == 0 && k.record != nil {
			return where{typed: typed{shape: shapeOf(k.record), cell: k.cell}}, true
		}
	}
	return where{}, false
}

// findReadAs computes readAs.
func (f *follows) findReadAs(object int32) (nodes []int, known bool) {
	s := f.result.solver
	// 1. The place.
	place, found := f.placeOf(object)
	if !found || place.cell.bits < int64(s.pointers) {
		return nil, false
	}
	// 2. The reads there.
	var at []int
	for i, r := range f.read {
		if f.overlap(place, r.where) {
			at = append(at, i)
			nodes = append(nodes, r.origin)
		}
	}
	if len(at) == 0 {
		return nil, false
	}
	// 3. The stores there.
	for _, st := range f.stores {
		if f.overlap(st.where, place) && !slices.ContainsFunc(at, func(i int) bool { return f.overlap(st.where, f.read[i].where) }) {
			return nil, false
		}
	}
	return nodes, true
}

// excludes reports whether types exclude that a pointer from outside that the program dereferences
// leads to some object of the program that others know, and that two of them lead to places that
// overlap.
func (f *follows) excludes() (objects, overlaps bool) {
	r := f.result
	places := r.typedPlaces()
	// 1. Two places outside that cannot overlap.
	for i, t := range places {
		for _, u := range places[:i] {
			overlaps = overlaps || !f.shapes.overlap(t, u)
		}
	}
	// 2. A place outside that cannot be in some object of the program, or the target of a result.
	for _, o := range r.solver.objects {
		if o.Escaped && o.Kind != Outside && o.isMemory() && !isLiteral(o) {
			objects = objects || f.isTooSmall(o) || slices.ContainsFunc(places, func(t typed) bool { return !f.inObject(t, o.id, whole(o.bits())) })
		}
	}
	return objects, overlaps
}

// dependsOnCharacters reports whether a pointer from outside is followed to characters, or to something else where
// others know characters of the program.
func (f *follows) dependsOnCharacters() bool {
	given := slices.ContainsFunc(f.result.solver.objects, func(o *Object) bool {
		own, declared := f.declared(o.id)
		return o.Escaped && declared && own.isBytes() && !isLiteral(o)
	})
	return slices.ContainsFunc(f.result.typedPlaces(), func(t typed) bool { return given || t.shape == characters.shape })
}

// typedPlaces lists the places outside that the program reads or writes, by their types.
func (r *Result) typedPlaces() (places []typed) {
	seen := map[typed]bool{}
	add := func(address core.Expr, t typed) {
		if !t.wild && !seen[t] && r.leadsOutside(address) {
			seen[t] = true
			places = append(places, t)
		}
	}
	for _, p := range r.prog.Procs {
		for _, n := range p.Nodes {
			// 1. Reads and writes of scalars.
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					if m, ok := e.(*core.Mem); ok {
						for _, x := range r.spots(m) {
							add(m.Addr, x.typed)
						}
					}
					return true
				})
			})
			// 2. Strings and copies.
			if s, ok := n.Stmt.(*core.Fill); ok && s.Chars && r.prog.CharsApart {
				add(s.Dst, characters)
			}
			if c, ok := n.Stmt.(*core.Copy); ok {
				add(c.Dst, r.copied(c))
				add(c.Src, r.copied(c))
			}
		}
	}
	return places
}

// copied returns the place that c copies.
func (r *Result) copied(c *core.Copy) typed {
	switch {
	case c.Chars && r.prog.CharsApart:
		return characters
	case c.Of == nil:
		return typed{wild: true}
	}
	return typed{shape: shapeOf(c.Of), cell: whole(c.Of.Size * 8)}
}

// MayMix reports whether objects outside of the program of these shapes may overlap although
// neither lies in the other: in a union, or since the program uses one as the other.
func (r *Result) MayMix(a, b core.Shape) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.follows == nil || r.follows.shapes.mayMix(a, b)
}

// MayLie is MayMix if the object of shape b begins distance bytes after the start of that of shape a.
func (r *Result) MayLie(a, b core.Shape, distance int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.follows == nil || r.follows.shapes.mayLie(follow{shape: a}, follow{shape: b, at: at(0, distance)}, false)
}

// MayUse reports whether an object of shape s may begin at byte off of the object of v or, if v is
// nil, of one that site allocates: as its type says, or since the program uses it so.
func (r *Result) MayUse(v *core.Var, site *core.Alloc, off int64, s core.Shape) bool {
	if isOfOthers(v, s.Record) {
		return false
	}
	x := follow{shape: s, at: at(0, off)}
	return r.isUsed(v, site, func(f *follows, own follow) bool { return own.contains(x) || f.shapes.mayLie(own, x, true) },
		func(f *follows, use follow) bool {
			return natural(use, x, 0) && use.cell().overlaps(x.cell()) || f.shapes.mayLie(use, x, false)
		})
}

// MayMixWith reports whether an object of shape s may overlap that of v or, if v is nil, one that site allocates,
// although types do not nest so.
func (r *Result) MayMixWith(v *core.Var, site *core.Alloc, s core.Shape) bool {
	return r.isUsed(v, site, func(f *follows, own follow) bool { return len(f.shapes.distances(s, own.shape, true)) > 0 },
		func(f *follows, use follow) bool { return f.shapes.mayMix(s, use.shape) })
}

// MayHold reports whether an object of shape s may lie anywhere in one that site allocates.
func (r *Result) MayHold(site *core.Alloc, s core.Shape) bool {
	declared := func(f *follows, own follow) bool {
		return own.shape.Holds(0, s) || len(f.shapes.distances(s, own.shape, true)) > 0
	}
	return r.isUsed(nil, site, declared, func(*follows, follow) bool { return true })
}

// isUsed reports whether declared holds for the type with which the object of v or site is declared, or used for
// one that the program uses it as; or whether nothing is known of it.
func (r *Result) isUsed(v *core.Var, site *core.Alloc, declared, used func(*follows, follow) bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.follows
	object, known := r.solver.varObject[v]
	if v == nil {
		object, known = r.solver.site[site]
	}
	if f == nil || !known {
		return true
	}
	// 1. As the object is declared, or anything if nothing is known of it.
	list := f.objects[object].of()
	own, isDeclared := f.declared(object)
	if isDeclared && (f.holdsAnything(own) || declared(f, own)) || !isDeclared && len(list) == 0 {
		return true
	}
	// 2. As the program uses it.
	return slices.ContainsFunc(list, func(y follow) bool {
		// A use that is nothing else than what it is declared as, or a part of a larger one.
		isPart := isDeclared && own.contains(y) || !isDeclared && f.isPart(y, object)
		return !isPart && used(f, y.anyInRow())
	})
}

// contains reports whether x is a part of own, an object as it is declared, at all places of x. A row is if the place from
// which it is accessed is an element: no access leaves the array.
func (own follow) contains(x follow) bool {
	off, step := x.at.off, x.at.stride
	part := func(off int64) bool { return off == 0 && own.shape == x.shape || own.shape.Holds(off, x.shape) }
	// 1. The places: all in an element of an array, since these are equal, or from the first one of x to its last.
	var first, end int64
	switch {
	case own.at.stride > 0:
		step = gcd(step, own.at.stride)
		first, end = mod(off, step), own.at.stride
	case step == 0:
		return part(off)
	case x.at.isBounded():
		first, end = off, x.at.last()+1
		if own.shape.End() >= core.OpenEnd { // they repeat
			end = min(end, endFor(own.shape, off, step))
		}
	default:
		first, end = mod(off, step), endFor(own.shape, 0, step)
	}
	// 2. A part of own at each of them.
	if (end-first)/step > mostPositions {
		return false
	}
	for off = first; off < end; off += step {
		if !part(off) {
			return false
		}
	}
	return true
}

// holdsAnything reports whether an object that is declared as own may hold objects of any type: an array of characters,
// unless those to which pointers from outside lead are apart.
func (f *follows) holdsAnything(own follow) bool {
	return own.isBytes() && !f.result.prog.CharsApart
}

// isBytes reports whether x, an object as it is declared, is an array of characters.
func (x follow) isBytes() bool {
	return x.shape.Record == nil && x.shape.Size == 1 && x.at.stride > 0
}

// cell returns the bits that x takes.
func (x follow) cell() cell { return x.at.cell(0, x.shape.Size*8) }

// declared returns the declared shape of object; ok is false if it is not known.
func (f *follows) declared(object int32) (own follow, ok bool) {
	o := f.result.solver.objects[object]
	if f.isCharacters(o) {
		return follow{shape: characters.shape, at: address{stride: 1}}, true
	}
	if o.Kind != Variable || o.Var.Declared == nil {
		return follow{}, false
	}
	d := o.Var.Declared
	own.shape = d.Shape()
	if d.Count > 1 {
		own.at = address{stride: d.Size, count: closed(d.Count)}
	}
	return own, true
}

// mayMeet reports whether two places may share a bit by their types: a, which a pointer from
// outside leads to, and b, which the addresses in set lead to, bits bits that begin first bits
// after them.
func (f *follows) mayMeet(a, b access, set Set, first, bits int64) bool {
	if !f.isKnown(a) {
		return true
	}
	// Outside, by the types of both; in an object of the program, by the type of a and the place.
	for _, t := range set.targets {
		switch o := t.Object; {
		case o.Kind == Outside:
			if !f.isKnown(b) || f.mayShare(a, b) {
				return true
			}
		case o.isMemory() && o.Escaped:
			if f.inObject(a.typed, o.id, t.cell(first, bits)) && f.haveRoom(f.result.eval(a.base), o.id) {
				return true
			}
		}
	}
	return false
}
