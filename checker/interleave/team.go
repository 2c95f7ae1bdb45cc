package interleave

import (
	"sync"
	"sync/atomic"

	"c2bp/checker/zom"
)

// This file lets several workers expand the states of a search breadth first.
//
// The states that are stored and not expanded are a list. A piece of it after the other is surveyed: workers make the
// moves from the states of a batch of pieces, and write down where each leads, while nothing is stored. Then the
// pieces are merged in the order of the list: states are stored, counted, and failures recorded, as if one worker had
// expanded them one after the other. So the result is the same, whatever the number of workers.
//
// Merging has little to do: workers look up the states that were stored before the batch; then each takes a share of
// the others, by their hashes, and finds those that are met again in the batch. The rest is stored without a look at
// other states, except for those with parts that were not stored before.

// team is a search with workers.
type team struct {
	*engine
	workers []*worker
	length  int     // the number of states of a piece
	pieces  []piece // of the present batch
	at      int     // the piece that is merged, the state in it, and its first move
	state   int
	move    int
	resolve []uint64 // memory for merge
}

// worker makes moves. It is an engine that stores nothing: its store is a view of that of the search.
type worker struct {
	engine
	view  store
	out   *piece
	first []firstState // of dedup
	table []uint32     // by hash: 0, or 1 + an index of first
}

// firstState is a state that the moves of a batch reach.
type firstState struct {
	hash    uint64
	numbers []uint64
}

// piece is a list of states, and the moves from them.
type piece struct {
	ids     []ID
	states  []surveyed
	moves   []reached
	numbers []uint64 // of the moves to states that are not stored yet
	fresh   []span   // in text: parts that are not stored yet; number newPart+i is that of fresh[i]
	text    []byte
}

// surveyed is a state from which all moves were made.
type surveyed struct {
	procs, moves int
	pending      bool
}

// reached is a move, and where it leads.
type reached struct {
	Move
	outcome zom.Outcome
	node    int32 // the node that fails
	hash    uint64
	known   bool // to a stored state
	fresh   bool // to one with a fresh part
	again   bool // to one to which an earlier move of the batch leads
	dead    bool // to a deadlock; waits is the result of waitsAt
	waits   int32
	numbers span // of the parts of the state, if it is not known
	rest    span // in text: see zom.Canon.Rest
}

// span is a part of a list.
type span struct{ from, to int }

// newPart is the number of the first fresh part; stored parts have smaller ones.
const newPart = 1 << 40

// The states of a piece, and the pieces of a batch. Fewer states than a piece has are expanded without workers.
const (
	pieceStates = 64
	batchPieces = 64
)

// newTeam returns a team of n workers for a search, and pieces of a length.
func newTeam(e *engine, n, length int) *team {
	t := &team{engine: e, length: length, pieces: make([]piece, 0, batchPieces)}
	for range n {
		w := &worker{engine: *newEngine(e.ctx, e.model, e.opts)}
		w.store, w.table, w.fixed = &w.view, make([]uint32, firstTable), true
		t.workers = append(t.workers, w)
	}
	return t
}

// expand is engine.expand for the state that is the next one of the list.
func (t *team) expand(id ID) bool {
	if t.at == len(t.pieces) {
		if !t.collect(id) {
			return t.engine.expand(id)
		}
		t.survey()
	}
	p := &t.pieces[t.at]
	if p.ids[t.state] != id {
		panic("interleave: states are merged in another order")
	}
	goesOn := t.merge(p, id, p.states[t.state])
	if t.state++; t.state == len(p.ids) {
		t.at, t.state, t.move = t.at+1, 0, 0
	}
	return goesOn
}

// collect fills the pieces with the states of the list from id on. It reports false if there are too few.
func (t *team) collect(id ID) bool {
	t.pieces, t.at = t.pieces[:0], 0
	for id != none && len(t.pieces) < batchPieces {
		t.pieces = t.pieces[:len(t.pieces)+1]
		p := &t.pieces[len(t.pieces)-1]
		*p = piece{p.ids[:0], p.states[:0], p.moves[:0], p.numbers[:0], p.fresh[:0], p.text[:0]}
		for ; id != none && len(p.ids) < t.length; id = t.store.next(id) {
			p.ids = append(p.ids, id)
		}
	}
	if len(t.pieces) == 1 && len(t.pieces[0].ids) < t.length {
		t.pieces = t.pieces[:0]
		return false
	}
	return true
}

// survey makes the moves from the states of all pieces.
func (t *team) survey() {
	// 1. The moves. The store does not change meanwhile; a worker's memory for lookups is its own.
	var next atomic.Int64
	t.each(func(_ int, w *worker) {
		w.view = store{arena: t.store.arena, table: t.store.table, parts: t.store.parts, rest: t.store.rest, seed: t.store.seed, key: w.view.key, form: w.view.form}
		for i := int(next.Add(1)) - 1; i < len(t.pieces); i = int(next.Add(1)) - 1 {
			w.out = &t.pieces[i]
			for _, id := range w.out.ids {
				w.survey(id)
			}
		}
	})
	// 2. Which lead to the same state?
	t.each(func(i int, w *worker) { w.dedup(t.pieces, uint64(i), uint64(len(t.workers))) })
}

// each lets all workers do something at the same time.
func (t *team) each(do func(i int, w *worker)) {
	var all sync.WaitGroup
	for i, w := range t.workers {
		all.Go(func() { do(i, w) })
	}
	all.Wait()
}

// merge stores the states that moves from a state reach, and reports whether the search goes on.
func (t *team) merge(p *piece, id ID, s surveyed) bool {
	e := t.engine
	e.countAs(id, s.moves, s.procs, s.pending)
	moves := p.moves[t.move : t.move+s.moves]
	t.move += s.moves
	for i := range moves {
		mv := &moves[i]
		run := func() []Move { return append(e.run(id), mv.Move) }
		e.r.Transitions++
		e.outcome(mv.outcome, Failure{Kind: Step, Outcome: mv.outcome, Node: mv.node, Process: mv.Process}, run)
		isNew := false
		if mv.outcome == zom.Stepped && !mv.known && !mv.again {
			isNew = t.keep(p, mv, id)
		}
		if mv.dead && (isNew || e.opts.MissDeadlocks) {
			e.fail(stopped(mv.waits, mv.Process), run)
		}
		if e.over() || e.stopped() {
			return false
		}
	}
	return true
}

// keep stores the state that a move has reached, and reports whether it is new.
func (t *team) keep(p *piece, mv *reached, from ID) bool {
	numbers := p.numbers[mv.numbers.from:mv.numbers.to]
	var id ID
	isNew := true
	if mv.fresh {
		t.resolve = t.resolve[:0]
		for _, n := range numbers {
			if n >= newPart {
				f := p.fresh[n-newPart]
				n = t.store.parts.number(p.text[f.from:f.to])
			}
			t.resolve = append(t.resolve, n)
		}
		id, isNew = t.store.addNumbers(t.resolve, from)
	} else {
		id = t.store.addNew(numbers, mv.hash, from)
	}
	if isNew {
		t.newest = id
		if mv.rest != (span{}) {
			t.store.rest[id] = append([]byte(nil), p.text[mv.rest.from:mv.rest.to]...)
		}
	}
	return isNew
}
