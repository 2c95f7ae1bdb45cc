package explicit

import (
	"slices"
	"strings"

	"c2bp/checker/zom"
)

// This file stops the search when heap paths become too long: Theorem 3 of Qadeer–Rajamani 2005
// guarantees termination only if they are bounded.

// deepest notes the object of g.now, a state of r, that is farthest from the variables.
func (g *engine) deepest(r *root) {
	first, fields := g.canon.Path()
	g.count.deepest = g.canon.Depth
	if g.canon.Depth > g.opts.HeapPath {
		g.stop = &PathError{g.opts.HeapPath, g.pathName(r, first, fields)}
	}
}

// pathName names a path of references: from variable number first of a form of g.now (as zom.Canon
// counts them) along fields.
func (g *engine) pathName(r *root, first int, fields []int) string {
	// From the variable along the fields.
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

// rootName returns the name and the class of variable number k of a form of g.now. First come the
// globals that were written, then the fields of cells of the entry that were written, then the
// slots; see form.
func (g *engine) rootName(r *root, k int) (string, int) {
	p := g.prog.Procs[r.proc]
	// The order is that of form.
	live := p.Globals[g.now.Top(0).PC]
	// Written globals.
	for i, w := range g.now.Globals {
		if !g.isWritten(r, i, w, live) {
			continue
		}
		if k == 0 {
			return g.prog.Globals[i].Name, g.prog.Globals[i].Class
		}
		k--
	}
	// Fields of written cells.
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

// cellName names the path on which a pattern met a cell.
func (g *engine) cellName(r *root, i int) string {
	// Go back from the cell to the variable that leads to it.
	var fields []string
	for {
		// A cell was met in a parameter, in a global, or in a field of another cell.
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

// shorten keeps the first six parts of a path.
func shorten(path string) string {
	const most = 6
	parts := strings.Split(path, ".")
	return strings.Join(parts[:min(most, len(parts))], ".")
}

// tooDeep stops the search if cell i, which the pattern of r has just met, is too far away.
func (g *engine) tooDeep(r *root, i int) {
	if d := r.cells[i].depth; d > g.opts.HeapPath && g.stop == nil {
		g.stop = &PathError{g.opts.HeapPath, shorten(g.cellName(r, i))}
	}
}
