package report

import (
	"fmt"
	"io"
	"path"
	"strings"
	"text/tabwriter"
)

// This file prints the table of iterations. The text form omits iterations in the middle; the JSON
// form has all.

const (
	mostIterations  = 40 // beyond, the first and the last of them are printed
	firstIterations = 10
	lastIterations  = 20
	mostLearned     = 3 // properties of one iteration
)

// writeIterations prints a row for each iteration.
func writeIterations(w io.Writer, list []Iteration) error {
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "iteration\tpredicates\tnew\tqueries\ton paths\tBDD nodes\tsteps\tseconds\tlearned from")
	for i, it := range list {
		// Long tables have their middle left out.
		switch last := len(list) - lastIterations; {
		case len(list) <= mostIterations || i < firstIterations || i >= last:
			writeIteration(t, it)
		case i == firstIterations:
			fmt.Fprintf(t, "…\t%d more\t\t\t\t\t\t\t\n", last-i)
		}
	}
	return t.Flush()
}

// writeIteration prints the row of an iteration.
func writeIteration(w io.Writer, it Iteration) {
	fmt.Fprintf(w, "%d\t%d\t%+d\t%d\t%d\t%d\t%d\t%.3f\t%s\n", it.Number, it.Predicates, it.New,
		it.Abstraction, it.Paths, it.Nodes, it.Steps, it.Seconds, learnedText(it))
}

// learnedText lists the properties that were examined, and the results.
func learnedText(it Iteration) string {
	switch {
	case it.Unfinished:
		return "not finished"
	case len(it.Learned) == 0:
		return "-"
	}
	var items []string
	for i, l := range it.Learned {
		// Name the first, count the others.
		if i == mostLearned {
			items = append(items, fmt.Sprintf("%d more", len(it.Learned)-i))
			break
		}
		items = append(items, path.Base(l.Where)+": "+l.text())
	}
	return strings.Join(items, "; ")
}

// text returns the result of examining the property.
func (l Learned) text() string {
	switch l.Result {
	case "predicates":
		return counted(l.Conditions, "condition")
	case "exactness":
		return counted(l.Conditions, "condition") + ", taken more exactly"
	}
	return l.Result
}

// counted returns n and a noun, in the plural unless n is 1.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
