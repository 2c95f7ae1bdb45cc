package pushdown

import (
	"fmt"
	"strings"

	"c2bp/boolprog"
	"c2bp/checker/lower"
	"c2bp/checker/temporal"
	"c2bp/checker/zom"
)

// This file defines the pushdown system of a program.

// System is the pushdown system of a program.
type System struct {
	graph *boolprog.Graph
	prog  *zom.Program
	atoms *Atoms
	opts  Options

	m       *zom.Machine
	visited bool     // the last step has passed the enforce clause
	parts   [][]bool // by procedure and node: control is inside of a statement of C there
	s, t    *zom.State
	canon   zom.Canon

	tracking bool               // moves tell what becomes of objects; see track
	origin   func(zom.Word) int // of an object in the state after a step
	tracks   []track            // of the moves, if they are tracked

	locations []location
	numbers   map[string]int // of locations, by their forms
	callers   []caller
	callerOf  map[string]int
}

// Options limits a system.
type Options struct {
	HeapPath int // longest path of references from a variable to an object; 0 is DefaultHeapPath
	// Whole makes locations of all frames, and leaves the stack unused, as for programs that choose any object of a
	// class: those of callers may be among them.
	Whole bool
	Calls int // of whole locations: most frames; 0 is DefaultCalls
	// Hidden are the names of statements of C before which there is no state, since the program has not started yet.
	Hidden map[string]bool
}

// DefaultHeapPath is the longest path of references to an object, DefaultCalls the largest number of frames.
const DefaultHeapPath, DefaultCalls = 100, 200

// The symbols of the stack: the procedure on top runs, has failed at an assertion, has dereferenced null, or has
// exited from a C program. In the lowest frame of main, runs is another symbol. The callers that wait follow.
const (
	runs = iota
	runsLowest
	failed
	usedNull
	exited
	firstCaller
)

// New returns the system of a program, whose atoms were resolved by atoms. It fails for programs that it cannot
// show.
func New(g *boolprog.Graph, atoms *Atoms, opts Options) (*System, error) {
	if g.Threads != nil {
		return nil, &UnsupportedError{"the program has threads"}
	}
	if opts.HeapPath == 0 {
		opts.HeapPath = DefaultHeapPath
	}
	if opts.Calls == 0 {
		opts.Calls = DefaultCalls
	}
	p := lower.Program(g)
	x := &System{
		graph: g, prog: p, atoms: atoms, opts: opts, m: zom.NewMachine(p), s: zom.NewState(p), t: zom.NewState(p),
		numbers: map[string]int{}, callerOf: map[string]int{},
	}
	for _, p := range g.Procs {
		parts := partsOf(p)
		for v, n := range p.Nodes {
			parts[v] = parts[v] || opts.Hidden[statementOf(n)]
		}
		x.parts = append(x.parts, parts)
	}
	x.m.Modular = !opts.Whole && !p.Chooses()
	x.m.Visited = func(p, node int32) { x.visited = true }
	atoms.link(x.prog)
	return x, nil
}

// UnsupportedError says why a program has no system.
type UnsupportedError struct{ What string }

func (e *UnsupportedError) Error() string { return e.What }

// Start returns the states in which main begins.
func (x *System) Start() (out []temporal.Move, err error) {
	x.s.Reset()
	x.s.Start(x.prog.Main)
	x.settle(x.s, func() {
		out = append(out, x.moveTo(x.s, nil, true, runsLowest))
	})
	return out, nil
}

// Label returns the atoms that hold at a head.
func (x *System) Label(loc, symbol int) temporal.Label {
	if symbol >= firstCaller {
		return temporal.Label{Silent: true}
	}
	l := &x.locations[loc]
	return temporal.Label{Atoms: l.atoms, Silent: l.silent && symbol <= runsLowest}
}

// Moves returns the moves of a head.
func (x *System) Moves(loc, symbol int) (temporal.Moves, error) {
	switch symbol {
	case runs, runsLowest:
		return x.step(loc, symbol), nil
	case failed, usedNull, exited:
		return temporal.Moves{}, nil
	}
	return x.comeBack(loc, symbol), nil
}

// step makes the moves of the procedure that runs.
func (x *System) step(loc, symbol int) (out temporal.Moves) {
	cuts := x.load(x.s, loc)
	x.origin = kept(x.s.News())
	return x.outcomes(symbol, cuts)
}

// outcomes makes the moves of all outcomes of the next step of x.s.
func (x *System) outcomes(symbol int, cuts []zom.Word) (out temporal.Moves) {
	real := x.s.Top(0).PC > 0 && x.afterCall() // there is no node before which an enforce clause is assumed
	terminated := false
	// stop makes the run stay where it was before the step.
	stop := func(mark zom.Mark, why int) {
		x.s.Undo(mark)
		real = true // also in an enforce clause: the error is where control was about to be
		out.List = append(out.List, x.moveTo(x.s, cuts, true, why))
	}
	x.m.Rewind()
	for mark, more := x.s.Mark(), true; more; more = x.m.Next() {
		x.s.Undo(mark)
		x.visited = false
		o := x.m.Run(x.s, 0)
		real = real || x.visited && !(o == zom.Ended && x.branches(x.m.Record.Node))
		switch o {
		case zom.Stepped:
			if x.s.Top(0) == nil {
				terminated = true
				continue
			}
			in := x.instruction()
			switch {
			case !x.m.Modular:
				x.settle(x.s, func() { out.List = append(out.List, x.moveTo(x.s, cuts, true, symbol)) })
			case in.Op == zom.Return && symbol == runsLowest:
				terminated = true
			case in.Op == zom.Return:
				out.List = append(out.List, x.moveTo(x.s, cuts, false))
			case in.Op == zom.Call:
				out.List = append(out.List, x.call(in, symbol, cuts)...)
			default:
				x.settle(x.s, func() { out.List = append(out.List, x.moveTo(x.s, cuts, true, symbol)) })
			}
		case zom.Failed:
			stop(mark, failed)
		case zom.NullUsed:
			stop(mark, usedNull)
		case zom.Ended:
			if x.visited && x.exits(x.m.Record.Node) {
				stop(mark, exited)
				continue
			}
			out.Pruned = true
		default:
			panic(fmt.Sprintf("pushdown: a step has the outcome %v", o))
		}
	}
	if terminated {
		out.Pruned = false
	}
	out.Void = !real && len(out.List) == 0 && !terminated
	return out
}

// exits reports whether a node, at which x.s stood, is the end of a C program, such as exit(1): its abstraction
// has a false assumption there, but a run of C that comes to it has terminated, and is no impossible one. One that comes
// to a branch whose condition cannot hold is.
func (x *System) exits(node int32) bool {
	n := x.graph.Procs[x.s.Top(0).Proc].Nodes[node]
	if n.Kind != boolprog.NodeAssume || n.Stmt.Annot == nil {
		return false
	}
	c, is := n.Cond.(*boolprog.Const)
	return is && !c.Val && n.Stmt.Annot.Origin != "assume" && !x.branches(node)
}

// branches reports whether a node, at which x.s stood, begins a branch of a C program: there the condition is assumed
// that led to it, and a state that contradicts it is none.
func (x *System) branches(node int32) bool {
	n := x.graph.Procs[x.s.Top(0).Proc].Nodes[node]
	return n.Stmt != nil && n.Stmt.Annot != nil && strings.HasPrefix(n.Stmt.Annot.Origin, "branch")
}

// afterCall reports whether x.s is about to take the results of a call.
func (x *System) afterCall() bool {
	top := x.s.Top(0)
	return x.prog.Procs[top.Proc].Code[top.PC-1].Op == zom.Call
}

// instruction returns the instruction at which x.s stands.
func (x *System) instruction() *zom.Instr {
	top := x.s.Top(0)
	return &x.prog.Procs[top.Proc].Code[top.PC]
}

// moveTo returns the move to the state that s has come to, with a word; see intern.
func (x *System) moveTo(s *zom.State, cuts []zom.Word, running bool, word ...int) temporal.Move {
	to := x.intern(s, cuts, running)
	x.note()
	return temporal.Move{Loc: to, Word: word, Top: x.locations[to].unknown != ""}
}

// settle calls do for s with all values of the Booleans that are not decided and that atoms mention.
func (x *System) settle(s *zom.State, do func()) {
	set := x.atoms.undecided(s)
	if set == nil {
		do()
		return
	}
	mark := s.Mark()
	for w := range zom.Word(2) {
		set(w)
		x.settle(s, do)
		s.Undo(mark)
	}
}

// Beyond says why the move of a run's last step leads to a location that is not explored.
func (x *System) Beyond(step temporal.Step) string {
	moves, err := x.Moves(step.Loc, step.Symbol)
	if err != nil || step.Move < 0 || step.Move >= len(moves.List) {
		return ""
	}
	return x.locations[moves.List[step.Move].Loc].unknown
}
