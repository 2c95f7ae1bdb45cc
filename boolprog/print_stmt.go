package boolprog

import (
	"slices"
	"strings"
)

// This file prints statements.

// StmtString returns the head of a statement on one line, without semicolon or blocks: "x := y &
// z", "if (e)", "while (e)". Traces show statements in this form.
func StmtString(op Op) string {
	switch op := op.(type) {
	case *Skip:
		return "skip"
	case *Goto:
		return "goto " + refs(op.Targets)
	case *Assume:
		return "assume(" + ExprString(op.Cond) + ")"
	case *Assert:
		return "assert(" + ExprString(op.Cond) + ")"
	case *Return:
		if len(op.Values) == 0 {
			return "return"
		}
		return "return " + exprs(op.Values)
	case *Assign:
		return refs(op.Lhs) + " := " + exprs(op.Rhs) + constrain(op)
	case *Call:
		s := op.Callee.Name + "(" + exprs(op.Args) + ")"
		if len(op.Lhs) > 0 {
			s = refs(op.Lhs) + " := " + s
		}
		return s
	// Of an if or while, only the condition.
	case *If:
		return "if (" + ExprString(op.Conds[0]) + ")"
	case *While:
		return "while (" + ExprString(op.Cond) + ")"
	case *Dead:
		return "dead " + refs(slices.Concat(op.Vars, op.Fields))
	case *Print:
		return "print(" + exprs(op.Args) + ")"
	case *AbortIf:
		return "abortif " + ExprString(op.Cond)
	// Threads.
	case *StartThread:
		return "start_thread goto " + op.Target.Name
	case *StartCall:
		return "start_thread " + op.Callee.Name + "(" + exprs(op.Args) + ")"
	case *EndThread:
		return "end_thread"
	case *AtomicBegin:
		return "atomic_begin"
	case *AtomicEnd:
		return "atomic_end"
	}
	return "<nil>"
}

// refs returns a list of targets.
func refs(list []*Ref) string {
	names := make([]string, len(list))
	for i, r := range list {
		names[i] = target(r)
	}
	return strings.Join(names, ", ")
}

// target returns the text of a variable or field on a left side.
func target(r *Ref) string {
	if r.Field != "" {
		return r.Name + "." + r.Field
	}
	return r.Name
}

// exprStrings returns the texts of expressions.
func exprStrings(list []Expr) []string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = ExprString(e)
	}
	return texts
}

// exprs returns a list of expressions.
func exprs(list []Expr) string { return strings.Join(exprStrings(list), ", ") }

// constrain returns the constrain clause of an assignment.
func constrain(op *Assign) string {
	if op.Constrain == nil {
		return ""
	}
	return " constrain " + ExprString(op.Constrain)
}

// block writes a list of statements, or a skip if it is empty.
func (out *printer) block(level int, list []*Stmt) {
	if len(list) == 0 {
		out.line(level, "skip;")
	}
	out.stmts(level, list)
}

// stmts writes statements with their annotations and labels.
func (out *printer) stmts(level int, list []*Stmt) {
	for _, s := range list {
		printAnnot(out.w, indentation(level), s.Annot)
		labels := ""
		if len(s.Labels) > 0 {
			labels = strings.Join(s.Labels, ": ") + ": "
		}
		out.stmt(level, labels, s.Op)
	}
}

// stmt writes a statement.
func (out *printer) stmt(level int, labels string, op Op) {
	switch op := op.(type) {
	// Blocks are indented; labels precede the first word.
	case *If:
		word := labels + "if ("
		for i, cond := range op.Conds {
			out.line(level, word, ExprString(cond), ") then")
			out.block(level+1, op.Thens[i])
			word = "elsif ("
		}
		if len(op.Else) > 0 {
			out.line(level, "else")
			out.stmts(level+1, op.Else)
		}
		out.line(level, "fi;")
	case *While:
		out.line(level, labels, "while (", ExprString(op.Cond), ") do")
		out.block(level+1, op.Body)
		out.line(level, "od;")
	case *Assign:
		out.assign(level, labels, op)
	default:
		out.line(level, labels, StmtString(op), ";")
	}
}

// assign writes an assignment; a long parallel one gets a line for each target, and for each value:
//
//	a,
//	b :=
//	    x & y,
//	    !x;
func (out *printer) assign(level int, labels string, op *Assign) {
	// Short assignments fit on one line.
	text := labels + StmtString(op) + ";"
	if len(op.Lhs) < 2 || 4*min(level, maxIndent)+len(text) <= lineWidth {
		out.line(level, text)
		return
	}
	// Otherwise targets, then values, one a line.
	for i, r := range op.Lhs {
		if i == len(op.Lhs)-1 {
			out.line(level, labels, target(r), " :=")
		} else {
			out.line(level, labels, target(r), ",")
		}
		// Labels stand before the first target only.
		labels = ""
	}
	for i, text := range exprStrings(op.Rhs) {
		// The last value ends the statement, after its constrain clause.
		end := ","
		if i == len(op.Rhs)-1 {
			end = constrain(op) + ";"
		}
		out.line(level+1, text, end)
	}
}
