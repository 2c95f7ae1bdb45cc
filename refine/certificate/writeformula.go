package certificate

import (
	"bufio"
	"fmt"
)

// This file writes the formulas of a procedure. A formula that has several uses, and is more than a
// few words long, is defined once by a name.

// worthNaming is the least length of a formula that is given a name because it has several uses: in
// words, where a name is one word. Shorter ones are easier to read in place, and make the text no
// more than twice as long.
const worthNaming = 24

// formulaWriter writes formulas of one procedure.
type formulaWriter struct {
	b     *bufio.Writer
	scope []*Predicate
	taken map[string]bool     // names
	uses  map[*Formula]int    // in how many places
	words map[*Formula]int    // of those that have been defined, or need no definition
	names map[*Formula]string // of those that have one
}

// newFormulaWriter returns a writer of formulas over the predicates in scope.
func newFormulaWriter(b *bufio.Writer, scope []*Predicate) *formulaWriter {
	w := &formulaWriter{b: b, scope: scope, taken: map[string]bool{}}
	w.uses, w.words, w.names = map[*Formula]int{}, map[*Formula]int{}, map[*Formula]string{}
	for _, p := range scope {
		w.taken[p.Name] = true
	}
	return w
}

// count counts one more use of f, and at the first its uses of other formulas.
func (w *formulaWriter) count(f *Formula) {
	if w.uses[f]++; w.uses[f] > 1 {
		return
	}
	for _, x := range f.Args {
		w.count(x)
	}
}

// define writes the definitions that f needs. It returns the length of f in words then.
func (w *formulaWriter) define(f *Formula) int {
	if n := w.words[f]; n > 0 {
		return n
	}
	// 1. Define the parts first: names are defined before they are used.
	n := 1
	for _, x := range f.Args {
		n += w.define(x)
	}
	// 2. Define f if that saves text; its uses are one word each then.
	if w.uses[f] > 1 && n >= worthNaming {
		name := w.fresh()
		w.b.WriteString("\n    (formula " + name + " ")
		w.write(f)
		w.b.WriteString(")")
		w.names[f], n = name, 1
	}
	w.words[f] = n
	return n
}

// fresh returns a name that is not taken.
func (w *formulaWriter) fresh() string {
	for i := len(w.names); ; i++ {
		if name := fmt.Sprintf("f%d", i); !w.taken[name] {
			w.taken[name] = true
			return name
		}
	}
}

// heads are the names of the connectives.
var heads = []string{And: "and", Or: "or", Not: "not", Iff: "iff"}

// write writes f in terms of predicates and definitions.
func (w *formulaWriter) write(f *Formula) {
	if name := w.names[f]; name != "" {
		w.b.WriteString(name)
		return
	}
	// Predicates and constants are words, all else is a list.
	switch {
	case f.Op == Holds:
		w.b.WriteString(quote(w.scope[f.Pred].Name))
		return
	case f.Op == Held:
		w.b.WriteString(list("entry", quote(w.scope[f.Pred].Name)))
		return
	case f.Op == And && len(f.Args) == 0:
		w.b.WriteString("true")
		return
	case f.IsFalse():
		w.b.WriteString("false")
		return
	}
	w.b.WriteString("(" + heads[f.Op])
	for _, x := range f.Args {
		w.b.WriteString(" ")
		w.write(x)
	}
	w.b.WriteString(")")
}
