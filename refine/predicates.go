package refine

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

// found is a predicate with where it came from.
type found struct {
	proc *core.Proc // nil for a global one
	expr core.Expr
	name string
	from Origin
}

// predicates is a growing set, each predicate (or its negation) once in its scope.
type predicates struct {
	list  []found
	seen  map[key]bool
	table *logic.Table
	bits  int    // of pointers
	from  Origin // of those that are added now
}

// key identifies what a predicate says, in a scope.
type key struct {
	proc *core.Proc
	hash logic.Hash
}

func newPredicates(bits int) *predicates {
	return &predicates{seen: map[key]bool{}, table: logic.NewTable(), bits: bits}
}

// add adds e to the scope of p, or to the global one if it speaks of globals alone.
func (s *predicates) add(p *core.Proc, e core.Expr) {
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
	s.list = append(s.list, found{p, e, core.CString(e), s.from})
}

// sized is e with addresses of variables of the right width: what makes predicates need not
// know that.
func (s *predicates) sized(e core.Expr) core.Expr {
	return core.Replace(e, func(x core.Expr) core.Expr {
		if a, ok := x.(*core.AddrOf); ok && a.Typ.Bits != s.bits {
			return &core.AddrOf{Var: a.Var, Typ: core.Ptr{Bits: s.bits}}
		}
		return nil
	})
}

// origins tells by expression where each came from.
func (s *predicates) origins() map[core.Expr]Origin {
	out := map[core.Expr]Origin{}
	for _, f := range s.list {
		out[f.expr] = f.from
	}
	return out
}

// forAbstraction is the set as package abstract wants it, made anew each time.
func (s *predicates) forAbstraction() []*abstract.Predicate {
	out := make([]*abstract.Predicate, len(s.list))
	for i, f := range s.list {
		out[i] = abstract.NewPredicate(f.proc, f.expr, f.name)
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
