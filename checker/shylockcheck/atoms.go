package shylockcheck

import (
	"fmt"
	"strconv"
	"strings"

	"c2bp/checker/temporal"
	"c2bp/checker/temporal/rite"
	"c2bp/frontend/shylock"
	"c2bp/source"
	"c2bp/verdict"
)

// This file reads formulas, and evaluates their atoms on heaps. Atoms are expressions Rite in braces.

// Formula is a formula about a program.
type Formula struct {
	*temporal.Formula
	atoms []*rite.Matcher // by number
}

// ParseFormula parses a formula about a program that shylock.Check has accepted. An error has a place in the formula,
// which is the text of file.
func ParseFormula(file *source.File, p *shylock.Program) (*Formula, error) {
	f := &Formula{}
	var numbers temporal.Numbering
	var err error
	f.Formula, err = temporal.Parse(file, func(a temporal.AtomText) (int, error) {
		text, at, ok := a.Braced()
		if !ok {
			return 0, a.Errorf("an atom is an expression in braces, as in {%s}", strings.Trim(a.Text, "@?"))
		}
		e, err := rite.Parse(file, at, at+len(text), scope{p})
		if err != nil {
			return 0, err
		}
		n, err := numbers.Number(e.String(), a)
		if err == nil && n == len(f.atoms) {
			f.atoms = append(f.atoms, rite.Compile(e))
		}
		return n, err
	})
	return f, err
}

// scope has the names of a program. Variables are their slots.
type scope struct{ *shylock.Program }

// Variable implements rite.Scope.
func (s scope) Variable(name string) (id int, ok bool) {
	l := layoutOf(s.Program)
	for _, list := range [][]*shylock.Var{s.Globals, s.Locals} {
		for _, v := range list {
			if v.Name == name {
				return l.slot(v), true
			}
		}
	}
	return 0, false
}

// Field implements rite.Scope.
func (s scope) Field(name string) (id int, ok bool) {
	for _, v := range s.Fields {
		if v.Name == name {
			return v.Index, true
		}
	}
	return 0, false
}

// Flag implements rite.Scope: there are no Booleans.
func (s scope) Flag(string) (id int, free, ok bool) { return 0, false, false }

// Names implements rite.Scope.
func (s scope) Names() (names []string) {
	for _, list := range [][]*shylock.Var{s.Globals, s.Locals, s.Fields} {
		for _, v := range list {
			names = append(names, v.Name)
		}
	}
	return names
}

// view is the part of a heap that globals and locals lead to, as rite.Heap. Objects are numbered from 0 in the
// order of a breadth-first search.
type view struct {
	*Layout
	heap   *Heap
	order  []Object
	number map[Object]int
}

// newView returns the visible part of a heap.
func newView(l *Layout, h *Heap) *view {
	v := &view{l, h, nil, map[Object]int{0: rite.Nil}}
	visit := func(n Object) {
		if _, seen := v.number[n]; !seen {
			v.number[n] = len(v.order)
			v.order = append(v.order, n)
		}
	}
	for _, n := range h.Vars {
		visit(n)
	}
	for i := 0; i < len(v.order); i++ {
		for f := range l.Fields {
			visit(l.link(h, v.order[i], f))
		}
	}
	return v
}

// Objects implements rite.Heap.
func (v *view) Objects() int { return len(v.order) }

// Variable implements rite.Heap.
func (v *view) Variable(id int) int { return v.number[v.heap.Vars[id]] }

// Field implements rite.Heap: every object has every field.
func (v *view) Field(id, object int) (to int, has bool) {
	return v.number[v.link(v.heap, v.order[object], id)], true
}

// Flag implements rite.Heap.
func (v *view) Flag(int, int) (val, has bool) { return false, false }

// holding returns the atoms that hold of a heap.
func (f *Formula) holding(l *Layout, h *Heap) (bits uint64) {
	v := newView(l, h)
	for i, m := range f.atoms {
		if m.Holds(v) {
			bits |= 1 << i
		}
	}
	return bits
}

// values returns the atoms, with 1 for those that hold of a heap.
func (f *Formula) values(l *Layout, h *Heap) (list []verdict.Value) {
	bits := f.holding(l, h)
	for i, m := range f.atoms {
		list = append(list, verdict.Value{Name: fmt.Sprintf("{%s}", m.Expr()), Val: strconv.Itoa(int(bits >> i & 1))})
	}
	return list
}

// explain says of each atom why it holds of a heap or not.
func (f *Formula) explain(l *Layout, h *Heap, name func(Object) string) (lines []string) {
	v := newView(l, h)
	for _, m := range f.atoms {
		says := "does not hold"
		if m.Holds(v) {
			says = "holds"
		}
		why := m.Explain(v, func(n int) string { return name(v.order[n]) })
		lines = append(lines, fmt.Sprintf("{%s} %s: %s", m.Expr(), says, strings.Join(why, "; ")))
	}
	return lines
}
