package shylockcheck

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"c2bp/frontend/shylock"
	"c2bp/verdict"
)

// This file checks programs for assertions that fail and for nil that is dereferenced.

// Check checks a program that shylock.Check has accepted. When ctx ends, the result has all that is known so far.
//
// For Unknown, if a heap beyond the bound is the reason, the trace leads to that heap.
func Check(ctx context.Context, src *shylock.Program, opts Options) *verdict.Result {
	s := newSpace(Translate(src), opts)
	r := s.explore(ctx)
	out := &verdict.Result{Stats: r.stats()}
	sites := s.sites(out)
	// 1. Failures.
	for i, f := range r.failures {
		x := s.meaning(f.symbol).(failure)
		site := sites[[2]int{x.point, x.move}]
		out.Sites[site].Failed = true
		if i == 0 {
			out.Verdict, out.Failed = verdict.False, site
			out.Trace = &verdict.Trace{Model: true, Steps: s.trace(r.run(f), "")}
		}
	}
	// 2. What is open, and why.
	open := ""
	switch {
	case ctx.Err() != nil:
		open = context.Cause(ctx).Error()
	case len(r.failures) > 0 && !opts.All:
		open = "the search ended at the first failure"
	case r.full:
		open = fmt.Sprintf("limit of %d configurations reached", opts.MaxStates)
	case r.beyond != nil:
		open = s.tooLarge(r.beyond.symbol, r.top)
	}
	for i := range out.Sites {
		if site := &out.Sites[i]; open != "" && !site.Failed && !site.Idle {
			site.Open = true
		}
	}
	// 3. The verdict.
	switch {
	case out.Verdict == verdict.False:
	case open != "":
		out.Reason = open
		if r.beyond != nil && !r.full && ctx.Err() == nil {
			out.Trace = &verdict.Trace{Model: true, Steps: s.trace(r.runBeyond(), r.top.ends())}
		}
	case !slices.ContainsFunc(out.Sites, func(site verdict.Site) bool { return !site.Idle }):
		out.Reason = "vacuous: the procedures that are called have no assertion, and read and write no field"
	default:
		out.Verdict = verdict.True
	}
	return out
}

// largest returns the number of visible objects of the largest heap.
func (s *space) largest() int64 {
	most := 0
	for _, h := range s.heaps {
		most = max(most, s.visible(h))
	}
	return int64(most)
}

// stats returns the counters of a search.
func (r *search) stats() []verdict.Stat {
	return []verdict.Stat{
		{Name: "heaps", Value: int64(len(r.heaps))},
		{Name: "visible objects of the largest heap", Value: r.largest()},
		{Name: "invocations", Value: int64(len(r.invocations))},
		{Name: "configurations", Value: int64(r.facts)},
		{Name: "returns", Value: int64(r.returns)},
		{Name: "blocked configurations", Value: int64(r.blocked)},
	}
}

// sites lists the properties of a program in out, in the order of the text, and returns their indices by point
// and move.
func (s *space) sites(out *verdict.Result) map[[2]int]int {
	// 1. The moves that can fail.
	var places [][2]int
	for i, pt := range s.Points {
		for j, m := range pt.Moves {
			if m.Op == Assert || (m.Op == Load || m.Op == Store) && !s.opts.Lenient {
				places = append(places, [2]int{i, j})
			}
		}
	}
	move := func(at [2]int) *Move { return &s.Points[at[0]].Moves[at[1]] }
	slices.SortStableFunc(places, func(a, b [2]int) int {
		p, q := move(a).Pos, move(b).Pos
		return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
	})
	// 2. Their sites. Nothing is said of procedures that are not called.
	called := s.called()
	index := map[[2]int]int{}
	for i, at := range places {
		m, proc := move(at), s.Points[at[0]].Proc
		site := verdict.Site{Kind: verdict.Assertion, Proc: proc.Name, Pos: m.Pos, Text: m.Text, Idle: !called[proc]}
		if m.Op != Assert {
			site.Kind = verdict.Dereference
		}
		index[at] = i
		out.Sites = append(out.Sites, site)
	}
	return index
}

// called returns the procedures to which calls lead from the initial one.
func (s *space) called() map[*shylock.Proc]bool {
	calls := map[*shylock.Proc][]*shylock.Proc{}
	for _, pt := range s.Points {
		for _, m := range pt.Moves {
			if m.Op == Call {
				calls[pt.Proc] = append(calls[pt.Proc], m.Callee)
			}
		}
	}
	found := map[*shylock.Proc]bool{s.Source.Main: true}
	for work := []*shylock.Proc{s.Source.Main}; len(work) > 0; {
		proc := work[0]
		work = work[1:]
		for _, callee := range calls[proc] {
			if !found[callee] {
				found[callee] = true
				work = append(work, callee)
			}
		}
	}
	return found
}

// tooLarge returns the reason of a verdict that a heap beyond the bound leaves open.
func (s *space) tooLarge(symbol int, t transition) string {
	after := "the return from a call"
	if symbol < s.bottom() {
		m := s.Points[symbol].Moves[t.move]
		after = fmt.Sprintf("%s at %s:%d", m.Text, m.Pos.File, m.Pos.Line)
	}
	return fmt.Sprintf("heap beyond the bound (⊤): %s, after %s", t.reason, after)
}
