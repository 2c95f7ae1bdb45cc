package shylockcheck

import "fmt"

// This file is the pushdown system of a program (Rot et al. 2012, §4), built on the fly: control locations are
// canonical heaps, stack symbols are points, and frames, which are heaps of callers with the points at which
// they go on.
//
//	⟨H, point⟩ → ⟨H', next⟩                 a move; no next at the end of a body
//	⟨H, point⟩ → ⟨Hc, entry frame(H', next)⟩ a call
//	⟨Hc, frame(H', next)⟩ → ⟨Hr, next⟩      the return from it
//	⟨H, point⟩ → ⟨H, failure⟩               an assertion fails, or nil is dereferenced: the run ends
//
// A head without moves stays as it is: the run has ended, or is blocked.

// Options are the options of a check.
type Options struct {
	Bound   int  // the most visible objects of a heap; 0 is DefaultBound
	Lenient bool // nil has fields that are nil and cannot be changed; else it is an error to use them
	All     bool // do not stop at the first failure
	// MaxStates is the most configurations that are stored; 0 is no limit. Of a formula, they are counted with the
	// states of its automaton.
	MaxStates int
}

// DefaultBound is the most objects that a heap may show unless the user says otherwise.
const DefaultBound = 100

// hiddenPerVisible bounds the objects that only cut-point variables lead to, as a multiple of the bound of
// visible ones. Without such a bound there may be infinitely many heaps of one visible object: those of
//
//	p :: while (h != nil) do y := new; h.e := y; h := y; y := nil od
//
// called when a local refers to the object of h, since the object that is a cut point leads to all others.
const hiddenPerVisible = 10

// frame is the heap of a caller, with the point at which it goes on and the slot for the result.
type frame struct{ heap, next, to int }

// failure is the end of a run by a move of a point.
type failure struct {
	point, move int
	outcome     Outcome
}

// space is the pushdown system. A stack symbol is the index of a point, bottom, or after that an index of
// symbols.
type space struct {
	*Program
	opts    Options
	heaps   []*Heap
	ids     map[string]int
	symbols []any // frame or failure
	known   map[any]int
}

func newSpace(p *Program, opts Options) *space {
	if opts.Bound == 0 {
		opts.Bound = DefaultBound
	}
	return &space{Program: p, opts: opts, ids: map[string]int{}, known: map[any]int{}}
}

// bottom returns the symbol below the initial procedure.
func (s *space) bottom() int { return len(s.Points) }

// symbol returns the number of a frame or failure.
func (s *space) symbol(x any) int {
	id, ok := s.known[x]
	if !ok {
		id = s.bottom() + 1 + len(s.symbols)
		s.symbols = append(s.symbols, x)
		s.known[x] = id
	}
	return id
}

// meaning returns the frame or failure that a symbol stands for; nil for others.
func (s *space) meaning(symbol int) any {
	if symbol <= s.bottom() { // or ended
		return nil
	}
	return s.symbols[symbol-s.bottom()-1]
}

// intern returns the number of a heap, of which the canonical form is taken.
func (s *space) intern(h *Heap) int {
	h = s.canonical(h)
	key := h.key()
	id, ok := s.ids[key]
	if !ok {
		id = len(s.heaps)
		s.heaps = append(s.heaps, h)
		s.ids[key] = id
	}
	return id
}

// beyond returns the reason why a heap is ⊤; "" if it is not.
func (s *space) beyond(h *Heap) string {
	visible := s.visible(h)
	switch hidden := s.reach(h, h.Vars, h.Cuts).size() - visible; {
	case visible > s.opts.Bound:
		return fmt.Sprintf("more than %d visible objects", s.opts.Bound)
	case hidden > hiddenPerVisible*s.opts.Bound:
		return fmt.Sprintf("more than %d objects that only callers can see", hiddenPerVisible*s.opts.Bound)
	}
	return ""
}

// transition is a move of a head.
type transition struct {
	loc     int
	word    []int
	move    int     // index of the move of the point; -1 for a return
	outcome Outcome // Failed or NullDereference: word is the failure
	top     *Heap   // the heap to which it leads if that is ⊤, for a reason; else nil
	reason  string
}

// ends returns the text of the last step of a run to ⊤.
func (t transition) ends() string { return "this heap is ⊤: " + t.reason }

// start returns the initial configuration: all variables are nil.
func (s *space) start() (loc int, word []int) {
	h := &Heap{Vars: make([]Object, s.shared()+s.Locals)}
	return s.intern(h), []int{s.Entry[s.Source.Main.Index], s.bottom()}
}

// transitions returns the moves of a head.
func (s *space) transitions(loc, symbol int) []transition {
	h := s.heaps[loc]
	if f, ok := s.meaning(symbol).(frame); ok {
		return []transition{s.to(s.end(h, s.heaps[f.heap], f.to), -1, f.next)}
	}
	if symbol >= s.bottom() {
		return nil
	}
	var list []transition
	for i := range s.Points[symbol].Moves {
		m := &s.Points[symbol].Moves[i]
		if m.Op == Call {
			list = append(list, s.enterCallee(h, m, i))
			continue
		}
		switch after, outcome := s.step(h, m, s.opts.Lenient); outcome {
		case Stepped:
			list = append(list, s.to(after, i, m.Next))
		case Failed, NullDereference:
			list = append(list, transition{loc: loc, word: []int{s.symbol(failure{symbol, i, outcome})}, move: i, outcome: outcome})
		}
	}
	return list
}

// to returns the transition to a heap, at a point.
func (s *space) to(h *Heap, move, next int) transition {
	t := transition{move: move}
	if t.reason = s.beyond(h); t.reason != "" {
		t.top = h
		return t
	}
	t.loc = s.intern(h)
	if next != exit {
		t.word = []int{next}
	}
	return t
}

// enterCallee returns the transition of a call.
func (s *space) enterCallee(h *Heap, m *Move, move int) transition {
	stored := s.canonical(s.call(h, m))
	t := s.to(s.begin(stored, m.Callee), move, s.Entry[m.Callee.Index])
	if t.top == nil {
		t.word = append(t.word, s.symbol(frame{s.intern(stored), m.Next, m.X}))
	}
	return t
}
