package lowerzing

import (
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file translates statements other than calls and selects. Each function is given the block that comes
// next, and returns the one with which the statement begins.

// body translates the body of a method. One without statements is an empty statement.
func (c *coder) body(s *zing.Block, next *block) *block {
	if len(s.Stmts) == 0 {
		return c.empty(s, next)
	}
	return c.list(s.Stmts, next)
}

// empty translates an empty statement, which inside atomic is nothing.
func (c *coder) empty(s zing.Node, next *block) *block {
	if c.level == 1 {
		return next
	}
	return c.skip(s, 0, 0, next)
}

// list translates the statements of a block, the last one first.
func (c *coder) list(stmts []zing.Stmt, next *block) *block {
	for i := len(stmts) - 1; i >= 0; i-- {
		if c.level == 0 || !simple(stmts[i]) {
			next = c.stmt(stmts[i], next)
			continue
		}
		// Inside atomic, neighbouring simple statements are one block.
		last := i
		for i > 0 && simple(stmts[i-1]) {
			i--
		}
		next = c.run(stmts[i:last+1], next)
	}
	return next
}

// within translates a statement in its scope.
func (c *coder) within(s *zing.Scope, f func() *block) *block {
	outer := c.scope
	c.scope = c.scopeOf(s)
	first := f()
	c.scope = outer
	return first
}

// stmt translates a statement.
func (c *coder) stmt(s zing.Stmt, next *block) *block {
	if c.level == 1 && simple(s) {
		return c.run([]zing.Stmt{s}, next)
	}
	switch s := s.(type) {
	case *zing.Empty:
		return c.empty(s, next)
	case *zing.Block:
		return c.within(s.Scope, func() *block { return c.body(s, next) })
	// Control.
	case *zing.If:
		return c.test(s, next)
	case *zing.While:
		return c.loop(s, next)
	case *zing.Foreach:
		return c.within(s.Scope, func() *block { return c.foreach(s, next) })
	case *zing.Goto:
		b := c.skip(s, c.level, 0, c.label(s.Target))
		c.gotos = append(c.gotos, jump{b, c.label(s.Target)})
		return b
	case *zing.Labeled:
		return c.labeled(s, next)
	case *zing.Atomic:
		return c.atomic(s, next)
	case *zing.Return:
		return c.returns(s)
	case *zing.Try:
		return c.try(s, next)
	case *zing.Raise:
		b := c.block(s, c.level, zom.Glued, "")
		c.emit(b, zom.Raise, c.handler, c.b.exception(s.Exception.Name), 0)
		return b
	// Calls and choices have files of their own.
	case *zing.CallStmt:
		return c.call(s, next)
	case *zing.ChooseStmt:
		return c.choose(s, next)
	case *zing.Select:
		return c.selects(s, next)
	}
	return c.single(s, next)
}

// single translates a statement that is one block.
func (c *coder) single(s zing.Stmt, next *block) *block {
	var flags zom.Flags
	switch s := s.(type) {
	case *zing.Declare:
		if s.Init == nil {
			return next
		}
	case *zing.Assume:
		if isTrue(s.Cond) {
			return next
		}
	case *zing.Yield:
		flags = zom.Yields
	}
	b := c.block(s, c.level, flags, "")
	c.inline(b, s)
	c.jump(b, next)
	return b
}

// run translates simple statements inside atomic as one block.
func (c *coder) run(stmts []zing.Stmt, next *block) *block {
	b := c.block(stmts[0], c.level, 0, "")
	for _, s := range stmts {
		c.inline(b, s)
	}
	if len(b.code) == 0 {
		return next
	}
	c.jump(b, next)
	return b
}

// simple reports whether a statement can be a part of a larger block.
func simple(s zing.Stmt) bool {
	switch s := s.(type) {
	case *zing.AssignStmt, *zing.Declare, *zing.Async:
		return true
	case *zing.If:
		return simple(s.Then) && (s.Else == nil || simple(s.Else))
	case *zing.While:
		return simple(s.Body)
	case *zing.Block:
		for _, t := range s.Stmts {
			if !simple(t) {
				return false
			}
		}
		return true
	}
	return false
}

// test translates an if.
func (c *coder) test(s *zing.If, next *block) *block {
	yes, no := c.stmt(s.Then, next), next
	if s.Else != nil {
		no = c.stmt(s.Else, next)
	}
	b := c.block(s, c.level, 0, c.b.header(s, s.Then))
	c.writer(b, b.Node).branch(s.Cond, flow(yes), flow(no))
	return b
}

// loop translates a while.
func (c *coder) loop(s *zing.While, next *block) *block {
	b := c.block(s, c.level, 0, c.b.header(s, s.Body))
	body := c.stmt(s.Body, b)
	c.writer(b, b.Node).branch(s.Cond, flow(body), flow(next))
	return b
}

// foreach translates a foreach, in its scope.
func (c *coder) foreach(s *zing.Foreach, next *block) *block {
	text := c.b.header(s, s.Body)
	counter := c.locals[s.Counter.Index]
	test := c.block(s, c.level, 0, text)
	// 1. The next element, after the body.
	more := c.block(s, c.level, zom.Glued, text)
	w := c.writer(more, more.Node)
	w.emit(zom.Calc, counter, counter, w.number(1)).Imm = zom.CalcOf(zom.Plus, zom.Int32, c.b.opts.Unchecked)
	c.jump(more, test)
	body := c.stmt(s.Body, more)
	// 2. The element is assigned to the variable.
	fetch := c.block(s, c.level, zom.Glued, text)
	w = c.writer(fetch, fetch.Node)
	coll := w.expr(s.Coll)
	at := w.prepare(s.Var)
	width := c.b.width(s.Coll.TypeOf().Elem)
	elem := w.alloc(width)
	w.emit(zom.LoadElem, elem, coll, counter).Imm = zom.At(c.b.classes[s.Coll.TypeOf()], 0, width)
	w.store(at, elem, s.Var.TypeOf())
	c.jump(fetch, body)
	// 3. Is there one?
	w = c.writer(test, test.Node)
	coll = w.expr(s.Coll)
	size, less := w.alloc(1), w.alloc(1)
	w.emit(zom.Size, size, coll, 0).Imm = zom.Word(c.b.classes[s.Coll.TypeOf()])
	w.emit(zom.Less, less, counter, size)
	w.emit(zom.Branch, less, 0, 0).to = []target{flow(fetch), flow(next)}
	// 4. The begin.
	start := c.block(s, c.level, zom.Glued, text)
	c.emit(start, zom.Const, counter, 0, 0)
	c.jump(start, test)
	return start
}

// label returns the block of a label.
func (c *coder) label(s *zing.Labeled) *block {
	b := c.labels[s]
	if b == nil {
		b = &block{}
		c.labels[s] = b
	}
	return b
}

// labeled translates a statement with a label.
func (c *coder) labeled(s *zing.Labeled, next *block) *block {
	first := c.stmt(s.Stmt, next)
	if !s.Used {
		return first
	}
	b := c.label(s)
	b.Block = c.block(s, c.level, zom.Glued, s.Label.Name+":").Block
	// The label has the level of its own region, and so has the block after it.
	if first.Level != c.level {
		first = c.skip(s, c.level, 0, first)
	}
	// A process at the label waits if it would wait at the select after it.
	if first.wait == first {
		b.wait = first
	}
	c.jump(b, first)
	return b
}

// atomic translates an atomic region: its last block is outside.
func (c *coder) atomic(s *zing.Atomic, next *block) *block {
	exit := c.block(s, 0, 0, "}")
	exit.node(c.b.node(zing.Span{Start: lastOf(s.Body), End: s.Body.End}, "}", c.name()))
	c.jump(exit, next)
	c.level = 1
	first := c.within(s.Body.Scope, func() *block { return c.list(s.Body.Stmts, exit) })
	c.level = 0
	return first
}

// returns translates a return, which leaves atomic regions.
func (c *coder) returns(s *zing.Return) *block {
	end := c.block(s, 0, zom.Returns, "")
	b := end
	if c.level == 1 {
		b = c.block(s, 0, zom.Glued, "")
	}
	if s.X != nil {
		w := c.writer(b, b.Node)
		w.copy(c.result, w.expr(s.X), c.b.width(s.X.TypeOf()))
	}
	if b != end {
		c.jump(b, end)
	}
	c.emit(end, zom.Return, 0, 0, 0)
	return b
}

// try translates a try and its handlers, which belong to the try around.
func (c *coder) try(s *zing.Try, next *block) *block {
	outer := c.handler
	n := int32(len(c.proc.Handlers))
	c.proc.Handlers = append(c.proc.Handlers, zom.Handler{Outer: outer})
	for _, h := range s.Handlers {
		first := c.stmt(h.Body, next)
		// Outside atomic, a step ends before the handler begins.
		if c.level == 0 {
			first = c.skip(h, 0, 0, first)
		}
		exception := int32(-1)
		if !h.Any {
			exception = c.b.exception(h.Exception.Name)
		}
		c.cases = append(c.cases, entry{n, exception, first})
	}
	c.handler = n
	first := c.stmt(s.Body, next)
	c.handler = outer
	b := c.block(s, c.level, zom.Glued, c.b.header(s, s.Body))
	c.emit(b, zom.SetHandler, n, 0, 0)
	c.jump(b, first)
	return b
}
