package slic

import (
	"slices"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
	"c2bp/frontend/slic/syntax"
)

// This file finds the entry points of a type, and puts actions around their calls. A kernel calls them through
// tables, so that a rule does not know their names:
//
//	event dispatch(device, irp) = entrypoint NTSTATUS (DEVICE_OBJECT *, IRP *)
//
// The events are at the calls that main makes, which stands for the kernel, and at no others: where a driver
// calls the same function itself, that is no business of the kernel's.

// entered returns the functions of type s that main calls.
func (c *compiler) entered(s *syntax.Signature) (list []*frontend.Function) {
	for _, n := range c.unit.Program.Entry.Nodes {
		call, ok := n.Stmt.(*core.Call)
		if !ok || call.Callee == nil || !call.Callee.HasBody() {
			continue
		}
		for _, f := range c.unit.Functions(call.Callee.CName) {
			if f.Proc == call.Callee.Name && c.has(f, s) && !slices.ContainsFunc(list, func(g *frontend.Function) bool { return g.Proc == f.Proc }) {
				list = append(list, f)
			}
		}
	}
	return list
}

// has reports whether f is of type s: pointers lead to the same types, whatever their names are, and numbers
// are the same ones.
func (c *compiler) has(f *frontend.Function, s *syntax.Signature) bool {
	if f.Variadic || !f.Declared || f.Params != len(s.Params) {
		return false
	}
	is := func(i int, t syntax.Type) bool { return f.Is(i, t.Words, t.Stars) }
	for i, t := range s.Params {
		if !is(i, t) {
			return false
		}
	}
	if len(s.Result.Words) == 1 && s.Result.Words[0] == "void" && s.Result.Stars == 0 {
		return f.IsVoid()
	}
	return !f.IsVoid() && is(-1, s.Result)
}

// functionsOf returns the functions of u.
func (c *compiler) functionsOf(u use) []*frontend.Function {
	if u.alias != nil && u.alias.Entry != nil {
		return c.entered(u.alias.Entry)
	}
	return c.unit.Functions(u.function())
}

// entrance notes in r, and reports, whether main calls an entry point of those that it has events of.
func (c *compiler) entrance(r *Rule) (found bool) {
	for _, e := range r.points() {
		for _, t := range c.events {
			if e.Label || t.Name.Text != e.Func.Text || !t.OfEntries() {
				continue
			}
			for _, a := range t.Aliases {
				if !a.Entry.Optional {
					r.Required = append(r.Required, a.Entry.String())
				}
				r.entries = append(r.entries, a.Entry)
				found = found || len(c.entered(a.Entry)) > 0
			}
		}
	}
	slices.Sort(r.Required)
	r.Required = slices.Compact(r.Required)
	r.Entered = found
	return found
}

// fits reports whether c may be a call of a function of type s, as far as numbers and pointers tell.
func fits(c *core.Call, s *syntax.Signature) bool {
	args := slices.Concat(c.Args, c.Extra)
	if len(args) != len(s.Params) {
		return false
	}
	for i, a := range args {
		if a == nil {
			continue
		}
		if _, isInt := a.Type().(core.Int); isInt && s.Params[i].Stars > 0 {
			return false
		}
	}
	return true
}

// entries puts actions around the calls of entry points, the functions with a body that main calls, and after
// them those of each entry point.
func (in *instrumenter) entries() {
	e := &splice.Edit{}
	for i, n := range in.proc.Nodes {
		c, ok := n.Stmt.(*core.Call)
		if ok && c.Callee == nil {
			// It may be a call of an entry point that the rule cannot do without.
			for _, r := range in.rules {
				if slices.ContainsFunc(r.entries, func(s *syntax.Signature) bool { return !s.Optional && fits(c, s) }) {
					r.Indirect = append(r.Indirect, n.Pos)
				}
			}
		}
		if !ok || c.Callee == nil || !c.Callee.HasBody() || in.actions[c.Callee] {
			continue
		}
		list := in.entered[c.Callee.Name]
		var result core.Expr
		var deliver []*core.Node
		if slices.ContainsFunc(list, func(a *action) bool { return a.result }) {
			result = in.result(c, &deliver, n.Pos)
		}
		lhs := c.Lhs
		before, after := in.around(list, c.Args, result, func(e core.Expr) bool { return keeps(e, lhs) }, n.Pos)
		for _, d := range deliver[:max(0, len(deliver)-1)] {
			before = splice.Chain(before, []*core.Node{d})
		}
		e.Before(i, before, nil)
		e.After(i, after)
		e.After(i, in.atPoint("entrypoint", n.Pos))
		if len(deliver) > 0 {
			e.After(i, deliver[len(deliver)-1:])
		}
	}
	e.Apply(in.proc)
}
