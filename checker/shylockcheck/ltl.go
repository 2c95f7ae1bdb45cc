package shylockcheck

import (
	"context"
	"slices"

	"c2bp/checker/temporal"
	"c2bp/frontend/shylock"
	"c2bp/source"
	"c2bp/verdict"
)

// This file checks formulas of temporal logic, by package temporal. A run that has ended, is blocked or has failed
// stays as it is for ever.

// system is the pushdown system of a program with the atoms of a formula.
type system struct {
	*space
	formula *Formula
	atoms   []uint64 // by heap; those of later heaps are not known yet
}

// Start implements temporal.System.
func (s *system) Start() ([]temporal.Move, error) {
	loc, word := s.start()
	return []temporal.Move{{Loc: loc, Word: word}}, nil
}

// Moves implements temporal.System.
func (s *system) Moves(loc, symbol int) (out temporal.Moves, err error) {
	for _, t := range s.transitions(loc, symbol) {
		out.List = append(out.List, temporal.Move{Loc: t.loc, Word: t.word, Top: t.top != nil})
	}
	return out, nil
}

// Label implements temporal.System.
func (s *system) Label(loc, symbol int) temporal.Label {
	for len(s.atoms) <= loc {
		s.atoms = append(s.atoms, s.formula.holding(&s.Layout, s.heaps[len(s.atoms)]))
	}
	return temporal.Label{Atoms: s.atoms[loc]}
}

// CheckFormula decides whether all runs of a program satisfy a formula. For False, the trace is a run that does not,
// with the loop that it repeats for ever; for Unknown, if a heap beyond the bound is the reason, it leads there. With
// explain, each step says why the atoms hold of its heap or not.
func CheckFormula(ctx context.Context, src *shylock.Program, f *Formula, opts Options, explain bool) (*verdict.Result, error) {
	s := &system{space: newSpace(Translate(src), opts), formula: f}
	got, err := temporal.Check(ctx, s, f.Formula, temporal.Options{MaxHeads: opts.MaxStates})
	if err != nil {
		return nil, err
	}
	out := &verdict.Result{Verdict: got.Verdict, Reason: got.Reason, Stats: s.stats(got)}
	out.Sites = []verdict.Site{{Kind: verdict.Formula, Name: f.String(), Proc: src.Main.Name, Failed: got.Verdict == verdict.False, Open: got.Verdict == verdict.Unknown}}
	if got.Run == nil {
		return out, nil
	}
	t := s.newTracer(s.collapsed(got.Run))
	t.formula, t.explain = f, explain
	// 1. Unknown: the last step leads to ⊤.
	steps := got.Run.Stem
	if got.Verdict == verdict.Unknown {
		last := steps[len(steps)-1]
		top := s.transitions(last.Loc, last.Symbol)[last.Move]
		out.Reason = s.tooLarge(last.Symbol, top)
		t.run(append(s.actions(steps[:len(steps)-1], last.Loc), action{last.Symbol, top.move, top.top, false}), top.ends())
		out.Trace = &verdict.Trace{Model: true, Steps: t.steps}
		return out, nil
	}
	// 2. False: the loop begins after the stem.
	loop := got.Run.Loop
	list := s.actions(slices.Concat(steps, loop), loop[0].Loc)
	text, pos := s.ending(loop[len(loop)-1])
	t.run(list, text)
	t.steps[len(t.steps)-1].Pos = pos
	out.Trace = &verdict.Trace{Model: true, Steps: t.steps, Loop: 1 + len(s.actions(steps, loop[0].Loc))}
	out.Sites[0].Pos = violation(out.Trace, got.Run.Prefix)
	return out, nil
}

// stats returns the counters of a check.
func (s *system) stats(r *temporal.Result) []verdict.Stat {
	return append([]verdict.Stat{
		{Name: "heaps", Value: int64(len(s.heaps))},
		{Name: "visible objects of the largest heap", Value: s.largest()},
	}, r.Stats...)
}

// violation returns the place at which a run violates a formula: that of the step that leads to the first
// configuration after which nothing can save it, which gets a remark, or else of the first step of the loop. The
// prefix is the number of configurations up to that one.
func violation(t *verdict.Trace, prefix int) source.Pos {
	from := t.Loop - 1
	if prefix > 1 && prefix-2 < len(t.Steps) {
		from = prefix - 2
		s := &t.Steps[from]
		s.Note = "after this the formula is violated, whatever follows"
		if s.Origin == "branch-true" {
			s.Note = "holds; " + s.Note
		} else if s.Origin == "branch-false" {
			s.Note = "does not hold; " + s.Note
		}
	}
	// The end of a run has no place of its own: take that of the step before it.
	for ; from > 0 && !t.Steps[from].Pos.IsValid(); from-- {
	}
	return t.Steps[from].Pos
}

// collapsed reports whether a run has calls that are one step.
func (s *system) collapsed(r *temporal.Run) bool {
	return slices.ContainsFunc(slices.Concat(r.Stem, r.Loop), func(t temporal.Step) bool { return t.Collapsed })
}

// actions returns the actions of steps after which the heap is that of loc. Steps that stay are none.
func (s *system) actions(steps []temporal.Step, loc int) (list []action) {
	for i, step := range steps {
		if step.Move < 0 {
			continue
		}
		t := s.transitions(step.Loc, step.Symbol)[step.Move]
		after := loc
		if i+1 < len(steps) {
			after = steps[i+1].Loc
		}
		list = append(list, action{step.Symbol, t.move, s.heaps[after], step.Collapsed})
	}
	return list
}

// The texts of the last step of a trace.
const (
	repeats   = "back to the beginning of the loop"
	hasEnded  = "the program has ended, and stays as it is"
	isBlocked = "blocked: no branch is enabled, and the run stays as it is"
	hasFailed = "the run has failed, and stays as it is"
)

// ending returns the text of the last step of a run, and its place, if it has one.
func (s *system) ending(last temporal.Step) (string, source.Pos) {
	_, fails := s.meaning(last.Symbol).(failure)
	switch {
	case last.Move >= 0:
		return repeats, source.Pos{}
	case fails:
		return hasFailed, source.Pos{}
	case last.Symbol == s.bottom():
		return hasEnded, source.Pos{}
	}
	return isBlocked, s.Points[last.Symbol].Moves[0].Pos
}
