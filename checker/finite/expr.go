package finite

import "c2bp/boolprog"

// This file translates expressions. Those that make or choose objects have been evaluated before: see
// choose.go.

// scope translates expressions of one procedure.
type scope struct {
	*layout
	p     *boolprog.ProcGraph
	fresh map[boolprog.Expr]value // of New and Any: what they have made or chosen
}

// cell returns the cell of a variable; nil for a Boolean.
func (s *scope) cell(name string) *cell {
	at, _ := s.p.Slot(name)
	if at.Global {
		return s.globals[at.Index]
	}
	return s.locals[s.p.Index][at.Index]
}

// boolean translates a Boolean expression. Each choice in it occurs once in the result.
func (s *scope) boolean(e boolprog.Expr) boolprog.Expr {
	switch e := e.(type) {
	case *boolprog.Select:
		var out boolprog.Expr = no
		for _, g := range s.reference(e.X) {
			_, i := s.objects[g.object].class.Field(e.Field)
			out = or(out, and(g.when, &boolprog.Ref{Name: s.values[g.object][i]}))
		}
		return out
	case *boolprog.Not:
		return &boolprog.Not{X: s.boolean(e.X)}
	case *boolprog.Choose:
		return &boolprog.Choose{P: s.boolean(e.P), N: s.boolean(e.N), Strict: e.Strict}
	case *boolprog.Binary:
		if !s.g.TypeOf(s.p, e.X).Ref {
			return &boolprog.Binary{Op: e.Op, X: s.boolean(e.X), Y: s.boolean(e.Y)}
		}
		same := equal(s.reference(e.X), s.reference(e.Y))
		if e.Op == boolprog.Ne {
			return not(same)
		}
		return same
	}
	return boolprog.Copy(e)
}

// reference translates an expression that is a reference. Fields that it reads are decided; of null, they are
// null.
func (s *scope) reference(e boolprog.Expr) value {
	switch e := e.(type) {
	case *boolprog.Ref:
		return s.cell(e.Name).value(e.Next)
	case *boolprog.Select:
		var out value
		for _, g := range s.reference(e.X) {
			_, i := s.objects[g.object].class.Field(e.Field)
			for _, to := range s.fields[g.object][i].value(false) {
				out = out.with(to.object, and(g.when, to.when))
			}
		}
		return out
	case *boolprog.New, *boolprog.Any:
		return s.fresh[e]
	}
	return nil
}

// with returns v, which leads to an object also under a condition.
func (v value) with(o int, when boolprog.Expr) value {
	for i := range v {
		if v[i].object == o {
			v[i].when = or(v[i].when, when)
			return v
		}
	}
	return append(v, guard{o, when})
}

// follows returns the condition that expressions, or the targets x.f, dereference null.
func (s *scope) follows(targets []*boolprog.Ref, exprs ...boolprog.Expr) boolprog.Expr {
	var out boolprog.Expr = no
	seen := map[string]bool{}
	add := func(e boolprog.Expr) {
		if text := boolprog.ExprString(e); !seen[text] {
			seen[text] = true
			out = or(out, s.reference(e).isNull())
		}
	}
	for _, r := range targets {
		if r.Field != "" {
			add(&boolprog.Ref{Name: r.Name})
		}
	}
	for _, e := range exprs {
		boolprog.Inspect(e, func(e boolprog.Expr) {
			if f, is := e.(*boolprog.Select); is {
				add(f.X)
			}
		})
	}
	return out
}
