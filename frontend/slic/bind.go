package slic

import (
	"fmt"

	"c2bp/frontend/slic/syntax"
)

// This file gives names of rules their meaning in a C file of the program.

// determines reports whether the function of u has the object, if the event binds it.
func (c *compiler) determines(r *Rule, u use) bool {
	if r.Object == nil {
		return true
	}
	for i, n := range u.event.Params {
		if n.Text == r.Object.Name.Text && c.parameter(u, i).index < 0 {
			return false
		}
	}
	return true
}

// bind returns the C names of the names that u binds and its body reads, and notes the parameters that
// they need in a.
func (c *compiler) bind(a *action, u use) map[string]string {
	r, f := a.rule, a.fn
	names := r.watchName()
	reads := func(name string) bool {
		return r.Object != nil && name == r.Object.Name.Text || u.life != nil && u.life.If != nil && syntax.MentionsIn(u.life.If, name) ||
			u.handler != nil && syntax.Mentions(u.handler.Body, name)
	}
	// 1. Parameters. Those with an error mean something, to have one error only.
	for i, n := range u.event.Params {
		if n.Text == "_" {
			continue
		}
		of := c.parameter(u, i)
		at := of.index
		if r.Object == nil || n.Text != r.Object.Name.Text {
			names[n.Text] = "0"
		}
		switch {
		case at < 0:
			// The alias has no argument for it.
			if reads(n.Text) {
				c.errorf(u.event.Func.Pos, `the alias %s gives no value to "%s", which the body reads; expected an alias that does`, u.alias.Func.Text, n.Text)
			}
			continue
		case !f.Declared:
			c.errorf(n.Pos, `"%s": %s is declared without parameters at %s; expected a prototype`, n.Text, f.Name, f.Pos)
			continue
		case at >= f.Params:
			c.errorf(n.Pos, `"%s" is parameter %d, but %s, declared at %s, has %d; expected at most as many`, n.Text, at+1, f.Name, f.Pos, f.Params)
			continue
		}
		if !reads(n.Text) {
			continue
		}
		a.params = append(a.params, at)
		names[n.Text] = paramName(at)
		switch {
		case of.member != "":
			names[n.Text] = c.container(a.rule, u, i, at, of.member)
		case of.part != "":
			names[n.Text] = fmt.Sprintf("(&%s->%s)", paramName(at), of.part)
		}
		if r.Object != nil && n.Text == r.Object.Name.Text && !f.IsPointer(at) {
			c.errorf(n.Pos, `the object "%s" is parameter %d of %s, declared at %s, which is no pointer; expected one`, n.Text, at+1, f.Name, f.Pos)
		}
	}
	// 2. The result.
	if n := u.event.Result.Text; n != "" && reads(n) {
		a.result = true
		names[n] = "$r"
		if r.Object != nil && n == r.Object.Name.Text && !f.IsPointer(-1) {
			c.errorf(u.event.Result.Pos, `the object "%s" is the result of %s, declared at %s, which is no pointer; expected one`, n, f.Name, f.Pos)
		}
	}
	return names
}

// container returns the C expression for the object whose member is parameter at of the alias.
func (c *compiler) container(r *Rule, u use, i, at int, member string) string {
	typ := ""
	// The type of the parameter, or that of the rule's object.
	for _, f := range c.unit.Functions(u.event.Func.Text) {
		if i < f.Params && typ == "" {
			typ, _ = f.Declare(i, "")
		}
	}
	if typ == "" && r.Object != nil && u.event.Params[i].Text == r.Object.Name.Text {
		c.knownType(c.unit.Functions(u.function())[0].Unit, r.Object.Type)
		typ = r.Object.Type.String()
	}
	if typ == "" {
		c.errorf(u.event.Func.Pos, "the alias %s leads to a member of parameter %d of %s, which the program does not declare; expected a program that does", u.alias.Func.Text, i+1, u.event.Func.Text)
		return "0"
	}
	return fmt.Sprintf("((%s)((char *)%s - __builtin_offsetof(__typeof__(*(%s)0), %s)))", typ, paramName(at), typ, member)
}

// paramName returns the C name of parameter i.
func paramName(i int) string { return fmt.Sprintf("$a%d", i) }

// origin says which parameter of a function a parameter of an event comes from: that, the object of which it points to
// a member, or a part of what it points to.
type origin struct {
	index  int    // -1 if it comes from none
	member string // of the object
	part   string
}

// parameter returns where parameter i of the event comes from.
func (c *compiler) parameter(u use, i int) origin {
	if u.alias == nil || !u.alias.Given {
		return origin{index: i}
	}
	if i >= len(u.table.Params) {
		return origin{index: -1}
	}
	name := u.table.Params[i].Text
	for k, x := range u.alias.Args {
		if p, path := syntax.Root(x); p.Text == name {
			return origin{index: k, member: path}
		}
		if p, path := syntax.Part(x); p.Text == name {
			return origin{index: k, part: path}
		}
	}
	return origin{index: -1}
}

// known adds errors for the type and the initial value of g, if a file does not know their names.
func (c *compiler) known(r *Rule, unit int, g *syntax.Ghost) {
	c.knownType(unit, g.Type)
	if g.Init != nil {
		c.knownNames(r, unit, nil, g.Init)
	}
}

// knownType adds an error if t is the name of a type that a file does not know.
func (c *compiler) knownType(unit int, t syntax.Type) {
	for _, w := range t.Words {
		switch {
		case syntax.IsTypeWord(w):
			return // a tag is the matter of C
		default:
			if _, isType := c.unit.Knows(unit, w); !isType {
				c.errorf(t.Pos, `"%s" is no type at the end of %s; expected one`, w, c.names[unit])
			}
			return
		}
	}
}

// knownNames adds an error for each name in e that a file does not know; bound has the parameters.
func (c *compiler) knownNames(r *Rule, unit int, bound map[string]string, e syntax.Expr) {
	syntax.Walk(e, func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Ident:
			if _, ok := bound[e.Text]; !ok && !r.state[e.Text] {
				if known, _ := c.unit.Knows(unit, e.Text); !known {
					c.errorf(e.Pos, `"%s" means nothing at the end of %s; expected a parameter, a name of the rule's state, or one of the program`, e.Text, c.names[unit])
				}
			}
		case *syntax.Cast:
			c.knownType(unit, e.To)
		case *syntax.Sizeof:
			c.knownType(unit, e.Of)
		}
	})
}
