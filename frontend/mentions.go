package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file finds what the text of functions and initialisers mentions, before anything is lowered
// and whether it is executed or not.

// mentioned are the functions and variables that a text mentions, in its order and as often as
// it does.
type mentioned struct {
	functions []*function
	variables []*core.Var
}

// mentionGraph is what the bodies of functions mention.
type mentionGraph map[*function]mentioned

// mentionedBy is what the text n mentions.
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

// measuredBy are the variables of which n only asks the size or the type. The initialiser may say
// how long an array is.
func (l *program) measuredBy(n cc.Node, initialisers bool) (list []*core.Var) {
	ctree.Walk(n, func(n cc.Node) bool {
		var operand cc.Node
		switch n := n.(type) {
		case *cc.UnaryExpression:
			if n.Case == cc.UnaryExpressionSizeofExpr || n.Case == cc.UnaryExpressionAlignofExpr {
				operand = n.UnaryExpression
			}
		case *cc.TypeSpecifier:
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

// mentions is the graph of all functions of the program.
func (l *program) mentions() mentionGraph {
	g := mentionGraph{}
	for _, f := range l.defined {
		g[f] = l.mentionedBy(f.def)
	}
	return g
}

// from are roots and what they mention, directly or through other functions.
func (g mentionGraph) from(roots []*function) map[*function]bool {
	seen := map[*function]bool{}
	for len(roots) > 0 {
		f := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if !seen[f] {
			seen[f] = true
			roots = append(roots, g[f].functions...)
		}
	}
	return seen
}
