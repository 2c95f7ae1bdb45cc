package certificate

import (
	"bufio"
	"fmt"
)

// This file writes the formulas of a procedure. What occurs in several places, and is more
// than a few words, is written once and given a name.

// worthNaming is how many words a formula has at least, names of others counted as one, that
// is written once though it occurs several times. Shorter ones are easier to read where they
// are, and make the text no more than twice as long.
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

func newFormulaWriter(b *bufio.Writer, scope []*Predicate) *formulaWriter {
	w := &formulaWriter{b: b, scope: scope, taken: map[string]bool{}}
	w.uses, w.words, w.names = map[*Formula]int{}, map[*Formula]int{}, map[*Formula]string{}
	for _, p := range scope {
		w.taken[p.Name] = true
	}
	return w
}

// count counts one more use of f.
func (w *formulaWriter) count(f *Formula) {
	if w.uses[f]++; w.uses[f] > 1 {
		return
	}
	for _, x := range f.Args {
		w.count(x)
	}
}

// define writes the definitions that f needs. It returns how many words f is then.
func (w *formulaWriter) define(f *Formula) int {
	if n := w.words[f]; n > 0 {
		return n
	}
	n := 1
	for _, x := range f.Args {
		n += w.define(x)
	}
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

// fresh is a name that nothing has.
func (w *formulaWriter) fresh() string {
	for i := len(w.names); ; i++ {
		if name := fmt.Sprintf("f%d", i); !w.taken[name] {
			w.taken[name] = true
			return name
		}
	}
}

// heads are the words that the connectives are.
var heads = []string{And: "and", Or: "or", Not: "not", Iff: "iff"}

// write writes f in terms of predicates and of what is defined.
func (w *formulaWriter) write(f *Formula) {
	if name := w.names[f]; name != "" {
		w.b.WriteString(name)
		return
	}
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
