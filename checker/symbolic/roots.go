package symbolic

import "c2bp/checker/bdd"

// This file defines when garbage is collected among the decision diagrams, and what
// survives.

// rootSet keeps what a computation still needs through a collection.
type rootSet interface{ keep(func(bdd.Ref)) }

// reorderFirst is the number of nodes in use after a collection at which the variables are
// reordered for the first time; it doubles each time.
const reorderFirst = 50_000

// safePoint is where cancellation is noticed, garbage collected and, if the diagrams
// have become large, the order of the variables mended: no Ref is held outside what
// roots names.
func (s *Solution) safePoint() {
	s.m.Check()
	if s.m.NeedsCollection() || s.opts.collectEach {
		s.m.Collect(s.keep)
		if s.m.Size() >= s.reorderAt && !s.opts.reorderNever {
			if s.opts.reorderAt == 0 {
				s.reorderAt *= 2
			}
			s.m.Reorder(int(versions), s.keep)
			s.arranged = s.m.Size()
		}
	}
}

// keep names every Ref that outlives a step.
func (s *Solution) keep(keep func(bdd.Ref)) {
	for _, set := range [][]bdd.Ref{s.path, s.fresh} {
		for _, r := range set {
			keep(r)
		}
	}
	for _, p := range s.procs {
		p.keep(keep)
	}
	for i := range s.edges {
		s.edges[i].keep(keep)
	}
	if s.whole != nil {
		s.whole.keep(keep)
	}
	for _, r := range s.roots {
		r.keep(keep)
	}
}

func (e *edge) keep(keep func(bdd.Ref)) {
	keep(e.rel)
	keep(e.old)
	keep(e.check)
}

func (p *proc) keep(keep func(bdd.Ref)) {
	for _, r := range []bdd.Ref{p.identity, p.enforce, p.summary} {
		keep(r)
	}
	for _, c := range p.clauses {
		keep(c.set)
	}
	for _, c := range p.callers { // every call site is in one such list
		for _, r := range []bdd.Ref{c.args, c.binding, c.clobber, c.inside, c.leave} {
			keep(r)
		}
		c.summary.keep(keep)
	}
	for _, inc := range p.increments {
		keep(inc.rel)
	}
}
