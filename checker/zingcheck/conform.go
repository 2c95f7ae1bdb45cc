package zingcheck

import (
	"context"
	"fmt"

	"c2bp/checker/conform"
	"c2bp/checker/interleave"
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
	"c2bp/verdict"
)

// This file compares models: does an implementation conform to a specification?

// CompareOptions choose the rules of the language for both models, the limits, and the relation.
type CompareOptions struct {
	Options
	Determinize bool
}

// Comparison is the result of a comparison.
type Comparison struct {
	Result   *verdict.Result
	Relation *conform.Result    // nil if nothing was compared
	Search   *interleave.Result // the exploration of the implementation; nil if there was none
	Length   int                // the number of states on the run of the implementation that is shown; 0 if none is

	impl, spec *system
}

// Compare decides whether a model conforms to another one. Both were accepted by zing.Check. When ctx ends, the result
// has all that is known so far.
func Compare(ctx context.Context, impl, spec *zing.Program, opts CompareOptions) *Comparison {
	a := &actions{numbers: map[zom.Event]conform.Action{}}
	c := &Comparison{Result: &verdict.Result{}, impl: newSystem(ctx, "implementation", impl, opts.Options, a)}
	c.Search = c.impl.Result()
	c.spec = newSystem(ctx, "specification", spec, opts.Options, a)
	for _, y := range []*system{c.impl, c.spec} {
		if _, ok := y.System.Initial(); !ok {
			c.Result.Reason = y.failing()
			return c
		}
	}
	c.Relation = conform.Check(ctx, c.impl, c.spec, conform.Options{Determinize: opts.Determinize})
	c.decide()
	c.Result.Stats = c.stats()
	return c
}

// decide makes the verdict.
func (c *Comparison) decide() {
	r, rel := c.Result, c.Relation
	r.Conformance = &verdict.Conformance{Coarser: rel.Coarser, Diverging: c.diverging()}
	site := verdict.Site{Kind: verdict.Check, Name: "conformance", Proc: "-"}
	switch {
	// What the specification could do after a step that fails is not known.
	case rel.Refutation != nil && len(c.spec.Result().Failures) > 0:
		r.Reason = c.spec.failing()
	case rel.Refutation != nil:
		r.Verdict = verdict.False
		r.Conformance.Mismatch = c.mismatch(rel.Refutation, nil)
		r.Trace = r.Conformance.Mismatch.Run
		c.Length = len(c.impl.moves(rel.Refutation.Run)) + 1
		site = c.site(r.Conformance.Mismatch)
	case rel.Open != nil:
		r.Reason = rel.Open.Error()
	case len(c.impl.Result().Failures) > 0:
		r.Reason = c.impl.failing()
	case len(c.spec.Result().Failures) > 0:
		r.Reason = c.spec.failing()
	case len(c.impl.low.Activate) == 0:
		r.Reason = "vacuous: no method of the implementation is activate, so no process runs"
	case len(c.spec.low.Activate) == 0:
		r.Reason = "vacuous: no method of the specification is activate, so no process runs"
	case !c.impl.hasEvents() && !c.spec.hasEvents():
		r.Reason = "vacuous: neither model has an event"
	default:
		r.Verdict = verdict.True
	}
	site.Open = r.Verdict == verdict.Unknown
	r.Sites = []verdict.Site{site}
	if r.Verdict == verdict.True && rel.Coarser {
		r.Ledger = append(r.Ledger, "determinized: what the specification can be in after the same events is compared as a set of states")
	}
}

// failing returns the reason of Unknown for a model with a step that fails.
func (y *system) failing() string {
	f := y.Result().Failures[0]
	what := "assertion"
	if f.Outcome != zom.Failed {
		what = errorNames[f.Outcome]
	}
	n := y.low.Nodes[f.Node]
	return fmt.Sprintf("a step of the %s fails: %s, %s:%d", y.name, what, n.Pos.File, n.Pos.Line)
}

// site returns the property that a mismatch violates, with its place in the implementation.
func (c *Comparison) site(m *verdict.Mismatch) verdict.Site {
	s := verdict.Site{Kind: verdict.Check, Proc: c.impl.file, Failed: true}
	switch {
	case m.Kind == verdict.EventMismatch:
		s.Name = "unspecified " + m.Events[len(m.Events)-1]
	case m.Kind == verdict.AnswersMismatch:
		s.Name = "unspecified behaviour after " + m.Events[len(m.Events)-1]
	case len(m.Ready) == 0:
		s.Name = "deadlock"
	default:
		s.Name = "refusal"
	}
	// 1. The place of the last event.
	if n := len(m.Run.Steps); n > 0 {
		s.Pos, s.Text, s.Proc = m.Run.Steps[n-1].Pos, m.Run.Steps[n-1].Text, m.Run.Steps[n-1].Proc
	}
	if m.Kind != verdict.ReadyMismatch {
		return s
	}
	// 2. Of a state that is ready for too little, the place of the process that has made the last event or, if there is
	// none or it has ended, of the first that waits or, if none waits, of the first that has not ended.
	last := ""
	for _, st := range m.Run.Steps {
		if len(st.Events) > 0 {
			last = st.Process
		}
	}
	for _, is := range []func(p verdict.Process) bool{
		func(p verdict.Process) bool { return p.Name == last },
		func(p verdict.Process) bool { return p.Status == "waits" },
		func(verdict.Process) bool { return true },
	} {
		for _, p := range m.Run.Processes {
			if len(p.Stack) > 0 && is(p) {
				at := p.Stack[0]
				s.Pos, s.Text, s.Proc = at.Pos, at.Text, at.Proc
				return s
			}
		}
	}
	return s
}

// stats returns the counters of a comparison.
func (c *Comparison) stats() []verdict.Stat {
	rel := c.Relation
	impl, spec := c.impl.Result(), c.spec.Result()
	return []verdict.Stat{
		{Name: "states of the implementation", Value: int64(rel.States[0])},
		{Name: "distinct states of the implementation", Value: int64(impl.Distinct)},
		{Name: "steps of the implementation", Value: int64(rel.Steps)},
		{Name: "states of the specification", Value: int64(rel.States[1])},
		{Name: "distinct states of the specification", Value: int64(spec.Distinct)},
		{Name: "states of the specification in pairs", Value: int64(rel.Places)},
		{Name: "pairs", Value: int64(rel.Pairs)},
		{Name: "obligations", Value: int64(rel.Obligations)},
		{Name: "ready sets", Value: int64(rel.ReadySets)},
		{Name: "bytes of states", Value: impl.Bytes + spec.Bytes},
		{Name: "bytes per state", Value: (impl.Bytes + spec.Bytes) / int64(max(1, impl.Stored+spec.Stored))},
	}
}

// confirmed makes moves again from the initial state, and returns the trace of those after the first few, with the
// processes at the end.
func (y *system) confirmed(moves []interleave.Move, few int) *verdict.Trace {
	t := newTracer(y.low, y.model, y.opts)
	for i, mv := range moves {
		t.move(mv, i+2)
	}
	t.renumber()
	out := &verdict.Trace{Processes: t.places()}
	for _, st := range t.steps {
		if st.State > few+1 {
			out.Steps = append(out.Steps, st)
		}
	}
	return out
}
