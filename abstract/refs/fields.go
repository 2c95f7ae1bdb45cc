package refs

import (
	"cmp"
	"fmt"
	"slices"

	"c2bp/frontend/core"
)

// This file finds the members that are kept, and their places in objects.

// fieldsOf returns the members of a class that are kept, by offset.
func (p *Plan) fieldsOf(c *Class) (list []*Field) {
	// 1. One access to each; those that read it know the type that it is declared to point to.
	members := map[int64]access{}
	for _, a := range p.accesses {
		_, isPointer := a.mem.Typ.(core.Ptr)
		if a.record != c.Record || !isPointer || a.name == "" || slices.ContainsFunc(c.Inner, func(i *Inner) bool { return i.meets(a.off, core.Bytes(a.mem.Typ)) }) {
			continue
		}
		if old, ok := members[a.off]; !ok || old.mem.To == nil {
			members[a.off] = a
		}
	}
	// 2. Those that lead to objects of classes.
	for off, a := range members {
		place := c.place(c.This.Ref(), off, a.mem)
		classes := p.leadTo(p.result.PointsTo(place), a.mem.To)
		for _, d := range classes {
			name := a.name
			if len(classes) > 1 {
				name = RoleName(name, d)
			}
			list = append(list, &Field{Off: off, Name: name, Class: d, as: a.mem})
		}
	}
	slices.SortStableFunc(list, func(a, b *Field) int { return cmp.Compare(a.Off, b.Off) })
	return list
}

// RoleName returns the name of that part of a pointer which leads to objects of class c, if it leads to
// objects of others, too: {data as dev}.
func RoleName(name string, c *Class) string { return fmt.Sprintf("{%s as %s}", name, c.Name) }

// place returns the member at an offset of the object of c at an address, read as a place of the program
// is.
func (c *Class) place(object core.Expr, off int64, as *core.Mem) *core.Mem {
	return as.At(&core.Offset{X: object, Off: off, Of: c.Record, Member: off})
}

// To returns the type that the member is declared to point to, nil if that is not known.
func (f *Field) To() *core.Record { return f.as.To }

// Place returns the member f of any object of c.
func (c *Class) Place(f *Field) *core.Mem { return c.place(c.This.Ref(), f.Off, f.as) }

// At returns the member f of the object of class c at an address.
func (f *Field) At(object core.Expr, c *Class) *core.Mem { return c.place(object, f.Off, f.as) }

// At returns the fields for the pointer member at an offset of an object of c: one for each class of
// the objects that it leads to; none if it is not kept.
func (c *Class) At(off int64) (list []*Field) {
	for _, f := range c.Fields {
		if f.Off == off {
			list = append(list, f)
		}
	}
	return list
}
