package finite

import (
	"fmt"

	"c2bp/boolprog"
)

// This file translates what makes and chooses objects.

// before evaluates the sites of a node, or of its enforce clause, in order.
func (b *builder) before(sites []*site) {
	for _, s := range sites {
		if s.count == 0 { // control never reaches it
			continue
		}
		switch e := s.expr.(type) {
		case *boolprog.New:
			b.makes(e, s)
		case *boolprog.Any:
			b.chooses(e, s)
		case *boolprog.Select:
			b.reads(e, s)
		}
	}
}

// makes notes the object that a site makes: the first of its own that was not made.
func (b *builder) makes(e boolprog.Expr, s *site) {
	var v value
	for k, o := range s.objects {
		when := b.within(o)
		if k+1 < len(s.objects) {
			when = and(when, not(b.made(o)))
		}
		v = append(v, guard{o, when})
	}
	b.fresh[e] = v
}

// initialise adds to an assignment that a site makes an object: it exists, and the fields that might have
// been made arbitrary before have their first values. (All others have had them since the start.)
func (u *update) initialise(e *boolprog.New) {
	for _, g := range u.fresh[e] {
		o := &u.objects[g.object]
		if o.flag != "" {
			u.set(o.flag, g.when, yes)
		}
		for k, f := range o.class.Fields {
			if u.dead[field{o.class.Name, f.Name}] {
				u.first(g.object, k, g.when)
			}
		}
	}
}

// first assigns to a field the value that it has in a new object, where a condition holds.
func (u *update) first(o, k int, when boolprog.Expr) {
	f, outside := u.objects[o].class.Fields[k], u.objects[o].outside
	switch c := u.fields[o][k]; {
	case c != nil && outside:
		u.bits(c, when, c.constant(c.noNumber()))
	case c != nil:
		u.bits(c, when, c.constant(null))
	case outside:
	case f.Init == nil:
		u.set(u.scope.values[o][k], when, no)
	default:
		if _, arbitrary := f.Init.(*boolprog.Nondet); !arbitrary {
			u.set(u.scope.values[o][k], when, boolprog.Copy(f.Init))
		} else if u.dead[field{u.objects[o].class.Name, f.Name}] {
			u.set(u.scope.values[o][k], when, &boolprog.Nondet{})
		}
	}
}

// chooses evaluates a choice of an object into a variable of its own. It may be one that was made, or the next
// one of its site; this exists when it is stored.
func (b *builder) chooses(e boolprog.Expr, s *site) {
	own := map[int]boolprog.Expr{}
	for _, o := range s.objects {
		own[o] = b.within(o)
	}
	c := b.chosenOf[s.class]
	if c == nil { // one for all choices of the class: a statement has one at most
		c = newCell(b.ofClass[s.class], false, b.bitOf(&b.proc[b.p.Index], fmt.Sprint("any ", s.class)))
		b.chosenOf[s.class] = c
	}
	a := &boolprog.Assign{Constrain: b.mayBe(c, own)}
	for _, name := range c.bits {
		a.Lhs, a.Rhs = append(a.Lhs, &boolprog.Ref{Name: name}), append(a.Rhs, &boolprog.Nondet{})
	}
	if len(c.bits) > 0 {
		b.emit(&boolprog.Node{Kind: boolprog.NodeAssign, Assign: a})
	}
	b.fresh[e] = c.value(false)
}

// mayBe returns the condition that the next value of a cell is null, an object that was made, or one of own
// under its condition.
func (b *builder) mayBe(c *cell, own map[int]boolprog.Expr) boolprog.Expr {
	e := c.is(null, true)
	for k, o := range c.objects {
		when, isOwn := own[o]
		if !isOwn {
			when = b.made(o)
		}
		e = or(e, and(c.is(k+1, true), when))
	}
	return e
}

// exists adds to an assignment that the object which was chosen exists.
func (u *update) exists(e *boolprog.Any) {
	for _, g := range u.fresh[e] {
		u.set(u.objects[g.object].flag, g.when, yes)
	}
}

// reads decides a field that is read, if it is undecided: it leads to null, to an object that was made, or to
// a new one, of its own or of the site. All that is one assignment.
func (b *builder) reads(e *boolprog.Select, s *site) {
	u, constrain := b.newUpdate(), boolprog.Expr(yes)
	own := map[int]boolprog.Expr{}
	for _, o := range s.objects {
		own[o] = b.within(o)
	}
	made := map[int]boolprog.Expr{} // objects that appear, and when
	for _, g := range b.reference(e.X) {
		f, i := b.objects[g.object].class.Field(e.Field)
		if !b.undecides(g.object, f) {
			continue
		}
		// 1. The field gets any value that it may have.
		c := b.fields[g.object][i]
		open := and(g.when, c.is(c.noNumber(), false))
		u.bits(c, open, anything(len(c.bits)))
		new := own
		if o, is := b.owned[owner{g.object, e.Field}]; is {
			new = map[int]boolprog.Expr{o: yes}
		}
		constrain = and(constrain, or(not(open), b.mayBe(c, new)))
		// 2. A new object exists from now on.
		for _, o := range c.objects {
			if _, isNew := new[o]; isNew {
				if made[o] == nil {
					made[o] = no
				}
				made[o] = or(made[o], and(open, c.is(c.number(o), true)))
			}
		}
	}
	if len(u.names) == 0 {
		return
	}
	for _, o := range b.ofClass[s.class].list() {
		if made[o] != nil {
			flag := b.objects[o].flag
			u.set(flag, yes, &boolprog.Nondet{})
			constrain = and(constrain, &boolprog.Binary{Op: boolprog.Eq, X: &boolprog.Ref{Name: flag, Next: true}, Y: or(b.made(o), made[o])})
		}
	}
	b.emit(&boolprog.Node{Kind: boolprog.NodeAssign, Assign: u.assign(constrain)})
}

// anything returns choices.
func anything(n int) []boolprog.Expr {
	out := make([]boolprog.Expr, n)
	for i := range out {
		out[i] = &boolprog.Nondet{}
	}
	return out
}
