package zingtest

import (
	"c2bp/frontend/zing"
	"c2bp/source"
)

// This file searches the states of a program breadth first and counts them.

// Options are the rules and the bounds of a search.
type Options struct {
	States      int  // at most so many states are explored; 0: no bound
	Blocks      int  // at most so many blocks in a step, else it is an infinite loop; 0: a million
	Cooperative bool // only yield, the end of a process and choices end a step
	Unchecked   bool // integers wrap
	// MissDeadlocks leaves out deadlocks that are first reached by a step that follows a choice, as
	// the original checker did.
	MissDeadlocks bool
	KeepStates    bool // Result.States is wanted
	Stuck         bool // messages that are never received are errors
}

// Result is the outcome of a search. All errors are found, not only the first one.
type Result struct {
	// Verdict is the kind of the first error in breadth-first order, or "".
	Verdict  Kind
	Position source.Pos // of that error
	// TraceLength is the number of states on the trace to that error, the one with the error
	// included; 0 without error.
	TraceLength int
	// Path leads to that error: the number of the process for each step, or of the alternative for
	// each choice.
	Path []int
	// Lengths has the number of states of a shortest trace for each kind of error, and for Assume.
	Lengths map[Kind]int
	// Sites has the same for each kind and place.
	Sites map[Site]int

	// DistinctStates counts the initial state, choice states with several alternatives, and
	// states in which a process can run and two or more were created.
	DistinctStates int
	States         []string // the canonical strings of those, in the order of discovery
	Transitions    int      // steps and choices, failing ones included
	Complete       bool     // no bound cut the search
}

// Site is a kind of failure at a place. That of a deadlock is the select of the first process that
// waits.
type Site struct {
	Kind Kind
	Pos  source.Pos
}

// search is a search in progress.
type search struct {
	*machine
	seen   map[string]*node
	queue  []*node
	result *Result
}

// node is a state that was reached.
type node struct {
	state      *state
	parent     *node
	by         int // the process or the alternative that led here
	length     int // the number of states of a shortest trace to it
	canRun     []int
	deadlocked bool
	orphans    bool // not deadlocked, but at its end with a message
}

// Explore searches all states of a checked program.
func Explore(p *zing.Program, options Options) *Result {
	if options.Blocks == 0 {
		options.Blocks = 1_000_000
	}
	m := &machine{graph: buildGraph(p), options: options}
	x := &search{machine: m, seen: map[string]*node{}, result: &Result{Lengths: map[Kind]int{}, Sites: map[Site]int{}, Complete: true}}
	s, failure := m.start()
	if failure != nil {
		x.result.DistinctStates = 1
		x.fail(failure, nil, 0)
		return x.result
	}
	x.reach(s, nil, 0)
	for len(x.queue) > 0 {
		n := x.queue[0]
		x.queue = x.queue[1:]
		x.expand(n)
		n.state = nil
	}
	return x.result
}

// expand makes all steps from a state, or all choices.
func (x *search) expand(n *node) {
	s := n.state
	for k, v := range s.pending {
		x.transition(n, k, s.chooser, v)
	}
	if s.pending == nil {
		for _, i := range n.canRun {
			x.transition(n, i, i, nil)
		}
	}
}

// transition makes a step of a process, or a choice of it.
func (x *search) transition(n *node, by, process int, chosen value) {
	x.result.Transitions++
	after, failure := x.step(n.state, process, chosen)
	if failure != nil {
		x.fail(failure, n, by)
		return
	}
	x.reach(after, n, by)
}

// reach notes that a state was reached from parent, which is nil for the initial state.
func (x *search) reach(s *state, parent *node, by int) {
	key := s.canonical()
	if x.options.Stuck && s.lost() {
		key += "a message is lost\n"
	}
	n, old := x.seen[key]
	if !old {
		if x.options.States > 0 && len(x.seen) >= x.options.States {
			x.result.Complete = false
			return
		}
		n = x.newNode(s, parent, by)
		x.seen[key] = n
		x.queue = append(x.queue, n)
		if x.counts(n) {
			x.result.DistinctStates++
			if x.options.KeepStates {
				x.result.States = append(x.result.States, key)
			}
		}
	}
	if n.deadlocked && !(x.options.MissDeadlocks && parent != nil && parent.state.pending != nil) {
		x.fail(&Failure{Kind: Deadlock, Pos: x.waits(s)}, parent, by)
	}
	if n.orphans {
		x.fail(&Failure{Kind: Orphan}, parent, by)
	}
}

// newNode makes a node of a state that was not seen before.
func (x *search) newNode(s *state, parent *node, by int) *node {
	n := &node{state: s, parent: parent, by: by, length: 1}
	if parent != nil {
		n.length = parent.length + 1
	}
	if s.pending != nil {
		return n
	}
	waiting := false
	for i := range s.processes {
		switch x.status(s, i) {
		case runnable:
			n.canRun = append(n.canRun, i)
		case blocked:
			waiting = true
		}
	}
	n.deadlocked = waiting && len(n.canRun) == 0
	n.orphans = x.options.Stuck && !waiting && len(n.canRun) == 0 && s.holdsMessage(func(ref) bool { return true })
	return n
}

// counts reports whether a state is one of the distinct states.
func (x *search) counts(n *node) bool {
	switch {
	case n.parent == nil:
		return true
	case n.state.pending != nil:
		return len(n.state.pending) > 1
	}
	return len(n.canRun) > 0 && len(n.state.processes) > 1
}

// waits returns the place of the select of the first blocked process.
func (x *search) waits(s *state) source.Pos {
	for i, p := range s.processes {
		if x.status(s, i) == blocked {
			return p.stack[len(p.stack)-1].at.pos.Pos()
		}
	}
	panic("zingtest: no process is blocked")
}

// fail notes a failure of a step from a state, or of the initial state.
func (x *search) fail(f *Failure, from *node, by int) {
	length := 1
	if from != nil {
		length = from.length + 1
	}
	shorten(x.result.Lengths, f.Kind, length)
	shorten(x.result.Sites, Site{f.Kind, f.Pos}, length)
	if f.Kind == Assume || x.result.Verdict != "" {
		return
	}
	x.result.Verdict, x.result.Position, x.result.TraceLength = f.Kind, f.Pos, length
	for n := from; n != nil; n = n.parent {
		x.result.Path = append([]int{by}, x.result.Path...)
		by = n.by
	}
}

// shorten notes a trace of some length to a key if it is the shortest one so far.
func shorten[K comparable](lengths map[K]int, key K, length int) {
	if have, found := lengths[key]; !found || length < have {
		lengths[key] = length
	}
}
