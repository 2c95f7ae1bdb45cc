package alias

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/core"
)

// This file prints the MOD sets of procedures: the places that they may change, for --dump alias
// and for people who wonder why a predicate is lost at a call.

// ModSet is the set of places that a procedure may change, as its callers see it.
type ModSet struct {
	Globals []*core.Var // globals outside of memory, in order of declaration
	Cells   []string    // places in memory, for people: dev+8:4 is 4 bytes at byte 8
	Outside bool        // memory that the program does not define
}

// ModSetOf returns the places that a call of p may change, transitively. It is the union over all
// calls: a single call may change less (Affected).
func (r *Result) ModSetOf(p *core.Proc) ModSet {
	r.mu.Lock()
	defer r.mu.Unlock()
	var w ModSet
	e := r.effect(p)
	// 1. Globals by name.
	for i, g := range r.prog.Globals {
		if !g.InMemory() && (e.all || e.globals.has(i)) {
			w.Globals = append(w.Globals, g)
		}
	}
	// 2. Memory by cells.
	for i, o := range r.solver.objects {
		if !o.isMemory() || o.Kind == Outside {
			continue
		}
		if r.affectsCell(e, at(int32(i), 0).anywhere(), 0, unbounded) {
			w.Cells = append(w.Cells, r.modifiedIn(e, o)...)
		}
	}
	w.Outside = e.outside
	return w
}

// modifiedIn names the cells of o that e writes.
func (r *Result) modifiedIn(e *effect, o *Object) []string {
	var list []cell
	for _, n := range r.cells.ofObject[o.id] {
		if e.cells.has(n) {
			list = append(list, r.cells.list[n].cell)
		}
	}
	// An object that may change everywhere stands for itself.
	if e.anywhere(o) || e.byOthers(o) {
		return []string{o.Name}
	}
	slices.SortFunc(list, cell.compare)
	var out []string
	for _, c := range list {
		out = append(out, o.Name+c.String())
	}
	return out
}

// String lists the places: locked, dev+8:4, [outside].
func (w ModSet) String() string {
	var names []string
	for _, g := range w.Globals {
		names = append(names, g.Name)
	}
	names = append(names, w.Cells...)
	if w.Outside {
		names = append(names, "[outside]")
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// String returns the cell as it stands after the name of its object, counted in bytes, or in bits
// after a dot: +8:4, +8+16k:4, +8+16k(6):4 if k is below 6, +4.3:1.
func (c cell) String() string {
	s := fmt.Sprintf("%+d", c.off>>3)
	if c.off&7 != 0 {
		s += fmt.Sprintf(".%d", c.off&7)
	}
	if c.stride != 0 {
		s += fmt.Sprintf("%+dk", c.stride/8)
	}
	if c.count != 0 {
		s += fmt.Sprintf("(%d)", c.count)
	}
	// The length, in bits if it is not whole bytes.
	switch {
	case c.bits >= unbounded/2:
		return s + ":*"
	case c.bits&7 != 0 || c.off&7 != 0:
		return s + fmt.Sprintf(":%d bits", c.bits)
	}
	return s + fmt.Sprintf(":%d", c.bits/8)
}
