package explicit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/lower"
	"c2bp/checker/zom"
)

// This file defines the search with summaries: its list of work, and steps.

// Options configures Solve. The zero value is ready for use.
type Options struct {
	HeapPath    int  // longest way from a variable to an object; 0 is DefaultHeapPath
	WholeStates bool // patterns are whole visible states: to see what they are good for

	broken     mutation
	depthFirst bool
	noMerge    bool
	mostNodes  int // 0 is no limit
}

// DefaultHeapPath is the number of references in a row at which Solve gives up.
const DefaultHeapPath = 100

var errTooMany = errors.New("too many nodes")

// Point is a node of a graph.
type Point struct {
	Proc int // index in Graph.Procs
	Node int // index in ProcGraph.Nodes
}

// PathError says that there may be no end to what hangs on a variable.
type PathError struct {
	Limit int
	Path  string // the beginning: g.next.next
}

func (e *PathError) Error() string {
	return fmt.Sprintf("heap path longer than %d: %s…", e.Limit, e.Path)
}

// node is a state in which a root can be.
type node struct {
	root   *root
	pc     int32
	parent int32 // the node that it was reached from first, or -1
	exit   int32 // if that is a call, the node at which the callee returned
	call   *edge // and the call
	round  int32 // how often control went back on the way
	status status
}

// status is what becomes of a node.
type status uint8

const (
	pending status = iota
	done           // or under way
	merged         // with another, into a third
)

// engine is a search under way.
type engine struct {
	graph  *boolprog.Graph
	prog   *zom.Program
	opts   Options
	m      *zom.Machine
	canon  zom.Canon
	now    *zom.State // that of the step under way
	own    *zom.State // which now is, but for replays
	needs  map[string]need
	readAt map[int32]int // by effect: how long the pattern was when it was found

	upper, caller, exit loaded // states that are looked into beside

	table   *table
	nodes   []node
	roots   []*root
	tries   []*trie   // by procedure
	queue   []*root   // those with pending nodes
	ranks   [][]int32 // by procedure and pc: the places of instructions in reverse postorder
	waiting []*edge
	climb   []level
	under   int32 // the node whose step is under way

	found findings
	keys  map[string]bool // of a broken engine
	bits  []bit           // of the latest form
	merge merger
	count counters
	stop  error
}

// counters are what statistics tell.
type counters struct {
	steps, lookups, moved, applied, merged, pruned int64
	deepest                                        int
}

// findings are the facts that a search is made for.
type findings struct {
	reached  [][]int32 // by procedure and node: the node of the search that is there first, or -1
	failed   [][]int32 // the node of the search where an assertion fails first, or -1
	nullUsed [][]int32 // the same where null is dereferenced
}

const nowhere = -1

func newFindings(g *boolprog.Graph) findings {
	var f findings
	for _, p := range g.Procs {
		f.reached = append(f.reached, slices.Repeat([]int32{nowhere}, len(p.Nodes)))
		f.failed = append(f.failed, slices.Repeat([]int32{nowhere}, len(p.Nodes)))
		f.nullUsed = append(f.nullUsed, slices.Repeat([]int32{nowhere}, len(p.Nodes)))
	}
	return f
}

func newEngine(g *boolprog.Graph, opts Options) *engine {
	if opts.HeapPath == 0 {
		opts.HeapPath = DefaultHeapPath
	}
	p := lower.Program(g)
	e := &engine{graph: g, prog: p, opts: opts, m: zom.NewMachine(p), own: zom.NewState(p), table: newTable(), found: newFindings(g)}
	for _, l := range []*loaded{&e.upper, &e.caller, &e.exit} {
		*l = loaded{zom.NewState(p), nowhere}
	}
	e.now = e.own
	e.m.Modular = true
	e.m.Entry = e
	e.m.Visited = func(p, node int32) { note(&e.found.reached[p][node], e.under) }
	for _, proc := range p.Procs {
		e.tries = append(e.tries, &trie{})
		e.ranks = append(e.ranks, ranks(proc))
	}
	e.merge, e.readAt = newMerger(p), map[int32]int{}
	return e
}

// run searches until there is nothing left to do.
func (g *engine) run(ctx context.Context) error {
	start := &root{proc: g.prog.Main, values: map[zom.Loc]zom.Word{}}
	g.roots = append(g.roots, start)
	g.now.Blank()
	g.now.Start(start.proc)
	g.reach(start, nowhere, nil, 0)
	for turns := 0; g.stop == nil; turns++ {
		if turns%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch {
		case len(g.waiting) > 0:
			e := g.waiting[0]
			g.waiting = g.waiting[1:]
			g.review(e)
		case len(g.queue) > 0:
			g.turnOf(g.queue[0])
		default:
			return nil
		}
	}
	return g.stop
}

// reach takes note of g.now as a state of r, reached from parent.
func (g *engine) reach(r *root, parent int32, e *edge, exit int32) {
	if g.known(r) {
		return
	}
	form := g.form(r)
	if g.canon.Depth > g.count.deepest {
		g.deepest(r)
	}
	pc := g.now.Top(0).PC
	if g.covered(r, pc, form) {
		return
	}
	id, isNew := g.table.insert(g.canon.Out)
	if !isNew {
		return
	}
	if g.opts.mostNodes > 0 && g.table.size() > g.opts.mostNodes {
		g.stop = errTooMany
	}
	n := node{root: r, pc: pc, parent: parent, call: e, exit: exit}
	if parent != nowhere {
		n.round = g.nodes[parent].round
		if g.ranks[r.proc][pc] <= g.ranks[r.proc][g.nodes[parent].pc] {
			n.round++
		}
	}
	g.nodes = append(g.nodes, n)
	g.schedule(g.merged(id))
}

// Read is zom.Entry for the root under way.
func (g *engine) Read(at zom.Loc) zom.Word {
	r := g.nodes[g.under].root
	w := g.entry(r, at)
	g.meetCells(g.now, r)
	return w
}

// turn goes on from a node.
func (g *engine) turn(id int32) {
	switch g.instruction(id).Op {
	case zom.Call:
		g.call(id)
		return
	case zom.Return:
		g.leave(id)
		return
	}
	g.each(id, func(o zom.Outcome) bool {
		g.count.steps++
		g.outcome(id, o)
		return true
	})
}

// leave makes a node at which its root returns an effect.
func (g *engine) leave(id int32) {
	r := g.nodes[id].root
	r.effects = append(r.effects, id)
	g.readAt[id] = len(r.pattern)
	for _, e := range r.edges {
		if e.callee == r {
			g.wait(e)
		}
	}
}

// outcome takes note of where a step from a node led.
func (g *engine) outcome(id int32, o zom.Outcome) {
	r := g.nodes[id].root
	at := g.m.Record.Node
	switch o {
	case zom.Stepped:
		g.reach(r, id, nil, 0)
	case zom.Failed:
		note(&g.found.failed[r.proc][at], id)
	case zom.Ended:
		g.count.pruned++
	case zom.NullUsed:
		note(&g.found.nullUsed[r.proc][at], id)
	}
}

func note(first *int32, id int32) {
	if *first == nowhere {
		*first = id
	}
}
