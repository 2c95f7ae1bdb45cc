package zing

import "fmt"

// This file prints statements. Braces stand where they stood in the text, since an empty pair is a
// step of its own.

// block prints a block.
func (w *printer) block(b *Block) {
	if len(b.Stmts) == 0 {
		w.text("{}")
		return
	}
	w.text("{")
	w.indent++
	for _, s := range b.Stmts {
		w.line()
		w.stmt(s)
	}
	w.indent--
	w.line()
	w.text("}")
}

// body prints the direct body of a statement.
func (w *printer) body(s Stmt) {
	if b, ok := s.(*Block); ok {
		w.text(" ")
		w.block(b)
		return
	}
	w.indent++
	w.line()
	w.stmt(s)
	w.indent--
}

// stmt prints a statement.
func (w *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Empty:
		w.text(";")
	case *Block:
		w.block(s)
	case *Declare:
		w.text(s.Local.Of.spelled(), " ", spelled(s.Local.Name.Name))
		w.initialiser(s.Init)
		w.text(";")
	case *If:
		w.ifStmt(s)
	case *While:
		w.operation("while", s.Cond)
		w.body(s.Body)
	case *Foreach:
		w.foreach(s)
	case *Labeled:
		w.text(spelled(s.Label.Name), ": ")
		w.stmt(s.Stmt)
	case *Atomic:
		w.text("atomic ")
		w.block(s.Body)
	case *Select:
		w.selectStmt(s)
	case *Try:
		w.try(s)
	default:
		w.simple(s)
		w.text(";")
	}
}

// simple prints a statement that ends with a semicolon, without it.
func (w *printer) simple(s Stmt) {
	switch s := s.(type) {
	case *AssignStmt:
		w.assignment(s.Lhs, s.Rhs)
	case *CallStmt:
		if s.Lhs == nil {
			w.expr(s.Call, levelAssign)
		} else {
			w.assignment(s.Lhs, s.Call)
		}
	case *ChooseStmt:
		w.assignment(s.Lhs, s.Choose)
	case *Goto:
		w.text("goto ", spelled(s.Label.Name))
	case *Return:
		if w.text("return"); s.X != nil {
			w.text(" ")
			w.expr(s.X, levelAssign)
		}
	case *Assert:
		if s.Text != nil {
			w.operation("assert", s.Cond, s.Text)
		} else {
			w.operation("assert", s.Cond)
		}
	case *Assume:
		w.operation("assume", s.Cond)
	case *Accept:
		w.operation("accept", s.Cond)
	case *Async:
		w.text("async ")
		w.expr(s.Call, levelAssign)
	case *Send:
		w.operation("send", s.Chan, s.X)
	case *Raise:
		w.text("raise ", spelled(s.Exception.Name))
	case *Yield:
		w.text("yield")
	case *Trace:
		w.operation("trace", append([]Expr{s.Format}, s.Args...)...)
	case *EventStmt:
		w.operation("event", s.Chan, s.Msg, s.Dir)
	case *InvokePlugin:
		w.operation("invokeplugin", s.Args...)
	case *InvokeScheduler:
		w.operation("invokescheduler", s.Args...)
	default:
		panic(fmt.Sprintf("zing: no statement: %T", s))
	}
}

func (w *printer) assignment(lhs, rhs Expr) {
	w.expr(lhs, levelIn)
	w.text(" = ")
	w.expr(rhs, levelAssign)
}

// operation prints a word with arguments in parentheses. The word while has a space after it.
func (w *printer) operation(word string, args ...Expr) {
	w.text(word)
	if word == "if" || word == "while" {
		w.text(" ")
	}
	w.text("(")
	for i, e := range args {
		if i > 0 {
			w.text(", ")
		}
		w.expr(e, levelAssign)
	}
	w.text(")")
}

func (w *printer) ifStmt(s *If) {
	w.operation("if", s.Cond)
	w.body(s.Then)
	if s.Else == nil {
		return
	}
	if _, ok := s.Then.(*Block); ok {
		w.text(" ")
	} else {
		w.line()
	}
	w.text("else")
	// A chain of else if is not indented.
	if chained, ok := s.Else.(*If); ok {
		w.text(" ")
		w.ifStmt(chained)
		return
	}
	w.body(s.Else)
}

func (w *printer) foreach(s *Foreach) {
	w.text("foreach (")
	if s.Local != nil {
		w.text(s.Local.Of.spelled(), " ", spelled(s.Local.Name.Name))
	} else {
		w.expr(s.Var, levelPostfix)
	}
	w.text(" in ")
	w.expr(s.Coll, levelAssign)
	w.text(")")
	w.body(s.Body)
}

func (w *printer) selectStmt(s *Select) {
	w.text("select ")
	for _, q := range []struct {
		on   bool
		word string
	}{{s.End, "end "}, {s.First, "first "}, {s.Visible, "visible "}} {
		if q.on {
			w.text(q.word)
		}
	}
	w.text("{")
	w.indent++
	for _, j := range s.Joins {
		w.line()
		w.join(j)
	}
	w.indent--
	w.line()
	w.text("}")
}

func (w *printer) join(j *Join) {
	for i, p := range j.Patterns {
		if i > 0 {
			w.text(" && ")
		}
		w.pattern(p)
	}
	w.text(" -> ")
	w.stmt(j.Body)
}

func (w *printer) pattern(p Pattern) {
	switch p := p.(type) {
	case *WaitPattern:
		w.operation("wait", p.Cond)
	case *ReceivePattern:
		w.operation("receive", p.Chan, p.Lhs)
	case *EventPattern:
		w.operation("event", p.Chan, p.Msg, p.Dir)
	case *TimeoutPattern:
		w.text("timeout")
	}
}

func (w *printer) try(s *Try) {
	w.text("try ")
	w.block(s.Body)
	w.text(" with {")
	w.indent++
	for _, h := range s.Handlers {
		if w.line(); h.Any {
			w.text("*")
		} else {
			w.text(spelled(h.Exception.Name))
		}
		w.text(" -> ")
		w.stmt(h.Body)
	}
	w.indent--
	w.line()
	w.text("}")
}
