package alias

import (
	"c2bp/frontend/core"
)

// This file collects the types that the program uses objects as, outside and of its own: by reads
// and writes, the addresses of members, the types of pointers, and the parameter types of functions
// without a body.

// declare notes the types that vars are declared to point to. A declaration counts as a
// dereference, since others need no cast to dereference.
func (f *follows) declare(vars []*core.Var) {
	for _, v := range vars {
		if v.To != nil {
			f.follow(v.Ref(), 0, shapeOf(v.To))
		}
	}
}

// shapeOf returns the shape of an object of type r.
func shapeOf(r *core.Record) core.Shape { return core.Shape{Record: r, Size: r.Size} }

// look notes the dereferences in stmt.
func (f *follows) look(stmt core.Stmt) {
	core.StmtExprs(stmt, func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			// 1. Reads and writes, and declared types of pointers in memory.
			if m, ok := e.(*core.Mem); ok {
				f.plainRead(m)
				if a := f.shown(m); !a.wild {
					f.followAccess(m, a)
					for _, x := range f.spots(a) {
						if o := x.of; o != nil {
							f.touch(o.X, o.Off-o.Member, x.shape, bytesOf(x.cell))
						}
					}
				}
				if m.To != nil {
					f.follow(m, 0, shapeOf(m.To))
				}
			}
			if o, ok := e.(*core.Offset); ok && o.Of != nil { // the address of a member
				f.follow(o.X, o.Off-o.Member, shapeOf(o.Of))
			}
			return true
		})
	})
	if h, ok := stmt.(*core.Havoc); ok {
		if m, ok := h.Reads.(*core.Mem); ok {
			f.plainRead(m)
		}
	}
	// 2. Strings, copies of entire objects, and calls.
	if s, ok := stmt.(*core.Fill); ok && s.Chars && f.result.prog.CharsApart {
		f.follow(s.Dst, 0, characters.shape)
	}
	if c, ok := stmt.(*core.Copy); ok && c.Chars && f.result.prog.CharsApart {
		f.follow(c.Src, 0, characters.shape)
		f.follow(c.Dst, 0, characters.shape)
	}
	if c, ok := stmt.(*core.Copy); ok && c.Of != nil {
		for _, p := range []core.Expr{c.Src, c.Dst} {
			f.follow(p, 0, shapeOf(c.Of))
			f.touch(p, 0, shapeOf(c.Of), core.Range{End: c.Of.Size})
		}
	}
	if c, ok := stmt.(*core.Call); ok {
		f.lookAtCall(c)
	}
}

// plainRead notes that m, a pointer that is no member of a structure, may be read from outside, or from where a number
// leads: *at, but not table[n] of an array of the program.
func (f *follows) plainRead(m *core.Mem) {
	a := shownBy(m, f.result.prog.CharsApart)
	key := plainPlace{a.cell, a.shape.Tag}
	if a.shape.Record != nil || f.plain[key] {
		return
	}
	s := f.result.solver
	f.plain[key] = s.sets.contains(f.result.eval(m.Addr), func(n int32) bool {
		k := s.objects[s.addresses[n].object].Kind
		return k != Variable && k != Allocation
	})
}

// lookAtCall notes the parameter types of functions without a body for the arguments of c, and
// their result types for its result.
func (f *follows) lookAtCall(c *core.Call) {
	list, _ := f.result.targets(c)
	for _, p := range list {
		if p.HasBody() {
			continue
		}
		// 1. A parameter is used as it is declared.
		for i, v := range p.Formals {
			if v.To != nil && i < len(c.Args) && c.Args[i] != nil {
				f.follow(c.Args[i], 0, shapeOf(v.To))
			}
		}
		// 2. So is the result.
		if p.RetTo != nil {
			s := f.result.solver
			n := s.origin(originKey{node: c})
			f.followSet(s.sets.single(n), 0, shapeOf(p.RetTo))
			if len(list) == 1 {
				f.results[s.addresses[n].object] = p.RetTo
			}
		}
	}
}

// followAccess notes that m is accessed as a shows. Of bytes of numbers, the objects of the program say where these are.
func (f *follows) followAccess(m *core.Mem, a access) {
	if !a.inRow {
		f.follow(a.base, a.start, a.shape)
		f.touch(a.base, a.start, a.shape, bytesOf(a.cell))
		return
	}
	s := f.result.solver
	apart := f.result.prog.ArraysApart
	for n := range s.sets.all(f.result.eval(a.base)) {
		switch x := s.addresses[n]; {
		case s.isOutside(x):
			root, away := f.root(f.node(x.object))
			f.list[root].add(follow{shape: a.shape, at: f.inside(x).add(away, 0, 0), row: true}, f.stride[root])
		case apart && m.PartOf == 0 && s.objects[x.object].isOwn():
			f.objectFollow(x.object, follow{shape: a.shape, at: x, row: true})
		}
	}
	// Arrays that are not apart may be left.
	if !apart && m.PartOf == 0 {
		for n := range s.sets.all(f.result.eval(m.Addr)) {
			if x := s.addresses[n]; s.objects[x.object].isOwn() {
				f.objectFollow(x.object, follow{shape: a.shape, at: x})
			}
		}
	}
}

// follow notes that an object of the shape begins start bytes after the target of base.
func (f *follows) follow(base core.Expr, start int64, s core.Shape) {
	f.followSet(f.result.eval(base), start, s)
}

// looked is a use of the addresses in a set, as followSet is given it.
type looked struct {
	set   setID
	start int64
	shape core.Shape
}

// followSet notes that an object of the shape begins start bytes after the addresses in set. Many expressions
// have the same large sets, and each is gone through once.
func (f *follows) followSet(set setID, start int64, s core.Shape) {
	key := looked{set, start, s}
	if f.looked[key] {
		return
	}
	f.looked[key] = true
	f.eachTarget(set, start,
		func(root int, at address) { f.list[root].add(follow{shape: s, at: at}, f.stride[root]) },
		func(object int32, at address) { f.objectFollow(object, follow{shape: s, at: at}) })
}

// eachTarget calls outside with the root and the place of each address in set that leads outside, start bytes further on, and own
// with those in objects of the program.
func (f *follows) eachTarget(set setID, start int64, outside func(root int, at address), own func(object int32, at address)) {
	solver := f.result.solver
	for n := range solver.sets.all(set) {
		a := solver.addresses[n].add(start, 0, 0)
		switch o := solver.objects[a.object]; {
		// At the root of the origin, the distance is from there.
		case o.Kind == Outside:
			root, away := f.root(f.node(a.object))
			outside(root, f.inside(a).add(away, 0, 0))
		case o.isOwn():
			object := a.object
			a.object = 0
			own(object, a)
		}
	}
}

// touch notes that bytes are accessed of the struct s that begins start bytes after the target of base.
func (f *follows) touch(base core.Expr, start int64, s core.Shape, bytes core.Range) {
	if s.Record == nil {
		return
	}
	set := f.result.eval(base)
	key := lookedInto{looked{set, start, s}, bytes}
	if f.into[key] {
		return
	}
	f.into[key] = true
	f.eachTarget(set, start,
		func(root int, at address) { f.list[root].touch(touch{follow{shape: s, at: at}, bytes}, f.stride[root]) },
		func(object int32, at address) { f.objectTouch(object, touch{follow{shape: s, at: at}, bytes}) })
}

// lookedInto is an access to bytes of a struct at the addresses in a set, as touch is given it.
type lookedInto struct {
	looked
	bytes core.Range
}

// bytesOf returns the bytes that c is in.
func bytesOf(c cell) core.Range {
	if !c.isBounded() {
		return core.Range{End: core.Far}
	}
	return core.Range{Off: c.off / 8, End: (c.end() + 7) / 8}
}

// inside returns the addresses of a, outside of the program, at which there may be an object: where a has bounds, all but
// the last one, which is after the last element of an array ([moveElement]) where no access leaves its array.
func (f *follows) inside(a address) address {
	if a.count == 0 || !f.result.prog.ArraysApart {
		return a
	}
	return address{object: a.object, off: a.off}.add(0, a.stride, max(a.count-1, 1))
}
