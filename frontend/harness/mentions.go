package harness

import (
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file follows addresses through expressions: which names the value of an expression may be, and
// which variables have their address taken.

// values returns the identifiers that the value of e may be, seen through casts, &, *, ?: and commas.
//
//	(void *)f, &f, p ? f : g     f; f; f and g
func values(e cc.ExpressionNode) (list []*cc.PrimaryExpression) {
	if ctree.IsNil(e) {
		return nil
	}
	switch e := ctree.Strip(e).(type) {
	case *cc.PrimaryExpression:
		if e.Case == cc.PrimaryExpressionIdent {
			return []*cc.PrimaryExpression{e}
		}
	case *cc.CastExpression:
		return values(e.CastExpression)
	case *cc.UnaryExpression:
		if e.Case == cc.UnaryExpressionAddrof || e.Case == cc.UnaryExpressionDeref {
			return values(e.CastExpression)
		}
	case *cc.ConditionalExpression:
		list = values(e.ConditionalExpression)
		if ctree.IsNil(e.ExpressionList) { // x ?: y
			return append(values(e.LogicalOrExpression), list...)
		}
		return append(values(e.ExpressionList), list...)
	case *cc.ExpressionList:
		for ; e != nil; e = e.ExpressionList {
			if e.ExpressionList == nil {
				return values(e.AssignmentExpression)
			}
		}
	case *cc.AssignmentExpression:
		return values(e.AssignmentExpression)
	}
	return nil
}

// isParameter reports whether id is the parameter called name of the function around it.
func isParameter(id *cc.PrimaryExpression, name string) bool {
	d, ok := id.ResolvedTo().(*cc.Declarator)
	return ok && d.IsParam() && d.Name() == name
}

// member returns the member that an expression denotes, or the array member of which it is an element;
// nil for all else.
func member(e cc.ExpressionNode) *cc.Field {
	for {
		p, ok := ctree.Strip(e).(*cc.PostfixExpression)
		if !ok {
			return nil
		}
		switch p.Case {
		case cc.PostfixExpressionIndex:
			e = p.PostfixExpression
		case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
			return p.Field()
		default:
			return nil
		}
	}
}

// root returns the identifier of the variable of which e is a part by name: of s.a[i] that is s.
func root(e cc.ExpressionNode) *cc.PrimaryExpression {
	for {
		switch x := ctree.Strip(e).(type) {
		case *cc.PrimaryExpression:
			if x.Case == cc.PrimaryExpressionIdent {
				return x
			}
			return nil
		case *cc.PostfixExpression:
			if x.Case != cc.PostfixExpressionIndex && x.Case != cc.PostfixExpressionSelect {
				return nil
			}
			e = x.PostfixExpression
		default:
			return nil
		}
	}
}

// variable identifies a variable: those with linkage by their names, as there may be several
// declarators of one.
type variable any

// variableOf returns the variable that d declares.
func variableOf(d *cc.Declarator) variable {
	if d.Linkage() != cc.None {
		return d.Name()
	}
	return d
}

// addresses are the variables whose address a unit takes.
type addresses struct {
	taken map[variable]bool
	// in has the variables in whose initialisers the address is taken, apart from the others: they
	// may not leave the driver themselves.
	in map[variable][]variable
}

// note notes the addresses that n takes; around is the variable whose initialiser n is, or nil. A value
// that is read counts, too, if it may be a function or lead to one: of give(s.ops) that is the variable
// s. What is only called, compared or written does not.
func (a *addresses) note(n cc.Node, around variable) {
	direct := map[cc.Node]bool{} // expressions whose value is not kept
	only := func(e cc.ExpressionNode) {
		if !ctree.IsNil(e) {
			direct[ctree.Strip(e)] = true
		}
	}
	take := func(id *cc.PrimaryExpression) {
		if id == nil {
			return
		}
		d, ok := id.ResolvedTo().(*cc.Declarator)
		if !ok || d.Type() == nil || d.Type().Kind() == cc.Function {
			return
		}
		if v := variableOf(d); around == nil {
			a.taken[v] = true
		} else {
			a.in[v] = append(a.in[v], around)
		}
	}
	ctree.Walk(n, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.InitDeclarator:
			// The initialiser of a variable inside of a function.
			if e.Initializer != nil && around == nil && isRecord(e.Declarator.Type()) {
				a.note(e.Initializer, variableOf(e.Declarator))
				return false
			}
		case *cc.AssignmentExpression:
			only(e.UnaryExpression)
		case *cc.EqualityExpression:
			only(e.EqualityExpression)
			only(e.RelationalExpression)
		case *cc.UnaryExpression:
			switch e.Case {
			case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionAlignofExpr:
				return false
			case cc.UnaryExpressionAddrof:
				take(root(e.CastExpression))
			case cc.UnaryExpressionDeref:
				if !direct[n] && carries(e.Type()) {
					take(base(e.CastExpression))
				}
				only(e.CastExpression)
			}
		case *cc.PostfixExpression:
			switch e.Case {
			case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
				if !direct[n] && carries(e.Type()) {
					take(base(e))
				}
				only(e.PostfixExpression)
			case cc.PostfixExpressionCall:
				only(e.PostfixExpression)
			}
		case *cc.PrimaryExpression:
			if d, ok := e.ResolvedTo().(*cc.Declarator); e.Case == cc.PrimaryExpressionIdent && ok && !direct[e] && carries(d.Type()) {
				take(e)
			}
		}
		return true
	})
}

// carries reports whether a value of type t may be a function, or lead to one: numbers and pointers to
// numbers do not.
func carries(t cc.Type) bool {
	if t == nil || isRecord(t) {
		return true
	}
	to := ctree.Pointee(t)
	return to != nil && !cc.IsArithmeticType(to)
}

// base returns the identifier at which e begins: of p->s.a[i] and (*p)[i] that is p. It is nil if e
// begins with something else.
func base(e cc.ExpressionNode) *cc.PrimaryExpression {
	for {
		switch x := ctree.Strip(e).(type) {
		case *cc.PrimaryExpression:
			if x.Case == cc.PrimaryExpressionIdent {
				return x
			}
			return nil
		case *cc.PostfixExpression:
			if x.Case != cc.PostfixExpressionIndex && x.Case != cc.PostfixExpressionSelect && x.Case != cc.PostfixExpressionPSelect {
				return nil
			}
			e = x.PostfixExpression
		case *cc.UnaryExpression:
			if x.Case != cc.UnaryExpressionDeref && x.Case != cc.UnaryExpressionAddrof {
				return nil
			}
			e = x.CastExpression
		case *cc.CastExpression:
			e = x.CastExpression
		default:
			return nil
		}
	}
}

// isRecord reports whether t is a struct, a union, or an array.
func isRecord(t cc.Type) bool {
	return t != nil && slices.Contains([]cc.Kind{cc.Struct, cc.Union, cc.Array}, t.Kind())
}

// leaves reports whether the address of v leaves the driver: it is taken in code, or in the
// initialiser of a variable for which that holds.
func (a *addresses) leaves(v variable) bool { return a.from(v, map[variable]bool{}) }

// from is leaves; seen are the variables that were looked at.
func (a *addresses) from(v variable, seen map[variable]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	if a.taken[v] {
		return true
	}
	return slices.ContainsFunc(a.in[v], func(w variable) bool { return a.from(w, seen) })
}
