package temporal

import (
	"context"
	"errors"
	"fmt"

	"c2bp/verdict"
)

// This file defines the check of a formula.

// Options are the options of Check and Reach.
type Options struct {
	// Fair lists numbers of atoms: only those runs count in which each of them holds infinitely often. A run
	// that has terminated is fair only if they hold in its last configuration.
	Fair []int
	// MaxHeads is the most heads of the system, paired with states of the automaton; 0 is no limit.
	MaxHeads int
	// MaxSteps is the most steps to which a run is written out, calls that would exceed it being steps of
	// their own; 0 is DefaultSteps.
	MaxSteps int
}

// DefaultSteps is the number of steps to which runs are written out.
const DefaultSteps = 10000

// Result is the answer of Check.
type Result struct {
	// Verdict is True if all runs satisfy the formula, False if Run does not, Unknown for Reason.
	Verdict verdict.Verdict
	Reason  string
	// Run is, for False, a run that violates the formula; for Unknown, if it is so because of a move to
	// something that the system does not know, the run whose last step makes that move.
	Run   *Run
	Full  bool           // Unknown, because of MaxHeads
	Stats []verdict.Stat // work counters: states of the automaton, heads, transitions
}

// Run is a run. It is infinite, and repeats Loop for ever, or it is finite, and Loop is nil. The end of a loop has
// the head of its beginning, with the same symbols below it and perhaps more above these.
type Run struct {
	Stem, Loop []Step
	// Prefix is the number of steps after which no continuation satisfies the formula: the violation is one of
	// safety. It is 0 if there is none.
	Prefix int
}

// Step is a configuration of a run, with the move that it makes.
type Step struct {
	Loc, Symbol int
	Label       Label
	Depth       int // the number of symbols below the head
	// Move is the index of the move in Moves of the head; Stays if the run stays there for ever; Last at the
	// end of a finite run.
	Move int
	// Collapsed says that this and the following steps, until the symbol that the move pushed is removed again,
	// are one step, because writing them out would exceed MaxSteps. Loc of the next step is that after it.
	Collapsed bool
}

// The moves that are none.
const (
	Stays = -1
	Last  = -2
)

// TopReason is the reason of Unknown if a move leads beyond what the system knows.
const TopReason = "a run leads beyond what is known"

// Check decides whether all runs of a system satisfy a formula. It fails with an error of the system, or with
// that of ctx; a limit is no error but the verdict Unknown.
func Check(ctx context.Context, sys System, f *Formula, opts Options) (*Result, error) {
	// 1. The automaton of the runs that violate the formula, and are fair.
	bad := Unary(Not, f)
	for _, atom := range opts.Fair {
		bad = Binary(And, bad, Unary(Globally, Unary(Finally, AtomOf(atom, "fair"))))
	}
	automaton, err := Translate(bad)
	if err != nil {
		return unknown(err)
	}
	// 2. Such a run of the system is a repeated head of the product.
	x := newProduct(sys, automaton)
	s := newSaturation(ctx, x, opts.MaxHeads)
	if err := s.run(); err != nil {
		return nil, err
	}
	r := &Result{Stats: s.stats(automaton)}
	if h, e, of, ok := s.repeated(); ok {
		r.Verdict = verdict.False
		r.Run, err = newReplayer(sys, s, x).run(s.lasso(h, e, of, opts.MaxSteps))
		if err != nil {
			return nil, err
		}
		r.Run.shorten()
		r.Run.Prefix = badPrefix(f, r.Run)
		return r, r.Run.confirm(f, opts.Fair)
	}
	// 3. There is none, as far as the search got.
	if done, err := r.leftOpen(sys, s, x, opts); done || err != nil {
		return r, err
	}
	// 4. A run that ended silently may have violated the formula before.
	if x.pruned && len(opts.Fair) == 0 {
		return r, r.lookForPrefix(ctx, sys, f, opts)
	}
	r.Verdict = verdict.True
	return r, nil
}

// unknown returns the answer after a limit; other errors are passed on.
func unknown(err error) (*Result, error) {
	var limit *LimitError
	if errors.As(err, &limit) {
		return &Result{Reason: limit.What}, nil
	}
	return nil, err
}

// leftOpen makes the answer Unknown if the search has met its limit, or the end of the system's knowledge.
func (r *Result) leftOpen(sys System, s *saturation, x shower, opts Options) (done bool, err error) {
	switch {
	case s.top >= 0:
		r.Reason = TopReason
		r.Run, err = newReplayer(sys, s, x).run(s.finite(s.top, opts.MaxSteps))
		if err != nil {
			return true, err
		}
		at := s.list[s.top]
		h := s.heads[s.index[head{at.p, at.symbol}]]
		r.Run.Stem = append(r.Run.Stem, r.Run.lastStep(sys, x.shown(at.p), int(at.symbol), int(h.arcs[s.topAt].move), s.depth(s.top)))
		return true, nil
	case s.full:
		r.Reason, r.Full = fmt.Sprintf("more than %d heads", s.maxHeads), true
		return true, nil
	}
	return false, nil
}

// lastStep returns the last step of a finite run.
func (r *Run) lastStep(sys System, loc, symbol, move, depth int) Step {
	return Step{Loc: loc, Symbol: symbol, Label: sys.Label(loc, symbol), Depth: depth, Move: move}
}

// lookForPrefix decides whether a run violates the formula for good, however it goes on.
func (r *Result) lookForPrefix(ctx context.Context, sys System, f *Formula, opts Options) error {
	automaton, err := Translate(f)
	if err != nil {
		r.Reason = err.Error()
		return nil
	}
	x := newMonitor(sys, automaton)
	s := newSaturation(ctx, x, opts.MaxHeads)
	s.goal = x.bad
	if err := s.run(); err != nil {
		return err
	}
	if s.found < 0 {
		if done, err := r.leftOpen(sys, s, x, opts); !done && err == nil {
			r.Verdict = verdict.True
		}
		return err
	}
	r.Verdict = verdict.False
	r.Run, err = newReplayer(sys, s, x).run(s.finite(s.found, opts.MaxSteps))
	if err == nil {
		r.Run.Prefix = len(r.Run.Stem)
	}
	return err
}

// badPrefix returns the number of steps of a run after which no continuation satisfies the formula; 0 if there is
// none, or if it is not known because of a limit.
func badPrefix(f *Formula, r *Run) int {
	a, err := Translate(f)
	if err != nil {
		return 0
	}
	// If the loop has brought no new set of states, another round will not either; the sets of rounds are finite in
	// number, and a few rounds find most.
	states := a.Init
	const rounds = 8
	n := 0
	for i := range rounds + 1 {
		steps := r.Loop
		if i == 0 {
			steps = r.Stem
		}
		for _, s := range steps {
			n++
			if s.Collapsed {
				return 0
			}
			if s.Label.Silent {
				continue
			}
			if states = a.after(states, Letter{Atoms: s.Label.Atoms}); len(states) == 0 {
				return n
			}
		}
	}
	return 0
}

// Reach looks for a run to a head that is wanted; its last step is at that head. The verdict is False if there is
// one, with the run; True if there is none; Unknown if a limit or a move beyond the system's knowledge leaves it
// open.
func Reach(ctx context.Context, sys System, wanted func(loc, symbol int) bool, opts Options) (*Result, error) {
	// A run of any kind is one of the automaton that accepts everything.
	x := newProduct(sys, &Automaton{Init: []int{0}, States: [][]Transition{{{}}}})
	s := newSaturation(ctx, x, opts.MaxHeads)
	s.goal = func(at head) bool { return wanted(x.shown(at.p), int(at.symbol)) }
	if err := s.run(); err != nil {
		return nil, err
	}
	r := &Result{Stats: s.stats(nil)}
	if s.found < 0 {
		if done, err := r.leftOpen(sys, s, x, opts); done || err != nil {
			return r, err
		}
		r.Verdict = verdict.True
		return r, nil
	}
	var err error
	r.Verdict = verdict.False
	if r.Run, err = newReplayer(sys, s, x).run(s.finite(s.found, opts.MaxSteps)); err != nil {
		return nil, err
	}
	at := s.list[s.found]
	r.Run.Stem = append(r.Run.Stem, r.Run.lastStep(sys, x.shown(at.p), int(at.symbol), Last, s.depth(s.found)))
	return r, nil
}

// depth returns the number of symbols below a transition's head on the way by which it was found.
func (s *saturation) depth(i int32) (depth int) {
	for {
		t := &s.list[i]
		switch t.why.kind {
		case initial:
			return depth
		case madeMove:
			i = t.why.prev
			continue
		case entered:
			depth++
		}
		c := &s.calls[t.why.call]
		if c.prev < 0 {
			return depth
		}
		i = c.prev
	}
}

// stats returns the work counters.
func (s *saturation) stats(a *Automaton) (out []verdict.Stat) {
	add := func(name string, n int) { out = append(out, verdict.Stat{Name: name, Value: int64(n)}) }
	if a != nil {
		add("states of the automaton", len(a.States))
		add("transitions of the automaton", a.Transitions())
	}
	add("heads", len(s.heads))
	add("transitions of post*", len(s.list))
	return out
}
