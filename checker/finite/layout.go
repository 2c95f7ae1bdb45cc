package finite

import (
	"fmt"
	"strings"

	"c2bp/boolprog"
)

// This file defines the variables of a translation.

// layout is the variables of a translation.
type layout struct {
	*points
	names   map[string]bool // taken
	globals []*cell         // by slot; nil for a Boolean, which keeps its name
	locals  [][]*cell
	results [][]*cell
	fields  [][]*cell  // by object and field
	values  [][]string // names of the Booleans among the fields, by object and field
	vars    []*boolprog.Var
	proc    [][]*boolprog.Var // locals of each procedure, parameters first
	params  []int             // the number of parameters among them
}

// newLayout allots variables.
func newLayout(x *points) *layout {
	l := &layout{points: x, names: map[string]bool{}}
	for _, v := range x.g.Globals {
		l.names[v.Name] = true
	}
	for _, p := range x.g.Procs {
		for _, v := range p.Vars {
			l.names[v.Name] = true
		}
	}
	// 1. Globals.
	for i, v := range x.g.Globals {
		l.globals = append(l.globals, l.variable(&l.vars, v, x.globals[i]))
	}
	// 2. Objects: their fields, and whether they were made.
	for i := range x.objects {
		l.object(i)
	}
	// 3. Locals and results.
	l.proc = make([][]*boolprog.Var, len(x.g.Procs))
	for i, p := range x.g.Procs {
		var cells []*cell
		for k, v := range p.Vars {
			if k == len(p.Proc.Params) {
				l.params = append(l.params, len(l.proc[i]))
			}
			cells = append(cells, l.variable(&l.proc[i], v, x.locals[i][k]))
		}
		if len(p.Vars) == len(p.Proc.Params) {
			l.params = append(l.params, len(l.proc[i]))
		}
		l.locals = append(l.locals, cells)
		l.results = append(l.results, l.ofResults(p))
	}
	return l
}

// variable allots a variable of the program.
func (l *layout) variable(to *[]*boolprog.Var, v *boolprog.Var, s set) *cell {
	if v.Class == "" {
		*to = append(*to, v)
		return nil
	}
	return newCell(s, false, l.bitOf(to, v.Name))
}

// bitOf returns a function that declares the bits of a reference.
func (l *layout) bitOf(to *[]*boolprog.Var, name string) func(bit, of int) string {
	return func(bit, of int) string {
		text := name
		if of > 1 {
			text = fmt.Sprintf("%s bit %d", inside(name), bit)
		}
		return l.declare(to, text)
	}
}

// inside returns a name without its braces.
func inside(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
}

// declare declares a variable whose name is a text, or like it.
func (l *layout) declare(to *[]*boolprog.Var, text string) string {
	name := "{" + inside(text) + "}"
	for n := 2; l.names[name]; n++ {
		name = fmt.Sprintf("{%s, %d}", inside(text), n)
	}
	l.names[name] = true
	*to = append(*to, &boolprog.Var{Name: name})
	return name
}

// object allots the fields of an object.
func (l *layout) object(i int) {
	o := &l.objects[i]
	cells, values := make([]*cell, len(o.class.Fields)), make([]string, len(o.class.Fields))
	for k, f := range o.class.Fields {
		name := o.name + "." + inside(f.Name)
		if f.Class == "" {
			values[k] = l.declare(&l.vars, name)
		} else {
			cells[k] = newCell(l.points.fields[i][k], l.undecides(i, f), l.bitOf(&l.vars, name))
		}
	}
	l.fields, l.values = append(l.fields, cells), append(l.values, values)
	if l.isAsked(i) {
		o.flag = l.declare(&l.vars, o.name+" was made")
	}
}

// isAsked reports whether somebody asks if an object was made: a choice, or the site that makes the next one.
func (l *layout) isAsked(i int) bool {
	if l.chosen[l.objects[i].class.Name] || l.objects[i].before != none {
		return true
	}
	for _, o := range l.objects {
		if o.before == i {
			return true
		}
	}
	return false
}

// ofResults allots the results of a procedure, which have numbers and no names.
func (l *layout) ofResults(p *boolprog.ProcGraph) (cells []*cell) {
	for k := range p.Proc.Results {
		var c *cell
		if p.Proc.Result(k).Ref {
			c = newCell(l.points.results[p.Index][k], false, func(bit, _ int) string { return "" })
		}
		cells = append(cells, c)
	}
	return cells
}

// made returns the condition that an object was made.
func (h *heap) made(o int) boolprog.Expr { return &boolprog.Ref{Name: h.objects[o].flag} }

// within returns the condition that the site of an object has come as far as to it: it was made, or is the next
// one to be.
func (h *heap) within(o int) boolprog.Expr {
	if b := h.objects[o].before; b != none {
		return h.made(b)
	}
	return yes
}
