package refs

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
)

// This file knows the objects that lie in others. In
//
//	struct dev { int id; struct lock lock; }         class dev  { ref lock {&lock}; }
//	                                                 class lock { ref dev {in dev}; }
//
// the lock of each dev is an object of its own, to which pointers lead that know nothing of devs. It has an
// owner, and the owner has a reference to it; neither changes as long as the two live. A lock that stands alone
// has no owner. &d->lock is a way down, container_of a way up; with a lock at the beginning of a dev the address is the
// same, and the class that is asked for decides.

// Inner is an object of a class in each object of another one, its owner.
type Inner struct {
	Owner, Class *Class
	Off          int64 // in the owner

	down, up string // the marks of the steps to the part, and to the owner
}

// meets reports whether some of size bytes of the owner from off on are in the part.
func (i *Inner) meets(off, size int64) bool {
	return off < i.Off+i.Class.Record.Size && i.Off < off+size
}

// suffix tells parts of one class in the same owner apart.
func (i *Inner) suffix() string {
	for _, j := range i.Owner.Inner {
		if j != i && j.Class == i.Class {
			return fmt.Sprintf("+%d", i.Off)
		}
	}
	return ""
}

// Down returns the name of the owner's reference to the part.
func (i *Inner) Down() string { return fmt.Sprintf("{&%s%s}", i.Class.Name, i.suffix()) }

// Up returns the name of the part's reference to its owner.
func (i *Inner) Up() string { return fmt.Sprintf("{in %s%s}", i.Owner.Name, i.suffix()) }

// findInner finds the classes in whose objects those of c lie, or the reason not to keep c.
func (p *Plan) findInner(c *Class) (why string) {
	var list []*Inner
	for _, d := range p.Classes {
		offsets, ok := offsetsIn(d.Record, c.Record)
		if !ok {
			return fmt.Sprintf("it is a part of %s, which is kept, in a union or in an array", d.Record.Name)
		}
		for _, off := range offsets {
			// In another part of d: it is one of that.
			if !slices.ContainsFunc(d.Inner, func(i *Inner) bool { return i.Off <= off && off < i.Off+i.Class.Record.Size }) {
				name := fmt.Sprintf("%s+%d is %s", d.Record.Name, off, c.Record.Name) // no member is called so
				list = append(list, &Inner{Owner: d, Class: c, Off: off, down: "{&" + name + "}", up: "{in " + name + "}"})
			}
		}
	}
	for _, i := range list {
		i.Owner.Inner = append(i.Owner.Inner, i)
		c.Outer = append(c.Outer, i)
		p.steps[i.down], p.steps[i.up] = i, i
	}
	return ""
}

// forget takes back that objects of c lie in others.
func (p *Plan) forget(c *Class) {
	for _, d := range p.Classes {
		d.Inner = slices.DeleteFunc(d.Inner, func(i *Inner) bool { return i.Class == c })
	}
	c.Outer = nil
}

// offsetsIn lists the offsets of the objects of type inner in one of type r; ok is false if some lie in a
// union or in an array.
func offsetsIn(r, inner *core.Record) (list []int64, ok bool) {
	if !contains(r, inner) {
		return nil, true
	}
	if isUnion(r) {
		return nil, false
	}
	for _, m := range r.Members {
		if m.Record == nil || m.Record != inner && !contains(m.Record, inner) {
			continue
		}
		if m.Count != 1 {
			return nil, false
		}
		if m.Record == inner {
			list = append(list, m.Off)
			continue
		}
		more, ok := offsetsIn(m.Record, inner)
		if !ok {
			return nil, false
		}
		for _, off := range more {
			list = append(list, m.Off+off)
		}
	}
	return list, true
}

// innerParts lists the objects of class c that lie in those of list, and not in other parts of these.
func innerParts(list []part, c *Class) (inner []part) {
	for _, x := range list {
		for _, i := range c.Outer {
			if i.Owner == x.class {
				inner = append(inner, x.inner(i.Off, c))
			}
		}
	}
	return inner
}

// inner returns the objects of class c at an offset in each of x.
func (x part) inner(off int64, c *Class) part {
	if x.count == 1 {
		return one(x.off+off, c)
	}
	return part{x.off + off, x.count, x.stride, c}
}

// holds reports whether each object of x has one of y as a part, or as a part of a part.
func (x part) holds(y part) bool {
	return slices.ContainsFunc(x.class.Embeds(y.class), func(off int64) bool { return x.inner(off, y.class) == y })
}

// outermostFirst orders types such that none lies in one after it.
func outermostFirst(wants []Want) (list []Want) {
	wants = slices.Clone(wants)
	for len(wants) > 0 {
		i := slices.IndexFunc(wants, func(w Want) bool {
			return !slices.ContainsFunc(wants, func(x Want) bool { return contains(x.Record, w.Record) })
		})
		list = append(list, wants[i])
		wants = slices.Delete(wants, i, i+1)
	}
	return list
}

// step returns the way that an address is from one object to another; nil if it is none. down says that it leads to
// a part.
func (p *Plan) step(e core.Expr) (i *Inner, down bool) {
	o, ok := e.(*core.Offset)
	if !ok || o.Field == "" || o.Field[0] != '{' {
		return nil, false
	}
	i = p.steps[o.Field]
	return i, i != nil && o.Field == i.down
}

// in returns the address of the part in the object at an address.
func (p *Plan) in(i *Inner, owner core.Expr) core.Expr {
	if j, down := p.step(owner); j == i && !down {
		return owner.(*core.Offset).X
	}
	return &core.Offset{X: owner, Off: i.Off, Field: i.down}
}

// around returns the address of the owner of the part at an address.
func (p *Plan) around(i *Inner, inner core.Expr) core.Expr {
	if j, down := p.step(inner); j == i && down {
		return inner.(*core.Offset).X
	}
	return &core.Offset{X: inner, Off: -i.Off, Field: i.up}
}

// Step returns the object from which a pointer is a way to a part of it, or to its owner, and the way; nil if it is
// none.
func (p *Plan) Step(pointer core.Expr) (from core.Expr, i *Inner, down bool) {
	if i, down = p.step(pointer); i == nil {
		return nil, nil, false
	}
	return pointer.(*core.Offset).X, i, down
}

// Merged returns e with the steps of ways added up, as the program computes addresses.
func (p *Plan) Merged(e core.Expr) core.Expr {
	return core.Replace(e, func(e core.Expr) core.Expr {
		o, ok := e.(*core.Offset)
		if i, _ := p.step(e); !ok || i != nil {
			return nil
		}
		if i, _ := p.step(o.X); i == nil {
			return nil
		}
		sum := *o
		for {
			i, _ := p.step(sum.X)
			if i == nil {
				break
			}
			inner := sum.X.(*core.Offset)
			sum.X, sum.Off = inner.X, sum.Off+inner.Off
		}
		sum.X = p.Merged(sum.X)
		return &sum
	})
}

// Embeds lists the offsets at which objects of class d lie in those of c, in parts of parts, too.
func (c *Class) Embeds(d *Class) (list []int64) {
	for _, i := range c.Inner {
		if i.Class == d {
			list = append(list, i.Off)
		}
		for _, off := range i.Class.Embeds(d) {
			list = append(list, i.Off+off)
		}
	}
	return list
}

// as returns the pointer to the object of class c that is off bytes after an object of class b, at an address; nil
// if none is certain to be there.
func (p *Plan) as(pointer core.Expr, b *Class, off int64, c *Class) core.Expr {
	// 1. The object itself, or a part of it.
	if x := p.below(pointer, b, off, c); x != nil {
		return x
	}
	// 2. In an owner, if there is just one that fits.
	var found core.Expr
	for _, i := range b.Outer {
		to := off + i.Off
		if to < 0 || to >= i.Owner.Record.Size || !p.isIn(i, pointer, to == 0 && i.Owner == c) {
			continue
		}
		x := p.as(p.around(i, pointer), i.Owner, to, c)
		if x != nil && found != nil {
			return nil
		}
		if x != nil {
			found = x
		}
	}
	return found
}

// below returns the pointer to the object of class c that begins off bytes after the first one of an object of class
// b, and is it or a part of it; nil if there is none.
func (p *Plan) below(pointer core.Expr, b *Class, off int64, c *Class) core.Expr {
	if off == 0 && b == c {
		return pointer
	}
	for _, i := range b.Inner {
		if i.Off <= off && off < i.Off+i.Class.Record.Size {
			return p.below(p.in(i, pointer), i.Class, off-i.Off, c)
		}
	}
	return nil
}

// isIn reports whether the objects at an address are certain to be parts i of an owner. The program may say so, of
// objects outside, if it computes the address of the owner; but a pointer from outside may lead to an object of the
// program that others know.
func (p *Plan) isIn(i *Inner, pointer core.Expr, said bool) bool {
	targets := p.result.PointsTo(p.around(i, pointer))
	list := p.leadTo(targets, i.Owner.Record)
	switch {
	case len(list) != 1 || list[0] != i.Owner || len(targets.Targets()) == 0:
		return false
	case !targets.Outside():
		return true
	}
	return said && !p.knownOutside(i)
}

// knownOutside reports whether an object of the program that others know has one of class i.Class which is not
// part i of an owner.
func (p *Plan) knownOutside(i *Inner) bool {
	for o, list := range p.parts {
		for _, x := range list {
			alone := !slices.ContainsFunc(list, func(y part) bool { return y.class == i.Owner && y.inner(i.Off, i.Class) == x })
			if o.Escaped && x.class == i.Class && alone {
				return true
			}
		}
	}
	return false
}
