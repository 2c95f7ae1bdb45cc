package abstract

import (
	"c2bp/alias"
	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/prover"
	"c2bp/source"
)

// This file defines the options and the result of an abstraction.

// Options control the abstraction. The zero value is the ordinary one.
type Options struct {
	// Jobs is the number of workers; 0 means as many as there are processors. The
	// result does not depend on it.
	Jobs int
	// MaxExact is the largest number of connected predicates for which all cubes are considered; for
	// more, cubes of up to MaxCube literals. 0 means 10 and 3.
	MaxExact, MaxCube int
	// Precision, if not nil, gives MaxExact and MaxCube for a node of a procedure and, if the node is
	// -1, for its invariant: for callers that abstract one program repeatedly and know where exactness
	// matters.
	Precision func(p *core.Proc, node int) Precision
	// NoAuto leaves out predicates on temporaries that conditions test.
	NoAuto bool
	// NoEnforce leaves out the infeasible cubes in the output (for comparisons).
	NoEnforce bool
	Savers    Savers
	// Memo, if not nil, holds answers of Z3 from earlier runs, and gets those of this one. The result
	// does not depend on it.
	Memo *prover.Memo
	// Stock, if not nil, supplies the provers, and keeps them: for callers that abstract repeatedly
	// with the same Memo and Savers.
	Stock *prover.Stock
	// Alias, if not nil, is the alias analysis of the program, which has been through devirt.Resolve:
	// for callers that abstract one program repeatedly.
	Alias *alias.Result
	// Refs keeps pointers as references: those to struct types that have object predicates, or whose names
	// are in Keep ("struct dev").
	Refs bool
	Keep []string
	kept []*core.Record // of sections without predicates
	// Only, if not nil, says which procedures are abstracted; the others become
	// procedures of the same interface that do nothing. For measurements.
	Only func(*core.Proc) bool
	// Progress, if not nil, is told how many of the nodes are done.
	Progress func(done, total int)
}

// Precision bounds the search for cubes, see Options. A zero is the default.
type Precision struct{ MaxExact, MaxCube int }

// Savers switches work-savers off, for measurements and for tests that compare the result with that
// of the plain algorithm.
type Savers struct {
	NoUntouched  bool // compute updates also of predicates that cannot change
	NoSyntactic  bool // ask Z3 also about formulas that are predicates themselves
	NoCone       bool // strengthen over all predicates in scope
	NoPool       bool // keep no models
	NoMemo       bool // ask again what was asked before
	NoInfeasible bool // do not skip cubes known to be infeasible
}

// Result is an abstraction.
type Result struct {
	Program    *boolprog.Program
	Predicates []*Predicate // its variables: global ones, then those of each procedure, with what was added; then those of objects
	Notes      source.List  // predicates dropped, and why
	Kept       []string     // which pointers are references, and why others are not
	Vague      string       // a comparison of references that are written otherwise, too, so that a predicate says more; "" if there is none
	Stats      Stats

	predicates  *predSet
	abstraction *abstraction
	scopes      map[*core.Proc]*scope // of transitions
	transitions map[Move]*transition
}

// Stats counts work. With one worker the counts are reproducible, except for a few queries about
// memory: which models Z3 finds depends on when memory is freed.
type Stats struct {
	Prover     prover.Stats
	Predicates int // in the set, additions included
	Nodes      int // core nodes abstracted
	Limited    int // nodes at which cubes were limited to MaxCube literals
}
