package cubes

import (
	"math"
	"slices"
	"sync"

	"c2bp/logic"
)

// This file keeps the results of searches for later ones over other predicates. When a predicate is
// added, the prime implicants over those before stay prime implicants, and only cubes with the new
// predicate have to be tried. The same holds of the minimal infeasible cubes.

// learned holds the findings of searches by their subjects. It is safe for concurrent use.
type learned struct {
	mu       sync.Mutex
	findings map[subject][]*finding
	count    int // of entries in findings
}

// learned returns the findings of all spaces whose provers share a memo.
func (s *Space) learned() *learned {
	return s.p.Memo().Extension(func() any { return &learned{} }).(*learned)
}

// subject is the subject of a search: the prime implicants of a goal, or the infeasible cubes with
// a predicate.
type subject struct {
	formula    logic.Hash // of the goal or predicate
	infeasible bool
}

// finding is the result of one search. It does not change once it is made.
type finding struct {
	preds map[logic.Hash]bool // searched over
	done  int                 // the length up to which all cubes over preds were decided
	cubes [][]hashed          // found, by length
	open  bool                // some answers on the way were unknown
}

// hashed is a literal that means the same in all spaces.
type hashed struct {
	pred logic.Hash
	neg  bool
}

const (
	maxFindings = 8       // for one subject; sets of findings are bit sets of 8 bits
	maxLearned  = 1 << 17 // for all subjects; then nothing more is learned
	allLengths  = math.MaxInt
)

// recall returns the findings on the subjects that have most of the predicates, at most
// maxFindings.
func (l *learned) recall(preds []logic.Hash, subjects ...subject) []*finding {
	// 1. Collect the findings on any of the subjects.
	l.mu.Lock()
	var all []*finding
	for _, s := range subjects {
		for _, f := range l.findings[s] {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	l.mu.Unlock()
	// 2. Sort them by the number of the predicates that they decided cubes over.
	known := map[*finding]int{}
	for _, f := range all {
		for _, h := range preds {
			if f.preds[h] {
				known[f]++
			}
		}
	}
	// Findings with most of them come first; in equal number the one that was learned first.
	slices.SortStableFunc(all, func(f, g *finding) int { return known[g] - known[f] })
	return all[:min(len(all), maxFindings)]
}

// learn adds a finding to each subject, in the place of findings that decide less.
func (l *learned) learn(f *finding, subjects ...subject) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range subjects {
		if l.count >= maxLearned {
			return
		}
		old := l.findings[s]
		// Nothing new if an old finding decides at least as much.
		if slices.ContainsFunc(old, func(o *finding) bool { return o.knows(f) }) {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(old), f.knows)
		// Forget the oldest one if there are too many.
		if len(kept) == maxFindings {
			kept = kept[1:]
		}
		l.count += len(kept) + 1 - len(old)
		if l.findings == nil {
			l.findings = map[subject][]*finding{}
		}
		l.findings[s] = append(kept, f)
	}
}

// knows reports whether f decides every cube that o decides.
func (f *finding) knows(o *finding) bool {
	if f.done < o.done || len(f.preds) < len(o.preds) {
		return false
	}
	for h := range o.preds {
		if !f.preds[h] {
			return false
		}
	}
	return true
}

// within lists the cubes of f up to a length that can be made of predicates of s in the set.
func (f *finding) within(s *Space, in map[int]bool, length int) []cube {
	var cs []cube
next:
	for _, ls := range f.cubes {
		if len(ls) > length {
			continue
		}
		c := make(cube, 0, len(ls))
		// Translate the literals to this space; skip the cube if it lacks a predicate.
		for _, l := range ls {
			i, ok := s.number[l.pred]
			if !ok || !in[i] {
				continue next
			}
			c = append(c, 2*i)
			if l.neg {
				c[len(c)-1]++
			}
		}
		// The order of predicates differs between spaces.
		slices.Sort(c)
		cs = append(cs, c)
	}
	return cs
}

// recallInfeasible adds the infeasible cubes that earlier spaces found, once.
func (s *Space) recallInfeasible() {
	if s.recalled || s.opts.NoInfeasible {
		return
	}
	s.recalled = true
	for _, g := range s.cone.groups() {
		r := &search{s: s, preds: g}
		preds, ok := r.hashes()
		if !ok {
			continue
		}
		in := r.members()
		for _, f := range s.learned().recall(preds, infeasibleSubjects(preds)...) {
			for _, c := range f.within(s, in, allLengths) {
				if !s.infeasible.has(c) {
					s.infeasible.add(c)
				}
			}
		}
	}
}

// members returns the set of the predicates that r searches over.
func (r *search) members() map[int]bool {
	in := map[int]bool{}
	for _, i := range r.preds {
		in[i] = true
	}
	return in
}

// remember prepares r to try no cube that a finding decides: the cubes that were found are taken
// over, and the others skipped.
func (r *search) remember(findings []*finding, length int) {
	// 1. Take over the cubes that were found. If some answer was unknown then, it is so for r, too.
	in := r.members()
	r.findings = findings
	for _, f := range findings {
		if f.open {
			r.s.p.Counters().Open++
		}
		for _, c := range f.within(r.s, in, length) {
			if !r.found.has(c) {
				r.take(c)
			}
		}
	}
	// 2. For each predicate, note the findings that include it, and those that include all from it
	// on, for extend.
	r.knownBy = make([]uint8, len(r.preds))
	r.knownTo = make([]uint8, len(r.preds)+1)
	// Bit k stands for findings[k]; an empty rest is included in all.
	r.knownTo[len(r.preds)] = math.MaxUint8
	for i := len(r.preds) - 1; i >= 0; i-- {
		for k, f := range findings {
			if f.preds[r.s.preds[r.preds[i]].Hash()] {
				r.knownBy[i] |= 1 << k
			}
		}
		r.knownTo[i] = r.knownBy[i] & r.knownTo[i+1]
	}
}

// deciding returns the set of findings that decide all cubes of length k over their predicates.
func (r *search) deciding(k int) uint8 {
	var set uint8
	for i, f := range r.findings {
		if k > 0 && f.done >= k {
			set |= 1 << i
		}
	}
	return set
}

// finding returns the result of r, which tried all cubes up to a length.
func (r *search) finding(length int) *finding {
	f := &finding{preds: map[logic.Hash]bool{}, done: length, open: r.s.p.Counters().Open > r.open}
	// No cube is longer than the number of predicates.
	if r.exhausted || length >= len(r.preds) {
		f.done = allLengths
	}
	for _, i := range r.preds {
		f.preds[r.s.preds[i].Hash()] = true
	}
	for _, c := range r.list {
		var ls []hashed
		for _, l := range c {
			ls = append(ls, hashed{r.s.preds[l/2].Hash(), l&1 != 0})
		}
		f.cubes = append(f.cubes, ls)
	}
	return f
}

// hashes returns the hashes of the predicates that r searches over; differ is false if two are
// equal, so that they do not name the predicates.
func (r *search) hashes() (hs []logic.Hash, differ bool) {
	seen := map[logic.Hash]bool{}
	for _, p := range r.preds {
		h := r.s.preds[p].Hash()
		hs = append(hs, h)
		seen[h] = true
	}
	return hs, len(seen) == len(hs)
}

// infeasibleSubjects returns the subjects of a search for infeasible cubes over predicates.
func infeasibleSubjects(preds []logic.Hash) []subject {
	ss := make([]subject, len(preds))
	for i, h := range preds {
		ss[i] = subject{h, true}
	}
	return ss
}
