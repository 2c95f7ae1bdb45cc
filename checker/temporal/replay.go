package temporal

import (
	"errors"
	"fmt"
	"slices"
)

// This file replays runs: it makes each move in the system once more, with a stack, and writes the steps down.

// shower tells the location of the system that a control location of an expander stands for, and checks moves of
// the expander.
type shower interface {
	shown(p int32) int
	// legal reports whether an expander's move of a head, to which the system has this label, is right.
	legal(p int32, label Label, a arc) bool
}

// replayer replays runs.
type replayer struct {
	sys     System
	s       *saturation
	expand  shower
	checked map[int32]bool // the exits whose insides were replayed
	lengths []int          // of the saturation; nil until one is
}

// newReplayer returns a replayer that has replayed nothing.
func newReplayer(sys System, s *saturation, x shower) *replayer {
	return &replayer{sys: sys, s: s, expand: x, checked: map[int32]bool{}}
}

// machine is a configuration that the replay is in.
type machine struct {
	loc      int
	stack    []int
	accepted bool // an accepting move was made
	steps    []Step
	lowest   int // the least number of symbols below the head since it was set
}

// errReplay is the error of a run that cannot be replayed: a defect of this package.
type errReplay struct{ what string }

func (e *errReplay) Error() string { return "temporal: a run does not replay: " + e.what }

// run replays a way.
func (r *replayer) run(w *way) (*Run, error) {
	starts, err := r.sys.Start()
	if err != nil {
		return nil, err
	}
	first := starts[w.start]
	m := &machine{loc: first.Loc, stack: reversed(first.Word)}
	// 1. The stem.
	if err := r.actions(m, w.stem); err != nil {
		return nil, err
	}
	if err := r.stands(m, w.end); err != nil {
		return nil, err
	}
	out := &Run{Stem: m.steps}
	if w.loop == nil {
		return out, nil
	}
	// 2. The loop comes back to its head, has touched nothing below it, and was accepting.
	m.steps, m.accepted, m.lowest = nil, false, len(m.stack)-1
	depth := m.lowest
	if err := r.actions(m, w.loop); err != nil {
		return nil, err
	}
	if err := r.stands(m, w.end); err != nil {
		return nil, err
	}
	switch {
	case m.lowest < depth:
		return nil, &errReplay{"the loop removes what is below it"}
	case !m.accepted:
		return nil, &errReplay{"the loop is not accepting"}
	}
	out.Loop = m.steps
	return out, nil
}

// stands checks the head of the configuration.
func (r *replayer) stands(m *machine, at head) error {
	if len(m.stack) == 0 || m.loc != r.expand.shown(at.p) || m.stack[len(m.stack)-1] != int(at.symbol) {
		return &errReplay{fmt.Sprintf("at ⟨%d, %v⟩ instead of ⟨%d, %d⟩", m.loc, m.stack, r.expand.shown(at.p), at.symbol)}
	}
	return nil
}

// actions makes actions.
func (r *replayer) actions(m *machine, list []action) error {
	for _, a := range list {
		if err := r.action(m, a); err != nil {
			return err
		}
	}
	return nil
}

// action makes one action.
func (r *replayer) action(m *machine, a action) error {
	h := &r.s.heads[a.head]
	if err := r.stands(m, h.head); err != nil {
		return err
	}
	arc := h.arcs[a.arc]
	label := r.sys.Label(m.loc, int(h.symbol))
	if !r.expand.legal(h.p, label, arc) {
		return &errReplay{"the automaton does not make this move"}
	}
	m.steps = append(m.steps, Step{
		Loc: m.loc, Symbol: int(h.symbol), Label: label, Depth: len(m.stack) - 1, Move: int(arc.move), Collapsed: a.exit >= 0,
	})
	m.accepted = m.accepted || arc.accept
	if err := r.move(m, arc); err != nil {
		return err
	}
	if a.exit < 0 {
		return nil
	}
	return r.whole(m, a.exit)
}

// move changes the configuration by a move of the system.
func (r *replayer) move(m *machine, a arc) error {
	if a.move == Last {
		return nil
	}
	moves, err := r.sys.Moves(m.loc, m.stack[len(m.stack)-1])
	switch {
	case err != nil:
		return err
	case a.move == Stays && (len(moves.List) > 0 || moves.Pruned || moves.Void):
		return &errReplay{"a run stays although it can go on"}
	case a.move == Stays:
		return nil
	case int(a.move) >= len(moves.List) || moves.List[a.move].Top:
		return &errReplay{"there is no such move"}
	}
	to := moves.List[a.move]
	m.loc = to.Loc
	m.stack = append(m.stack[:len(m.stack)-1], reversed(to.Word)...)
	m.lowest = min(m.lowest, len(m.stack)-1)
	return nil
}

// whole makes all moves of a call at once: the symbol that was pushed is removed by way of an exit. The inside is
// replayed once, on a stack of its own.
func (r *replayer) whole(m *machine, exit int32) error {
	x := &r.s.list[exit]
	entry := r.s.heads[r.s.middles[x.m].head]
	if err := r.stands(m, entry.head); err != nil {
		return err
	}
	if !r.checked[exit] {
		r.checked[exit] = true
		if r.lengths == nil {
			r.lengths = r.s.lengths()
		}
		inside := (&writer{r.s, r.lengths, 0}).inside(exit, nil)
		slices.Reverse(inside)
		const below = -1 // no symbol of a system
		n := &machine{loc: m.loc, stack: []int{below, int(entry.symbol)}}
		if err := r.actions(n, inside); err != nil {
			return err
		}
		switch {
		case len(n.stack) != 1 || n.loc != r.expand.shown(x.p):
			return &errReplay{"a call does not return as told"}
		case x.accept && !n.accepted:
			return &errReplay{"a call is not accepting"}
		}
	}
	m.loc, m.stack, m.accepted = r.expand.shown(x.p), m.stack[:len(m.stack)-1], m.accepted || x.accept
	return nil
}

// reversed returns a word with its top last.
func reversed(word []int) []int {
	out := slices.Clone(word)
	slices.Reverse(out)
	return out
}

// legal reports whether the automaton makes a move.
func (x *product) legal(p int32, label Label, a arc) bool {
	from, to := x.pairs[p].state, x.pairs[a.to].state
	if label.Silent {
		return from == to
	}
	for _, t := range x.automaton.States[from] {
		if t.Has(label.Atoms) && (t.To == int(to)) && (t.Accept || !a.accept) {
			return true
		}
	}
	return false
}

// legal reports whether the monitor makes a move.
func (x *monitor) legal(p int32, label Label, a arc) bool {
	next := x.pairs[p].state
	if !label.Silent {
		next = x.after(next, label.Atoms)
	}
	if a.move == Last {
		return len(x.sets[next]) == 0
	}
	return x.pairs[a.to].state == next
}

// confirm checks a run against the formula that it violates: by the definition, unless calls are collapsed.
func (r *Run) confirm(f *Formula, fair []int) error {
	stem, whole := wordOf(r.Stem)
	loop, also := wordOf(r.Loop)
	if !whole || !also {
		return nil
	}
	if len(loop) == 0 {
		return errors.New("temporal: a loop has no states")
	}
	if f.Holds(stem, loop) {
		return &errReplay{"the formula holds of it"}
	}
	for _, atom := range fair {
		if !slices.ContainsFunc(loop, func(letter uint64) bool { return letter>>atom&1 == 1 }) {
			return &errReplay{"it is not fair"}
		}
	}
	return nil
}

// wordOf returns the word of some steps; whole is false if a call is collapsed.
func wordOf(steps []Step) (word []uint64, whole bool) {
	whole = true
	for _, s := range steps {
		if !s.Label.Silent {
			word = append(word, s.Label.Atoms)
		}
		whole = whole && !s.Collapsed
	}
	return word, whole
}

// shorten makes a lasso shorter that repeats itself: a loop that is several rounds of a shorter one, and a stem
// that ends as the loop does.
func (r *Run) shorten() {
	// 1. A loop of one configuration, or of a period. The stack must be the same at its end.
	if n := len(r.Loop); n > 0 && r.Loop[0].Move == Stays {
		r.Loop = r.Loop[:1]
	} else {
		for d := 1; d <= n/2; d++ {
			if n%d == 0 && periodic(r.Loop, d) {
				r.Loop = r.Loop[:d]
				break
			}
		}
	}
	// 2. The end of the stem, if it is the end of the loop.
	for n := len(r.Stem); n > 0 && len(r.Loop) > 0 && r.Stem[n-1] == r.Loop[len(r.Loop)-1]; n = len(r.Stem) {
		last := len(r.Loop) - 1
		r.Loop = append([]Step{r.Loop[last]}, r.Loop[:last]...)
		r.Stem = r.Stem[:n-1]
	}
}

// periodic reports whether steps repeat after d of them.
func periodic(steps []Step, d int) bool {
	for i := d; i < len(steps); i++ {
		if steps[i] != steps[i-d] {
			return false
		}
	}
	return true
}
