package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"c2bp/verdict"
)

// This file renders results of models whose processes interleave, and failing runs of Boolean programs with
// threads.
//
//	The failing run, 3 states (| shows what a transition has changed):
//
//	  2  0 A.a  m.zing:3  int q = 4;
//	                      | q = 4
//	  3  0 A.a  m.zing:3  q = q / z;  [division by zero]
//
//	The processes in this state:
//
//	  0 A.a  can run  m.zing:3  q = q / z;
//	                            | z = 0, q = 4
//
// The first column is the number of the state to which a transition leads; the steps of one transition,
// between which no other process runs, have it once.

// ProcessesFrom renders the result of a model for a reader in the directory dir; see TextFrom. With heap, the
// last state is shown with its objects.
func ProcessesFrom(w io.Writer, r *verdict.Result, dir string, heap bool) error {
	b := bufio.NewWriter(w)
	summary := r.Summary()
	r, head := shown(r, dir)
	fmt.Fprint(b, head)
	if r.Verdict == verdict.False {
		writeRun(b, r)
		writeProcesses(b, r.Trace)
		if n := len(r.Trace.Steps); n > 0 && heap {
			writeHeap(b, r.Trace.Steps[n-1])
		}
	}
	if len(r.Sites) > 1 {
		writeSites(b, r)
	}
	fmt.Fprintln(b, ResultPrefix+summary)
	return b.Flush()
}

// writeRun prints the failing run.
func writeRun(w io.Writer, r *verdict.Result) {
	steps := r.Trace.Steps
	if len(steps) == 0 {
		fmt.Fprintf(w, "The initial state fails: %s.\n\n", r.Sites[r.Failed].What())
		return
	}
	writeSteps(w, "The failing run", steps, func(i int) string { return remarkOn(r, i) })
}

// writeSteps prints a run under a title. A step may have a remark.
func writeSteps(w io.Writer, title string, steps []verdict.Step, remarkOn func(i int) string) {
	dir := commonDir(steps)
	in := ""
	if dir != "" {
		in = ", in " + dir
	}
	fmt.Fprintf(w, "%s, %d states%s (| shows what a transition has changed):\n\n", title, steps[len(steps)-1].State, in)
	place := func(s verdict.Step) string { return strings.TrimPrefix(where(s), dir) }
	// 1. The widths of columns.
	number := len(fmt.Sprint(steps[len(steps)-1].State))
	process, at := 0, 0
	for _, s := range steps {
		process = max(process, utf8.RuneCountInString(s.Process))
		at = max(at, utf8.RuneCountInString(place(s)))
	}
	margin := 2 + number + 2 + process + 2 + at + 2
	// 2. The steps. What is said of a transition stands below its last one.
	last := 0
	for i, s := range steps {
		if i > 0 && repeats(steps[i-1], s) {
			writeEffect(w, margin, s)
			continue
		}
		head, who := "", ""
		if s.State != last {
			head, who = fmt.Sprint(s.State), s.Process
		}
		last = s.State
		text := strings.Repeat("  ", s.Depth) + oneLine(s.Text)
		if remark := remarkOn(i); remark != "" {
			text += "  [" + remark + "]"
		}
		fmt.Fprintf(w, "  %*s  %-*s  %-*s  %s\n", number, head, process, who, at, place(s), text)
		writeEffect(w, margin, s)
	}
	fmt.Fprintln(w)
}

// repeats reports whether a step only goes on with the statement of the one before it.
func repeats(a, b verdict.Step) bool {
	return a.State == b.State && a.Depth == b.Depth && a.Pos == b.Pos && a.Text == b.Text && b.Origin == ""
}

// writeEffect prints the changes that a transition has made, its output and its events.
func writeEffect(w io.Writer, margin int, s verdict.Step) {
	indent := margin + 2*s.Depth
	for _, line := range s.Output {
		fmt.Fprintf(w, "%s> %s\n", strings.Repeat(" ", indent), oneLine(line))
	}
	for _, e := range s.Events {
		fmt.Fprintf(w, "%s! %s\n", strings.Repeat(" ", indent), e)
	}
	writeValues(w, indent, s.Changes)
}

// remarkOn returns the remark after step i.
func remarkOn(r *verdict.Result, i int) string {
	steps := r.Trace.Steps
	switch {
	case i == len(steps)-1 && r.Sites[r.Failed].Kind == verdict.Assertion:
		return "fails"
	case i == len(steps)-1:
		return r.Sites[r.Failed].What()
	}
	return originOf(steps, i)
}

// originOf returns the remark after step i of a run about how control came there.
func originOf(steps []verdict.Step, i int) string {
	switch s := steps[i]; {
	case s.Origin == "return":
		return "back from the call"
	case mark(s) != "":
		return mark(s)
	case s.Origin != "":
		return s.Origin
	case i > 0 && steps[i-1].Process == s.Process && steps[i-1].Depth > s.Depth:
		return "back from the call"
	}
	return ""
}

// writeProcesses prints where the processes are.
func writeProcesses(w io.Writer, t *verdict.Trace) {
	list, dir := t.Processes, commonDir(t.Steps)
	fmt.Fprint(w, "The processes in this state:\n\n")
	name, status := 0, 0
	for _, p := range list {
		name = max(name, utf8.RuneCountInString(p.Name))
		status = max(status, len(p.Status))
	}
	indent := 2 + name + 2 + status + 2
	for _, p := range list {
		head := fmt.Sprintf("  %-*s  %-*s  ", name, p.Name, status, p.Status)
		if len(p.Stack) == 0 {
			fmt.Fprintln(w, strings.TrimRight(head, " "))
		}
		for _, at := range p.Stack {
			fmt.Fprintf(w, "%s%s  %s\n", head, strings.TrimPrefix(where(verdict.Step{Pos: at.Pos}), dir), oneLine(at.Text))
			writeValues(w, indent, at.Values)
			head = strings.Repeat(" ", indent)
		}
	}
	fmt.Fprintln(w)
}

// writeHeap prints the globals and objects of the last state.
func writeHeap(w io.Writer, s verdict.Step) {
	fmt.Fprint(w, "Static fields and objects in this state:\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	for _, v := range s.Values {
		fmt.Fprintf(t, "  %s\t= %s\n", v.Name, v.Val)
	}
	for _, v := range fields(s.Heap) {
		fmt.Fprintf(t, "  %s\t= %s\n", v.Name, v.Val)
	}
	t.Flush()
	fmt.Fprintln(w)
}
