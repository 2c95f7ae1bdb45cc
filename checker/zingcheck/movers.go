package zingcheck

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"c2bp/checker/interleave"
)

// This file shows the table of locks of a reduced search.

// WriteMovers writes a table of the locations that processes share: locks, those that they protect, and why
// nothing protects the rest. It writes nothing unless the search was a reduced one.
func (a *Analysis) WriteMovers(w io.Writer) {
	if a.Search == nil || a.Search.Reduction == nil {
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  location\tprotected by")
	for _, p := range a.Search.Reduction.Table {
		fmt.Fprintf(t, "  %s\t%s\n", p.Location, a.protection(p))
	}
	fmt.Fprintln(w, "Locks, and what they protect:")
	t.Flush()
	fmt.Fprintln(w)
}

// protection returns the second column of a line.
func (a *Analysis) protection(p interleave.Protection) string {
	where := ""
	if p.Node >= 0 {
		n := a.Lowered.Nodes[p.Node]
		where = fmt.Sprintf("%s:%d: %s", n.Pos.File, n.Pos.Line, n.Text)
	}
	switch {
	case p.Lock:
		return "(a lock)"
	case len(p.By) > 0:
		return strings.Join(p.By, ", ")
	case p.WasLock && where == "":
		return "nothing, and no lock: selects wait for different values"
	case p.WasLock:
		return "nothing, and no lock: " + where
	case !p.Written:
		return "nothing: no process writes it"
	case where == "":
		return "nothing"
	}
	return "nothing: no lock of its other uses is held at " + where
}
