package zingtest

import (
	"slices"

	"c2bp/frontend/zing"
)

// This file executes assertions, assignments, messages and choices.

// assert fails if the condition is false.
func (r *run) assert(s *zing.Assert) {
	if r.truth(s.Cond) {
		return
	}
	f := &Failure{Kind: Assertion, Pos: s.Pos()}
	if s.Text != nil {
		f.Text = s.Text.Value
	}
	panic(f)
}

// assign executes an assignment or a change of a set.
func (r *run) assign(s *zing.AssignStmt) {
	if s.Set == nil {
		r.store(s.Lhs, s.Rhs)
		return
	}
	set := r.object(s.Lhs)
	x := r.eval(s.Set.X)
	change := []value{x}
	if s.Set.Whole {
		change = slices.Clone(r.objectOf(x, s.Set.X.TypeOf(), s.Set.X).elems)
	}
	for _, v := range change {
		at, found := slices.BinarySearchFunc(set.elems, v, compare)
		switch {
		case s.Set.Remove && found:
			set.elems = slices.Delete(set.elems, at, at+1)
		case !s.Set.Remove && !found:
			set.elems = slices.Insert(set.elems, at, v)
		}
	}
}

// store evaluates an expression and assigns it; it returns the value.
func (r *run) store(lhs, rhs zing.Expr) value {
	p := r.place(lhs)
	v := r.eval(rhs)
	*p = v
	return copied(v)
}

// send appends a message to a channel.
func (r *run) send(s *zing.Send) {
	ch := r.object(s.Chan)
	ch.elems = append(ch.elems, r.eval(s.X))
}

// receive executes the receives of a join statement, and if its select is visible, the events.
func (r *run) receive(j *zing.Join, visible bool) {
	for _, p := range j.Patterns {
		if e, is := p.(*zing.EventPattern); is && visible {
			r.observe(&e.Event)
		}
		p, is := p.(*zing.ReceivePattern)
		if !is {
			continue
		}
		ch := r.object(p.Chan)
		if len(ch.elems) == 0 {
			// Another receive of the same join statement took the only message.
			panic(&Failure{Kind: Internal, Pos: p.Pos(), Text: "receive from an empty channel"})
		}
		v := ch.elems[0]
		ch.elems = ch.elems[1:]
		*r.place(p.Lhs) = v
	}
}

// alternatives returns the values of a choose.
func (r *run) alternatives(c *zing.Choose) []value {
	var list []value
	numbers := func(lo, hi int64) {
		for i := lo; i <= hi; i++ {
			list = append(list, i)
		}
	}
	switch {
	case c.Of == nil:
		list = copiedAll(r.object(c.X).elems)
	case c.Of.Kind == zing.KindBool:
		list = []value{false, true}
	case c.Of.Kind == zing.KindEnum:
		numbers(0, int64(len(c.Of.Enum))-1)
	default:
		numbers(c.Of.Lo, c.Of.Hi)
	}
	if len(list) == 0 {
		panic(&Failure{Kind: BadChoose, Pos: c.Pos()})
	}
	return list
}
