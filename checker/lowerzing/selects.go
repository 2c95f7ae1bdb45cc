package lowerzing

import (
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file translates selects. A select is one block: the conditions of all join statements, one scratch
// slot for each; the choice; and the receives of the join statement that is taken.
//
//	select { receive(c, x) && wait(b) -> S  timeout -> T }
//
//	        t2 := global c
//	        t2 := t2 has a message
//	        branch t2 L1 L2
//	    L1: t3 := global b
//	        branch t3 L3 L2
//	    L3: t0 := 1
//	        jump L4
//	    L2: t0 := 0
//	    L4: t1 := 1
//	        select t0 L5 L6
//	    L5: t4 := global c
//	        t5 := head of t4
//	        global x := t5
//	        jump S
//	    L6: jump T

// selects translates a select.
func (c *coder) selects(s *zing.Select, next *block) *block {
	joins := s.Ordered()
	var flags zom.Flags
	if s.End {
		flags = zom.EndState
	}
	bodies := make([]*block, len(joins))
	for i, j := range joins {
		bodies[i] = c.stmt(j.Body, next)
	}
	b := c.block(s, c.level, flags, c.selectText(s))
	b.wait = b
	w := c.writer(b, b.Node)
	// 1. Which join statements can be taken?
	first := w.alloc(int32(len(joins)))
	for i, j := range joins {
		w.runnable(j, first+int32(i))
	}
	// 2. One of them.
	in := w.emit(zom.Select, first, 0, 0)
	if s.Deterministic() {
		in.Imm = 1
	}
	labels := make([]*label, len(joins))
	for i := range joins {
		labels[i] = &label{}
		in.to = append(in.to, here(labels[i]))
	}
	// 3. Its receives, then its statement.
	for i, j := range joins {
		w.mark(labels[i])
		w.node = c.b.node(j.Range(), "-> "+c.patternText(j), c.name())
		for _, p := range j.Patterns {
			w.effect(p, s.Visible)
		}
		w.emit(zom.Jump, 0, 0, 0).to = []target{flow(bodies[i])}
	}
	return b
}

// selectText returns the text of a select without the statements: select wait(b) | receive(c, x)
func (c *coder) selectText(s *zing.Select) string {
	text := "select"
	if s.End {
		text += " end"
	}
	if s.First {
		text += " first"
	}
	for i, j := range s.Joins {
		if i > 0 {
			text += " |"
		}
		text += " " + c.patternText(j)
	}
	return text
}

// patternText returns the text of the patterns of a join statement.
func (c *coder) patternText(j *zing.Join) string {
	last := j.Patterns[len(j.Patterns)-1].Range()
	return c.b.text(zing.Span{Start: j.Start, End: last.End})
}

// runnable sets a slot to 1 if a join statement can be taken, else to 0. Patterns after one that does not
// hold are not looked at.
func (w *writer) runnable(j *zing.Join, slot int32) {
	no, end := &label{}, &label{}
	for _, p := range j.Patterns {
		yes := &label{}
		switch p := p.(type) {
		case *zing.WaitPattern:
			w.branch(p.Cond, here(yes), here(no))
		case *zing.ReceivePattern:
			ch := w.expr(p.Chan)
			has := w.result1(zom.HasMessage, ch, 0)
			has.Imm = w.class(p.Chan.TypeOf())
			w.emit(zom.Branch, has.A, 0, 0).to = []target{here(yes), here(no)}
		}
		w.mark(yes)
	}
	w.emit(zom.Const, slot, 0, 0).Imm = 1
	w.leap(end)
	w.mark(no)
	w.emit(zom.Const, slot, 0, 0)
	w.mark(end)
}

// effect executes a pattern of the join statement that is taken. An observer sees the events of visible selects only.
func (w *writer) effect(p zing.Pattern, visible bool) {
	switch p := p.(type) {
	case *zing.ReceivePattern:
		t := p.Lhs.TypeOf()
		ch := w.expr(p.Chan)
		v := w.alloc(w.b.width(t))
		w.emit(zom.Receive, v, ch, 0).Imm = w.class(p.Chan.TypeOf())
		w.store(w.prepare(p.Lhs), v, t)
	case *zing.EventPattern:
		if visible {
			w.observe(&p.Event)
		}
	}
}

// observe shows an event to an observer.
func (w *writer) observe(e *zing.Event) {
	at := w.alloc(3)
	for i, x := range []zing.Expr{e.Chan, e.Msg, e.Dir} {
		w.copy(at+int32(i), w.expr(x), 1)
	}
	w.emit(zom.Observe, at, 0, 0)
}
