package zingtest

import "c2bp/frontend/zing"

// This file builds calls, choices, jumps, foreach and exceptions.

// call builds the call and, after the return, the copy of the results.
func (b *builder) call(s *zing.CallStmt, at context, next *block) *block {
	results := b.action("results", at, s, next, func(r *run) { r.copyResults(s) })
	call := b.block("call", at, s, nil)
	call.do = func(r *run) *block {
		callee := r.newFrame(s.Call, false)
		callee.savedA = r.atomicity
		r.frame().moveTo(results)
		r.process().stack = append(r.process().stack, callee)
		return nil
	}
	return call
}

// choose builds the choice and, after it is made, the assignment.
func (b *builder) choose(s *zing.ChooseStmt, at context, next *block) *block {
	assign := b.action("chosen", at, s, next, func(r *run) {
		v := r.chosen
		if s.Convert {
			v = r.convert(v, s.Choose.Type, s.Lhs.TypeOf(), s)
		}
		*r.place(s.Lhs) = v
	})
	return b.action("choose", at, s, assign, func(r *run) { r.state.pending = r.alternatives(s.Choose) })
}

// jump builds a goto.
func (b *builder) jump(s *zing.Goto, at context) *block {
	n := b.block("goto", at, s, b.labelBlock(s.Target))
	if at.level > 0 {
		b.gotos = append(b.gotos, jump{n, n.next})
	}
	return n
}

// labelBlock returns the block of a label, whose place is known once its statement is built.
func (b *builder) labelBlock(l *zing.Labeled) *block {
	if b.labels[l] == nil {
		n := glue(b.block("label "+l.Label.Name, context{}, l, nil))
		n.label = true
		b.labels[l] = n
	}
	return b.labels[l]
}

// labeled builds a statement with a label.
func (b *builder) labeled(s *zing.Labeled, at context, next *block) *block {
	target := b.stmt(s.Stmt, at, next)
	if !s.Used {
		return target
	}
	if target.level != at.level {
		target = b.block("level", at, s, target)
	}
	n := b.labelBlock(s)
	n.level, n.scope, n.next = at.level, at.scope, target
	return n
}

// ret builds a return statement. In a region, the value is computed first, outside the region.
func (b *builder) ret(s *zing.Return, at context) *block {
	if at.level == 0 {
		return b.returning(at, s, s.X)
	}
	at.level = 0
	leave := b.block("return", context{scope: b.method.Body.Scope}, s, nil)
	leave.returns = true
	leave.do = func(r *run) *block {
		r.pop()
		return nil
	}
	return glue(b.action("value", at, s, leave, func(r *run) { r.setResult(s.X) }))
}

// foreach builds foreach: its blocks stand in the scope of its variables.
func (b *builder) foreach(s *zing.Foreach, at context, next *block) *block {
	at.scope = s.Scope
	counter := func(r *run) *value { return &r.frame().locals[s.Counter.Index] }
	test := b.block("foreach", at, s, nil)
	increment := glue(b.action("increment", at, s, test, func(r *run) { *counter(r) = (*counter(r)).(int64) + 1 }))
	body := b.stmt(s.Body, at, increment)
	fetch := glue(b.action("fetch", at, s, body, func(r *run) {
		*r.place(s.Var) = copied(*r.element(s.Coll, *counter(r), s))
	}))
	test.do = func(r *run) *block {
		if (*counter(r)).(int64) < int64(len(r.object(s.Coll).elems)) {
			return fetch
		}
		return next
	}
	return glue(b.action("start", at, s, test, func(r *run) { *counter(r) = int64(0) }))
}

// try builds a try: the list of handlers, and the block that installs it before the body.
func (b *builder) try(s *zing.Try, at context, next *block) *block {
	list := &handlers{enclosing: at.handlers}
	// The test after the last one is the first of the enclosing list; without one the frame goes.
	list.entry = glue(b.block("no handler", at, s, nil))
	list.entry.do = func(r *run) *block { return r.raiseTo(list.enclosing) }
	for i := len(s.Handlers) - 1; i >= 0; i-- {
		h, otherwise := s.Handlers[i], list.entry
		body := b.stmt(h.Body, at, next)
		if at.level == 0 {
			body = b.block("connector", at, h, body)
		}
		list.entry = glue(b.block("handler", at, h, nil))
		list.entry.do = func(r *run) *block {
			if !h.Any && h.Exception.Name != r.process().exception {
				return otherwise
			}
			r.frame().handlers, r.process().exception = list.enclosing, ""
			return body
		}
	}
	inside := at
	inside.handlers, inside.scope = list, s.Body.Scope
	return glue(b.action("try", at, s, b.list(s.Body, inside, next), func(r *run) { r.frame().handlers = list }))
}

// raise builds a raise.
func (b *builder) raise(s *zing.Raise, at context) *block {
	n := glue(b.block("raise", at, s, nil))
	n.do = func(r *run) *block {
		r.process().exception = s.Exception.Name
		return r.raiseTo(at.handlers)
	}
	return n
}
