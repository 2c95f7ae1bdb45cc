package explicit

import (
	"slices"
	"strings"

	"c2bp/checker/zom"
)

// This file defines what becomes of heaps whose paths are too long: Theorem 3 of Qadeer–Rajamani 2005
// promises an end only where they are bounded.

// deepest takes note of the object that lies deepest in g.now, a state of r.
func (g *engine) deepest(r *root) {
	first, fields := g.canon.Path()
	g.count.deepest = g.canon.Depth
	if g.canon.Depth > g.opts.HeapPath {
		g.stop = &PathError{g.opts.HeapPath, g.pathName(r, first, fields)}
	}
}

// pathName names a way: from root number first of a form of g.now (as Canon counts them) by
// fields.
func (g *engine) pathName(r *root, first int, fields []int) string {
	name, class := g.rootName(r, first)
	for _, f := range fields {
		if class < 0 {
			break
		}
		field := g.prog.Classes[class].Fields[f]
		name, class = name+"."+field.Name, field.Class
	}
	return shorten(name)
}

// rootName is the name, and the class, of what root number k of a form of g.now stands for:
// first comes what was written of the globals, then of the cells of the entry, then the
// slots.
func (g *engine) rootName(r *root, k int) (string, int) {
	p := g.prog.Procs[r.proc]
	live := p.Globals[g.now.Top(0).PC]
	for i, w := range g.now.Globals {
		if !g.isWritten(r, i, w, live) {
			continue
		}
		if k == 0 {
			return g.prog.Globals[i].Name, g.prog.Globals[i].Class
		}
		k--
	}
	for j := range g.now.Olds() {
		at := -zom.Word(j + 1)
		if !g.now.Written(at) {
			continue
		}
		fields := g.prog.Classes[g.now.Class(at)].Fields
		if k < len(fields) {
			return g.cellName(r, j) + "." + fields[k].Name, fields[k].Class
		}
		k -= len(fields)
	}
	return p.Slots[k].Name, p.Slots[k].Class
}

// cellName names the way by which a pattern met a cell.
func (g *engine) cellName(r *root, i int) string {
	var fields []string
	for {
		c := r.cells[i]
		if c.param >= 0 {
			fields = append(fields, g.prog.Procs[r.proc].Slots[c.param].Name)
			break
		}
		if c.from.Obj == zom.Null {
			fields = append(fields, g.prog.Globals[c.from.Index].Name)
			break
		}
		i = int(-c.from.Obj - 1)
		fields = append(fields, g.prog.Classes[r.cells[i].class].Fields[c.from.Index].Name)
	}
	slices.Reverse(fields)
	return strings.Join(fields, ".")
}

// shorten keeps the beginning of a way.
func shorten(path string) string {
	const most = 6
	parts := strings.Split(path, ".")
	return strings.Join(parts[:min(most, len(parts))], ".")
}

// tooDeep stops the search if a cell that a pattern has just met is too far away.
func (g *engine) tooDeep(r *root, i int) {
	if d := r.cells[i].depth; d > g.opts.HeapPath && g.stop == nil {
		g.stop = &PathError{g.opts.HeapPath, shorten(g.cellName(r, i))}
	}
}
