// Package ctree reads syntax trees and types of modernc.org/cc/v4: it has no knowledge of the
// program, and nothing of what cc has wrong.
//
//	ctree.Walk(body, func(n cc.Node) bool {
//		if e, ok := n.(*cc.PostfixExpression); ok && e.Case == cc.PostfixExpressionCall {
//			… ctree.CalleeName(e), ctree.Arguments(e)
//		}
//		return true // also look at the nodes below n
//	})
//
// Files:
//
//	walk.go      a walker over the nodes of a tree; the first and the last token of a node
//	nodes.go     operators, operands, calls and constants of an expression
//	types.go     the core types of C's integer types and pointers; parts of other types
//	spell.go     types and declarations in C
//	errors.go    errors at nodes
package ctree
