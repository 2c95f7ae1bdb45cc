package shylockcheck

import (
	"fmt"
	"slices"

	"c2bp/frontend/shylock"
	"c2bp/verdict"
)

// This file makes traces of runs. A run is made again in the concrete semantics: its heaps must be those that
// the search has seen, and the identities of objects are the same throughout the trace.

// tracer makes a run again.
type tracer struct {
	*concrete
	proc  *shylock.Proc
	names map[Object]string
	steps []verdict.Step
	// A run with calls that are one step cannot be made again. It is shown with the heaps of the search, whose
	// objects have names of their own at each step.
	abstract bool
	formula  *Formula // each step says which of its atoms hold; may be nil
	explain  bool     // and why
}

// newTracer returns a tracer at the beginning of the program. The run may have calls that are one step.
func (s *space) newTracer(collapsed bool) *tracer {
	return &tracer{concrete: newConcrete(s.Program, s.opts.Lenient), proc: s.Source.Main, names: map[Object]string{}, abstract: collapsed}
}

// trace returns the steps of a run, each with the heap before it. The end is the text of a step more, with the last
// heap, if it is not "".
func (s *space) trace(run []action, end string) []verdict.Step {
	t := s.newTracer(slices.ContainsFunc(run, func(a action) bool { return a.collapsed }))
	t.run(run, end)
	return t.steps
}

// run makes the steps of a run.
func (t *tracer) run(list []action, end string) {
	for i, a := range list {
		t.do(a, i == len(list)-1)
	}
	if end != "" {
		t.steps = append(t.steps, t.step("", end))
	}
}

// do makes a step and notes it. Only the last one may fail.
func (t *tracer) do(a action, last bool) {
	if a.move < 0 {
		step := t.step("return", "return from "+t.proc.Name)
		top := t.back()
		t.proc = top.proc
		step.Pos = top.call.Pos
		t.steps = append(t.steps, step)
		t.confirm(a)
		return
	}
	pt := &t.Points[a.point]
	m := &pt.Moves[a.move]
	step := t.step("", m.Text)
	step.Pos, step.Collapsed = m.Pos, a.collapsed
	switch {
	case m.Op == Call:
		step.Origin = "call"
	case m.Op == Test && m.Holds:
		step.Origin = "branch-true"
	case m.Op == Test:
		step.Origin = "branch-false"
	}
	t.steps = append(t.steps, step)
	if outcome := t.move(t.proc, m); outcome == Disabled || outcome != Stepped && !last {
		panic(fmt.Sprintf("shylockcheck: the run cannot make the step %s", m.Text))
	}
	if m.Op == Call {
		t.proc = m.Callee
	}
	t.confirm(a)
}

// confirm compares the heap with the one that the search has seen.
func (t *tracer) confirm(a action) {
	switch {
	case t.abstract:
		t.heap = &Heap{Vars: a.after.Vars, Links: a.after.Links}
	case !t.shows(a.after):
		panic("shylockcheck: the run leads to another heap than the search has seen")
	}
}

// step returns a step with the present heap.
func (t *tracer) step(origin, text string) verdict.Step {
	s := verdict.Step{Proc: t.proc.Name, Depth: len(t.stack), Text: text, Stmt: text, Origin: origin}
	s.Values, s.Heap = t.Program.show(t.heap, t.proc, t.name)
	if t.formula != nil {
		s.Atoms = t.formula.values(&t.Layout, t.heap)
	}
	if t.explain {
		s.Output = t.formula.explain(&t.Layout, t.heap, t.name)
	}
	return s
}

// name returns the name of an object: those of a run are numbered in the order in which they are seen.
func (t *tracer) name(n Object) string {
	switch {
	case n == 0:
		return "nil"
	case t.abstract:
		return fmt.Sprintf("A%d", n-1)
	case t.names[n] == "":
		t.names[n] = fmt.Sprintf("A%d", len(t.names))
	}
	return t.names[n]
}

// show returns the variables that a procedure sees, and the objects to which they lead.
func (p *Program) show(h *Heap, proc *shylock.Proc, name func(Object) string) (values []verdict.Value, heap []verdict.Object) {
	var order []Object
	seen := objects{}
	visit := func(n Object) {
		if seen.add(n) {
			order = append(order, n)
		}
	}
	variable := func(text string, n Object) {
		values = append(values, verdict.Value{Name: text, Val: name(n)})
		visit(n)
	}
	// 1. Globals, the result of a procedure that returns, locals.
	for i, v := range p.Source.Globals {
		variable(v.Name, h.Vars[i])
	}
	if n := h.Vars[p.result()]; n != 0 {
		variable("(result)", n)
	}
	for i, v := range p.Source.Locals {
		if !v.Param || slices.ContainsFunc(proc.Params, func(r shylock.Ref) bool { return r.Var == v }) {
			variable(v.Name, h.Vars[p.shared()+i])
		}
	}
	// 2. Objects in the order in which they are met.
	for i := 0; i < len(order); i++ {
		o := verdict.Object{Name: name(order[i]), Class: "object"}
		for f, v := range p.Source.Fields {
			m := p.link(h, order[i], f)
			o.Fields = append(o.Fields, verdict.Value{Name: v.Name, Val: name(m)})
			visit(m)
		}
		heap = append(heap, o)
	}
	return values, heap
}
