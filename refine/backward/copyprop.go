package backward

import (
	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/refine/algebra"
	"c2bp/refine/preds"
)

// This file propagates predicates along copies: a predicate on a variable is asked of each variable
// that it may be a copy of. Drivers pass status codes up, and pointers to their devices down, through
// many calls:
//
//	err = gbe_map(v);  if (err) goto out;  err = gbe_load(v);  ...  return err;
//
// On one path the number that is compared with 0 came from gbe_map, on the next from gbe_load, which
// has it from gbe_read. Instead of one path for each, the comparison is carried along all copies:
// assignments of variables, arguments, results. It needs no path, and finds nothing that paths would
// not find one after the other.

// mostCopies bounds the predicates found by propagation whose copies are looked for in turn.
const mostCopies = 100

// Copies are the copies of a program, by destination: a variable, or a place in a global variable that
// holds a pointer, by its text.
type Copies struct {
	alias *alias.Result
	into  map[*core.Var][]source
	held  map[string][]source

	compared compared
}

// source is an expression of p whose value a variable gets.
type source struct {
	p *core.Proc
	e core.Expr
}

// CopiesOf collects the copies of prog.
func CopiesOf(prog *core.Program, result *alias.Result) *Copies {
	c := &Copies{result, map[*core.Var][]source{}, map[string][]source{}, comparedOf(prog)}
	for _, p := range prog.Procs {
		for _, n := range p.Nodes {
			switch s := n.Stmt.(type) {
			case *core.Assign:
				for i, l := range s.Lhs {
					c.copy(l, source{p, s.Rhs[i]})
				}
			case *core.Call:
				c.call(p, s)
			}
		}
	}
	return c
}

// call adds the copies of a call in p: arguments and the result.
func (c *Copies) call(p *core.Proc, s *core.Call) {
	if s.Callee == nil || !s.Callee.HasBody() {
		return
	}
	if s.Lhs != nil && s.Callee.Result != nil && s.ResultConv == nil {
		c.copy(s.Lhs, source{s.Callee, s.Callee.Result.Ref()})
	}
	for i, f := range s.Callee.Formals {
		if s.Args[i] != nil {
			c.copy(f.Ref(), source{p, s.Args[i]})
		}
	}
}

// copy adds that l gets the value of o, if l is a variable outside of memory that is not global, or a
// place in a global variable that holds a pointer.
func (c *Copies) copy(l core.Loc, o source) {
	switch l := l.(type) {
	case *core.VarRef:
		if v := l.Var; !v.InMemory() && v.Kind != core.Global {
			c.into[v] = append(c.into[v], o)
		}
	case *core.Mem:
		if place := c.alias.AllFollowed(l); isPointer(l) && ofGlobals(place) {
			text := core.ExprString(place)
			c.held[text] = append(c.held[text], o)
		}
	}
}

// sources returns the expressions that l may be a copy of.
func (c *Copies) sources(l core.Expr) []source {
	switch l := l.(type) {
	case *core.VarRef:
		if l.Var.Kind == core.Ghost {
			return c.sources(l.Var.Init)
		}
		return c.into[l.Var]
	case *core.Mem:
		return c.held[core.ExprString(l)]
	}
	return nil
}

// isPointer reports whether e is a pointer.
func isPointer(e core.Expr) bool {
	_, ok := e.Type().(core.Ptr)
	return ok
}

// ofGlobals reports whether e mentions global variables alone.
func ofGlobals(e core.Expr) bool {
	return !core.Mentions(e, func(v *core.Var) bool { return v.Kind != core.Global })
}

// Close adds to a set, for each predicate from number before on that compares a variable with 0 or
// with an address, the same comparison of the sources of the variable. Predicates that it adds are
// propagated in turn, up to mostCopies.
func (c *Copies) Close(set *preds.Set, before int) {
	end := len(set.List)
	for i := before; i < len(set.List) && i < end+mostCopies; i++ {
		q := set.List[i]
		b, ok := q.Expr.(*core.Binary)
		if !ok || b.Op != core.Eq && b.Op != core.Ne || !isPropagated(b.Y) {
			continue
		}
		for _, o := range c.sources(b.X) {
			if e := c.comparisonOfSource(b, o.e); e != nil {
				set.Add(o.p, e)
			}
		}
	}
}

// isPropagated reports whether e is the right side of comparisons that are propagated: 0, as status
// codes and flags are compared with, or an address. Comparisons with other numbers, which count, are
// left to paths: they are too many, and each costs.
func isPropagated(e core.Expr) bool {
	base, _ := algebra.Base(e)
	switch x := base.(type) {
	case *core.Const:
		return x.Val.Sign() == 0
	case *core.AddrOf:
		return x.Var.Kind == core.Global
	case *core.FuncAddr:
		return true
	}
	return algebra.IsNull(base)
}

// comparisonOfSource returns comparison b of a copy of e as a comparison of e; nil if e is neither a
// variable nor a place in a global variable that holds a pointer, or if e cannot point there.
func (c *Copies) comparisonOfSource(b *core.Binary, e core.Expr) core.Expr {
	y := b.Y
	if t, isPtr := b.X.Type().(core.Ptr); isPtr {
		// A copy at an offset from e: e is compared with the address less the offset.
		var off int64
		if e, off = algebra.Base(c.alias.AllFollowed(e)); off != 0 {
			q, at := algebra.Base(y)
			to, ok := q.(*core.AddrOf)
			if !ok {
				return nil
			}
			y = c.alias.Displaced(to.Var, at-off, t)
		}
	}
	switch x := e.(type) {
	case *core.VarRef:
		if x.Var.InMemory() && x.Var.Kind != core.Global {
			return nil
		}
	case *core.Mem:
		if !isPointer(e) || !ofGlobals(e) {
			return nil
		}
	default:
		return nil
	}
	if e.Type() != b.X.Type() || isPointer(e) && !algebra.IsNull(y) && !c.alias.MayPoint(e, y) {
		return nil
	}
	return &core.Binary{Op: b.Op, X: e, Y: y}
}
