package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"c2bp/verdict"
)

// This file renders results whose runs are shown with the heap at each step.
//
//	The failing run (| shows the heap after a step, without what is nil):
//
//	  list.shy:4  x := new
//	              | x = A0
//	  list.shy:5  x.next := y  [dereferences null]

// HeapsFrom renders the result of a program for a reader in the directory dir; see TextFrom. A run to a heap that
// is too large is shown for UNKNOWN, too.
func HeapsFrom(w io.Writer, r *verdict.Result, dir string) error {
	b := bufio.NewWriter(w)
	summary := r.Summary()
	r, head := shown(r, dir)
	fmt.Fprint(b, head)
	if r.Trace != nil {
		writeHeaps(b, r)
	}
	if len(r.Sites) > 1 {
		writeSites(b, r)
	}
	fmt.Fprintln(b, ResultPrefix+summary)
	return b.Flush()
}

// writeHeaps prints a run.
func writeHeaps(w io.Writer, r *verdict.Result) {
	steps := r.Trace.Steps
	// 1. The heading.
	title := "The failing run"
	switch {
	case r.Verdict != verdict.False:
		title = "A run to this heap"
	case r.Trace.Loop > 0:
		title = "A run that violates the formula"
	}
	dir := commonDir(steps)
	if dir != "" {
		title += ", in " + dir
	}
	fmt.Fprintf(w, "%s (| shows the heap after a step, without what is nil):\n\n", title)
	if slices.ContainsFunc(steps, func(s verdict.Step) bool { return s.Collapsed }) {
		fmt.Fprintf(w, "  The run is long: calls are one step, and objects get new names at each step.\n\n")
	}
	place := func(s verdict.Step) string {
		if !s.Pos.IsValid() {
			return ""
		}
		return strings.TrimPrefix(where(s), dir)
	}
	at := 0
	for _, s := range steps {
		at = max(at, utf8.RuneCountInString(place(s)))
	}
	// 2. The steps, and where the loop begins. The middle of a long run is left out.
	before := ""
	for i, s := range steps {
		if i == r.Trace.Loop-1 {
			fmt.Fprint(w, "\n  and then for ever:\n\n")
		}
		if len(steps) > mostHeaps && i >= mostHeaps/2 && i < len(steps)-mostHeaps/2 {
			if i == mostHeaps/2 {
				fmt.Fprintf(w, "  … (%d steps)\n", len(steps)-mostHeaps)
			}
			continue
		}
		text := strings.Repeat("  ", s.Depth) + oneLine(s.Text)
		if remark := heapRemark(r, i); remark != "" {
			text += "  [" + remark + "]"
		}
		fmt.Fprintf(w, "  %-*s  %s\n", at, place(s), text)
		indent := 2 + at + 2 + 2*s.Depth
		if i+1 < len(steps) {
			s = steps[i+1]
		}
		if after := heapText(s); after != before {
			writeValues(w, indent, present(s))
			for _, line := range s.Output {
				fmt.Fprintf(w, "%s  %s\n", strings.Repeat(" ", indent), line)
			}
			before = after
		}
	}
	fmt.Fprintln(w)
}

// mostHeaps is the number of steps up to which a run is shown in full.
const mostHeaps = 200

// heapRemark returns the remark after step i of a run.
func heapRemark(r *verdict.Result, i int) string {
	s := r.Trace.Steps[i]
	if i == len(r.Trace.Steps)-1 && r.Verdict == verdict.False && r.Trace.Loop == 0 {
		return failure(r.Sites[r.Failed])
	}
	return mark(s)
}

// present returns the variables and fields of a step that lead to objects, and the atoms of a formula.
func present(s verdict.Step) []verdict.Value {
	list := slices.DeleteFunc(slices.Concat(s.Values, fields(s.Heap)), func(v verdict.Value) bool { return v.Val == "nil" })
	if len(list) == 0 {
		list = []verdict.Value{{Name: "every variable", Val: "nil"}}
	}
	return append(list, s.Atoms...)
}

// heapText returns a text that two steps have in common if their heaps are shown alike.
func heapText(s verdict.Step) string { return fmt.Sprint(present(s)) }
