package explicit

import (
	"context"
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/checker/lower"
	"c2bp/checker/zom"
)

// This file defines the search with summaries: its worklist, and its steps.

// Options configures Solve. The zero value is ready for use.
type Options struct {
	HeapPath    int  // longest path of references from a variable to an object; 0 is DefaultHeapPath
	WholeStates bool // patterns are whole visible states: to measure what shorter patterns gain
	States      int  // of a search with whole states: most states; 0 is no limit
	Visible     int  // of a search with summaries: most states; 0 is no limit

	depthFirst bool // for the tests: serve the latest node first
	noMerge    bool // for the tests: merge no states
}

// DefaultHeapPath is the length of a path of references at which Solve gives up.
const DefaultHeapPath = 100

// Point is a node of a graph.
type Point struct {
	Proc int // index in Graph.Procs
	Node int // index in ProcGraph.Nodes
}

// PathError says that the paths of references from a variable may be unbounded.
type PathError struct {
	Limit int
	Path  string // the beginning: g.next.next
}

func (e *PathError) Error() string {
	return fmt.Sprintf("heap path longer than %d: %s…", e.Limit, e.Path)
}

// node is a state of a root.
type node struct {
	root   *root
	pc     int32
	parent int32 // the node from which it was reached first, or nowhere
	exit   int32 // if parent is a call: the node at which the callee returned
	call   *edge // likewise: the call
	round  int32 // number of loop rounds on the path
	status status
}

// status is the state of work on a node.
type status uint8

const (
	pending status = iota
	done           // served, or being served
	merged         // merged with another node into a third, or covered by one
)

// engine is the state of a search.
type engine struct {
	graph  *boolprog.Graph
	prog   *zom.Program
	opts   Options
	m      *zom.Machine
	canon  zom.Canon
	now    *zom.State      // the state of the step under way
	own    *zom.State      // the state of the search; now is another one in replays
	needs  map[string]need // see neededAtEntry
	readAt map[int32]int   // by effect: length of the pattern when it was found

	upper, caller, exit loaded // decoded states of other nodes

	table   *table // the forms of the nodes
	nodes   []node
	roots   []*root
	tries   []*trie   // by procedure
	queue   []*root   // roots with pending nodes
	ranks   [][]int32 // by procedure and pc: reverse postorder
	waiting []*edge   // calls to be reviewed
	climb   []level   // memory for entry
	under   int32     // the node whose step is under way

	found findings
	bits  []bit // where the latest form has Boolean globals
	merge merger
	count counters
	stop  error
}

// counters are the work counters; see Stats.
type counters struct {
	steps, lookups, moved, applied, merged, pruned int64
	deepest                                        int
}

// findings are the results of a search.
type findings struct {
	reached  [][]int32 // by procedure and node: the first node of the search there, or nowhere
	failed   [][]int32 // likewise where an assertion fails
	nullUsed [][]int32 // likewise where null is dereferenced
}

// nowhere stands for no node.
const nowhere = -1

// newFindings returns findings without any node.
func newFindings(g *boolprog.Graph) findings {
	var f findings
	for _, p := range g.Procs {
		f.reached = append(f.reached, slices.Repeat([]int32{nowhere}, len(p.Nodes)))
		f.failed = append(f.failed, slices.Repeat([]int32{nowhere}, len(p.Nodes)))
		f.nullUsed = append(f.nullUsed, slices.Repeat([]int32{nowhere}, len(p.Nodes)))
	}
	return f
}

// newEngine lowers g to the object model.
func newEngine(g *boolprog.Graph, opts Options) *engine {
	if opts.HeapPath == 0 {
		opts.HeapPath = DefaultHeapPath
	}
	p := lower.Program(g)
	e := &engine{graph: g, prog: p, opts: opts, m: zom.NewMachine(p), own: zom.NewState(p), table: newTable(), found: newFindings(g)}
	// Decoded states of other nodes are cached: one for each role.
	for _, l := range []*loaded{&e.upper, &e.caller, &e.exit} {
		*l = loaded{zom.NewState(p), nowhere}
	}
	e.now = e.own
	// Calls and returns are handled here, by patterns and effects.
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

// run searches until no call waits and no node is pending.
func (g *engine) run(ctx context.Context) error {
	// 1. The start of the program is a root without a call.
	start := &root{proc: g.prog.Main, values: map[zom.Loc]zom.Word{}}
	g.roots = append(g.roots, start)
	g.now.Blank()
	g.now.Start(start.proc)
	g.reach(start, nowhere, nil, 0)
	// 2. Review calls first, since that may enter roots; then serve the nodes of the first root.
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

// reach adds g.now as a state of r, reached from parent, unless it was seen. If parent is a call, e
// is the call and exit the node at which the callee returned.
func (g *engine) reach(r *root, parent int32, e *edge, exit int32) {
	// 1. Encode the state; drop it if it was seen, or if a more general state was.
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
	if g.opts.Visible > 0 && g.table.size() > g.opts.Visible {
		g.stop = &StatesError{Limit: g.opts.Visible}
	}
	// 2. Make a node of it, one loop round later if control went back.
	n := node{root: r, pc: pc, parent: parent, call: e, exit: exit}
	if parent != nowhere {
		n.round = g.nodes[parent].round
		if g.ranks[r.proc][pc] <= g.ranks[r.proc][g.nodes[parent].pc] {
			n.round++
		}
	}
	g.nodes = append(g.nodes, n)
	// 3. Merge it with a pending node, and schedule the result.
	g.schedule(g.merged(id))
}

// Read implements zom.Entry: the value that the root of the step under way found at a place.
func (g *engine) Read(at zom.Loc) zom.Word {
	// The read may have met cells that the state does not know yet.
	r := g.nodes[g.under].root
	w := g.entry(r, at)
	g.meetCells(g.now, r)
	return w
}

// turn serves a node: it enters or leaves a procedure, or makes all steps.
func (g *engine) turn(id int32) {
	// A call enters a root, a return makes an effect; other instructions are executed.
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

// leave makes a node, at which its root returns, an effect of the root. The calls of the root wait
// for it.
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

// outcome records the outcome of a step from a node.
func (g *engine) outcome(id int32, o zom.Outcome) {
	r := g.nodes[id].root
	at := g.m.Record.Node
	switch o {
	// A step leads to a state; anything else ends the run, and is a finding.
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

// note records the first node at which something was found.
func note(first *int32, id int32) {
	if *first == nowhere {
		*first = id
	}
}
