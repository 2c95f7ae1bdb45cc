package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file finds failure functions that the program defines: calls of them are failures. Many programs
// that are written for verifiers have
//
//	void reach_error(void) {}
//
// to be complete C, with the meaning of a declaration. A body that does more, such as one with an
// assertion, has its own property.

// isMuteFailure reports whether f has the name of a failure function and a body without effects: it is
// empty, returns, or ends the program.
func isMuteFailure(f *function) bool {
	return intrinsics[f.name] == failure && f.def != nil && isMute(f.def.CompoundStatement)
}

// isMute reports whether body has no control flow and no calls, except of functions that end the
// program.
func isMute(body *cc.CompoundStatement) bool {
	mute := true
	ctree.Walk(body, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.LabeledStatement, *cc.SelectionStatement, *cc.IterationStatement, *cc.AsmStatement:
			mute = false
		case *cc.PostfixExpression:
			mute = mute && (n.Case != cc.PostfixExpressionCall || endsProgram(n))
		}
		return mute
	})
	return mute
}

// endsProgram reports whether a call is one of a function that does not return.
func endsProgram(call *cc.PostfixExpression) bool {
	name, ok := call.PostfixExpression.(*cc.PrimaryExpression)
	return ok && name.Case == cc.PrimaryExpressionIdent && intrinsics[name.Token.SrcStr()] == end
}

// muteFailure emits an assertion that fails, at the opening brace of the function.
func (b *frame) muteFailure() {
	b.pos = ccfix.At(b.fn.def.CompoundStatement.Token.Position())
	b.text, b.first = b.fn.name+"()", true
	b.emit(&core.Assert{Cond: truth(false)})
}
