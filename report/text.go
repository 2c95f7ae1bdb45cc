package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"c2bp/verdict"
)

// This file renders results as text.

// ResultPrefix begins the last line of every report.
const ResultPrefix = "Verification result: "

// abstractOnly is printed for a failing run that was found in the Boolean program only.
const abstractOnly = "The failing run is one of the Boolean program; it was not checked against C."

// mostInputs is the number of inputs that the text form lists.
const mostInputs = 40

// writeInputs lists the inputs of a confirmed run, and how it was confirmed.
//
//	Inputs of the run, in order:
//	  next_packet()  = 1742359389  net.c:23
//
//	The run was replayed by the rules of C; reproduced by the compiled program.
//
// Of a run that goes on for ever it says how that is known.
func writeInputs(w io.Writer, f verdict.Failure) {
	if len(f.Inputs) > 0 {
		fmt.Fprintln(w, "Inputs of the run, in order:")
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for i, in := range f.Inputs {
			if i == mostInputs {
				fmt.Fprintf(t, "  … and %d more\n", len(f.Inputs)-i)
				break
			}
			// A value that the program does not use may be anything.
			value := in.Value
			if value == "" {
				value = "any"
			}
			what := in.Place
			if in.Func != "" {
				what = in.Func + "()"
			}
			value = "= " + value
			if in.Calls != "" {
				value = "calls " + in.Calls
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\n", what, value, fmt.Sprintf("%s:%d", in.Pos.File, in.Pos.Line))
		}
		t.Flush()
		fmt.Fprintln(w)
	}
	writeRestsOn(w, f.RestsOn)
	// Last, how the run was confirmed.
	how := "The run was replayed by the rules of C"
	if t := f.Trace; t != nil && t.Loop > 0 && t.Steps[len(t.Steps)-1].Note == "" {
		how += ", back to a state that it had been in"
	}
	if f.Compiled != "" {
		how += "; " + f.Compiled
	}
	fmt.Fprintln(w, how+".")
}

// writeRestsOn lists the unlikely choices that a run rests on.
//
//	The failure rests on:
//	  find() returns null  null.c:7
func writeRestsOn(w io.Writer, list []verdict.Choice) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "The failure rests on:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range list {
		fmt.Fprintf(t, "  %s\t%s\n", oneLine(c.Text), fmt.Sprintf("%s:%d", c.Pos.File, c.Pos.Line))
	}
	t.Flush()
	fmt.Fprintln(w)
}

// Text renders r for a reader. Nothing is written before all of it is rendered except the part that w
// buffers; the error is the first one of w.
func Text(w io.Writer, r *verdict.Result) error { return TextFrom(w, r, "") }

// TextFrom is Text for a reader in the directory dir: long names of files there are shown relative
// to it.
func TextFrom(w io.Writer, r *verdict.Result, dir string) error { return text(w, r, dir, false) }

// FullTextFrom is TextFrom with a line for each assumption.
func FullTextFrom(w io.Writer, r *verdict.Result, dir string) error { return text(w, r, dir, true) }

// text renders r; full says whether each assumption has a line.
func text(w io.Writer, r *verdict.Result, dir string, full bool) error {
	b := bufio.NewWriter(w)
	summary := r.Summary()
	r, head := shown(r, dir)
	fmt.Fprint(b, head)
	// 1. The failing run, and the properties if there are several.
	switch {
	case r.Verdict == verdict.False && r.Trace != nil && len(r.Trace.Processes) > 0:
		writeRun(b, r)
		writeProcesses(b, r.Trace)
	case len(r.Sites) > 0 && r.Sites[r.Failed].Kind == verdict.Formula:
		writeLasso(b, r)
	case r.Verdict == verdict.False:
		writeTrace(b, r)
	}
	if len(r.Sites) > 1 || slices.ContainsFunc(r.Sites, func(s verdict.Site) bool { return s.Idle || s.Kind == verdict.Rule }) {
		writeSites(b, r)
	}
	writeChanges(b, r.Changes)
	writeUncalled(b, r)
	writeKept(b, r.Kept)
	// 2. Assumptions are those of properties that hold.
	if r.Verdict != verdict.False {
		writeLedger(b, "Under these assumptions:", r.Ledger, full)
	} else if slices.ContainsFunc(r.Sites, holds) {
		writeLedger(b, "What holds does so under these assumptions:", r.Ledger, full)
	}
	// 3. How the failing run was confirmed.
	switch {
	case r.Verdict != verdict.False:
	case len(r.Failures) > 0:
		writeInputs(b, r.Failures[0])
	default:
		fmt.Fprintln(b, abstractOnly)
	}
	// 4. The last line, which scripts read.
	if r.Certificate != "" {
		fmt.Fprintf(b, "Certificate: %s\n\n", oneLine(r.Certificate))
	}
	fmt.Fprintln(b, ResultPrefix+summary)
	return b.Flush()
}

// writeSites prints the table of properties.
func writeSites(w io.Writer, r *verdict.Result) {
	fmt.Fprintln(w, "Properties:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  property\twhere\tstatus")
	width := len("undecided")
	if r.Suppressed() > 0 {
		width = len("suppressed")
	}
	for i, s := range r.Sites {
		// The note is in a column of its own.
		status := s.Status()
		if note := siteNote(r, i); note != "" {
			status = fmt.Sprintf("%-*s  %s", width, status, note)
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\n", tableName(s), s.Where(), status)
	}
	t.Flush()
	fmt.Fprintln(w)
}

// writeChanges lists the changes since an earlier result.
//
//	Since old.json:
//	  new        rule spinlock: double-lock  dev.c:12
//	  unchanged  rule mutex: held-at-end     dev.c:40
func writeChanges(w io.Writer, c *verdict.Changes) {
	if c == nil {
		return
	}
	fmt.Fprintf(w, "Since %s:\n", c.Since)
	if len(c.List) == 0 {
		fmt.Fprintln(w, "  no failure, then or now")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, x := range c.List {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", x.State, x.What, x.Where)
	}
	t.Flush()
	fmt.Fprintln(w)
}

// mostText is the number of characters of an operation that the table of properties shows.
const mostText = 40

// tableName returns the name of a site in the table; of a check it says which operation it is about.
func tableName(s verdict.Site) string {
	if s.Kind != verdict.Check || s.Text == "" {
		return s.What()
	}
	text := []rune(oneLine(s.Text))
	if len(text) > mostText {
		text = append(text[:mostText-1], '…')
	}
	return s.What() + ": " + string(text)
}

// writeKept lists the pointers that were kept as references.
//
//	Kept as references:
//	  - struct dev is kept as class dev: it has object predicates; its pointers next
func writeKept(w io.Writer, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "Kept as references:")
	for _, line := range list {
		fmt.Fprintf(w, "  - %s\n", line)
	}
	fmt.Fprintln(w)
}

// mostUncalled is the number of uncalled functions that the text form names.
const mostUncalled = 10

// writeUncalled lists the functions of C files that are never called: they were not analysed.
//
//	Never called: probe, remove and 3 functions of headers
func writeUncalled(w io.Writer, r *verdict.Result) {
	list := slices.Clone(r.Uncalled)
	if len(list) == 0 {
		return
	}
	// Name the first ones, and count the others and those in headers.
	if n := len(list) - mostUncalled; n > 1 {
		list = append(list[:mostUncalled], fmt.Sprintf("%d more", n))
	}
	switch n := r.UncalledInHeaders; {
	case n == 1:
		list = append(list, "a function of a header")
	case n > 1:
		list = append(list, fmt.Sprintf("%d functions of headers", n))
	}
	text := list[len(list)-1]
	if n := len(list) - 1; n > 0 {
		text = strings.Join(list[:n], ", ") + " and " + text
	}
	fmt.Fprintf(w, "Never called: %s\n\n", oneLine(text))
}

// siteNote returns the note of a site in the table: the reason why it is open, or the file with the
// inputs of its failing run, if they are not those printed below.
func siteNote(r *verdict.Result, site int) string {
	switch s := r.Sites[site]; {
	case s.Open:
		return oneLine(s.Reason)
	case s.Failed && s.Suppressed != "":
		return oneLine(s.Suppressed)
	}
	for i, f := range r.Failures {
		switch {
		case i == 0 || f.Site != site:
		case f.Harness != "":
			return "inputs: " + f.Harness
		default:
			return "inputs: --format json"
		}
	}
	return ""
}

// holds reports whether s is decided and holds.
func holds(s verdict.Site) bool { return !s.Failed && !s.Open && !s.Idle && !s.Absent }

// writeLedger prints the assumptions under which the verdict holds.
//
//	Under these assumptions:
//	  - integers: signed overflow is absent
func writeLedger(w io.Writer, title string, ledger []string, full bool) {
	lines := Shortened(ledger)
	switch {
	case len(ledger) == 0:
		return
	case full:
		lines = ledger
	case len(lines) > mostUngrouped:
		writeGroups(w, title, ledger)
		return
	}
	fmt.Fprintln(w, title)
	for _, a := range lines {
		fmt.Fprintln(w, "  - "+oneLine(a))
	}
	fmt.Fprintln(w)
}
