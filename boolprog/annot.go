package boolprog

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"c2bp/source"
)

// This file reads and prints annotations: comments that start with //@ and hold facts about the C
// program from which a Boolean program was made. A comment without one of these forms is an
// ordinary comment; reachability depends on none.
//
//	//@ assume signed overflow is absent           Program.Ledger
//	//@ uncalled set, remove                       Program.Uncalled
//	//@ note cubes up to length 3                  Program.Notes
//	//@ pred locked == 1                           Var.Pred of the next variable declared
//	//@ foo:17 driver.c:120:5 x = x + 1;           Stmt.Annot of the next statement
//	//@ origin branch-true                         Stmt.Annot.Origin of the next statement
//	//@ check driver.c:120:9 division by zero: x / y    Stmt.Annot.Check of the next statement

// origins are the words that an origin annotation may have.
var origins = map[string]bool{"call": true, "return": true, "branch-true": true, "branch-false": true, "assert": true, "assume": true}

// annotations collects annotations that were read and not yet attached: ledger, notes and uncalled
// go to the program at its end, pred to the next variable, and stmt to the next statement.
type annotations struct {
	ledger, notes []string
	uncalled      []string
	pred          string
	stmt          *Annot
}

// read adds a comment; text is the part after "//@". A second predicate, node or origin before the
// same declaration or statement replaces the first; a comment of no known form is ignored.
func (a *annotations) read(text string) {
	text = oneLine(text)
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch {
	// A word alone says nothing.
	case rest == "":
	case word == "assume":
		a.ledger = append(a.ledger, rest)
	case word == "uncalled":
		for _, name := range strings.Split(rest, ",") {
			if name = strings.TrimSpace(name); name != "" {
				a.uncalled = append(a.uncalled, name)
			}
		}
	case word == "note":
		a.notes = append(a.notes, rest)
	case word == "pred":
		a.pred = rest
	case word == "origin":
		if origins[rest] {
			a.forStmt().Origin = rest
		}
	case word == "check":
		if pos, text, ok := cutPos(rest); ok {
			name, expr, _ := strings.Cut(text, ": ")
			if expr = strings.TrimSpace(expr); name != "" && expr != "" {
				a.forStmt().Check = &Operation{Name: name, Pos: pos, Text: expr}
			}
		}
	// A node of the C program with its position and text.
	case isNodeID(word):
		if pos, text, ok := cutPos(rest); ok {
			s := a.forStmt()
			s.Node, s.Pos, s.Text = word, pos, text
		}
	}
}

// forStmt returns the annotation of the next statement.
func (a *annotations) forStmt() *Annot {
	if a.stmt == nil {
		a.stmt = new(Annot)
	}
	return a.stmt
}

// takeStmt returns the annotation of the statement that starts here, nil if there is none, and
// forgets it.
func (a *annotations) takeStmt() *Annot {
	s := a.stmt
	a.stmt = nil
	return s
}

// takePred returns the predicate of the variable that is declared here, "" if there is none, and
// forgets it.
func (a *annotations) takePred() string {
	p := a.pred
	a.pred = ""
	return p
}

// isNodeID reports whether word has the form name:number, or name:entry for the initialisation of
// symbolic constants before node 0.
func isNodeID(word string) bool {
	if name, ok := strings.CutSuffix(word, ":entry"); ok {
		return name != ""
	}
	i := strings.LastIndexByte(word, ':')
	_, ok := positive(word[i+1:])
	// Unlike a line or column, the number of a node may be 0.
	return i > 0 && (ok || word[i+1:] == "0")
}

// cutPos splits "file:line:col text" at the first blank that follows a position; file names may
// contain blanks. "-" stands for no position.
func cutPos(s string) (pos source.Pos, text string, ok bool) {
	// Try the blanks from left to right: the first prefix that is a position.
	for end := 0; end < len(s); end++ {
		if n := strings.IndexByte(s[end:], ' '); n >= 0 {
			end += n
		} else {
			end = len(s)
		}
		if pos, ok := parsePos(s[:end]); ok {
			return pos, strings.TrimSpace(s[end:]), true
		}
	}
	return source.Pos{}, "", false
}

// parsePos reads the output of formatPos: file:line:col, file:line or "-".
func parsePos(s string) (source.Pos, bool) {
	if s == "-" {
		return source.Pos{}, true
	}
	head, last, ok := cutNumber(s)
	if !ok {
		return source.Pos{}, false
	}
	// A second number is the line, and the first one was the column.
	if file, line, ok := cutNumber(head); ok {
		return source.Pos{File: file, Line: line, Col: last}, true
	}
	return source.Pos{File: head, Line: last}, true
}

// formatPos writes a position.
func formatPos(p source.Pos) string {
	// A position without a file cannot be read back.
	if !p.IsValid() || p.File == "" {
		return "-"
	}
	return p.String()
}

// cutNumber splits "head:number" at the last colon; ok is false if the number is not positive or
// the head is empty.
func cutNumber(s string) (head string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i <= 0 {
		return "", 0, false
	}
	n, ok = positive(s[i+1:])
	return s[:i], n, ok
}

// positive reads a positive decimal number without sign; ok is false for any other text, and for
// numbers that do not fit in an int.
func positive(s string) (int, bool) {
	if s == "" || !isDigit(s[0]) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n > 0
}

// oneLine returns s as the text of a line comment: with line breaks and tabs as blanks, and without
// blanks at the ends.
func oneLine(s string) string {
	return strings.TrimSpace(strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(s))
}

// printAnnot writes the annotation of a statement, each line after indent.
func printAnnot(w io.Writer, indent string, a *Annot) {
	if a == nil {
		return
	}
	if a.Node != "" {
		fmt.Fprintf(w, "%s//@ %s\n", indent, oneLine(a.Node+" "+formatPos(a.Pos)+" "+a.Text))
	}
	if a.Origin != "" {
		fmt.Fprintf(w, "%s//@ origin %s\n", indent, a.Origin)
	}
	if c := a.Check; c != nil {
		fmt.Fprintf(w, "%s//@ check %s\n", indent, oneLine(formatPos(c.Pos)+" "+c.Name+": "+c.Text))
	}
}
