package refine

import (
	"c2bp/prover"
	"c2bp/refine/event"
)

// This file holds the state that all searches for invariants share.

// finder looks for candidate invariants and relations.
type finder struct {
	*world
	pr     *prover.Prover
	ghosts *ghosts
	preds  *predicates // those found so far; proposals are added
	report event.Log
}
