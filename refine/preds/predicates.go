package preds

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"c2bp/abstract"
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/wp"
)

// This file keeps the set of predicates found so far, with their provenance.

// Predicate is a predicate and its provenance.
type Predicate struct {
	Proc   *core.Proc // nil for a global one
	Expr   core.Expr
	Name   string
	Origin Origin
	sites  []int // the properties to which paths led that it was proposed for, ascending
}

// Set is a growing list of predicates, in which each formula or its negation occurs once in its scope.
type Set struct {
	List   []Predicate
	seen   map[key]int // the numbers of predicates in the list
	table  *logic.Table
	bits   int    // of pointers
	Origin Origin // of those that are added now
	Site   int    // the property to which the path leads that they are for, by number; -1 if there is none
}

// key identifies the formula of a predicate, or its negation, in a scope.
type key struct {
	proc *core.Proc
	hash logic.Hash
}

// NewSet returns an empty set for programs whose pointers have the given number of bits.
func NewSet(bits int) *Set {
	return &Set{seen: map[key]int{}, table: logic.NewTable(), bits: bits, Site: -1}
}

// Clone returns a copy of s, to which predicates can be added apart.
func (s *Set) Clone() *Set {
	c := *s
	c.List, c.seen = slices.Clone(s.List), maps.Clone(s.seen)
	return &c
}

// Of returns a set of those predicates that were proposed for paths to a property.
func (s *Set) Of(site int) *Set {
	c := NewSet(s.bits)
	c.Site = site
	for _, p := range s.List {
		if slices.Contains(p.sites, site) {
			c.Origin = p.Origin
			c.Add(p.Proc, p.Expr)
		}
	}
	return c
}

// Add adds e to the scope of p, or to the global scope if it reads globals alone. It adds nothing if e
// is valid or unsatisfiable as a formula, or if e or its negation is there already.
func (s *Set) Add(p *core.Proc, e core.Expr) {
	if !core.Mentions(e, func(v *core.Var) bool { return v.Kind != core.Global }) {
		p = nil
	}
	e = s.sized(e)
	f := wp.New(s.table, wp.OneRegion{}, s.bits).Cond(e)
	if f == s.table.True || f == s.table.False {
		return
	}
	// The smaller of the two hashes stands for the formula and its negation.
	h, n := f.Hash(), s.table.Not(f).Hash()
	if bytes.Compare(n[:], h[:]) < 0 {
		h = n
	}
	// If it is there, it is for one property more.
	for _, scope := range []*core.Proc{nil, p} {
		if i, ok := s.seen[key{scope, h}]; ok {
			s.List[i].addSite(s.Site)
			return
		}
	}
	s.seen[key{p, h}] = len(s.List)
	s.List = append(s.List, Predicate{Proc: p, Expr: e, Name: core.CString(e), Origin: s.Origin})
	s.List[len(s.List)-1].addSite(s.Site)
}

// addSite notes that the predicate was proposed for a path to a property.
func (p *Predicate) addSite(site int) {
	if i, found := slices.BinarySearch(p.sites, site); !found {
		p.sites = slices.Insert(slices.Clip(p.sites), i, site) // a copy of the set has the old list
	}
}

// sized returns e with addresses of variables in the program's width: strategies need not know it.
func (s *Set) sized(e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if a, ok := x.(*core.AddrOf); ok && a.Typ.Bits != s.bits {
			return &core.AddrOf{Var: a.Var, Typ: core.Ptr{Bits: s.bits}}
		}
		return nil
	})
}

// Origins returns the provenance of each predicate, by its expression.
func (s *Set) Origins() map[core.Expr]Origin {
	out := map[core.Expr]Origin{}
	for _, f := range s.List {
		out[f.Expr] = f.Origin
	}
	return out
}

// ForAbstraction returns new predicates for package abstract, in the order of the list.
func (s *Set) ForAbstraction() []*abstract.Predicate {
	out := make([]*abstract.Predicate, len(s.List))
	for i, f := range s.List {
		out[i] = abstract.NewPredicate(f.Proc, f.Expr, f.Name)
	}
	return out
}

// Origin is the provenance of a predicate.
type Origin struct {
	Iteration int        // from 1
	Node      string     // of the condition that the rest of a path makes impossible
	Pos       source.Pos // where that is in C
	Condition string
	Rule      technique.Name // the strategy that found it
}

// String returns the provenance in one line.
func (o Origin) String() string {
	return fmt.Sprintf("iteration %d, %s, for %s: %s", o.Iteration, o.Rule, o.Node, o.Condition)
}
