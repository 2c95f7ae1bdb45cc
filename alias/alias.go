package alias

import (
	"fmt"
	"sync"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file defines the result of the analysis and how it is computed.

// Result answers questions about one program. It is read-only, and safe for concurrent use.
//
// Questions may be about any expressions over the variables of the program, not only about those
// that occur in it: predicates dereference and add in ways that the program does not.
type Result struct {
	prog   *core.Program
	solver *solver

	mu         sync.Mutex           // guards the tables of sets and of answers
	contentsOf map[contentsOf]setID // results of contents
	setOf      map[setID]Set        // results of set

	follows *follows // nil if memory from outside is not typed
	hidden  *hidden  // nil if nothing is hidden from functions without a body
	// readOnly says that some function without a body is given a pointer to constants by which it could change memory.
	readOnly bool
	// numbers says that one is given a number from outside that could be an address.
	numbers bool
	plain   map[int32]bool // answers of givesNumbers, by origin
	places  []typed        // places outside that the program writes to
	placeNo map[typed]int

	globals  map[*core.Var]int // position in prog.Globals
	cells    *cellTable
	direct   map[cellsOf]direct     // effects of stores
	effects  map[*core.Proc]*effect // shared within a component of the call graph
	external map[*core.Call]*effect // effects of calls except through procedures with a body
	sources  map[*core.Proc]*sources
	reached  map[*core.Call]bitset

	pointers map[int32]bool // by origin, an object outside: does it give pointers?

	freed *freed // objects that may no longer live at an allocation; nil if not yet asked
	lives *lives // of the objects that pointers lead to; nil if not yet asked

	passes *passed // the arguments of calls; nil if not yet asked

	named   sync.Once // guards members
	members map[member]spelling
}

// Analyze analyses p, which must be valid. It finds the callees of calls through pointers on the
// fly, so that p need not have been through devirt.Resolve.
func Analyze(p *core.Program) *Result { return newSolver(p).analyze() }

// analyze solves the constraints and computes the effects of procedures.
func (s *solver) analyze() *Result {
	// 1. Solve the constraints, and free what only solving needs.
	s.build()
	s.solve()
	s.release()
	r := &Result{
		prog: s.prog, solver: s,
		contentsOf: map[contentsOf]setID{},
		setOf:      map[setID]Set{},
		globals:    map[*core.Var]int{},
		placeNo:    map[typed]int{},
		plain:      map[int32]bool{},
	}
	for i, g := range s.prog.Globals {
		r.globals[g] = i
	}
	// 2. Find the types of memory outside, which say what pointers from there may alias.
	r.follows = r.findFollows()
	r.hidden = r.findHidden()
	// 3. Propagate effects and sources of addresses over the call graph.
	calls := r.callGraph()
	r.findEffects(calls)
	r.findSources(calls)
	return r
}

// Pointer returns the type of pointers in the program.
func (r *Result) Pointer() core.Ptr { return core.Ptr{Bits: r.solver.pointers} }

// Objects returns the objects of the program in a fixed order, the Outside one first.
func (r *Result) Objects() []*Object {
	var out []*Object
	for _, o := range r.solver.objects {
		if o.Kind < number && (o.Kind != Outside || o.id == outsideObject) {
			out = append(out, o)
		}
	}
	return out
}

// siteName returns a name for the object that node i of p allocates, different from those in taken.
func siteName(taken map[string]int, p *core.Proc, i int) string {
	name := "alloc@" + p.NodeID(i)
	if pos := p.Nodes[i].Pos; pos != (source.Pos{}) {
		name = fmt.Sprintf("alloc@%s:%d", pos.File, pos.Line)
	}
	taken[name]++
	if n := taken[name]; n > 1 {
		name += fmt.Sprintf("#%d", n)
	}
	return name
}
