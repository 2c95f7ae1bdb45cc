package frontend

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/ccfix"
	"c2bp/source"
)

// This file lists the constructs of a program that the front end does not represent exactly, for
// --explain-unsupported.

// Construct is a kind of construct that the front end over-approximates or, with the severity
// Error, refuses. The class of "the value of x is an arbitrary value" is "… is an arbitrary value".
type Construct struct {
	Severity source.Severity
	Class    string // its name, with … for the parts that differ from place to place
	Count    int    // places

	first source.Pos // the first of them, in the order of files and lines
}

// Explanation lists the constructs that the front end does not represent exactly.
type Explanation struct {
	Places     source.List // each of them, in the order of files and lines
	Constructs []Construct // their kinds: errors, warnings, notes, and among those in the order of the first place
}

// Explain reads C files like Load and lists all constructs that are not represented exactly, also if
// Load refuses the program because of some. It returns an error only if nothing could be read, as when
// ctx is done; errors in the files are in the list.
func Explain(ctx context.Context, files []*source.File, opts Options) (*Explanation, error) {
	var found source.List
	_, err := settle(opts, func(l *linker) (err error) {
		l.explaining = true
		found, err = l.explain(ctx, files)
		return err
	})
	if err != nil {
		return nil, err
	}
	found.Sort()
	return &Explanation{found, constructs(found)}, nil
}

// explain returns the diagnostics of Load, without stopping at errors. Files that cannot be read
// are left out; those that can be are searched.
func (l *linker) explain(ctx context.Context, files []*source.File) (found source.List, err error) {
	err = l.read(ctx, files)
	var unread source.List
	if err != nil && !errors.As(err, &unread) {
		return nil, err
	}
	if err := l.lowerAnyway(ctx); err != nil {
		return nil, err
	}
	return slices.Concat(unread, l.errs, l.diags), nil
}

// lowerAnyway lowers the files that were read, in spite of errors. After an error no invariant is
// certain, so a panic then only ends the search.
func (l *linker) lowerAnyway(ctx context.Context) (err error) {
	// A panic without any error is a defect of this package, and is not hidden.
	defer func() {
		if len(l.errs) > 0 {
			if r := recover(); r != nil {
				err = nil
			}
		}
	}()
	_, err = l.lower(ctx)
	var list source.List
	if errors.As(err, &list) {
		err = nil
	}
	return err
}

// constructs returns the classes of the diagnostics with their counts, in the order of
// Explanation.Constructs. found is in the order of files and lines.
func constructs(found source.List) (list []Construct) {
	index := map[Construct]int{} // by severity and class
	// 1. Count by class; a message without one is its own class, with names replaced.
	for _, d := range found {
		key := Construct{Severity: d.Severity, Class: d.Class}
		if key.Class == "" {
			key.Class = ccfix.Normalise(d.Msg)
		}
		i, seen := index[key]
		if !seen {
			i = len(list)
			index[key] = i
			list = append(list, Construct{key.Severity, key.Class, 0, d.Pos})
		}
		list[i].Count++
		if d.Pos.Before(list[i].first) {
			list[i].first = d.Pos
		}
	}
	// 2. Errors first, then by the first place.
	slices.SortFunc(list, func(a, b Construct) int {
		switch {
		case a.Severity != b.Severity:
			return int(b.Severity - a.Severity)
		case a.first != b.first && a.first.Before(b.first):
			return -1
		case a.first != b.first:
			return 1
		}
		return strings.Compare(a.Class, b.Class)
	})
	return list
}

// Refused reports whether there is an error among the constructs: Load refuses the program.
func (e *Explanation) Refused() bool {
	return len(e.Constructs) > 0 && e.Constructs[0].Severity == source.Error
}

// String returns a line for each place and one for each kind of construct:
//
//	f.c:7:9: note: the value of x is an arbitrary value
//	f.c:12:3: error: setjmp is not supported: its control flow cannot be followed
//
//	severity  places  construct
//	error          1  … is not supported: its control flow cannot be followed
//	note           1  … is an arbitrary value
func (e *Explanation) String() string {
	var b strings.Builder
	for _, d := range e.Places {
		msg, _, _ := strings.Cut(d.Msg, "\n")
		fmt.Fprintf(&b, "%s: %s: %s\n", d.Pos, d.Severity, msg)
	}
	if len(e.Places) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%-8s  %6s  %s\n", "severity", "places", "construct")
	for _, c := range e.Constructs {
		fmt.Fprintf(&b, "%-8s  %6d  %s\n", c.Severity, c.Count, c.Class)
	}
	return b.String()
}
