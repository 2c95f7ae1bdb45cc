package refs

import (
	"slices"

	"c2bp/frontend/core"
)

// This file finds the object that a place is in, from its address: for p->f the object at p, for tab[2].f
// that at &tab[2], and for tab[i].f that at &tab[i], which is one of several. Where p is not kept but can lead to
// one place only, package alias tells which.

// Classes says to objects of which class a pointer is known to lead; nil if that is not known.
type Classes func(pointer core.Expr) *Class

// Place is bytes of an object.
type Place struct {
	Pointer core.Expr // to the object, in the form in which [Plan.ClassesOf] knows it; nil if there is none
	At      Span
	Class   *Class // of the object; nil if it is of one of several, or if the pointer is not kept
}

// Locate returns the innermost object that size bytes at an address are in which is followed. They may lie partly,
// or entirely, beyond its end.
func (p *Plan) Locate(address core.Expr, size int64, of Classes) Place {
	x := p.outer(address, size, of)
	for x.Class != nil {
		i := slices.IndexFunc(x.Class.Inner, func(i *Inner) bool { return x.At.Off >= i.Off && x.At.Off+x.At.Size <= i.Off+i.Class.Record.Size })
		if i < 0 || x.At.Size < 0 {
			break
		}
		x = p.inside(x, x.Class.Inner[i])
	}
	return x
}

// inside returns the bytes of x as those of a part of its object.
func (p *Plan) inside(x Place, i *Inner) Place {
	x.At.Off -= i.Off
	return Place{p.in(i, x.Pointer), x.At, i.Class}
}

// outer returns the object that size bytes at an address are in, by the pointer that the address is computed from:
// the one that this leads to, or its owner.
func (p *Plan) outer(address core.Expr, size int64, of Classes) Place {
	pointer, at := p.locate(address, size, true)
	x := Place{Pointer: pointer, At: at, Class: p.classOf(pointer, of)}
	o, isMember := address.(*core.Offset)
	for x.Class != nil && at.Size >= 0 && !x.At.Within(x.Class.Record.Size) {
		// 1. The owners in which the bytes may be, by the type that the program says.
		var owner *Inner
		for _, i := range x.Class.Outer {
			first := x.At.Off + i.Off
			fits := first >= 0 && first+x.At.Size <= i.Owner.Record.Size && isMember && o.Of != nil
			if fits && (o.Of == i.Owner.Record || i.Owner.Record.Holds(first-o.Member, o.Of)) && p.isIn(i, x.Pointer, o.Of == i.Owner.Record) {
				if owner != nil {
					return x
				}
				owner = i
			}
		}
		if owner == nil {
			return x
		}
		// 2. The only one.
		x.At.Off += owner.Off
		x = Place{p.around(owner, x.Pointer), x.At, owner.Owner}
	}
	return x
}

// classOf returns the class of the objects that a pointer leads to, if there is just one.
func (p *Plan) classOf(pointer core.Expr, of Classes) *Class {
	if pointer == nil {
		return nil
	}
	if of != nil {
		if c := of(pointer); c != nil {
			return c
		}
	}
	if list := p.ClassesOf(pointer, of); len(list) == 1 {
		return list[0]
	}
	return nil
}

// locate returns the pointer that an address is computed from, or to the outermost object of a variable, and the
// bytes of its object; an address that is not followed may be null, as far as package alias knows.
func (p *Plan) locate(address core.Expr, size int64, followed bool) (pointer core.Expr, at Span) {
	// 1. The way from the pointer that the address is computed from.
	base, way := core.Base(address), wayTo(address)
	// 2. A pointer that is followed.
	root, isVar := base.(*core.AddrOf)
	if !isVar {
		at = along(way, size)
		// A displacement from null is undefined.
		if spot, off := p.only(address); (followed || at.Off != 0) && spot != nil && at.Size >= 0 && !at.Some && len(p.ClassesOf(base, nil)) == 0 {
			return spot.Address, Span{Off: off, Size: at.Size}
		}
		return base, at
	}
	// 3. A variable: an element of an array of objects.
	before := Span{}
	for i, e := range way {
		if x, ok := e.(*core.Index); ok && !isConstant(x.I) {
			if p.isArray(root.Var, before.Off, x) {
				return x, along(way[i+1:], size)
			}
			break
		}
		before = before.add(e)
	}
	// 4. The object at constant distance.
	o := p.partAt(root.Var, before.Off)
	if o == nil {
		return nil, Span{}
	}
	first := before.Off - (before.Off-o.off)%o.stride
	at = along(way, size)
	at.Off -= first
	return element(root.Var, first, p.prog.Pointer()), at
}

// only returns the object with a name that an address is certain to be in, and the byte of it; nil if there
// is none. Where the address is followed, its pointer leads there, although no reference holds that.
func (p *Plan) only(address core.Expr) (*Spot, int64) {
	list := p.result.PointsTo(address).Targets()
	if len(list) != 1 || list[0].Object.Var == nil || list[0].Stride != 0 || !p.sole(list[0].Object.Var, address) {
		return nil, 0
	}
	for _, x := range p.spots[list[0].Object.Var] {
		if off := list[0].Off - x.Off; off >= 0 && off < x.Class.Record.Size {
			return &x, off
		}
	}
	return nil, 0
}

// isConstant reports whether an expression is a constant.
func isConstant(e core.Expr) bool {
	_, ok := core.ConstantOf(e)
	return ok
}

// partAt returns the objects of a variable one of which a byte is in, and which are no parts of others; nil if it
// is in none.
func (p *Plan) partAt(v *core.Var, off int64) *part {
	for _, x := range p.byVar[v] { // the outermost ones first
		if x.covers(off) {
			return &x
		}
	}
	return nil
}

// isArray reports whether an index chooses among the objects in a variable from an offset on.
func (p *Plan) isArray(v *core.Var, off int64, x *core.Index) bool {
	return slices.ContainsFunc(p.byVar[v], func(o part) bool {
		if o.off != off || o.count < 2 || x.Size != o.stride {
			return false
		}
		end := o.off+o.count*x.Size == core.Bytes(v.Type)
		switch x.Count {
		case core.OpenEnd: // it may go on, in the variable
			return end
		case 0: // either way
			return end && off == 0
		}
		return x.Count == o.count
	})
}

// Places lists the bytes that size of them at an address are, of each object that they are in: an object before
// its parts. Those of the last one may go on beyond its end, unless all objects that they may be in are listed.
func (p *Plan) Places(address core.Expr, size int64, of Classes) (list []Place) {
	// 1. In a variable: of each object with a name.
	root, isVar := core.Base(address).(*core.AddrOf)
	if at := along(wayTo(address), size); isVar && at.Size >= 0 {
		for _, x := range p.spots[root.Var] {
			if at.Meets(x.Off, x.Class.Record.Size) {
				inside := at
				inside.Off -= x.Off
				list = append(list, Place{x.Address, inside, x.Class})
			}
		}
	}
	// 2. Elsewhere, or in one of several objects.
	x := p.outer(address, size, of)
	if _, oneOf := x.Pointer.(*core.Index); !oneOf && (len(list) > 0 || x.Pointer == nil) {
		return list
	}
	list = []Place{x}
	for i := 0; i < len(list); i++ { // the list grows
		if list[i].Class == nil {
			continue
		}
		for _, in := range list[i].Class.Inner {
			if list[i].At.Meets(in.Off, in.Class.Record.Size) {
				list = append(list, p.inside(list[i], in))
			}
		}
	}
	return list
}

// Object returns the pointer to the outermost object whose first byte is at an address, in the form in which
// [Plan.ClassesOf] knows it; nil if it is not certain to be the first byte of one.
func (p *Plan) Object(address core.Expr) core.Expr {
	pointer, at := p.locate(address, 1, false)
	if pointer == nil || at.Size != 1 || at.Some {
		return nil
	}
	for at.Off != 0 {
		c := p.classOf(pointer, nil)
		if c == nil {
			return nil
		}
		i := slices.IndexFunc(c.Inner, func(i *Inner) bool { return i.Off <= at.Off && at.Off < i.Off+i.Class.Record.Size })
		if i < 0 {
			return nil
		}
		pointer, at.Off = p.in(c.Inner[i], pointer), at.Off-c.Inner[i].Off
	}
	return pointer
}

// As returns the pointer to the object of class c whose first byte is at an address, in the form in which
// [Plan.ClassesOf] knows it: of a part of the object that a pointer leads to, or of its owner. It is nil if none is
// certain to be there.
func (p *Plan) As(address core.Expr, c *Class, of Classes) core.Expr {
	pointer, at := p.locate(address, 1, false)
	b := p.classOf(pointer, of)
	if b == nil || at.Size != 1 || at.Some {
		return nil
	}
	return p.as(pointer, b, at.Off, c)
}

// ClassesOf returns the classes of the objects that a pointer leads to: a variable, the address of an object
// in one, or a member of an object; nil if it is not kept. The object is of the class that of returns for
// the pointer to it, or of any of its classes if of is nil.
func (p *Plan) ClassesOf(e core.Expr, of Classes) (list []*Class) {
	if i, down := p.step(e); i != nil {
		if down {
			return []*Class{i.Class}
		}
		return []*Class{i.Owner}
	}
	switch e := e.(type) {
	case *core.VarRef:
		return p.vars[e.Var]
	case *core.Mem:
		for _, f := range p.Member(e, of) {
			if !slices.Contains(list, f.Class) {
				list = append(list, f.Class)
			}
		}
		return list
	case *core.AddrOf, *core.Offset:
		return p.inVariable(e, along(wayTo(e), 1))
	case *core.Index:
		return p.inVariable(e, along(wayTo(e.X), 1))
	}
	return nil
}

// inVariable returns the class of the object at an address, the first of which, if it is one of several, is
// at that distance from a variable.
func (p *Plan) inVariable(address core.Expr, at Span) []*Class {
	root, isVar := core.Base(address).(*core.AddrOf)
	if !isVar || at.Size < 0 {
		return nil
	}
	if object, in := p.locate(address, 1, false); in != (Span{Size: 1}) || !core.Equal(object, address) {
		return nil
	}
	if x := p.partAt(root.Var, at.Off); x != nil {
		return []*Class{x.class}
	}
	return nil
}

// Member returns the fields for the pointer that is kept at a place, in an object of the class that of
// returns for the pointer to it, or of any of its classes if of is nil; none if none is.
func (p *Plan) Member(m *core.Mem, of Classes) (list []*Field) {
	if _, isPointer := m.Typ.(core.Ptr); !isPointer {
		return nil
	}
	x := p.Locate(m.Addr, core.Bytes(m.Typ), of)
	switch {
	case x.Pointer == nil || x.At.Some || x.At.Size < 0:
		return nil
	case x.Class != nil:
		return x.Class.At(x.At.Off)
	case of != nil:
		return nil
	}
	// One of several.
	for _, c := range p.ClassesOf(x.Pointer, nil) {
		x := p.Locate(m.Addr, core.Bytes(m.Typ), func(e core.Expr) *Class {
			if core.Equal(e, x.Pointer) {
				return c
			}
			return nil
		})
		if x.Class != nil {
			list = append(list, x.Class.At(x.At.Off)...)
		}
	}
	return list
}

// Leads reports whether a place at an address may be in an object to which a reference leads.
func (p *Plan) Leads(address core.Expr) bool {
	if pointer, _ := p.locate(address, 1, true); pointer != nil && len(p.ClassesOf(pointer, nil)) > 0 {
		return true
	}
	return len(p.Places(address, 1, nil)) > 0 && isVariable(address)
}

// isVariable reports whether an address is in a variable.
func isVariable(address core.Expr) bool {
	_, is := core.Base(address).(*core.AddrOf)
	return is
}
