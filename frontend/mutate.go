package frontend

import (
	"context"

	"c2bp/source"
)

// mutation breaks one rule of the lowering, so that tests can see that they would
// notice. It is zero but in tests.
type mutation int

const (
	noPromotion   mutation = iota + 1 // small types are not promoted to int
	staleOperand                      // a left operand is not kept when the right one changes it
	unscrubbed                        // parameter names of casts are left in the text
	noConversion                      // an assignment does not convert to the type of its left side
	keepOnReentry                     // a block variable keeps its value when the block is entered again
	looseScopes                       // identifiers are not checked after parsing
)

func loadMutated(ctx context.Context, files []*source.File, opts Options, m mutation) (*Unit, error) {
	opts.mutation = m
	return Load(ctx, files, opts)
}
