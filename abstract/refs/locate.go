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

// nameSpots names the objects in variables.
func (p *Plan) nameSpots() {
	for o, list := range p.parts {
		n := int64(0)
		for _, x := range list {
			n += x.count
		}
		if o.Var == nil || n > mostSpots {
			continue
		}
		for _, x := range list {
			for i := range x.count {
				off := x.off + i*x.class.Record.Size
				p.spots[o.Var] = append(p.spots[o.Var], Spot{
					Var: o.Var, Off: off, Class: x.class,
					Name:    spotName(o.Var, x, i),
					Address: element(o.Var, off, p.prog.Pointer()),
				})
			}
		}
		slices.SortFunc(p.spots[o.Var], func(a, b Spot) int { return cmp.Compare(a.Off, b.Off) })
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

// Locate returns the pointer to the object that size bytes at an address are in which is followed, in the form
// in which [Plan.ClassesOf] knows it, and which of its bytes they are. They may lie partly, or entirely,
// beyond its end. The pointer is nil if there is no such object.
func (p *Plan) Locate(address core.Expr, size int64) (pointer core.Expr, at Span) {
	return p.locate(address, size, true)
}

// locate is Locate; an address that is not followed may be null, as far as package alias knows.
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
	first := before.Off - (before.Off-o.off)%o.class.Record.Size
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
	if len(list) != 1 || list[0].Object.Var == nil || list[0].Stride != 0 {
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

// partAt returns the objects of a variable one of which a byte is in; nil if it is in none.
func (p *Plan) partAt(v *core.Var, off int64) *part {
	for _, x := range p.byVar[v] {
		if x.off <= off && off < x.off+x.count*x.class.Record.Size {
			return &x
		}
	}
	return nil
}

// isArray reports whether an index chooses among the objects in a variable from an offset on.
func (p *Plan) isArray(v *core.Var, off int64, x *core.Index) bool {
	return slices.ContainsFunc(p.byVar[v], func(o part) bool {
		if o.off != off || o.count < 2 || x.Size != o.class.Record.Size {
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

// Place is bytes of an object.
type Place struct {
	Pointer core.Expr // to the object
	At      Span
}

// Places lists the bytes that size of them at an address are, of each object that they are in. Those of
// the last one may go on beyond its end, unless all objects that they may be in are listed.
func (p *Plan) Places(address core.Expr, size int64) (list []Place) {
	// 1. In a variable: of each object with a name.
	root, isVar := core.Base(address).(*core.AddrOf)
	if at := along(wayTo(address), size); isVar && at.Size >= 0 {
		for _, x := range p.spots[root.Var] {
			if at.Meets(x.Off, x.Class.Record.Size) {
				inside := at
				inside.Off -= x.Off
				list = append(list, Place{x.Address, inside})
			}
		}
	}
	// 2. Elsewhere, or in one of several objects.
	pointer, at := p.Locate(address, size)
	if _, oneOf := pointer.(*core.Index); oneOf || len(list) == 0 && pointer != nil {
		return []Place{{pointer, at}}
	}
	return list
}

// Object returns the pointer to the object whose first byte is at an address, in the form in which
// [Plan.ClassesOf] knows it; nil if it is not certain to be the first byte of one.
func (p *Plan) Object(address core.Expr) core.Expr {
	pointer, at := p.locate(address, 1, false)
	if pointer == nil || at != (Span{Size: 1}) {
		return nil
	}
	return pointer
}

// ClassesOf returns the classes of the objects that a pointer leads to: a variable, the address of an object
// in one, or a member of an object; nil if it is not kept. The object is of the class that of returns for
// the pointer to it, or of any of its classes if of is nil.
func (p *Plan) ClassesOf(e core.Expr, of func(pointer core.Expr) *Class) (list []*Class) {
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
	if !isVar || at.Size < 0 || !core.Equal(p.Object(address), address) {
		return nil
	}
	return []*Class{p.partAt(root.Var, at.Off).class}
}

// Member returns the fields for the pointer that is kept at a place, in an object of the class that of
// returns for the pointer to it, or of any of its classes if of is nil; none if none is.
func (p *Plan) Member(m *core.Mem, of func(pointer core.Expr) *Class) (list []*Field) {
	pointer, at := p.Locate(m.Addr, core.Bytes(m.Typ))
	if _, isPointer := m.Typ.(core.Ptr); !isPointer || pointer == nil || at.Some || at.Size < 0 {
		return nil
	}
	if of != nil {
		if c := of(pointer); c != nil {
			list = c.At(at.Off)
		}
		return list
	}
	for _, c := range p.ClassesOf(pointer, nil) {
		list = append(list, c.At(at.Off)...)
	}
	return list
}

// Leads reports whether a place at an address may be in an object to which a reference leads.
func (p *Plan) Leads(address core.Expr) bool {
	if pointer, _ := p.Locate(address, 1); pointer != nil && len(p.ClassesOf(pointer, nil)) > 0 {
		return true
	}
	return len(p.Places(address, 1)) > 0 && isVariable(address)
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
		if o.has(x.Off) {
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
