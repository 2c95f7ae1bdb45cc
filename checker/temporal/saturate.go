package temporal

import "context"

// This file computes the reachable configurations of a pushdown system by saturation (Schwoon 2002, §3.1.4,
// Algorithm 2).
//
// The set is a language, given by an automaton that reads a configuration from the top of its stack. It has a
// state for each control location, and a middle state for each head ⟨p, γ⟩ that a move pushes. A transition
// (p, γ, m) says that the head ⟨p, γ⟩ is reached from that of m, with the symbols that were below it unchanged;
// (p, ε, m) is an exit of m: there control arrives at p when the pushed symbol has been removed. Transitions
// between middle states, from that of a callee to that of a caller with a return symbol, are the calls. A
// transition also says whether an accepting move was made since the head of m.

// arc is a move of a head: to a control location, with a word.
type arc struct {
	to     int32
	word   [2]int32
	n      int8 // the length of the word
	accept bool
	top    bool  // the move leads beyond the system's knowledge
	move   int32 // its index in Moves, or Stays
}

// expander makes the moves of heads.
type expander interface {
	start() ([]arc, error)
	expand(p, symbol int32) ([]arc, error)
}

// head is a head that was reached.
type head struct{ p, symbol int32 }

// headNode is what is known of a head.
type headNode struct {
	head
	arcs   []arc
	middle int32 // its middle state; 0 if no move pushes it
	first  int32 // the transition by which it was reached first
}

// noSymbol is ε.
const noSymbol int32 = -1

// transition is a transition (p, symbol, m) with the reason for which it is there.
type transition struct {
	p, symbol, m int32
	accept       bool
	why          reason
}

// reason tells how a transition came about.
type reason struct {
	kind reasonKind
	prev int32 // madeMove: the transition before; exited: the exit of the callee
	arc  int32 // madeMove: the index in the arcs of the head; initial: that of the initial configuration
	call int32 // entered, exited: the call
}

type reasonKind uint8

const (
	initial  reasonKind = iota // a configuration in which a run may begin
	entered                    // the head of a middle state
	madeMove                   // a move that does not push
	exited                     // the return from a call
)

// call is a transition between middle states: the callee's, with the symbol at which control comes back, to the
// caller's.
type call struct {
	callee, symbol, m int32
	accept            bool
	prev, arc         int32 // the transition whose head pushes, and the move; prev is -1 for an initial configuration
}

// middle is a middle state.
type middle struct {
	head  int32
	exits []int32 // transitions with ε
	calls []int32
}

// bottom is the middle state below which there is nothing.
const bottom int32 = 0

// saturation is the automaton while it grows.
type saturation struct {
	ctx      context.Context
	expander expander
	maxHeads int
	goal     func(head) bool // where the search may end; nil is none

	index   map[head]int32
	heads   []headNode
	known   map[transition]int32 // without the reasons
	list    []transition
	calls   []call
	made    map[call]bool // without the reasons
	middles []middle

	found int32 // a transition to a goal; -1 if there is none
	top   int32 // the first transition from which a move leads beyond the system's knowledge, or -1
	topAt int32 // this move
	full  bool  // the limit of heads was reached
}

// newSaturation returns an empty automaton.
func newSaturation(ctx context.Context, x expander, maxHeads int) *saturation {
	return &saturation{
		ctx: ctx, expander: x, maxHeads: maxHeads, index: map[head]int32{}, known: map[transition]int32{}, made: map[call]bool{},
		middles: make([]middle, 1), found: -1, top: -1,
	}
}

// run saturates the automaton. It ends early at a goal.
func (s *saturation) run() error {
	arcs, err := s.expander.start()
	if err != nil {
		return err
	}
	for _, a := range arcs {
		s.begin(a)
	}
	for i := 0; i < len(s.list) && s.found < 0; i++ {
		if i%1024 == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if err := s.process(int32(i)); err != nil {
			return err
		}
	}
	return nil
}

// begin adds an initial configuration.
func (s *saturation) begin(a arc) {
	why := reason{kind: initial, arc: a.move}
	switch a.n {
	case 1:
		s.add(transition{a.to, a.word[0], bottom, false, why})
	case 2:
		s.enter(call{symbol: a.word[1], m: bottom, prev: -1, arc: a.move}, head{a.to, a.word[0]})
	default:
		panic("temporal: an initial configuration has one or two symbols")
	}
}

// process adds the transitions that follow from another one.
func (s *saturation) process(i int32) error {
	t := s.list[i]
	// 1. An exit: every caller goes on.
	if t.symbol == noSymbol {
		if t.m == bottom {
			panic("temporal: a move removes the bottom of the stack")
		}
		m := &s.middles[t.m]
		m.exits = append(m.exits, i)
		for _, c := range m.calls {
			s.comeBack(c, i)
		}
		return nil
	}
	// 2. A head: its moves.
	h, err := s.expanded(head{t.p, t.symbol}, i)
	if err != nil || h < 0 {
		return err
	}
	for k, a := range s.heads[h].arcs {
		accept := t.accept || a.accept
		why := reason{kind: madeMove, prev: i, arc: int32(k)}
		switch {
		case a.top:
			if s.top < 0 {
				s.top, s.topAt = i, int32(k)
			}
		case a.n == 0:
			s.add(transition{a.to, noSymbol, t.m, accept, why})
		case a.n == 1:
			s.add(transition{a.to, a.word[0], t.m, accept, why})
		default:
			s.enter(call{symbol: a.word[1], m: t.m, accept: accept, prev: i, arc: int32(k)}, head{a.to, a.word[0]})
		}
	}
	return nil
}

// expanded returns the number of a head, whose moves it asks for when the head is met first; -1 if there are too
// many heads.
func (s *saturation) expanded(at head, first int32) (int32, error) {
	if h, ok := s.index[at]; ok && s.heads[h].first >= 0 {
		return h, nil
	}
	h := s.number(at)
	if h < 0 {
		return -1, nil
	}
	arcs, err := s.expander.expand(at.p, at.symbol)
	if err != nil {
		return 0, err
	}
	s.heads[h].arcs, s.heads[h].first = arcs, first
	return h, nil
}

// number returns the number of a head; -1 if there are too many.
func (s *saturation) number(at head) int32 {
	h, ok := s.index[at]
	if !ok {
		if s.maxHeads > 0 && len(s.heads) >= s.maxHeads {
			s.full = true
			return -1
		}
		h = int32(len(s.heads))
		s.index[at] = h
		s.heads = append(s.heads, headNode{head: at, first: -1})
	}
	return h
}

// enter adds a call to the middle state of a head.
func (s *saturation) enter(c call, at head) {
	h := s.number(at)
	if h < 0 {
		return
	}
	// 1. The middle state, with its head.
	isNew := s.heads[h].middle == 0
	if isNew {
		s.heads[h].middle = int32(len(s.middles))
		s.middles = append(s.middles, middle{head: h})
	}
	c.callee = s.heads[h].middle
	key := c
	key.prev, key.arc = 0, 0
	if s.made[key] {
		return
	}
	s.made[key] = true
	n := int32(len(s.calls))
	s.calls = append(s.calls, c)
	m := &s.middles[c.callee]
	m.calls = append(m.calls, n)
	if isNew {
		s.add(transition{at.p, at.symbol, c.callee, false, reason{kind: entered, call: n}})
	}
	// 2. The exits that are known.
	for _, x := range s.middles[c.callee].exits {
		s.comeBack(n, x)
	}
}

// comeBack adds the transition after a call by an exit of the callee.
func (s *saturation) comeBack(n, exit int32) {
	c, x := &s.calls[n], &s.list[exit]
	s.add(transition{x.p, c.symbol, c.m, c.accept || x.accept, reason{kind: exited, prev: exit, call: n}})
}

// add adds a transition unless it, or the same one with an accepting move, is there.
func (s *saturation) add(t transition) {
	key := t
	key.why = reason{}
	if _, ok := s.known[key]; ok {
		return
	}
	if key.accept = true; !t.accept {
		if _, ok := s.known[key]; ok {
			return
		}
	}
	key.accept = t.accept
	s.known[key] = int32(len(s.list))
	if s.found < 0 && s.goal != nil && t.symbol != noSymbol && s.goal(head{t.p, t.symbol}) {
		s.found = int32(len(s.list))
	}
	s.list = append(s.list, t)
}
