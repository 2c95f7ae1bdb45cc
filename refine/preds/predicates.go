package preds

import (
	"bytes"
	"fmt"

	"c2bp/abstract"
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/wp"
)

// This file keeps the predicates found so far.

// Predicate is a predicate with where it came from.
type Predicate struct {
	Proc   *core.Proc // nil for a global one
	Expr   core.Expr
	Name   string
	Origin Origin
}

// Set is a growing set, each predicate (or its negation) once in its scope.
type Set struct {
	List   []Predicate
	seen   map[key]bool
	table  *logic.Table
	bits   int    // of pointers
	Origin Origin // of those that are added now
}

// key identifies what a predicate says, in a scope.
type key struct {
	proc *core.Proc
	hash logic.Hash
}

func NewSet(bits int) *Set {
	return &Set{seen: map[key]bool{}, table: logic.NewTable(), bits: bits}
}

// Add adds e to the scope of p, or to the global one if it speaks of globals alone.
func (s *Set) Add(p *core.Proc, e core.Expr) {
	if !core.Mentions(e, func(v *core.Var) bool { return v.Kind != core.Global }) {
		p = nil
	}
	e = s.sized(e)
	f := wp.New(s.table, wp.OneRegion{}, s.bits).Cond(e)
	if f == s.table.True || f == s.table.False {
		return
	}
	h, n := f.Hash(), s.table.Not(f).Hash()
	if bytes.Compare(n[:], h[:]) < 0 {
		h = n
	}
	if s.seen[key{nil, h}] || s.seen[key{p, h}] {
		return
	}
	s.seen[key{p, h}] = true
	s.List = append(s.List, Predicate{p, e, core.CString(e), s.Origin})
}

// sized is e with addresses of variables of the right width: what makes predicates need not
// know that.
func (s *Set) sized(e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if a, ok := x.(*core.AddrOf); ok && a.Typ.Bits != s.bits {
			return &core.AddrOf{Var: a.Var, Typ: core.Ptr{Bits: s.bits}}
		}
		return nil
	})
}

// Origins tells by expression where each came from.
func (s *Set) Origins() map[core.Expr]Origin {
	out := map[core.Expr]Origin{}
	for _, f := range s.List {
		out[f.Expr] = f.Origin
	}
	return out
}

// ForAbstraction is the set as package abstract wants it, made anew each time.
func (s *Set) ForAbstraction() []*abstract.Predicate {
	out := make([]*abstract.Predicate, len(s.List))
	for i, f := range s.List {
		out[i] = abstract.NewPredicate(f.Proc, f.Expr, f.Name)
	}
	return out
}

// Origin is what a predicate was found for.
type Origin struct {
	Iteration int        // from 1
	Node      string     // of the condition that the rest of a path makes impossible
	Pos       source.Pos // where that is in C
	Condition string
	Rule      technique.Name // the strategy that found it
}

func (o Origin) String() string {
	return fmt.Sprintf("iteration %d, %s, for %s: %s", o.Iteration, o.Rule, o.Node, o.Condition)
}
