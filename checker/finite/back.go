package finite

import (
	"fmt"

	"c2bp/boolprog"
	"c2bp/verdict"
)

// This file relates nodes and states of a translation to those of the program.

// Point is a node of a graph.
type Point struct {
	Proc int // index in Graph.Procs
	Node int // index in ProcGraph.Nodes
}

// Objects returns the number of objects.
func (t *Program) Objects() int { return len(t.lay.objects) }

// Variables returns the number of variables of the translation: globals, and locals of all procedures.
func (t *Program) Variables() int {
	n := len(t.lay.vars)
	for _, vars := range t.lay.proc {
		n += len(vars)
	}
	return n
}

// Visit returns the node of the translation that control reaches if it reaches p in the program.
func (t *Program) Visit(p Point) Point { return Point{p.Proc, t.procs[p.Proc].visit[p.Node]} }

// Statement returns the node of the translation that executes the statement of p: an assertion fails there, if p
// is one that fails.
func (t *Program) Statement(p Point) Point { return Point{p.Proc, t.procs[p.Proc].main[p.Node]} }

// Nulls returns the assertions of the translation of which one fails if p dereferences null.
func (t *Program) Nulls(p Point) (list []Point) {
	for _, v := range t.procs[p.Proc].nulls[p.Node] {
		list = append(list, Point{p.Proc, v})
	}
	return list
}

// Moment is a step of a trace of the translation.
type Moment struct {
	Point
	Step verdict.Step
}

// Shown is a step of a trace of the program.
type Shown struct {
	Point
	Step verdict.Step
	From int // index of the moment that executes the statement; of a call that is collapsed, it can be expanded
}

// Names are the names of objects in a trace: A0 is the first that it shows.
type Names map[int]string

// name returns the name of an object, a new one if it has none.
func (n Names) name(object int) string {
	if n[object] == "" {
		n[object] = fmt.Sprintf("A%d", len(n))
	}
	return n[object]
}

// Back returns the steps of the program in a trace of the translation. The last moment is a failure, or where the
// trace was to lead: it is shown in any case.
func (t *Program) Back(trace []Moment, names Names) (shown []Shown) {
	for i, m := range trace {
		p := &t.procs[m.Proc]
		at := p.origin[m.Node]
		if at.node == none || t.from.Procs[m.Proc].Nodes[at.node].Stmt == nil {
			continue
		}
		// 1. Control reaches a node of the program, or fails to because of its enforce clause.
		last := i == len(trace)-1
		if m.Node == p.visit[at.node] || last && at.role == prepares {
			shown = append(shown, t.show(m, at.node, i, names))
		}
		// 2. Its statement is executed: the direction of a branch, and calls that are stepped over.
		if at.role == executes && m.Node == p.main[at.node] {
			s := &shown[len(shown)-1]
			s.From, s.Step.Collapsed, s.Step.Origin = i, m.Step.Collapsed, m.Step.Origin
		}
	}
	return shown
}

// show returns the step at a node of the program.
func (t *Program) show(m Moment, node, from int, names Names) Shown {
	p := t.from.Procs[m.Proc]
	s := Shown{Point: Point{m.Proc, node}, Step: p.Nodes[node].Step(p.Proc.Name, m.Step.Depth), From: from}
	if m.Step.Values != nil {
		s.Step.Values, s.Step.Heap = t.draw(p, m.Step.Values, names)
	}
	return s
}

// mostDrawn is the number of objects that a step shows.
const mostDrawn = 200

// drawing is the state of draw.
type drawing struct {
	*layout
	values map[string]string // of the variables of the translation
	names  Names
	queue  []int // objects in the order in which they are met
	met    set
}

// draw returns the variables in scope, and the objects that they lead to, breadth first.
func (t *Program) draw(p *boolprog.ProcGraph, values []verdict.Value, names Names) (vars []verdict.Value, heap []verdict.Object) {
	d := &drawing{layout: t.lay, values: map[string]string{}, names: names}
	for _, v := range values {
		d.values[v.Name] = v.Val
	}
	// 1. Variables: globals that are not hidden, then parameters and locals.
	for i, v := range t.from.Globals {
		if at, _ := p.Slot(v.Name); at.Global {
			vars = append(vars, d.show(v.Name, v.Name, t.lay.globals[i]))
		}
	}
	for i, v := range p.Vars {
		vars = append(vars, d.show(v.Name, v.Name, t.lay.locals[p.Index][i]))
	}
	// 2. Objects in the order in which they are met; their fields may lead to more.
	for i := 0; i < len(d.queue) && i < mostDrawn; i++ {
		o := d.queue[i]
		class := t.lay.objects[o].class
		drawn := verdict.Object{Name: names.name(o), Class: class.Name}
		for k, f := range class.Fields {
			drawn.Fields = append(drawn.Fields, d.show(f.Name, t.lay.values[o][k], t.lay.fields[o][k]))
		}
		heap = append(heap, drawn)
	}
	return vars, heap
}

// show returns the value of a Boolean, or of a reference if it has a cell.
func (d *drawing) show(name, variable string, c *cell) verdict.Value {
	v := verdict.Value{Name: name, Val: "*"}
	switch {
	case c == nil && d.values[variable] != "":
		v.Val = d.values[variable]
	case c == nil:
	default:
		v.Val = d.reference(c)
	}
	return v
}

// reference returns the value of a reference: "*" if some bit is not known, or if it is undecided.
func (d *drawing) reference(c *cell) string {
	number := 0
	for i, name := range c.bits {
		switch d.values[name] {
		case "1":
			number |= 1 << i
		case "0":
		default:
			return "*"
		}
	}
	if number == null {
		return "null"
	}
	if number > len(c.objects) {
		return "*"
	}
	o := c.objects[number-1]
	if !d.met.has(o) {
		d.met |= one(o)
		d.queue = append(d.queue, o)
	}
	return d.names.name(o)
}
