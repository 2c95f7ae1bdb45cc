package lowerzing

import (
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file translates the statements that are code inside a block.

// inline adds the code of a statement to a block.
func (c *coder) inline(b *block, s zing.Stmt) {
	node := b.Node
	if len(b.code) > 0 {
		node = c.b.node(s.Range(), "", c.name())
	}
	w := c.writer(b, node)
	switch s := s.(type) {
	// Statements of coalesced code.
	case *zing.Block:
		for _, t := range s.Stmts {
			c.inline(b, t)
		}
	case *zing.If:
		c.inlineIf(w, s)
	case *zing.While:
		c.inlineWhile(w, s)
	case *zing.Declare:
		if s.Init != nil {
			w.copy(c.locals[s.Local.Index], w.expr(s.Init), c.b.width(s.Local.Type))
		}
	case *zing.AssignStmt:
		if s.Set != nil {
			w.update(s)
		} else {
			w.assign(s.Lhs, s.Rhs)
		}
	case *zing.Async:
		w.invoke(s.Call, zom.Spawn, zom.SpawnVirtual)
	// Statements that are a block of their own.
	case *zing.Send:
		ch := w.expr(s.Chan)
		v := w.expr(s.X)
		w.emit(zom.SendTo, ch, v, 0).Imm = zom.Word(c.b.classes[s.Chan.TypeOf()])
	case *zing.Assert:
		c.b.out.Asserts = append(c.b.out.Asserts, node)
		w.emit(zom.Assert, w.expr(s.Cond), 0, 0)
	case *zing.Assume:
		w.emit(zom.Assume, w.expr(s.Cond), 0, 0)
	case *zing.Accept:
		w.emit(zom.Accept, w.expr(s.Cond), 0, 0)
	case *zing.Trace:
		w.print(s)
	case *zing.EventStmt:
		w.observe(&s.Event)
	// Calls of others have arguments only.
	case *zing.InvokePlugin:
		w.all(s.Args...)
	case *zing.InvokeScheduler:
		w.all(s.Args...)
	}
}

// inlineIf translates an if of simple statements.
func (c *coder) inlineIf(w *writer, s *zing.If) {
	yes, no, end := &label{}, &label{}, &label{}
	w.branch(s.Cond, here(yes), here(no))
	w.mark(yes)
	c.inline(w.to, s.Then)
	w.leap(end)
	w.mark(no)
	if s.Else != nil {
		c.inline(w.to, s.Else)
	}
	w.mark(end)
}

// inlineWhile translates a while of simple statements.
func (c *coder) inlineWhile(w *writer, s *zing.While) {
	begin, body, end := &label{}, &label{}, &label{}
	w.mark(begin)
	w.branch(s.Cond, here(body), here(end))
	w.mark(body)
	c.inline(w.to, s.Body)
	w.leap(begin)
	w.mark(end)
}
