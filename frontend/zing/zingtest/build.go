package zingtest

import "c2bp/frontend/zing"

// This file builds the blocks of statements, from back to front: each gets the block that comes after it.

// builder builds the blocks of one method.
type builder struct {
	graph  *graph
	method *zing.Method
	labels map[*zing.Labeled]*block
	gotos  []jump
}

// jump is the block of a goto in an atomic region, whose level depends on its target.
type jump struct {
	from, to *block
}

// context is where a statement stands.
type context struct {
	level    int // 1 inside an atomic region
	scope    *zing.Scope
	handlers *handlers // of the innermost try around the statement
}

// block adds a block that goes on to next.
func (b *builder) block(name string, at context, pos zing.Node, next *block) *block {
	b.graph.blocks++
	return &block{id: b.graph.blocks, name: name, level: at.level, scope: at.scope, pos: pos, next: next}
}

// action adds a block that does something and goes on to next.
func (b *builder) action(name string, at context, pos zing.Node, next *block, do func(*run)) *block {
	n := b.block(name, at, pos, next)
	n.do = func(r *run) *block {
		do(r)
		return next
	}
	return n
}

// branch goes on to yes or no.
func branch(cond zing.Expr, yes, no *block) func(*run) *block {
	return func(r *run) *block {
		if r.truth(cond) {
			return yes
		}
		return no
	}
}

// glue marks a block as glued to the next one.
func glue(n *block) *block {
	n.glued = true
	return n
}

// body builds the whole method and returns its entry.
func (b *builder) body() *block {
	m := b.method
	outside := context{scope: m.Body.Scope}
	end := b.returning(outside, m, nil)
	var entry *block
	if m.Atomic {
		// The body is a region; the exit is glued to the return.
		exit := glue(b.block("exit", outside, m, end))
		entry = b.list(m.Body, context{level: 1, scope: m.Body.Scope}, exit)
	} else {
		entry = b.list(m.Body, outside, end)
	}
	// A goto in a region ends the step if the label is outside.
	for _, j := range b.gotos {
		j.from.level = j.to.level
	}
	return entry
}

// returning adds a return block that evaluates x, if there is one.
func (b *builder) returning(at context, pos zing.Node, x zing.Expr) *block {
	n := b.block("return", at, pos, nil)
	n.returns = true
	n.do = func(r *run) *block {
		r.setResult(x)
		r.pop()
		return nil
	}
	return n
}

// list builds the statements of braces whose scope is at.scope.
func (b *builder) list(braces *zing.Block, at context, next *block) *block {
	if len(braces.Stmts) == 0 {
		return b.nothing(at, braces, next)
	}
	for i := len(braces.Stmts); i > 0; {
		// The statements from `from` to i are one block if they are a sequence of simple ones in a region.
		from := i - 1
		for at.level > 0 && from > 0 && simple(braces.Stmts[from]) && simple(braces.Stmts[from-1]) {
			from--
		}
		if at.level > 0 && simple(braces.Stmts[from]) {
			next = b.sequence(braces.Stmts[from:i], at, next)
		} else {
			next = b.stmt(braces.Stmts[from], at, next)
		}
		i = from
	}
	return next
}

// nothing builds an empty statement or empty braces.
func (b *builder) nothing(at context, pos zing.Node, next *block) *block {
	if at.level > 0 {
		return next
	}
	return b.block("nothing", at, pos, next)
}

// stmt builds a statement.
func (b *builder) stmt(s zing.Stmt, at context, next *block) *block {
	if at.level > 0 && simple(s) {
		return b.sequence([]zing.Stmt{s}, at, next)
	}
	switch s := s.(type) {
	case *zing.Empty:
		return b.nothing(at, s, next)
	case *zing.Block:
		at.scope = s.Scope
		return b.list(s, at, next)
	case *zing.Declare:
		if s.Init == nil {
			return next
		}
		return b.action("declare", at, s, next, func(r *run) { r.simple(s) })
	case *zing.AssignStmt, *zing.Async:
		return b.action("simple", at, s, next, func(r *run) { r.simple(s) })
	case *zing.CallStmt:
		return b.call(s, at, next)
	case *zing.ChooseStmt:
		return b.choose(s, at, next)
	case *zing.If:
		no := next
		if s.Else != nil {
			no = b.stmt(s.Else, at, next)
		}
		test := b.block("if", at, s.Cond, nil)
		test.do = branch(s.Cond, b.stmt(s.Then, at, next), no)
		return test
	case *zing.While:
		test := b.block("while", at, s.Cond, nil)
		test.do = branch(s.Cond, b.stmt(s.Body, at, test), next)
		return test
	case *zing.Foreach:
		return b.foreach(s, at, next)
	case *zing.Goto:
		return b.jump(s, at)
	case *zing.Labeled:
		return b.labeled(s, at, next)
	case *zing.Return:
		return b.ret(s, at)
	case *zing.Atomic:
		exit := b.block("exit", at, s, next)
		return b.list(s.Body, context{level: 1, scope: s.Body.Scope, handlers: at.handlers}, exit)
	case *zing.Select:
		return b.choice(s, at, next)
	case *zing.Try:
		return b.try(s, at, next)
	case *zing.Raise:
		return b.raise(s, at)
	}
	return b.other(s, at, next)
}

// other builds the statements that are one block each.
func (b *builder) other(s zing.Stmt, at context, next *block) *block {
	switch s := s.(type) {
	case *zing.Assert:
		return b.action("assert", at, s, next, func(r *run) { r.assert(s) })
	case *zing.Assume:
		if value, known := literal(s.Cond); known && value {
			return next
		}
		return b.action("assume", at, s, next, func(r *run) {
			if !r.truth(s.Cond) {
				panic(&Failure{Kind: Assume, Pos: s.Pos()})
			}
		})
	case *zing.Send:
		return b.action("send", at, s, next, func(r *run) { r.send(s) })
	case *zing.Yield:
		n := b.block("yield", at, s, next)
		n.yields = true
		return n
	case *zing.Trace:
		return b.action("trace", at, s, next, func(r *run) { r.evalAll(s.Args) })
	case *zing.Accept:
		return b.action("accept", at, s, next, func(r *run) { r.eval(s.Cond) })
	case *zing.EventStmt:
		return b.action("event", at, s, next, func(r *run) { r.observe(&s.Event) })
	case *zing.InvokePlugin:
		return b.action("plugin", at, s, next, func(r *run) { r.evalAll(s.Args) })
	case *zing.InvokeScheduler:
		return b.action("scheduler", at, s, next, func(r *run) { r.evalAll(s.Args) })
	}
	panic("zingtest: unknown statement")
}
