package report

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"

	"c2bp/verdict"
)

// ResultPrefix begins the last line of every report.
const ResultPrefix = "Verification result: "

// abstractOnly is said of a failing run that was found in the Boolean program alone.
const abstractOnly = "The failing run is one of the Boolean program; it was not checked against C."

// Options say how to render.
type Options struct {
	// Confirmed means that a failing run was replayed in the C program; otherwise
	// the report says that it was not.
	Confirmed bool
	// Inputs are what the confirmed run got from outside, in order.
	Inputs []Input
	// Compiled says what came of the compiled program with these inputs; "" if it was not
	// run.
	Compiled string
}

// Input is a value that a run got from a function that the program does not define.
type Input struct {
	Func  string
	Value string // "" if nobody used it
	Where string // file:line
}

// mostInputs is how many inputs the text form lists.
const mostInputs = 40

// writeInputs lists the inputs of a confirmed run, and says how it was confirmed.
func writeInputs(w io.Writer, o Options) {
	if len(o.Inputs) > 0 {
		fmt.Fprintln(w, "Inputs of the run, in order:")
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for i, in := range o.Inputs {
			if i == mostInputs {
				fmt.Fprintf(t, "  … and %d more\n", len(o.Inputs)-i)
				break
			}
			value := in.Value
			if value == "" {
				value = "any"
			}
			fmt.Fprintf(t, "  %s()\t= %s\t%s\n", in.Func, value, in.Where)
		}
		t.Flush()
		fmt.Fprintln(w)
	}
	how := "The run was replayed by the rules of C"
	if o.Compiled != "" {
		how += "; " + o.Compiled
	}
	fmt.Fprintln(w, how+".")
}

// Text renders r for a reader. Nothing is written before all of it is rendered
// but what w itself buffers; the error is the first one of w.
func Text(w io.Writer, r *verdict.Result, o Options) error {
	b := bufio.NewWriter(w)
	if r.Verdict == verdict.False {
		writeTrace(b, r)
	}
	if len(r.Sites) > 1 {
		writeSites(b, r)
	}
	switch {
	case r.Verdict != verdict.False:
		writeLedger(b, r.Ledger)
	case o.Confirmed:
		writeInputs(b, o)
	default:
		fmt.Fprintln(b, abstractOnly)
	}
	fmt.Fprintln(b, ResultPrefix+r.Summary())
	return b.Flush()
}

// writeSites prints the table of properties.
func writeSites(w io.Writer, r *verdict.Result) {
	fmt.Fprintln(w, "Properties:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  property\twhere\tstatus")
	for _, s := range r.Sites {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", s.What(), s.Where(), Status(r, s))
	}
	t.Flush()
	fmt.Fprintln(w)
}

// Status is what r says of one site: "fails", "holds" or "undecided".
func Status(r *verdict.Result, s verdict.Site) string {
	switch {
	case s.Failed:
		return "fails"
	case r.Verdict == verdict.Unknown, s.Open:
		return "undecided"
	}
	return "holds"
}

// writeLedger prints the assumptions on which the verdict rests.
func writeLedger(w io.Writer, ledger []string) {
	if len(ledger) == 0 {
		return
	}
	fmt.Fprintln(w, "Under these assumptions:")
	for _, a := range ledger {
		fmt.Fprintln(w, "  - "+oneLine(a))
	}
	fmt.Fprintln(w)
}
