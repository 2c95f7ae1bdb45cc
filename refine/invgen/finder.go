package invgen

import (
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/refine/event"
	"c2bp/refine/preds"
)

// This file holds the state that all searches for invariants share.

// Finder looks for candidate invariants and summaries.
type Finder struct {
	*cex.Facts
	Prover    *prover.Prover
	Constants *preds.Constants
	Known     *preds.Set // those found so far; proposals are added
	Report    event.Log
}
