package alias

import (
	"fmt"
	"sync"

	"c2bp/frontend/core"
	"c2bp/source"
)

// Result answers questions about one program. It is read-only, and safe for
// concurrent use.
type Result struct {
	prog    *core.Program
	solver  *solver
	mutated mutation

	mu         sync.Mutex // guards the tables of sets and of answers
	contentsOf map[contentsOf]setID
	setOf      map[setID]Set

	follows *follows // nil if memory from outside is not typed
	places  []typed  // outside that the program writes to
	placeNo map[typed]int

	globals  map[*core.Var]int // position in prog.Globals
	cells    *cellTable
	direct   map[cellsOf]direct     // what stores change
	effects  map[*core.Proc]*effect // shared within a component
	external map[*core.Call]*effect // what calls change outside of procedures with a body
	sources  map[*core.Proc]*sources
	reached  map[*core.Call]bitset

	freed map[*core.Alloc]map[int32]bool // objects that may no longer live at an allocation; nil if not yet asked

	named   sync.Once // guards members
	members map[member]spelling
}

// Analyze analyses p, which must be valid. What calls through pointers may call is
// found on the way, so p need not have been through [Resolve].
func Analyze(p *core.Program) *Result { return analyze(p, 0) }

func analyze(p *core.Program, m mutation) *Result {
	return newSolver(p, m).analyze()
}

// analyze solves the constraints and finds the effects of procedures.
func (s *solver) analyze() *Result {
	s.build()
	s.solve()
	s.release()
	r := &Result{
		prog: s.prog, solver: s, mutated: s.mutated,
		contentsOf: map[contentsOf]setID{},
		setOf:      map[setID]Set{},
		globals:    map[*core.Var]int{},
		placeNo:    map[typed]int{},
	}
	for i, g := range s.prog.Globals {
		r.globals[g] = i
	}
	r.follows = r.findFollows()
	calls := r.callGraph()
	r.findEffects(calls)
	r.findSources(calls)
	return r
}

// Pointer is the type of pointers in the program.
func (r *Result) Pointer() core.Ptr { return core.Ptr{Bits: r.solver.pointers} }

// Objects is the objects of the program, the Outside one first, in a fixed order.
func (r *Result) Objects() []*Object {
	var out []*Object
	for _, o := range r.solver.objects {
		if o.Kind < number && (o.Kind != Outside || o.id == outsideObject) {
			out = append(out, o)
		}
	}
	return out
}

// siteName is the name of the object that node i of p allocates.
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
