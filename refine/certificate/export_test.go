package certificate

import (
	"context"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// ValidateUncovered validates p as Validate does, but lets properties go that no certificate proves.
func ValidateUncovered(ctx context.Context, prog *core.Program, p Proof, opts Options) (*Report, error) {
	v := newValidator(ctx, prog, opts)
	defer v.pr.Close()
	err := p.fit(prog)
	if err == nil {
		err = v.certificates(p)
	}
	return v.outcome(err)
}

// ValidateInduction validates the conditions of c that do not depend on properties: its invariants
// are inductive, whether or not they exclude failures.
func ValidateInduction(ctx context.Context, prog *core.Program, c *Certificate, opts Options) (*Report, error) {
	about := *c
	about.Proves = []string{}
	return ValidateUncovered(ctx, prog, Proof{&about}, opts)
}

// Under is f as a term, with these terms for the predicates.
func (f *Formula) Under(t *logic.Table, now, entry func(int) *logic.Term) *logic.Term {
	return f.under(t, reading{now, entry})
}
