package alias

import (
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// This file collects the values that the program puts into places outside or that others may read,
// and the places from which it reads pointers and to which others may write.

// store notes the values that stmt puts into places outside or that others may read.
func (f *follows) store(stmt core.Stmt) {
	r := f.result
	switch n := stmt.(type) {
	case *core.Assign:
		for i, l := range n.Lhs {
			f.storeAt(l, r.eval(n.Rhs[i]))
		}
	case *core.Havoc:
		for i, l := range n.Locs {
			value := r.solver.sets.single(r.solver.madeArbitrary(n, i))
			if n.Reads != nil {
				value = r.solver.sets.union(value, r.eval(n.Reads))
			}
			f.storeAt(l, value)
		}
	// An address of the program.
	case *core.Alloc:
		f.storeAt(n.Lhs, r.exactly(r.solver.addresses[r.solver.number(at(r.solver.site[n], 0))].object))
	// Arbitrary bytes in places outside, or that others may write to, are as if others had written them: what is read
	// there is of the origin of the place in any case. To follow the one origin of all bytes of a Fill would say
	// that each place which copy_to_user may reach holds the same pointer.
	case *core.Copy:
		f.storeCopy(n)
	case *core.Call:
		f.storeResult(n)
	}
}

// storeAt notes that value is put into l. An integer that is too narrow for an address carries none
// that could be followed.
func (f *follows) storeAt(l core.Loc, value setID) {
	if t, ok := l.Type().(core.Int); ok && t.Bits < f.result.solver.pointers {
		return
	}
	switch l := l.(type) {
	case *core.VarRef:
		if l.Var.InMemory() {
			first, bits := bitRange(l.Var.Type, 0)
			o := f.result.solver.object(l.Var)
			f.storeIn(f.result.exactly(o), typed{}, first, bits, value)
		}
	case *core.Mem:
		first, bits := bitRange(l.Typ, l.Bit)
		f.storeEach(f.result.eval(l.Addr), f.placesOf(l), first, bits, value)
	}
}

// placesOf lists the places outside that a write to l may be to: where its type says, or if it shows no record, one for
// each address from outside to which the pointer leads, as the origin of that may tell in which record it lies.
//
//	set_bit(n, &dev->state)      *(long *)addr, a word: byte 168 of what dev leads to, or in a row of words there
func (f *follows) placesOf(l *core.Mem) (list []where) {
	t := shownBy(l, f.result.prog.CharsApart).typed
	if first, bits := bitRange(l.Typ, l.Bit); t.wild || t.shape.Record != nil || first != 0 || bits != t.shape.Size*8 {
		return []where{{typed: t}}
	}
	a := f.shown(l)
	base, inRow := a.base, a.inRow
	s := f.result.solver
	for n := range s.sets.all(f.result.eval(base)) {
		if a := s.addresses[n]; s.isOutside(a) {
			list = append(list, where{typed: t, from: a, inRow: inRow})
		}
	}
	if len(list) == 0 { // 0[p]: the address is in the index
		list = []where{{typed: t}}
	}
	return list
}

// storeIn notes that value is put into bits bits that begin first bits after the addresses in set;
// outside the place is t.
func (f *follows) storeIn(set setID, t typed, first, bits int64, value setID) {
	f.storeEach(set, []where{{typed: t}}, first, bits, value)
}

// storeEach is storeIn with the places outside.
func (f *follows) storeEach(set setID, outside []where, first, bits int64, value setID) {
	if !f.leads(value) {
		return
	}
	for _, to := range f.result.set(set).targets {
		// The place is known by its type outside, by its bits in an object of the program.
		switch o := to.Object; {
		case o.Kind == Outside:
			for _, w := range outside {
				f.stores = append(f.stores, store{w, value})
			}
		case o.isMemory() && o.Escaped:
			if c, ok := to.cell(first, bits).in(o.bits()); ok {
				f.stores = append(f.stores, store{where{typed: typed{cell: c}, object: o.id}, value})
			}
		}
	}
}

// leads reports whether a value in set may lead outside, or to an object of the program.
func (f *follows) leads(set setID) bool {
	s := f.result.solver
	return s.sets.contains(set, func(n int32) bool { return s.objects[s.addresses[n].object].Kind <= Allocation })
}

// storeCopy notes the values that c copies.
func (f *follows) storeCopy(c *core.Copy) {
	r := f.result
	from, to := r.eval(c.Src), r.eval(c.Dst)
	// 1. Nothing is known of the type: anything in the source may get anywhere.
	if c.Of == nil {
		part := anywhere
		if c.Chars && r.prog.CharsApart {
			part = pieces
		}
		bits := min(lengthOf(r.prog, c.Dst, c.Size), lengthOf(r.prog, c.Src, c.Size))
		f.storeIn(to, r.copied(c), 0, bits, r.contents(from, 0, bits, r.solver.origin(originKey{node: part})))
		return
	}
	// 2. Each pointer of the type gets to its place.
	eachScalar(c.Of, func(a address, x core.Shape) {
		size := x.Size
		k := originKey{record: c.Of, cell: a.cell(0, size*8)}
		part := move{mode: movePointer, off: a.off, stride: a.stride, count: a.count}
		if size*8 == int64(r.solver.pointers) {
			value := r.contents(r.solver.moveSet(from, part), 0, size*8, r.solver.origin(k))
			t := typed{shape: shapeOf(c.Of), cell: k.cell}
			f.storeIn(r.solver.moveSet(to, part), t, 0, size*8, value)
		}
	})
}

// storeResult notes the result of c.
func (f *follows) storeResult(c *core.Call) {
	r := f.result
	if c.Lhs == nil {
		return
	}
	list, unknown := r.targets(c)
	// 1. Results of procedures with a body.
	for _, p := range list {
		if !p.HasBody() || p.Result == nil {
			unknown = true
			continue
		}
		if isScalar(p.RetType) {
			f.storeAt(c.Lhs, r.eval(p.Result.Ref()))
			continue
		}
		value := r.contents(r.exactly(r.solver.object(p.Result)), 0, extent(core.Bytes(p.RetType)), outsideAddress)
		f.storeWhole(c.Lhs, value)
	}
	// 2. Results from outside.
	if unknown {
		store := f.storeWhole
		if isScalar(c.Lhs.Type()) { // at the place of its type: dev->clk = get_clk(dev)
			store = f.storeAt
		}
		store(c.Lhs, r.solver.sets.single(r.solver.origin(originKey{node: c})))
	}
}

// storeWhole notes that value may be put anywhere in l.
func (f *follows) storeWhole(l core.Loc, value setID) {
	switch l := l.(type) {
	case *core.VarRef:
		if l.Var.InMemory() {
			f.storeIn(f.result.exactly(f.result.solver.object(l.Var)), typed{}, 0, extent(core.Bytes(l.Var.Type)), value)
		}
	case *core.Mem:
		f.storeIn(f.result.eval(l.Addr), typed{wild: true}, 0, extent(core.Bytes(l.Typ)), value)
	}
}

// findRead collects the places from which pointers are read, for which origins were made. They are
// ordered by the indices of their origins, so that results do not depend on the order of maps.
func (f *follows) findRead() {
	origins := f.result.solver.origins
	keys := slices.SortedFunc(maps.Keys(origins), func(a, b originKey) int { return int(origins[a] - origins[b]) })
	for _, k := range keys {
		node := f.node(f.result.solver.addresses[origins[k]].object)
		switch {
		// Values that are read from unknown places.
		case k.node == anywhere:
			f.read = append(f.read, readPlace{where{typed: typed{wild: true}}, node})
		case k.node == pieces:
			f.pieces = node
			f.read = append(f.read, readPlace{where{typed: typed{wild: true}, pieces: true}, node})
		// A place that the program reads in its own objects only.
		case k.node == nil && k.object == 0 && k.record == nil && !f.plain[plainPlace{k.cell, k.tag}]:
		// A member outside, or bits of an object of the program, wide enough for a pointer.
		case k.node == nil && k.cell.bits >= int64(f.result.solver.pointers):
			w := where{typed: typed{cell: k.cell}, object: k.object}
			if k.object == 0 {
				w.shape = core.Shape{Record: k.record, Size: k.cell.bits / 8, Tag: k.tag}
				if k.record != nil {
					w.shape.Size = k.record.Size
				}
			} else if k.record != nil { // copied from the start of the record, wherever that is
				w.cell = whole(f.result.solver.objects[k.object].bits())
			}
			f.read = append(f.read, readPlace{w, node})
		}
	}
}
