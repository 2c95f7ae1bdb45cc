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

// newSearch begins with some predicates, and nothing else.
func newSearch(preds *predicates) *search {
	return &search{preds: preds, efforts: efforts{}, refuted: newRefuted()}
}
