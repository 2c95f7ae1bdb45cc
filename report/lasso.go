package report

import (
	"fmt"
	"io"

	"c2bp/verdict"
)

// This file prints runs that violate a formula.

// writeLasso prints such a run: the steps to a loop, and the loop. A run that stays somewhere for ever is shown as
// a finite one, whose last step says so.
//
//	list.bp:4   main  x := new C;
//	                  these steps repeat for ever:
//	list.bp:6   main  while (*) do
func writeLasso(w io.Writer, r *verdict.Result) {
	t := r.Trace
	if t == nil || len(t.Steps) == 0 {
		return
	}
	dir, in := commonDir(t.Steps), ""
	if dir != "" {
		in = ", in " + dir
	}
	of := "A run"
	if r.Verdict != verdict.False {
		of = "A run of the abstraction"
	}
	fmt.Fprintf(w, "%s that violates %s%s (| shows what changed):\n\n", of, r.Sites[r.Failed].Name, in)
	told := newHistory(t.Steps)
	end := len(t.Steps)
	if t.Loop > 0 && (t.Loop < end || t.Steps[end-1].Note == "") {
		end = t.Loop - 1
	}
	rows := elide(traceRows(t.Steps[:end], dir, told))
	if end < len(t.Steps) {
		text := "these steps repeat for ever:"
		if end+1 == len(t.Steps) {
			text = "this step repeats for ever:"
		}
		rows = append(rows, row{gap: true, text: text})
		rows = append(rows, elide(traceRows(t.Steps[end:], dir, told))...)
	}
	writeRows(w, rows)
}
