package explicit

import (
	"fmt"
	"io"
	"strings"

	"c2bp/checker/zom"
)

// This file prints summaries.

// Summaries writes the summaries of each procedure: its patterns, and for each the effects. Cells
// are named A0, A1, … in the order in which a pattern meets them, and then the objects made since.
// For the program of Qadeer–Rajamani 2005, Fig. 1:
//
//	summary of M
//	    reads   g1 = A0, A0.x = 0
//	    effect  nothing
//	    effect  A1 = new BoolBox, g1 = A1, A1.x = 0
func (s *Solution) Summaries(w io.Writer) error {
	var b strings.Builder
	g := s.engine
	// In the order of the procedures, then of the roots.
	for proc := range g.prog.Procs {
		for _, r := range g.roots[1:] {
			if r.proc == proc {
				g.summary(&b, r)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// summary writes the summary of one root.
func (g *engine) summary(b *strings.Builder, r *root) {
	fmt.Fprintf(b, "summary of %s\n    reads   %s\n", g.prog.Procs[r.proc].Name, g.patternText(r))
	switch {
	// An incomplete search may have missed effects.
	case g.stop != nil:
		b.WriteString("    and perhaps more: the search was stopped\n")
	case len(r.effects) == 0:
		b.WriteString("    never returns\n")
	}
	for _, x := range r.effects {
		fmt.Fprintf(b, "    effect  %s\n", g.effectText(r, x))
	}
}

// patternText returns the reads of r.
func (g *engine) patternText(r *root) string {
	var parts []string
	for _, p := range r.pattern {
		where := ""
		if p.at.param {
			where = g.prog.Procs[r.proc].Slots[p.at.Index].Name
		} else {
			where = g.placeText(g.now, r, p.at.Loc)
		}
		parts = append(parts, where+" = "+wordText(g.kindOf(r, p.at), p.word, len(r.cells)))
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// kindOf returns the kind of the value at a place of r.
func (g *engine) kindOf(r *root, at spot) zom.Kind {
	if at.param {
		return g.prog.Procs[r.proc].Slots[at.Index].Kind
	}
	kind, _ := g.typeOf(r, at.Loc)
	return kind
}

// placeText names a place; s knows the classes of objects.
func (g *engine) placeText(s *zom.State, r *root, at zom.Loc) string {
	if at.Obj == zom.Null {
		return g.prog.Globals[at.Index].Name
	}
	class := 0
	if at.Obj < 0 {
		class = r.cells[-at.Obj-1].class
	} else {
		class = s.Class(at.Obj)
	}
	return cellText(at.Obj, len(r.cells)) + "." + g.prog.Classes[class].Fields[at.Index].Name
}

// cellText names a cell or object; old is the number of cells of the entry.
func cellText(at zom.Word, old int) string {
	if at < 0 {
		return fmt.Sprintf("A%d", -at-1)
	}
	return fmt.Sprintf("A%d", old+int(at)-1)
}

// wordText names a value; old is the number of cells of the entry.
func wordText(kind zom.Kind, w zom.Word, old int) string {
	switch {
	case kind == zom.Ref && w == zom.Null:
		return "null"
	case kind == zom.Ref:
		return cellText(w, old)
	case kind == zom.Bool && w == zom.Unknown:
		return "*"
	}
	return fmt.Sprint(w)
}

// effectText lists what was made, written and returned up to the node exit.
func (g *engine) effectText(r *root, exit int32) string {
	s := g.at(&g.exit, exit)
	var parts []string
	say := func(where string, kind zom.Kind, w zom.Word) {
		if w != zom.Absent {
			parts = append(parts, where+" = "+wordText(kind, w, len(r.cells)))
		}
	}
	// 1. Objects made since the entry.
	for a := 1; a <= s.News(); a++ {
		at := zom.Word(a)
		parts = append(parts, cellText(at, len(r.cells))+" = new "+g.prog.Classes[s.Class(at)].Name)
	}
	// 2. Globals and fields that were written.
	for i, w := range s.Globals {
		say(g.prog.Globals[i].Name, g.prog.Globals[i].Kind, w)
	}
	// Cells that were not written are left out.
	for a := -s.Olds(); a <= s.News(); a++ {
		if at := zom.Word(a); a > 0 || a < 0 && s.Written(at) {
			for i, f := range g.prog.Classes[s.Class(at)].Fields {
				say(g.placeText(s, r, zom.Loc{Obj: at, Index: int32(i)}), f.Kind, s.Field(at, int32(i)))
			}
		}
	}
	// 3. Results.
	p := g.prog.Procs[r.proc]
	for i := range p.Results {
		say("result", p.Slots[p.Result+i].Kind, s.Slots(0, 0)[p.Result+i])
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}
