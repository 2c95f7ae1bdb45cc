package zingcheck

import (
	"slices"

	"c2bp/checker/conform"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file shows why an implementation does not conform.

// mostSpecStates is the number of states of the specification that are shown.
const mostSpecStates = 6

// mismatch shows a refutation that begins where a run of the implementation ends.
func (c *Comparison) mismatch(r *conform.Refutation, before []conform.Step) *verdict.Mismatch {
	run := slices.Concat(before, r.Run)
	m := &verdict.Mismatch{
		Run: c.impl.confirmed(c.impl.moves(run), len(c.impl.moves(before))), Events: c.impl.names(run), Further: r.Omitted,
	}
	switch r.Kind {
	case conform.Refused:
		m.Kind = verdict.EventMismatch
		c.locate(m, r, r.Spec)
	case conform.NoReadySet:
		m.Kind, m.Ready = verdict.ReadyMismatch, c.impl.ready(r.Ready)
		if r.Y != conform.Hidden {
			m.Alone = c.impl.actions.name(r.Y)
		}
		for _, o := range r.Offers {
			if r.Y == conform.Hidden || slices.Contains(o.Ready, r.Y) {
				m.Stops++
			}
		}
		c.locate(m, r, nil)
	default:
		m.Kind = verdict.AnswersMismatch
		for _, b := range r.Branches {
			m.Branches = append(m.Branches, c.mismatch(b, run))
		}
	}
	return m
}

// locate shows the states of the specification: some, then one stable state for each ready set.
func (c *Comparison) locate(m *verdict.Mismatch, r *conform.Refutation, some []int) {
	shown := map[int]bool{}
	show := func(x int) {
		if !shown[x] && len(m.Spec) < mostSpecStates {
			shown[x] = true
			m.Spec = append(m.Spec, c.spec.show(x, r.Offers))
		}
	}
	for _, x := range some {
		show(x)
	}
	for i, o := range r.Offers {
		if !slices.ContainsFunc(r.Offers[:i], func(p conform.Offer) bool { return slices.Equal(p.Ready, o.Ready) }) {
			show(o.State)
		}
	}
	// Where nothing is stable, the states after the events say more than none.
	if len(m.Spec) == 0 {
		for _, x := range r.Spec {
			show(x)
		}
	}
	m.Omitted = len(r.Reached) - len(m.Spec)
}

// show returns a state of the specification.
func (y *system) show(n int, offers []conform.Offer) verdict.SpecState {
	out := verdict.SpecState{Number: n + 1}
	for _, o := range offers {
		if o.State == n {
			out.Stable, out.Ready = true, y.ready(o.Ready)
		}
	}
	s, m := y.State(y.ids[n])
	t := &tracer{viewer: viewer{low: y.low, s: s}, machine: m}
	out.Processes = t.places()
	return out
}

// ready returns the names of the actions of a ready set.
func (y *system) ready(set []conform.Action) []string {
	out := []string{}
	for _, a := range set {
		out = append(out, y.actions.name(a))
	}
	return out
}

// names returns the names of the events of a run.
func (y *system) names(run []conform.Step) []string {
	out := []string{}
	for _, st := range run {
		if st.Action != conform.Hidden {
			out = append(out, y.actions.name(st.Action))
		}
	}
	return out
}

// diverging returns the states from which hidden steps never end.
func (c *Comparison) diverging() (list []verdict.Diverging) {
	for i, y := range []*system{c.impl, c.spec} {
		d := c.Relation.Diverging[i]
		if d == nil {
			continue
		}
		out := verdict.Diverging{Model: y.name, Events: y.names(d.Run), Steps: len(d.Cycle)}
		from := 0
		if n := len(d.Run); n > 0 {
			from = d.Run[n-1].To
		}
		mv := y.Move(y.ids[from], y.ids[d.Cycle[0].To], nil)
		s, m := y.State(y.ids[from])
		t := &tracer{viewer: viewer{low: y.low, s: s}, machine: m}
		if p := t.process(mv.Process); len(p.Stack) > 0 {
			out.At = p.Stack[0]
		}
		list = append(list, out)
	}
	return list
}

// eventNames returns events as the text of a model would have them.
func eventNames(events []zom.Event) (list []string) {
	for _, e := range events {
		list = append(list, eventName(e))
	}
	return list
}
