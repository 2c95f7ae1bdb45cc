package refs

import (
	"cmp"
	"fmt"
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file names the objects in variables.

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
