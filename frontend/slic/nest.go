package slic

import (
	"fmt"
	"slices"

	"c2bp/frontend"
	"c2bp/frontend/slic/syntax"
)

// This file makes one event of several functions that mean it and call each other. Kernels implement
// spin_lock by _raw_spin_lock, which a header may also make of it:
//
//	spin_lock(l)                    entry: lock$depth$0++; is it 1? the handlers of the entry
//	    _raw_spin_lock(&l->rlock)   entry and exit at depth 2: nothing
//	                                exit: is it 1? the handlers of the exit; lock$depth$0--
//
// So the outermost function counts that has the object, if the event binds one; a function that has not is
// none of them. Functions without a body call none of the others, and need no depth if all are so.

// nesting is an event of a rule whose functions may call each other.
type nesting struct {
	event string
	uses  []use // of each function, without handlers
	depth string
}

// nestings returns the nestings of r.
func (c *compiler) nestings(r *Rule) (list []*nesting) {
	for _, e := range r.points() {
		if e.Label || slices.ContainsFunc(list, func(n *nesting) bool { return n.event == e.Func.Text }) {
			continue
		}
		// An object that only the result tells is not known at the entry.
		if r.Object != nil && e.Result.Text == r.Object.Name.Text {
			continue
		}
		n := &nesting{event: e.Func.Text, depth: r.global(fmt.Sprintf("depth$%d", len(list)))}
		entry := *e
		entry.Exit, entry.Result = false, syntax.Name{}
		functions, defined := 0, false
		for _, u := range c.uses(&entry) {
			if u.alias != nil && u.alias.Entry != nil || !c.determines(r, u) {
				continue
			}
			n.uses = append(n.uses, u)
			for _, f := range c.unit.Functions(u.function()) {
				functions++
				defined = defined || f.Defined
			}
		}
		if functions > 1 && defined {
			list = append(list, n)
		}
	}
	return list
}

// points returns the events of r.
func (r *Rule) points() (list []*syntax.Point) {
	for _, h := range r.Handlers {
		list = append(list, h.Events...)
	}
	for _, l := range r.Lives {
		list = append(list, l.Event)
	}
	return list
}

// function returns the name of the function of u.
func (u use) function() string {
	if u.alias != nil {
		return u.alias.Func.Text
	}
	return u.event.Func.Text
}

// nest adds to the uses of each function of a nesting a step of the depth, first at the entry and last at the
// exit, and ties the other uses to the depth.
func (c *compiler) nest(list []*nesting, get func(f *frontend.Function, exit bool) *[]use) {
	for _, n := range list {
		for _, u := range n.uses {
			for _, f := range c.unit.Functions(u.function()) {
				enter, leave := u, u
				enter.step, leave.step = n.depth+"++", n.depth+"--"
				at := get(f, false)
				tie(*at, n)
				*at = append([]use{enter}, *at...)
				at = get(f, true)
				tie(*at, n)
				*at = append(*at, leave)
			}
		}
	}
}

// tie ties the uses of the event of n to its depth.
func tie(uses []use, n *nesting) {
	for i := range uses {
		if uses[i].event.Func.Text == n.event && uses[i].step == "" {
			uses[i].depth = n.depth
		}
	}
}

// stepDepth writes a step of a depth, of the object that is watched if there is one.
func (w *writer) stepDepth(u use) {
	pos := u.event.Pos
	if r := w.rule; r.Object != nil && u.event.Binds(r.Object.Name.Text) {
		w.putf(pos, "if ((void *)%s == %s)\n", w.names[r.Object.Name.Text], r.global("watch"))
	}
	w.putf(pos, "%s;\n", u.step)
}
