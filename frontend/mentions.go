package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file finds the functions and variables that the text of functions and initialisers mentions,
// before anything is lowered, and whether or not the text is executed.

// mentioned holds the functions and variables that a text mentions, in its order and with repetitions.
type mentioned struct {
	functions []*function
	variables []*core.Var
}

// mentionGraph maps each function to the names that its body mentions.
type mentionGraph map[*function]mentioned

// mentionedBy returns the functions and variables that the text n mentions. Operands of sizeof
// count, too, and code that is never reached.
func (l *program) mentionedBy(n cc.Node) (m mentioned) {
	ctree.Walk(n, func(n cc.Node) bool {
		id, ok := n.(*cc.PrimaryExpression)
		if !ok || id.Case != cc.PrimaryExpressionIdent {
			return true
		}
		if d, ok := id.ResolvedTo().(*cc.Declarator); ok {
			if g := l.funcs[d]; g != nil {
				m.functions = append(m.functions, g)
			} else if v := l.vars[d]; v != nil {
				m.variables = append(m.variables, v)
			}
		}
		return true
	})
	return m
}

// measuredBy returns the variables that n mentions in operands of sizeof, _Alignof and typeof: their
// size may depend on their initialisers. initialisers says to look into those in n, too.
func (l *program) measuredBy(n cc.Node, initialisers bool) (list []*core.Var) {
	ctree.Walk(n, func(n cc.Node) bool {
		var operand cc.Node
		switch n := n.(type) {
		case *cc.UnaryExpression:
			// sizeof x, _Alignof x
			if n.Case == cc.UnaryExpressionSizeofExpr || n.Case == cc.UnaryExpressionAlignofExpr {
				operand = n.UnaryExpression
			}
		case *cc.TypeSpecifier:
			// typeof(x)
			if n.Case == cc.TypeSpecifierTypeofExpr {
				operand = n.ExpressionList
			}
		case *cc.Initializer:
			return initialisers
		}
		if operand != nil {
			list = append(list, l.mentionedBy(operand).variables...)
		}
		return true
	})
	return list
}

// mentions returns the graph of all functions of the program.
func (l *program) mentions() mentionGraph {
	g := mentionGraph{}
	for _, f := range l.defined {
		g[f] = l.mentionedBy(f.def)
	}
	return g
}

// from returns roots and the functions that they mention, directly or through other functions. A
// function without a body mentions nothing.
func (g mentionGraph) from(roots []*function) map[*function]bool {
	seen := map[*function]bool{}
	for len(roots) > 0 {
		// A worklist.
		f := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if !seen[f] {
			seen[f] = true
			roots = append(roots, g[f].functions...)
		}
	}
	return seen
}
