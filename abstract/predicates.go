package abstract

import (
	"fmt"
	"strings"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/source"
	"c2bp/wp"
)

// This file makes the set of predicates: it drops duplicates and constants, and adds binding
// predicates.

// Predicate is a predicate with its scope and the Boolean variable that stands for it.
type Predicate struct {
	Proc *core.Proc // nil for a global predicate
	Expr core.Expr
	Name string     // C spelling; the Boolean variable is {Name}
	Auto bool       // added because a condition tests a temporary
	Pos  source.Pos // in the predicate file; zero if it was added
	This *core.Var  // of an object predicate, the pointer to the object; else nil
	vars []*core.Var

	plain *Predicate // says the same of one pointer to an object: the predicate if the type is not kept
}

// NewPredicate makes a predicate of e in the scope of p, nil for a global one.
func NewPredicate(p *core.Proc, e core.Expr, name string) *Predicate {
	return &Predicate{Proc: p, Expr: e, Name: name, vars: wp.Vars(e)}
}

// Var returns the name of the Boolean variable.
func (p *Predicate) Var() string { return "{" + p.Name + "}" }

// From returns the expression that the predicate was made of: its own, unless it is an object predicate made of
// one on a pointer (ObjectPredicates).
func (p *Predicate) From() core.Expr {
	if p.plain != nil {
		return p.plain.Expr
	}
	return p.Expr
}

// mentions reports whether some variable of p satisfies f.
func (p *Predicate) mentions(f func(*core.Var) bool) bool {
	for _, v := range p.vars {
		if f(v) {
			return true
		}
	}
	return false
}

// predSet is the predicates of a program by scope. Within each scope, predicates of the user come
// first, then added ones.
type predSet struct {
	global []*Predicate
	local  map[*core.Proc][]*Predicate
	notes  source.List

	table *logic.Table
	seen  map[scopeKey]*Predicate // by canonical formula
	names map[scopeName]bool
}

// scopeKey is a formula in a scope; proc is nil for global.
type scopeKey struct {
	proc *core.Proc
	hash logic.Hash
}

// scopeName is a spelling in a scope; proc is nil for global.
type scopeName struct {
	proc *core.Proc
	name string
}

// newPredSet returns an empty set.
func newPredSet() *predSet {
	return &predSet{
		local: map[*core.Proc][]*Predicate{},
		table: logic.NewTable(),
		seen:  map[scopeKey]*Predicate{},
		names: map[scopeName]bool{},
	}
}

// inScope returns V_Q: the global predicates, then those local to q.
func (s *predSet) inScope(q *core.Proc) []*Predicate {
	all := append([]*Predicate(nil), s.global...)
	return append(all, s.local[q]...)
}

// addAll adds the predicates of a user: global ones first, so that a local one that is equal to a
// global one is recognised.
func (s *predSet) addAll(preds []*Predicate) {
	for _, p := range preds {
		if p.Proc == nil {
			s.add(p)
		}
	}
	for _, p := range preds {
		if p.Proc != nil {
			s.add(p)
		}
	}
}

// add adds p and returns it, unless it is constant or equivalent to another predicate in scope,
// which add returns then. A predicate and its negation share a variable.
func (s *predSet) add(p *Predicate) *Predicate {
	// 1. Drop constants.
	f := wp.New(s.table, wp.OneRegion{}, 64).Cond(p.Expr)
	if f == s.table.True || f == s.table.False {
		s.note(p, "predicate %s is always %v: dropped", p.Name, f == s.table.True)
		return nil
	}
	// 2. Look for the canonical formula, or its negation: the one with the lesser hash.
	h := f.Hash()
	if n := s.table.Not(f).Hash(); lessHash(n, h) {
		h = n
	}
	for _, scope := range []*core.Proc{nil, p.Proc} {
		if q := s.seen[scopeKey{scope, h}]; q != nil {
			if p.Pos.IsValid() {
				s.note(p, "predicate %s says the same as %s, or its negation: dropped", p.Name, q.Name)
			}
			return q
		}
	}
	// 3. Add the predicate.
	s.seen[scopeKey{p.Proc, h}] = p
	s.distinctName(p)
	if p.Proc == nil {
		s.global = append(s.global, p)
	} else {
		s.local[p.Proc] = append(s.local[p.Proc], p)
	}
	return p
}

// lessHash orders hashes.
func lessHash(a, b logic.Hash) bool { return string(a[:]) < string(b[:]) }

// distinctName renames p if its spelling is taken by another predicate that is visible with it: a
// shadowing local variable may be spelt like a global one. The second {x == 1} becomes {x == 1
// /*2*/}.
func (s *predSet) distinctName(p *Predicate) {
	p.Name = printable(p.Name)
	taken := func(name string) bool {
		return s.names[scopeName{p.Proc, name}] || s.names[scopeName{nil, name}]
	}
	// Spell it anew, and number it if that does not help.
	if taken(p.Name) {
		p.Name = core.CString(p.Expr)
	}
	for base, i := p.Name, 2; taken(p.Name); i++ {
		p.Name = fmt.Sprintf("%s /*%d*/", base, i)
	}
	s.names[scopeName{p.Proc, p.Name}] = true
}

// printable spells a predicate such that it can stand between the braces of a Boolean variable:
// braces and blanks in its character constants and strings become escapes.
func printable(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); {
		// 1. Outside of literals, nothing changes.
		end := literalEnd(name, i)
		if end == i {
			b.WriteByte(name[i])
			i++
			continue
		}
		// 2. Inside, escape what a name in braces cannot contain.
		for ; i < end; i++ {
			switch c := name[i]; {
			case c == '\\' && i+1 < end:
				b.WriteString(name[i : i+2])
				i++
			case c == '{' || c == '}' || c < ' ' || c >= 0x7f || c == ' ' && name[i-1] == ' ':
				fmt.Fprintf(&b, "\\%03o", c)
			default:
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// literalEnd returns the offset after the character constant or string that starts at name[i], i if
// none does.
func literalEnd(name string, i int) int {
	if name[i] != '"' {
		return quoteEnd([]byte(name), i)
	}
	for j := i + 1; j < len(name); j++ {
		switch name[j] {
		case '\\':
			j++
		case '"':
			return j + 1
		}
	}
	return i
}

// note adds a note about p.
func (s *predSet) note(p *Predicate, format string, args ...any) {
	s.notes.Add(&source.Diagnostic{Pos: p.Pos, Severity: source.Note, Msg: fmt.Sprintf(format, args...)})
}

// addBindings adds the binding predicate of every symbolic constant that a predicate of its
// procedure mentions (Ball–Millstein–Rajamani 2005, §4.4.1 and §5.3: B_R): f == 'f; and for 'e with
// a formal f in e, the present value of e at the place that 'f determines, e['f/f] == 'e, such as
// *'p == '*p. The symbolic constants 'f that this needs get theirs, too.
func (s *predSet) addBindings(procs []*core.Proc) {
	for _, proc := range procs {
		// 1. Collect the symbolic constants, and those of formals.
		all := ghosts(s.local[proc])
		of := map[*core.Var]*core.Var{} // the constant 'f of formal f
		for _, g := range all {
			if r, ok := g.Init.(*core.VarRef); ok {
				of[r.Var] = g
			}
		}
		// 2. Add the predicate of each. New constants 'f go to the end of the list.
		for i := 0; i < len(all); i++ {
			g := all[i]
			now := g.Init
			if _, simple := now.(*core.VarRef); !simple {
				now = core.Replace(now, func(e core.Expr) core.Expr {
					r, ok := e.(*core.VarRef)
					if !ok || r.Var.Kind != core.Formal {
						return nil
					}
					if of[r.Var] == nil {
						of[r.Var] = &core.Var{Name: "'" + r.Var.Name, Type: r.Var.Type, Kind: core.Ghost, Proc: proc, Init: r, Pos: g.Pos}
						all = append(all, of[r.Var])
					}
					return of[r.Var].Ref()
				})
			}
			e := &core.Binary{Op: core.Eq, X: now, Y: g.Ref()}
			s.add(NewPredicate(proc, e, core.CString(e)))
		}
	}
}

// ghosts returns the symbolic constants that the predicates mention, in order of occurrence.
func ghosts(preds []*Predicate) []*core.Var {
	var out []*core.Var
	seen := map[*core.Var]bool{}
	for _, p := range preds {
		for _, v := range p.vars {
			if v.Kind == core.Ghost && !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		}
	}
	return out
}
