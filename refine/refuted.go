package refine

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"

	"c2bp/abstract"
	"c2bp/refine/cex"
	"c2bp/refine/event"
	"c2bp/refine/invgen"
	"c2bp/refine/preds"
	"c2bp/refine/spurious"
	"c2bp/refine/technique"
)

// This file sees to it that a path that was refuted is not refuted again and again. After a program
// has been abstracted by the predicates found for a path, the path is executed in the abstraction
// before anything is checked: it may still be one of it. Then constraints rule it out; or if the
// predicates cannot, more are found. The same happens if a path comes back later: more predicates in
// one place can mean shorter conjunctions of them.

// search has the parts of the next abstraction, and the paths refuted in earlier ones: for all
// properties, or for the one that has its turn.
type search struct {
	preds       *preds.Set
	efforts     [2]efforts // without references, and with them
	constraints []abstract.Constraint
	made        *abstract.Result // the last abstraction
	upToDate    bool             // it has got constraints, and nothing else is new

	seen      map[[sha256.Size]byte]bool // the paths that were refuted, by their nodes
	back      map[[sha256.Size]byte]bool // those of them that came back and were excluded
	latest    []refutation               // those that new predicates are for
	insisting repeated

	before *search // itself, before its first abstraction with references; nil if it had none
}

// refutation is an infeasible path, an unsat core of it, and the rung up to which predicates were
// sought.
type refutation struct {
	path  *cex.Path
	core  *cex.Core
	proof *invgen.Proof
	rung  int
	site  int // the property that it leads to
}

// repeated is the nearest property that fails, and in how many iterations it has been that.
type repeated struct{ site, times int }

// newSearch returns the search of a program with pointers so wide.
func newSearch(bits int) *search {
	return &search{preds: preds.NewSet(bits), efforts: [2]efforts{{}, {}}, seen: map[[sha256.Size]byte]bool{}, back: map[[sha256.Size]byte]bool{}}
}

// exactness returns the degrees of exactness of abstractions with references, or of those without: a path
// that needs one kind to be more exact need not be one of the other.
func (s *search) exactness(references bool) efforts {
	if references {
		return s.efforts[1]
	}
	return s.efforts[0]
}

// clone returns a copy of s, which changes to s do not change.
func (s *search) clone() *search {
	c := *s
	c.preds = s.preds.Clone()
	c.efforts = [2]efforts{maps.Clone(s.efforts[0]), maps.Clone(s.efforts[1])}
	c.constraints, c.latest = slices.Clone(s.constraints), slices.Clone(s.latest)
	c.seen, c.back = maps.Clone(s.seen), maps.Clone(s.back)
	return &c
}

// insist notes that site is the nearest one that fails.
func (s *search) insist(site int) {
	if s.insisting.site != site {
		s.insisting.site, s.insisting.times = site, 0
	}
	s.insisting.times++
}

// refute notes that predicates were sought for a path, up to a rung.
func (s *search) refute(p *cex.Path, r *cex.Core, known *invgen.Proof, rung int) {
	// A path keeps one entry: the last core and the highest rung replace those before.
	now := refutation{p, r, known, rung, s.preds.Site}
	if n := len(s.latest); n > 0 && s.latest[n-1].path == p {
		s.latest[n-1] = now
		return
	}
	s.latest = append(s.latest, now)
	s.seen[p.Key()] = true
}

// isBack reports whether p was refuted before, and all the same is a path of the abstraction.
func (s *search) isBack(p *cex.Path) bool { return s.seen[p.Key()] }

// excludeRefuted rules out the paths that were refuted last. It reports whether there are new
// predicates for that, so that the program has to be abstracted again.
func (a *audit) excludeRefuted(ctx context.Context) bool {
	if len(a.search.latest) == 0 || !a.constrains() {
		return false
	}
	var more []refutation
	for _, x := range a.search.latest {
		s, cs := a.excluder().Exclude(ctx, x.path, x.core)
		a.constrain(ctx, cs)
		// Missing: no constraint over the present predicates can exclude the path.
		if s == event.Missing && ctx.Err() == nil {
			if rung, ok := a.climb(ctx, x); ok {
				more = append(more, refutation{x.path, x.core, x.proof, rung, x.site})
			}
		}
	}
	// The others are excluded, or no rung helps: they are left alone until they come back.
	a.search.latest = more
	return len(more) > 0
}

// climb tries the rungs above that of x, until there are new predicates.
func (a *audit) climb(ctx context.Context, x refutation) (rung int, found bool) {
	before := len(a.search.preds.List)
	a.search.preds.Site = x.site
	for rung := x.rung + 1; rung < len(a.ladder.rungs); rung++ {
		a.propose(ctx, a.ladder.rungs[rung], x.path, x.core, x.proof)
		if len(a.search.preds.List) > before {
			a.opts.Log.Report(event.Remains{Steps: len(x.path.Steps)})
			a.reportPredicates(before)
			return rung, true
		}
	}
	return 0, false
}

// excluder looks for constraints of the last abstraction.
func (a *audit) excluder() *spurious.Excluder {
	return &spurious.Excluder{Abstraction: a.search.made, Prover: a.pr, Exhausted: a.exhausted, Open: a.left}
}

// constrain adds constraints to the abstraction and those to come. Where one is needed,
// others may be: these statements are abstracted more exactly from now on.
func (a *audit) constrain(ctx context.Context, cs []abstract.Constraint) {
	for _, c := range cs {
		a.opts.Log.Report(event.Constrained{Constraint: c})
		a.search.exactness(a.refs.on).raise(c.Proc, c.Node, 1)
	}
	if len(cs) > 0 {
		a.search.constraints = append(a.search.constraints, cs...)
		a.search.made.Constrain(ctx, a.pr, cs)
	}
}

// excludeAgain rules out a path that came back by constraints alone, if it can.
func (a *audit) excludeAgain(ctx context.Context, p *cex.Path, r *cex.Core) bool {
	if !a.constrains() {
		return false
	}
	s, cs := a.excluder().Exclude(ctx, p, r)
	a.opts.Log.Report(event.Returned{
		Steps: len(p.Steps), Standing: s, Absent: s == event.Gone && len(cs) == 0, Again: a.search.back[p.Key()],
	})
	a.constrain(ctx, cs)
	// With constraints the abstraction is up to date: it is checked again without being made
	// again.
	a.search.upToDate = len(cs) > 0
	a.search.back[p.Key()] = a.search.upToDate
	return a.search.upToDate
}

// sharpen makes the abstraction more exact in the segment of a core, if that can rule out the path
// without new predicates: by longer cubes, or by constraints.
func (a *audit) sharpen(ctx context.Context, p *cex.Path, r *cex.Core) bool {
	s, cs := event.Unclear, []abstract.Constraint(nil)
	if a.constrains() {
		s, cs = a.excluder().Exclude(ctx, p, r)
	}
	switch {
	case s == event.Missing:
		return false
	// Longer cubes may exclude the path; that is seen when the program has been abstracted
	// again.
	case !a.Without.Has(technique.Precision) && a.search.exactness(a.refs.on).sharpen(p, r):
		a.opts.Log.Report(event.Sharpened{})
		return true
	}
	// All cubes are as long as they get: only constraints are left.
	a.constrain(ctx, cs)
	a.search.upToDate = len(cs) > 0
	return a.search.upToDate
}
