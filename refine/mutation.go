package refine

import (
	"c2bp/wp"
)

// This file lets the tests of this package break rules of the audit on purpose: a test
// that does not notice is no test.

// mutation says what is broken; the zero value is nothing.
type mutation struct {
	noWrap  bool // unsigned arithmetic does not wrap
	forget  bool // constraints are not kept for later abstractions, nor for this one
	believe bool // a run need not be replayed if the conditions of its path have a model
	nearest bool // of the properties that fail in an abstraction, only the nearest does
}

// translator is how expressions on paths are read.
func (m mutation) translator(tr *wp.Translator) *wp.Translator {
	if m.noWrap {
		return tr.WithoutWrap()
	}
	return tr
}
