package frontend

import "c2bp/frontend/core"

// Resolve implements core.Resolver.
func (u *Unit) Resolve(texts []core.PredicateText) ([]core.ResolvedPredicate, error) { return nil, nil }
