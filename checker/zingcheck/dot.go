package zingcheck

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"c2bp/checker/interleave"
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file draws the graph of states, for Graphviz.

// Dot writes the graph of the states of a model: a node for each state, an edge for each transition, with the
// process and the last statement. Steps that fail lead to a box with the failure. If a limit has left out
// something, a comment says so.
//
//	digraph states {
//		1 -> 2 [label="0 A.a: g = 4;"];
//	}
func Dot(ctx context.Context, w io.Writer, src *zing.Program, opts Options) error {
	low := Lower(src, opts).Lowered
	r, edges := interleave.Graph(ctx, interleave.Model{Prog: low.Prog, Roots: low.Activate}, opts.Options)
	var b strings.Builder
	b.WriteString("digraph states {\n\tnode [fontname=monospace, shape=circle];\n\tedge [fontname=monospace];\n")
	if r.Open != "" {
		fmt.Fprintf(&b, "\t// not all states: %s\n", r.Open)
	}
	b.WriteString("\t1 [style=bold];\n")
	// Failing steps have a node of their own.
	for i, e := range edges {
		to := strconv.Itoa(e.To)
		if e.To == 0 {
			to = fmt.Sprintf("f%d", i)
			what := errorNames[e.Outcome]
			switch e.Outcome {
			case zom.Failed:
				what = "assertion"
			case zom.Ended:
				what = "assume"
			}
			fmt.Fprintf(&b, "\t%s [shape=box, label=%s];\n", to, strconv.Quote(what))
		}
		label := fmt.Sprintf("%d: %s", e.Move.Process, low.Nodes[e.Node].Text)
		if e.Move.Pick >= 0 {
			label = fmt.Sprintf("%d: alternative %d", e.Move.Process, e.Move.Pick+1)
		}
		fmt.Fprintf(&b, "\t%d -> %s [label=%s];\n", e.From, to, strconv.Quote(label))
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}
