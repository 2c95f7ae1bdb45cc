package refs

import (
	"cmp"
	"fmt"
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file finds the object that a place is in, from its address: for p->f the object at p, for tab[2].f
// that at &tab[2], and for tab[i].f that at &tab[i], which is one of several. Where p is not kept but can lead to
// one place only, package alias tells which.

// Spot is an object that is a variable or a part of one, and that a reference of its own always leads to.
type Spot struct {
	Var     *core.Var
	Off     int64 // of its first byte
	Class   *Class
	Name    string    // as in C: dev, pool[2]
	Address core.Expr // of its first byte
}

// mostSpots bounds the objects in one variable that have names. Others are forgotten where no reference
// leads to them, as those outside are.
const mostSpots = 8

// nameSpots names the objects in variables, those in others after these.
func (p *Plan) nameSpots() {
	for o, list := range p.parts {
		outer := slices.DeleteFunc(slices.Clone(list), func(x part) bool {
			return slices.ContainsFunc(list, func(y part) bool { return y.holds(x) })
		})
		n := int64(0)
		for _, x := range outer {
			n += x.count
		}
		if o.Var == nil || n > mostSpots {
			continue
		}
		var spots []Spot
		for _, x := range outer {
			for i := range x.count {
				off := x.off + i*x.stride
				spots = append(spots, Spot{
					Var: o.Var, Off: off, Class: x.class,
					Name:    spotName(o.Var, x, i),
					Address: element(o.Var, off, p.prog.Pointer()),
				})
			}
		}
		slices.SortFunc(spots, func(a, b Spot) int { return cmp.Compare(a.Off, b.Off) })
		for i := 0; i < len(spots); i++ { // the list grows
			for _, in := range spots[i].Class.Inner {
				spots = append(spots, Spot{
					Var: o.Var, Off: spots[i].Off + in.Off, Class: in.Class,
					Name:    spots[i].Name + "." + in.Class.Name + in.suffix(),
					Address: p.in(in, spots[i].Address),
				})
			}
		}
		p.spots[o.Var] = spots
	}
}

// spotName returns the name of object i of a part of variable v.
func spotName(v *core.Var, x part, i int64) string {
	name := v.Name
	if x.off > 0 {
		name = fmt.Sprintf("%s+%d", name, x.off)
	}
	if x.count > 1 {
		name = fmt.Sprintf("%s[%d]", name, i)
	}
	return name
}

// Unnamed lists the variables with objects of a class that have no names.
func (p *Plan) Unnamed(c *Class) (list []*alias.Object) {
	for _, o := range p.result.Objects() {
		if o.Var == nil || len(p.spots[o.Var]) > 0 {
			continue
		}
		if slices.ContainsFunc(p.parts[o], func(x part) bool { return x.class == c }) {
			list = append(list, o)
		}
	}
	return list
}

// Spots returns the objects in a variable that have names, by offset.
func (p *Plan) Spots(v *core.Var) []Spot { return p.spots[v] }

// element returns the address of a byte of a variable, always in the same form.
func element(v *core.Var, off int64, t core.Ptr) core.Expr {
	e := core.Expr(&core.AddrOf{Var: v, Typ: t})
	if off != 0 {
		e = &core.Offset{X: e, Off: off}
	}
	return e
}

// Span is bytes of an object: Size bytes from Off on; Size is -1 if that is not known. Of those of an array
// with an index that is not known, only Some are meant.
type Span struct {
	Off, Size int64
	Some      bool
}

// Covers reports whether size bytes from off on are certain to be among those of at.
func (at Span) Covers(off, size int64) bool {
	return at.Size > 0 && !at.Some && at.Off <= off && off+size <= at.Off+at.Size
}

// Within reports whether all bytes of at are among the first size bytes.
func (at Span) Within(size int64) bool {
	return at.Size >= 0 && at.Off >= 0 && at.Off+at.Size <= size
}

// Meets reports whether some of size bytes from off on may be among those of at.
func (at Span) Meets(off, size int64) bool {
	return at.Size < 0 || off < at.Off+at.Size && at.Off < off+size
}

// whole is the span of size bytes at a pointer.
func whole(size int64) Span {
	if size == 0 {
		return Span{Size: -1}
	}
	return Span{Size: size}
}

// add moves at by the displacement that an Offset or Index is.
func (at Span) add(e core.Expr) Span {
	switch e := e.(type) {
	case *core.Offset:
		at.Off += e.Off
	case *core.Index:
		if n, ok := core.ConstantOf(e.I); ok {
			at.Off += n * e.Size
			return at
		}
		// An array that is a member: any of its elements.
		if e.Count <= 0 || e.Count >= core.OpenEnd || at.Size < 0 {
			return Span{Size: -1}
		}
		at.Size += (e.Count - 1) * e.Size
		at.Some = true
	}
	return at
}

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

// wayTo lists the displacements from the base of an address to it.
func wayTo(address core.Expr) (way []core.Expr) {
	for e := address; ; {
		switch x := e.(type) {
		case *core.Offset:
			way, e = append(way, e), x.X
		case *core.Index:
			way, e = append(way, e), x.X
		default:
			slices.Reverse(way)
			return way
		}
	}
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

// along returns the bytes that size of them at the end of a way are, from its beginning on.
func along(way []core.Expr, size int64) Span {
	at := whole(size)
	for _, e := range way {
		at = at.add(e)
	}
	return at
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

// Choices returns the objects among which an address chooses, that of an element of an array, and the index;
// none if they have no names.
func (p *Plan) Choices(e core.Expr) (index *core.Index, list []Spot) {
	index, ok := e.(*core.Index)
	if !ok || len(p.ClassesOf(e, nil)) == 0 {
		return nil, nil
	}
	root := core.Base(e).(*core.AddrOf)
	o := p.partAt(root.Var, along(wayTo(index.X), 1).Off)
	for _, x := range p.spots[root.Var] {
		if o.has(x.Off) && o.class == x.Class {
			list = append(list, x)
		}
	}
	return index, list
}

// Spot returns the object with a name that is at an address; nil if there is none.
func (p *Plan) Spot(e core.Expr) *Spot {
	root, isVar := core.Base(e).(*core.AddrOf)
	if !isVar {
		return nil
	}
	for _, x := range p.spots[root.Var] {
		if core.Equal(x.Address, e) {
			return &x
		}
	}
	return nil
}
