package source

import (
	"errors"
	"sort"
	"strings"
)

// This file defines diagnostics, and lists of them.

// Severity is the effect of a diagnostic on the result.
type Severity int

const (
	Note    Severity = iota // information only
	Warning                 // the result holds, but perhaps not of what the user meant
	Error                   // there is no result
)

func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Diagnostic is a message about a place in a source text. As an error it prints with the quoted
// line and a caret.
type Diagnostic struct {
	Pos      Pos
	Severity Severity
	Msg      string
	Quote    string // the source line at Pos; "" if unknown
	Class    string // Msg without what differs from place to place; "" if not classified
}

// Error returns d in full, without a newline at the end.
func (d *Diagnostic) Error() string {
	var b strings.Builder
	// The place is left out if nothing is known of it.
	if s := d.Pos.String(); s != "" {
		b.WriteString(s + ": ")
	}
	b.WriteString(d.Severity.String() + ": " + d.Msg + "\n")
	if d.Pos.Col > 0 {
		b.WriteString(quote(d.Quote, d.Pos.Col))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// List is a collection of diagnostics in the order they were found. A List with
// at least one Error in it is an error value: see Err.
type List []*Diagnostic

// Add appends d.
func (l *List) Add(d *Diagnostic) { *l = append(*l, d) }

// MaxErrors is the number of errors at which AddError tells a reader to stop.
const MaxErrors = 20

// AddError appends an error, unless the one before it is at the same place, of which it would be a consequence. It
// reports whether there are so many now that the reader should stop; then a note says so.
func (l *List) AddError(d *Diagnostic) (full bool) {
	if n := len(*l); n > 0 && (*l)[n-1].Pos == d.Pos {
		return false
	}
	l.Add(d)
	if full = len(*l) == MaxErrors; full {
		l.Add(&Diagnostic{Pos: Pos{File: d.Pos.File}, Severity: Note, Msg: "too many errors: the rest is not shown"})
	}
	return full
}

// Err returns the list as an error if it has an entry of severity Error, else nil.
func (l List) Err() error {
	for _, d := range l {
		if d.Severity == Error {
			return l
		}
	}
	return nil
}

// Error returns all entries, separated by newlines.
func (l List) Error() string {
	parts := make([]string, len(l))
	for i, d := range l {
		parts[i] = d.Error()
	}
	return strings.Join(parts, "\n")
}

// Sort orders the list by position, keeping the order of entries at one place.
// Diagnostics of several files are in the order of the names of the files.
func (l List) Sort() {
	sort.SliceStable(l, func(i, j int) bool { return l[i].Pos.Before(l[j].Pos) })
}

// IsInput reports whether err says that an input could not be read, parsed or
// type-checked (exit code 2 of the command line), as opposed to a fault of ours.
func IsInput(err error) bool {
	var d *Diagnostic
	var l List
	return errors.As(err, &d) || errors.As(err, &l)
}
