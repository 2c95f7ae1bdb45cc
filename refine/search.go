package refine

import "c2bp/abstract"

// This file is what the audit has found out by which it abstracts: for all properties, or for
// one of them.

// search is what makes the next abstraction, and what is known of paths in the last.
type search struct {
	preds     *predicates
	efforts   efforts
	insisting repeated

	refuted     *refuted
	constraints []abstract.Constraint
	made        *abstract.Result // the last abstraction
	same        bool             // it has got constraints, and nothing else is new
}

func newSearch() *search {
	return &search{preds: newPredicates(), efforts: efforts{}, refuted: newRefuted()}
}
