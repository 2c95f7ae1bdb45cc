package slic

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// This file makes C functions of the bodies of rules.

// compiler collects the C text for each file of a program.
type compiler struct {
	unit   *frontend.Unit // the program, read without rules
	events []*syntax.Event
	texts  []*cText // by C file; nil if it has no actions
	many   bool
	names  []string // of the C files
	errs   source.List
	file   *source.File // of the rule that is being compiled

	// entrypoints is set if main is a harness: the functions that it calls are entry points.
	entrypoints bool
}

// errorf adds an error in the rule.
func (c *compiler) errorf(pos source.Pos, format string, args ...any) {
	c.errs.Add(c.file.Errorf(pos, format, args...))
}

// use is an event of a handler, or of the begin or end of an object, at a function.
type use struct {
	handler *syntax.Handler
	life    *syntax.Life // if handler is nil
	event   *syntax.Point
	alias   *syntax.Alias // that means the event; nil for the function of its name
	table   *syntax.Event
	depth   string // C name of the depth that must be 1, see nest.go; or ""
	step    string // C text that changes a depth; nothing else is done then
}

// rule compiles r: an action for each end of each function, for each label, for the start and the end of
// the program.
func (c *compiler) rule(r *Rule) {
	c.file = r.File
	units := map[int]bool{}
	// 1. Group the handlers by function and end, in the order of the rule.
	type key struct {
		proc  string
		exit  bool
		entry bool
	}
	at := map[key]*[]use{}
	var order []key
	funcs := map[string]*frontend.Function{}
	var labels []string
	labelled := map[string][]use{}
	var ends, returns []use
	add := func(e *syntax.Point, of use) {
		for _, u := range c.uses(e) {
			u.handler, u.life = of.handler, of.life
			if !c.determines(r, u) {
				continue
			}
			for _, f := range c.functionsOf(u) {
				k := key{f.Proc, e.Exit, u.alias != nil && u.alias.Entry != nil}
				if at[k] == nil {
					order = append(order, k)
					at[k] = &[]use{}
				}
				*at[k], funcs[f.Proc] = append(*at[k], u), f
			}
		}
	}
	lives := func(death bool) {
		for _, l := range r.Lives {
			if l.Death == death {
				add(l.Event, use{life: l})
			}
		}
	}
	// An object begins before anything is done, and ends after that.
	lives(false)
	for _, h := range r.Handlers {
		if h.Has(syntax.AtEntrypoint) && c.entrypoints {
			returns = append(returns, use{handler: h})
		}
		if h.Has(syntax.AtEnd) || h.Has(syntax.AtEntrypoint) && !c.entrypoints {
			ends = append(ends, use{handler: h})
		}
		for _, e := range h.Events {
			if e.Label {
				if labelled[e.Func.Text] == nil {
					labels = append(labels, e.Func.Text)
				}
				labelled[e.Func.Text] = append(labelled[e.Func.Text], use{handler: h, event: e})
				continue
			}
			add(e, use{handler: h})
		}
	}
	lives(true)
	// 2. Functions that mean one event and call each other.
	r.nestings = c.nestings(r)
	c.nest(r.nestings, func(f *frontend.Function, exit bool) *[]use {
		k := key{f.Proc, exit, false}
		if at[k] == nil {
			order = append(order, k)
			at[k] = &[]use{}
		}
		funcs[f.Proc] = f
		return at[k]
	})
	// 3. Write them.
	for _, k := range order {
		f := funcs[k.proc]
		units[f.Unit] = true
		c.declare(r, f.Unit)
		c.function(r, f, &action{exit: k.exit, entry: k.entry}, *at[k])
	}
	first := 0
	for i := range c.texts {
		if units[i] {
			first = i
			break
		}
	}
	c.declare(r, first)
	for _, l := range labels {
		c.point(r, first, &action{label: l}, labelled[l])
	}
	c.define(r, first)
	if len(ends) > 0 {
		c.point(r, first, &action{point: "end"}, ends)
	}
	if len(returns) > 0 {
		c.point(r, first, &action{point: "entrypoint"}, returns)
	}
	if r.Object != nil {
		c.point(r, first, &action{point: "death"}, nil)
	}
}

// uses returns the functions that mean the event e: the one of its name, and its aliases; or those that are
// entry points, if e is an event of these.
func (c *compiler) uses(e *syntax.Point) []use {
	for _, t := range c.events {
		if t.Name.Text == e.Func.Text && t.OfEntries() {
			var list []use
			for _, a := range t.Aliases {
				list = append(list, use{event: e, alias: a, table: t})
			}
			return list
		}
	}
	own := &syntax.Alias{Func: syntax.Name{Text: builtin(e.Func.Text), Pos: e.Func.Pos}}
	list := []use{{event: e}, {event: e, alias: own}}
	for _, t := range c.events {
		if t.Name.Text != e.Func.Text {
			continue
		}
		for _, a := range t.Aliases {
			list = append(list, use{event: e, alias: a, table: t})
		}
	}
	return list
}

// text returns the C text of a file, with the declarations that all rules share.
func (c *compiler) text(unit int) *cText {
	if c.texts[unit] == nil {
		c.texts[unit] = newCText()
	}
	return c.texts[unit]
}

// declare declares the names of r in a file, once.
func (c *compiler) declare(r *Rule, unit int) {
	t := c.text(unit)
	if t.declared[r] {
		return
	}
	t.declared[r] = true
	for _, g := range r.Ghosts {
		t.stmt = ""
		c.known(r, unit, g)
		if len(g.Enum) > 0 {
			// Several variables may have one enumeration.
			if !t.enums[g.Enum[0].Pos] {
				t.enums[g.Enum[0].Pos] = true
				t.put(g.Enum[0].Pos, "enum { ")
				for _, e := range g.Enum {
					t.put(e.Pos, r.ghost(e.Text)+", ")
				}
				t.put(g.Enum[0].Pos, "};\n")
			}
			t.putf(g.Name.Pos, "extern int %s%s;\n", strings.Repeat("*", g.Stars), r.ghost(g.Name.Text))
			continue
		}
		t.put(g.Type.Pos, "extern "+g.Type.String())
		t.putf(g.Name.Pos, " %s%s;\n", strings.Repeat("*", g.Stars), r.ghost(g.Name.Text))
	}
	pos := r.Name.Pos
	if r.Object != nil {
		t.putf(pos, "extern void *%s;\nextern char %s;\nextern int %s;\n", r.global("watch"), r.global("none"), r.global("alive"))
	}
	t.putf(pos, "extern int %s(void);\nextern void %s(void);\n", r.global("choice$"), r.global("assume$"))
	for _, n := range r.nestings {
		t.putf(pos, "extern int %s;\n", n.depth)
	}
	if c.many {
		t.putf(pos, "extern int %s;\n", r.global("off"))
	}
	for i := range r.Aborts {
		t.putf(pos, "extern void %s(void);\n", r.abortName(i))
	}
}

// define defines the state of r, and the action at the start of the program.
func (c *compiler) define(r *Rule, unit int) {
	t := c.text(unit)
	w := &writer{cText: t, rule: r, many: c.many}
	a := &action{rule: r, point: "init", name: r.global("init$"), pos: r.Name.Pos}
	t.stmt = ""
	if c.many {
		t.putf(a.pos, "int %s;\n", r.global("off"))
	}
	for _, g := range r.Ghosts {
		typ := "int"
		if g.Enum == nil {
			typ = g.Type.String()
		}
		t.putf(g.Name.Pos, "%s %s%s;\n", typ, strings.Repeat("*", g.Stars), r.ghost(g.Name.Text))
	}
	if r.Object != nil {
		t.putf(a.pos, "void *%s;\nchar %s;\nint %s;\n", r.global("watch"), r.global("none"), r.global("alive"))
	}
	for _, n := range r.nestings {
		t.putf(a.pos, "int %s;\n", n.depth)
	}
	t.putf(a.pos, "void %s(void)\n{\n", a.name)
	for _, n := range r.nestings {
		t.putf(a.pos, "%s = 0;\n", n.depth)
	}
	if r.Object != nil {
		t.stmt = r.Object.String() + ";"
		t.putf(a.pos, "%s = &%s;\n", r.global("watch"), r.global("none"))
		if len(r.Lives) > 0 {
			t.putf(a.pos, "%s = 0;\n", r.global("alive"))
		}
	}
	if c.many {
		t.putf(a.pos, "%s = 0;\n", r.global("off"))
	}
	w.reset()
	t.put(a.pos, "}\n")
	r.actions = append(r.actions, a)
}

// reset writes assignments of the initial values.
func (w *writer) reset() {
	r, t := w.rule, w.cText
	for _, g := range r.Ghosts {
		t.stmt = "state { " + g.String() + "; }"
		t.putf(g.Name.Pos, "%s = ", r.ghost(g.Name.Text))
		if g.Init != nil {
			w.expr(g.Init)
		} else {
			t.put(g.Name.Pos, "0")
		}
		t.put(g.Name.Pos, ";\n")
	}
}

// function writes the action a of r at one end of f.
func (c *compiler) function(r *Rule, f *frontend.Function, a *action, uses []use) {
	a.rule, a.fn, a.name, a.pos = r, f, r.global(fmt.Sprintf("action$%d", len(r.actions))), uses[0].event.Pos
	c.declare(r, f.Unit)
	// 1. The parameters that some handler reads.
	var names []map[string]string
	for _, u := range uses {
		names = append(names, c.bind(a, u))
	}
	slices.Sort(a.params)
	a.params = slices.Compact(a.params)
	if r.Object != nil {
		for _, u := range uses {
			a.pointers(c, u, r.Object.Name.Text)
		}
	}
	// 2. The function's head.
	var head []string
	for _, i := range a.params {
		if !f.IsScalar(i) {
			c.errorf(uses[0].event.Func.Pos, "parameter %d of %s, declared at %s, is no number and no pointer; expected one", i+1, f.Name, f.Pos)
			return
		}
		decl, ok := f.Declare(i, paramName(i))
		if !ok {
			c.errorf(uses[0].event.Func.Pos, "the type of parameter %d of %s, declared at %s, cannot be named at the end of the file; expected a type that has a name there", i+1, f.Name, f.Pos)
			return
		}
		head = append(head, decl)
	}
	if a.result {
		decl, ok := f.Declare(-1, "$r")
		if !ok || !f.IsScalar(-1) {
			c.errorf(resultOf(uses), "%s, declared at %s, returns no number and no pointer; expected a function that does", f.Name, f.Pos)
			return
		}
		head = append(head, decl)
	}
	c.open(r, f.Unit, a, head)
	// 3. The bodies.
	t := c.text(f.Unit)
	for i, u := range uses {
		for _, s := range u.bodies(r) {
			syntax.WalkExprs(s, func(e syntax.Expr) { c.knownNames(r, f.Unit, names[i], e) })
		}
		w := &writer{cText: t, rule: r, names: names[i], many: c.many}
		w.use(u)
	}
	t.put(a.pos, "}\n")
}

// pointers notes the argument that points to the object in the use u.
func (a *action) pointers(c *compiler, u use, object string) {
	for i, n := range u.event.Params {
		if at := c.parameter(u, i); n.Text == object && at.index >= 0 {
			a.objects = append(a.objects, objectParam{index: slices.Index(a.params, at.index), within: at.member != "", part: at.part != ""})
		}
	}
	if u.event.Result.Text == object {
		a.objects = append(a.objects, objectParam{index: len(a.params)})
	}
}

// resultOf returns the place of the first result that uses bind.
func resultOf(uses []use) source.Pos {
	for _, u := range uses {
		if u.event.Result.Text != "" {
			return u.event.Result.Pos
		}
	}
	return uses[0].event.Pos
}

// open writes the head of the function of a, and its brace.
func (c *compiler) open(r *Rule, unit int, a *action, head []string) {
	t := c.text(unit)
	a.rule = r
	r.actions = append(r.actions, a)
	if len(head) == 0 {
		head = []string{"void"}
	}
	t.stmt = ""
	t.putf(a.pos, "void %s(%s)\n{\n", a.name, strings.Join(head, ", "))
	if c.many {
		t.putf(a.pos, "if (%s) return;\n", r.global("off"))
	}
}

// point writes the action of r at a label or the end of the program.
func (c *compiler) point(r *Rule, unit int, a *action, uses []use) {
	a.name, a.pos = r.global(fmt.Sprintf("action$%d", len(r.actions))), r.Name.Pos
	if len(uses) > 0 {
		a.pos = uses[0].handler.Pos
	}
	c.open(r, unit, a, nil)
	w := &writer{cText: c.text(unit), rule: r, many: c.many, names: r.watchName()}
	for _, u := range uses {
		for _, s := range u.bodies(r) {
			syntax.WalkExprs(s, func(e syntax.Expr) { c.knownNames(r, unit, w.names, e) })
		}
		w.use(u)
	}
	if a.point == "death" {
		w.die()
	}
	t := c.text(unit)
	t.put(a.pos, "}\n")
}
