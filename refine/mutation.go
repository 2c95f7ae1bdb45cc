package refine

import (
	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file lets the tests of this package break rules of the audit on purpose: a test
// that does not notice is no test.

// mutation says what is broken; the zero value is nothing.
type mutation struct {
	pruneAlias bool       // the abstraction takes what a pointer reaches to be no variable
	forget     bool       // constraints are not kept for later abstractions, nor for this one
	believe    bool       // a run need not be replayed if the conditions of its path have a model
	alias      alias.Rule // of the alias analysis
	nearest    bool       // of the properties that fail in an abstraction, only the nearest does
}

// analyze is how pointers are followed.
func (m mutation) analyze(p *core.Program) *alias.Result {
	if m.alias != alias.None {
		return alias.Broken(p, m.alias)
	}
	return alias.Analyze(p)
}

// abstract is how programs are abstracted.
func (m mutation) abstract(o abstract.Options) abstract.Options {
	if m.pruneAlias {
		o = o.Broken(abstract.Aliasing)
	}
	return o
}
