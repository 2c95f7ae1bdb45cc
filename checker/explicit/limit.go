package explicit

import (
	"strings"

	"c2bp/checker/zom"
)

// This file defines what becomes of heaps whose paths are too long: Theorem 3 of seed 000
// promises an end only where they are bounded.

// deepest takes note of the object that lies deepest in g.now, a state of r.
func (g *engine) deepest(r *root) {
	first, fields := g.canon.Path()
	g.count.deepest = g.canon.Depth
	if g.canon.Depth > g.opts.HeapPath {
		g.stop = &PathError{g.opts.HeapPath, g.pathName(r, first, fields)}
	}
}

// pathName names a way: from root number first of a form (as Canon counts them) by fields.
func (g *engine) pathName(r *root, first int, fields []int) string {
	p := g.prog.Procs[r.proc]
	at, s := g.canon, g.now
	_ = at
	name, class := "", -1
	k := first - p.Scratch
	switch {
	case k < 0:
		name, class = p.Slots[first].Name, p.Slots[first].Class
	default:
		live := p.Globals[s.Top(0).PC]
		for i, w := range s.Globals {
			if w != zom.Absent && live.Has(i) {
				if k == 0 {
					name, class = g.prog.Globals[i].Name, g.prog.Globals[i].Class
				}
				k--
			}
		}
		for j := 1; j <= s.Olds() && name == ""; j++ {
			if at := -zom.Word(j); s.Written(at) {
				fs := g.prog.Classes[s.Class(at)].Fields
				if k >= 0 && k < len(fs) {
					name, class = g.cellName(r, j-1)+"."+fs[k].Name, fs[k].Class
				}
				k -= len(fs)
			}
		}
	}
	for _, f := range fields {
		if class < 0 || name == "" {
			break
		}
		field := g.prog.Classes[class].Fields[f]
		name, class = name+"."+field.Name, field.Class
	}
	return shorten(name)
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
	for l, k := 0, len(fields)-1; l < k; l, k = l+1, k-1 {
		fields[l], fields[k] = fields[k], fields[l]
	}
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
