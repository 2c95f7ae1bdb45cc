package report

import (
	"fmt"
	"io"
	"strings"

	"c2bp/verdict"
)

// This file draws the heaps of a run, for Graphviz.

// Dot writes the steps of a run, a box for each from top to bottom that contains the heap before
// the step: variables and fields that are references point to objects. Null references have no
// arrow. From the last step of a loop an arrow leads back to its first.
func Dot(w io.Writer, t *verdict.Trace) error {
	var b strings.Builder
	b.WriteString("digraph run {\n\tnode [shape=record, fontname=monospace];\n\tcompound=true;\n")
	for i, s := range t.Steps {
		dotStep(&b, i, s)
		if i > 0 {
			fmt.Fprintf(&b, "\ts%d -> s%d [ltail=cluster%d, lhead=cluster%d, style=dashed];\n", i-1, i, i-1, i)
		}
	}
	if last := len(t.Steps) - 1; t.Loop > 0 {
		fmt.Fprintf(&b, "\ts%d -> s%d [ltail=cluster%d, lhead=cluster%d, style=bold, constraint=false, label=\"for ever\"];\n", last, t.Loop-1, last, t.Loop-1)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotStep draws the heap before a step.
//
//	subgraph cluster0 {
//		label="list.c:12  push();";
//		s0 [label="{<f0> head = A0}"];
//		s0_A0 [label="{A0: node|<f0> next = null}"];
//		s0:f0 -> s0_A0;
//	}
func dotStep(b *strings.Builder, i int, s verdict.Step) {
	fmt.Fprintf(b, "\tsubgraph cluster%d {\n\t\tlabel=%s;\n", i, dotQuote(fmt.Sprintf("%s  %s", where(s), statement(s))))
	// 1. The variables in scope.
	objects := map[string]bool{}
	for _, o := range s.Heap {
		objects[o.Name] = true
	}
	// A reference is the name of an object of the same step.
	from := fmt.Sprintf("s%d", i)
	fmt.Fprintf(b, "\t\t%s [label=%s];\n", from, dotQuote(dotRecord("", s.Values)))
	arrows := dotArrows(from, i, s.Values, objects)
	// 2. The objects; arrows come last.
	for _, o := range s.Heap {
		name := fmt.Sprintf("s%d_%s", i, o.Name)
		fmt.Fprintf(b, "\t\t%s [label=%s];\n", name, dotQuote(dotRecord(o.Name+": "+o.Class, o.Fields)))
		arrows += dotArrows(name, i, o.Fields, objects)
	}
	b.WriteString(arrows + "\t}\n")
}

// dotRecord returns the label of a box: a title, and a row for each value.
func dotRecord(title string, values []verdict.Value) string {
	var rows []string
	if title != "" {
		rows = append(rows, dotEscape(title))
	}
	for k, v := range values {
		rows = append(rows, fmt.Sprintf("<f%d> %s", k, dotEscape(v.Name+" = "+v.Val)))
	}
	return "{" + strings.Join(rows, "|") + "}"
}

// dotArrows returns the arrows from the values of a box to objects of step i.
func dotArrows(from string, i int, values []verdict.Value, objects map[string]bool) string {
	var b strings.Builder
	for k, v := range values {
		if objects[v.Val] {
			fmt.Fprintf(&b, "\t\t%s:f%d -> s%d_%s;\n", from, k, i, v.Val)
		}
	}
	return b.String()
}

// dotEscape escapes characters with a meaning in record labels.
func dotEscape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "{", `\{`, "}", `\}`, "|", `\|`, "<", `\<`, ">", `\>`).Replace(s)
}

// dotQuote quotes a label that is escaped already.
func dotQuote(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }
