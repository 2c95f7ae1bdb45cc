package explicit

import (
	"context"
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
}

// DefaultHeapPath is the number of references in a row at which Solve gives up.
const DefaultHeapPath = 100

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
}

// engine is a search under way.
type engine struct {
	graph *boolprog.Graph
	prog  *zom.Program
	opts  Options
	m     *zom.Machine
	canon zom.Canon
	now   *zom.State // that of the step under way

	upper, caller, exit loaded // states that are looked into beside

	table   *table
	nodes   []node
	roots   []*root
	tries   []*trie // by procedure
	work    []int32 // nodes to go on from
	next    int     // of work
	waiting []*edge
	climb   []level
	under   int32 // the node whose step is under way

	found findings
	keys  map[string]bool // of a broken engine
	count counters
	stop  error
}

// counters are what statistics tell.
type counters struct {
	steps, lookups, moved, applied int64
	deepest                        int
	path                           string // of the deepest object
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
	e := &engine{graph: g, prog: p, opts: opts, m: zom.NewMachine(p), now: zom.NewState(p), table: newTable(), found: newFindings(g)}
	for _, l := range []*loaded{&e.upper, &e.caller, &e.exit} {
		*l = loaded{zom.NewState(p), nowhere}
	}
	e.m.Modular = true
	e.m.Entry = e
	e.m.Visited = func(p, node int32) { note(&e.found.reached[p][node], e.under) }
	for range p.Procs {
		e.tries = append(e.tries, &trie{})
	}
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
		case g.next < len(g.work):
			g.turn(g.take())
		default:
			return nil
		}
	}
	return g.stop
}

// take removes a node from the list of work.
func (g *engine) take() int32 {
	if g.opts.depthFirst {
		n := g.work[len(g.work)-1]
		g.work = g.work[:len(g.work)-1]
		return n
	}
	g.next++
	if n := g.work[g.next-1]; 2*g.next < len(g.work) {
		return n
	}
	n := g.work[g.next-1]
	g.work = append(g.work[:0], g.work[g.next:]...)
	g.next = 0
	return n
}

// reach takes note of g.now as a state of r, reached from parent.
func (g *engine) reach(r *root, parent int32, e *edge, exit int32) {
	if g.opts.broken != correct && g.known(r) {
		return
	}
	form := g.form(r)
	if g.canon.Depth > g.count.deepest {
		g.deepest(r)
	}
	id, isNew := g.table.insert(form)
	if !isNew {
		return
	}
	g.nodes = append(g.nodes, node{root: r, pc: g.now.Top(0).PC, parent: parent, call: e, exit: exit})
	if g.instruction(id).Op != zom.Return {
		g.work = append(g.work, id)
		return
	}
	r.effects = append(r.effects, id)
	for _, e := range r.edges {
		if e.callee == r {
			g.wait(e)
		}
	}
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
	if g.instruction(id).Op == zom.Call {
		g.call(id)
		return
	}
	g.under = id
	r := g.nodes[id].root
	g.load(g.now, id)
	mark := g.now.Mark()
	g.m.Rewind()
	for more := true; more; more = g.m.Next() {
		g.now.Undo(mark)
		g.meetCells(g.now, r)
		g.count.steps++
		g.outcome(id, g.m.Run(g.now, 0))
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
	case zom.NullUsed:
		note(&g.found.nullUsed[r.proc][at], id)
	}
}

func note(first *int32, id int32) {
	if *first == nowhere {
		*first = id
	}
}
