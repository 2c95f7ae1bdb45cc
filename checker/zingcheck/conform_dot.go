package zingcheck

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"c2bp/checker/conform"
)

// This file draws comparisons, for Graphviz.

// mostDrawn is the number of states of a model that are drawn.
const mostDrawn = 1000

// Dot writes both models as graphs, the states of each in a box. Stable states have a double border, hidden steps are
// dashed. If the implementation does not conform, only the states of the runs that show it are drawn of the
// implementation; their ends, and the states in which the specification can be then, are filled. States that were not
// explored are dotted. If a limit has left out something, a comment says so.
//
//	digraph conformance {
//		subgraph cluster_i {
//			label="implementation";
//			i1 -> i2 [label="event(1, 0, true)"];
//		}
//	}
func (c *Comparison) Dot(w io.Writer) error {
	d := &drawing{c: c, shown: map[int]bool{}, filled: [2]map[int]bool{{}, {}}}
	d.b.WriteString("digraph conformance {\n\trankdir=LR;\n\tcompound=true;\n\tnode [fontname=monospace, shape=circle];\n\tedge [fontname=monospace];\n")
	if rel := c.Relation; rel != nil {
		if rel.Open != nil {
			fmt.Fprintf(&d.b, "\t// not all states: %v\n", rel.Open)
		}
		if rel.Refutation != nil {
			d.mark(rel.Refutation)
		}
		d.model(0, "implementation", rel.Refutation != nil)
		d.model(1, "specification", false)
		if rel.Refutation != nil {
			d.why(rel.Refutation)
		}
	} else {
		fmt.Fprintf(&d.b, "\t// nothing was compared: %s\n", c.Result.Reason)
	}
	d.b.WriteString("}\n")
	_, err := io.WriteString(w, d.b.String())
	return err
}

// drawing is a drawing in progress.
type drawing struct {
	c       *Comparison
	b       strings.Builder
	shown   map[int]bool    // the states of the implementation on runs
	filled  [2]map[int]bool // by model
	reasons int
}

// mark notes the states that belong to a refutation.
func (d *drawing) mark(r *conform.Refutation) {
	for _, s := range r.States() {
		d.shown[s] = true
	}
	if len(r.Branches) == 0 {
		for _, s := range r.Reached {
			d.filled[1][s] = true
		}
		d.filled[0][end(r)] = true
	}
	for _, b := range r.Branches {
		d.mark(b)
	}
}

// end returns the last state of the run of a refutation, before an event that is refused.
func end(r *conform.Refutation) int {
	list := r.States()
	if r.Kind == conform.Refused {
		list = list[:len(list)-1]
	}
	return list[len(list)-1]
}

// model draws a model; of some, only the states that are shown.
func (d *drawing) model(i int, name string, some bool) {
	letter := name[:1]
	fmt.Fprintf(&d.b, "\tsubgraph cluster_%s {\n\t\tlabel=%q;\n", letter, name)
	var edges strings.Builder
	drawn, others := map[int]bool{}, map[int]bool{}
	d.c.Relation.Explored(i, func(s int, steps []conform.Step, stable bool) {
		if some && !d.shown[s] || len(drawn) == mostDrawn {
			return
		}
		// 1. The state.
		drawn[s] = true
		style := ""
		if stable {
			style = "peripheries=2, "
		}
		if d.filled[i][s] {
			style += "style=filled, "
		}
		fmt.Fprintf(&d.b, "\t\t%s%d [%slabel=\"%d\"];\n", letter, s+1, style, s+1)
		// 2. Its steps.
		for _, st := range steps {
			if st.To == conform.Nowhere || some && !d.shown[st.To] {
				continue
			}
			others[st.To] = true
			style := "style=dashed"
			if st.Action != conform.Hidden {
				style = fmt.Sprintf("label=%q", d.c.impl.actions.name(st.Action))
			}
			fmt.Fprintf(&edges, "\t\t%s%d -> %s%d [%s];\n", letter, s+1, letter, st.To+1, style)
		}
	})
	// 3. States to which steps lead, and from which none are drawn.
	for _, s := range slices.Sorted(maps.Keys(others)) {
		if !drawn[s] {
			fmt.Fprintf(&d.b, "\t\t%s%d [style=dotted, label=\"%d\"];\n", letter, s+1, s+1)
		}
	}
	d.b.WriteString(edges.String() + "\t}\n")
	if len(drawn) == mostDrawn {
		fmt.Fprintf(&d.b, "\t// at most %d states of a model are drawn\n", mostDrawn)
	}
}

// why draws the missing event or ready set at the end of each run of a refutation: a box between the two models.
func (d *drawing) why(r *conform.Refutation) {
	if len(r.Branches) > 0 {
		for _, b := range r.Branches {
			d.why(b)
		}
		return
	}
	d.reasons++
	text := "no " + d.c.impl.actions.name(r.Missing())
	if r.Kind == conform.NoReadySet {
		text = "ready for " + strings.Join(d.c.impl.ready(r.Ready), ", ")
		if len(r.Ready) == 0 {
			text = "ready for nothing"
		}
	}
	box := fmt.Sprintf("why%d", d.reasons)
	fmt.Fprintf(&d.b, "\t%s [shape=box, color=red, label=%q];\n\ti%d -> %s [color=red];\n", box, text, end(r)+1, box)
	spec := slices.Clone(r.Spec)
	slices.Sort(spec)
	for _, s := range spec {
		fmt.Fprintf(&d.b, "\t%s -> s%d [color=red, style=dashed, dir=none];\n", box, s+1)
	}
}
