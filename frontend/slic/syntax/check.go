package syntax

import (
	"fmt"
	"slices"

	"c2bp/source"
)

// This file checks files of rules, and collects the items of each rule.

// Set is the rules of a file, checked.
type Set struct {
	Rules  []*Checked
	Events []*Event // of all files that were read
	Files  []*source.File
}

// Checked is a rule whose items are collected. Of what only a program can tell, nothing is known yet:
// types, members, functions.
type Checked struct {
	*Rule
	File     *source.File
	Severity string     // error, warning or note
	Applies  []Name     // the rule applies to programs that mention one of them
	Object   *Object    // or nil
	Ghosts   []*Ghost   // with distinct names
	Handlers []*Handler // in order
	Lives    []*Life    // in order
}

// Handler is the body of an On or At, with the events at which it is executed.
type Handler struct {
	Pos     source.Pos
	Events  []*Point
	Moments []Moment
	Body    *Block
}

// Has reports whether the handler is executed at the moment m.
func (h *Handler) Has(m Moment) bool { return slices.Contains(h.Moments, m) }

// Binds reports whether all events of the handler bind the name.
func (h *Handler) Binds(name string) bool {
	return len(h.Moments) == 0 && !slices.ContainsFunc(h.Events, func(e *Point) bool { return !e.Binds(name) })
}

// Binds reports whether the event binds the name: to a parameter or to the result.
func (e *Point) Binds(name string) bool {
	return e.Result.Text == name || slices.ContainsFunc(e.Params, func(n Name) bool { return n.Text == name })
}

// check checks files, the first of which has the rules that count.
func check(files []*File) (*Set, error) {
	c := &checker{templates: map[string]*Rule{}, names: map[string]Name{}, home: map[*Rule]*source.File{}, set: &Set{}}
	// 1. What the files declare: parametrised rules, tables of events.
	for i, f := range files {
		c.set.Files = append(c.set.Files, f.Source)
		c.file = f.Source
		for _, d := range f.Decls {
			c.declare(d, i == 0)
		}
	}
	// 2. Rules, and uses in place of rules.
	for i, f := range files {
		c.file = f.Source
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *Rule:
				checked := c.rule(d)
				if i == 0 && d.Formals == nil {
					c.set.Rules = append(c.set.Rules, checked)
				}
			case *Use:
				if r := c.use(d); r != nil && i == 0 {
					c.set.Rules = append(c.set.Rules, r)
				}
			}
		}
	}
	if err := c.errs.Err(); err != nil {
		c.errs.Sort()
		return nil, c.errs
	}
	return c.set, nil
}

// checker checks the rules of a set.
type checker struct {
	file      *source.File // being checked
	templates map[string]*Rule
	names     map[string]Name // of rules and uses
	home      map[*Rule]*source.File
	set       *Set
	errs      source.List

	// Of the rule that is being checked.
	ghosts  map[string]*Ghost
	consts  map[string]bool
	params  map[string]bool // bound in the body that is being checked
	silent  bool            // no errors: an instance of what was checked before
	objName string
}

// errorf adds an error.
func (c *checker) errorf(pos source.Pos, format string, args ...any) {
	if !c.silent {
		c.errs.Add(c.file.Errorf(pos, format, args...))
	}
}

// unique adds an error if names has a name already, and adds it otherwise. Names are of kind things.
func (c *checker) unique(names map[string]Name, n Name, kind string) {
	if old, known := names[n.Text]; known {
		c.errorf(n.Pos, `%s "%s" is declared twice, first at %s; expected another name`, kind, n.Text, old.Pos)
		return
	}
	names[n.Text] = n
}

// declare notes a declaration. Those of other files than the first need no names of their own.
func (c *checker) declare(d Decl, first bool) {
	switch d := d.(type) {
	case *Rule:
		c.home[d] = c.file
		if first || d.Formals != nil {
			c.unique(c.names, d.Name, "a rule")
		}
		if d.Formals != nil {
			c.templates[d.Name.Text] = d
		}
		for _, i := range d.Items {
			if e, ok := i.(*Event); ok {
				c.event(e)
			}
		}
	case *Use:
		if first {
			c.unique(c.names, d.As, "a rule")
		}
	case *Event:
		c.event(d)
	}
}

// use checks a use and returns the rule that it makes; nil if there is none.
func (c *checker) use(u *Use) *Checked {
	t := c.templates[u.Template.Text]
	switch {
	case t == nil:
		c.errorf(u.Template.Pos, `there is no parametrised rule "%s"; expected the name of one`, u.Template.Text)
		return nil
	case len(u.Args) != len(t.Formals):
		c.errorf(u.Template.Pos, "%s takes %s, and gets %d; expected as many", t.Name.Text, count(len(t.Formals), "function"), len(u.Args))
		return nil
	}
	// The parametrised rule itself was checked, with its file.
	at := c.file
	c.file, c.silent = c.home[t], true
	r := c.rule(instance(t, u))
	c.file, c.silent = at, false
	return r
}

// count returns "1 function" or "3 functions".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// rule checks r and collects its items.
func (c *checker) rule(r *Rule) *Checked {
	k := &Checked{Rule: r, File: c.file, Severity: "error"}
	c.ghosts, c.consts, c.objName = map[string]*Ghost{}, map[string]bool{}, ""
	formals := map[string]Name{}
	for _, f := range r.Formals {
		c.unique(formals, f, "a parameter")
	}
	// 1. The items that come once, and ghost state; then bodies, which may use state that is declared
	// after them.
	names := map[string]Name{}
	var severity, applies *Name
	for _, i := range r.Items {
		switch i := i.(type) {
		case *Severity:
			c.once(&severity, i.Level, "severity")
			if k.Severity = i.Level.Text; !slices.Contains([]string{"error", "warning", "note"}, i.Level.Text) {
				c.errorf(i.Level.Pos, `"%s"; expected error, warning or note`, i.Level.Text)
			}
		case *Applies:
			c.once(&applies, i.Funcs[0], "applies")
			k.Applies = i.Funcs
		case *Object:
			if k.Object != nil {
				c.errorf(i.Name.Pos, "a second object; expected one, relations between objects need a rule for one of them")
			}
			k.Object, c.objName = i, i.Name.Text
			c.unique(names, i.Name, "a name")
		case *State:
			for _, g := range i.Vars {
				c.ghost(names, g)
				k.Ghosts = append(k.Ghosts, g)
			}
		}
	}
	for _, i := range r.Items {
		switch i := i.(type) {
		case *On:
			k.Handlers = append(k.Handlers, c.on(i))
		case *At:
			k.Handlers = append(k.Handlers, c.moments(k, i))
		case *Life:
			c.life(k, i)
			k.Lives = append(k.Lives, i)
		}
	}
	// 2. The rule as a whole.
	events := slices.ContainsFunc(k.Handlers, func(h *Handler) bool { return len(h.Events) > 0 })
	bound := slices.ContainsFunc(k.Handlers, func(h *Handler) bool {
		return slices.ContainsFunc(h.Events, func(e *Point) bool { return e.Binds(c.objName) })
	})
	switch {
	case !events:
		c.errorf(r.Name.Pos, `the rule "%s" is about no event; expected an item such as "on f().entry { … }"`, r.Name.Text)
	case k.Object != nil && !bound:
		c.errorf(k.Object.Name.Pos, `no event binds the object "%s"; expected an event with a parameter or result of this name`, c.objName)
	}
	return k
}

// once adds an error if an item of this name was there before.
func (c *checker) once(first **Name, n Name, item string) {
	if *first != nil {
		c.errorf(n.Pos, "a second item %s, the first is at %s; expected one", item, (*first).Pos)
		return
	}
	*first = &n
}

// ghost checks a variable of the state, and declares it and its constants in names.
func (c *checker) ghost(names map[string]Name, g *Ghost) {
	c.unique(names, g.Name, "a name")
	c.ghosts[g.Name.Text] = g
	for _, e := range g.Enum {
		// Several variables may share one enumeration.
		if old, known := names[e.Text]; !known || old.Pos != e.Pos {
			c.unique(names, e, "a name")
		}
		c.consts[e.Text] = true
	}
	if g.Enum == nil && g.Stars == 0 && len(g.Type.Words) == 1 && g.Type.Words[0] == "void" {
		c.errorf(g.Type.Pos, "a variable of type void; expected the type of a number or pointer")
	}
	if g.Init != nil {
		c.params = map[string]bool{}
		c.expr(g.Init, false)
		Walk(g.Init, func(e Expr) {
			if i, ok := e.(*Ident); ok && c.ghosts[i.Text] != nil {
				c.errorf(i.Pos, `the initial value depends on "%s"; expected a constant`, i.Text)
			}
		})
	}
}

// on checks an On.
func (c *checker) on(o *On) *Handler {
	h := &Handler{Pos: o.Pos, Events: o.Events, Body: o.Body}
	all := map[string]Name{}
	for _, e := range o.Events {
		for name, n := range c.point(e) {
			all[name] = n
		}
	}
	// A name of one event only has no value at the others.
	c.params = map[string]bool{c.objName: c.objName != ""}
	for name := range all {
		if c.params[name] = true; !h.Binds(name) {
			for _, e := range o.Events {
				if !e.Binds(name) && name != c.objName && Mentions(o.Body, name) {
					c.errorf(e.Pos, `this event does not bind "%s", which the body reads; expected the same names at each event`, name)
				}
			}
		}
	}
	c.stmt(o.Body)
	return h
}

// point checks an event and returns the names that it binds.
func (c *checker) point(e *Point) map[string]Name {
	bound := map[string]Name{}
	for _, n := range append(slices.Clone(e.Params), e.Result) {
		if n.Text == "" || n.Text == "_" {
			continue
		}
		c.unique(bound, n, "a name")
		if c.ghosts[n.Text] != nil || c.consts[n.Text] {
			c.errorf(n.Pos, `"%s" is a name of the rule's state; expected another name`, n.Text)
		}
	}
	return bound
}

// moments checks an At.
func (c *checker) moments(k *Checked, a *At) *Handler {
	h := &Handler{Pos: a.Pos, Body: a.Body}
	for _, w := range a.Points {
		if w.Point == AtDeath && k.Object == nil {
			c.errorf(w.Pos, `"death" in a rule without an object; expected end or entrypoint.exit, or an item "object"`)
		}
		h.Moments = append(h.Moments, w.Point)
	}
	c.params = map[string]bool{c.objName: c.objName != ""}
	c.stmt(a.Body)
	return h
}

// life checks a birth or a death.
func (c *checker) life(k *Checked, l *Life) {
	word := "birth"
	if l.Death {
		word = "death"
	}
	c.params = map[string]bool{}
	for name := range c.point(l.Event) {
		c.params[name] = true
	}
	switch {
	case k.Object == nil:
		c.errorf(l.Pos, `"%s" in a rule without an object; expected an item "object" before`, word)
	case l.Event.Label:
		c.errorf(l.Event.Pos, "a label, where no object is known; expected the entry or exit of a function")
	case !l.Event.Binds(c.objName):
		c.errorf(l.Event.Pos, `the event does not bind the object "%s"; expected a parameter or the result of this name`, c.objName)
	}
	if l.If != nil {
		c.expr(l.If, false)
	}
}
