package alias

import (
	"slices"
	"strings"

	"c2bp/frontend/core"
)

// This file defines the solver's state, and makes the objects of the program. Vertices, objects and
// addresses are numbered, and sets of addresses are sets of these numbers (sets.go).

// solver makes and solves the constraints of a program.
type solver struct {
	prog     *core.Program
	pointers int   // bits of an address
	plain    bool  // nothing is merged or shared: for tests
	fewSlots int64 // if it is not 0, objects with more slots are blurred: for tests

	space
	constraintGraph
	worklist
	sharing
	boundary
}

// space is the objects of a program and the addresses in them. Objects of variables, allocation
// sites and procedures are made at the start, origins and buffers when they are needed; an address
// is numbered when it is first met.
type space struct {
	objects   []*Object
	memories  []memory // by object
	addresses []address
	numbers   map[address]int32   // positions in addresses
	origins   map[originKey]int32 // addresses of values from outside
	noNumbers map[int32]bool      // those of members outside that the program reads otherwise than as numbers
	varObject map[*core.Var]int32
	site      map[*core.Alloc]int32
	function  map[*core.Proc]int32

	transfers    []transfer // copies of slots along links that are still to be made
	transferring bool
}

// constraintGraph is the vertices and the sets of addresses in them. Vertices that are merged stay
// in the list, empty; find leads to the one that is left.
type constraintGraph struct {
	sets     *setTable
	vertices []*vertex
	spare    []vertex          // allocated, not yet used
	parent   []int32           // union-find: vertices that have been merged
	same     [][2]int32        // pairs of vertices that are to be merged
	rules    map[ruleKey]int32 // the other vertex of the rule
	edges    int               // made so far
}

// worklist is the vertices with addresses that have not been propagated, and counters of rounds.
type worklist struct {
	now      queue   // vertices to be visited in this round
	next     []int32 // and in the next
	position int32   // in the order, of the vertex visited
	tidied   int     // edges when cycles were merged last
	rounds   int
	merges   int // rounds that began with merging
}

// sharing finds vertices and sets again by their purpose, so that each is made once: the vertex of
// p->f, say, wherever the program loads it. Keys name vertices as they were before merging, which
// costs a few duplicates and no more.
type sharing struct {
	values    map[*core.Var]int32 // variables outside of memory
	singles   map[int32]int32     // one address each
	moved     map[moveKey]int32
	loaded    map[loadKey]int32
	stored    map[loadKey]int32
	joined    map[[2]int32]int32
	hubs      map[hubKey]int32
	spreads   map[spreadKey]*spread
	movedSets map[movedSet]setID
	widened   bool // addresses were merged by a spread
}

// boundary is the traffic between the program and its outside: what leaves the program flows to
// escaped, and what comes from there is outsideAddress or the address of an origin.
type boundary struct {
	escaped      int32 // vertex: what has escaped
	exposed      int32 // vertex: the objects that numbers may be addresses of, see expose.go
	unfollowed   int32 // vertex: what values of types that are not followed may carry
	guesses      bool  // some pointer is made of a number
	calls        []*callSite
	outsideCalls []*callSite // through pointers from outside
	escapedProcs []*core.Proc
	handed       map[*core.Proc]bool // see handedOver; nil where functions without a body call back
	openWorld    bool                // externals may change everything (ExternAll), and there is one
	back         Callbacks
	regionKnown  bool // what a Havoc of the region means has been added
}

// Indices of the special objects.
const (
	outsideObject = iota
	numberObject
	smallObject
	zeroObject
	guessObject
)

// Indices of their addresses.
const (
	outsideAddress = iota
	numberAddress
	smallAddress
	zeroAddress
	guessAddress
)

// newSolver returns a solver for p that has the objects of p and no constraints.
func newSolver(p *core.Program) *solver {
	s := &solver{
		prog: p, pointers: pointerBits(p),
		space: space{
			numbers:   map[address]int32{},
			origins:   map[originKey]int32{},
			noNumbers: map[int32]bool{},
			varObject: map[*core.Var]int32{},
			site:      map[*core.Alloc]int32{},
			function:  map[*core.Proc]int32{},
		},
		constraintGraph: constraintGraph{sets: newSetTable(), rules: map[ruleKey]int32{}},
		sharing: sharing{
			values:    map[*core.Var]int32{},
			singles:   map[int32]int32{},
			moved:     map[moveKey]int32{},
			loaded:    map[loadKey]int32{},
			stored:    map[loadKey]int32{},
			joined:    map[[2]int32]int32{},
			hubs:      map[hubKey]int32{},
			spreads:   map[spreadKey]*spread{},
			movedSets: map[movedSet]setID{},
		},
	}
	// 1. Make the special objects, and an address in each.
	typed := p.Environment == core.EnvironmentTyped
	for i, o := range []*Object{
		{Kind: Outside, Name: "outside", Escaped: true, exact: typed},
		{Kind: number, Name: "number", exact: typed},
		{Kind: small, Name: "small"},
		{Kind: zero, Name: "zero"},
		{Kind: guess, Name: "guess"},
	} {
		a := address{object: s.addObject(o)}
		if i == numberObject || i == outsideObject && !typed {
			a.stride = 1
		}
		s.number(a)
	}
	// 2. Make the vertices of the boundary, and the rules that make objects exposed or escaped.
	s.exposed, s.unfollowed = s.newVertex(), s.newVertex()
	s.exposeAll(s.unfollowed)
	s.escaped = s.newVertex()
	s.rule(s.escaped, rule{kind: escapeRule})
	if p.Callbacks == core.CallbacksLater {
		s.handed = handedOver(p)
	}
	// 3. Make the objects of the program.
	s.declare()
	return s
}

// number returns the index of address a, which it adds if it is new.
func (s *space) number(a address) int32 {
	n, ok := s.numbers[a]
	if !ok {
		n = int32(len(s.addresses))
		s.addresses = append(s.addresses, a)
		s.numbers[a] = n
	}
	return n
}

// declare makes the objects: variables, allocation sites, procedures.
func (s *solver) declare() {
	// 1. Globals.
	for _, v := range s.prog.Globals {
		s.declareVar(nil, v)
	}
	// 2. Variables, allocation sites and addresses of procedures.
	names := map[string]int{}
	for _, p := range s.prog.Procs {
		for _, v := range p.Formals {
			s.declareVar(p, v)
		}
		for _, v := range p.Locals {
			s.declareVar(p, v)
		}
		s.function[p] = s.addObject(&Object{Kind: Function, Name: "&" + p.Name, Proc: p})
		for i, n := range p.Nodes {
			if a, ok := n.Stmt.(*core.Alloc); ok {
				o := &Object{Kind: Allocation, Name: siteName(names, p, i), Proc: p, Site: a, arrays: s.prog.ArraysApart}
				if size, ok := constant(a.Size); ok {
					o.Size = max(size, 0)
				}
				s.site[a] = s.addObject(o)
			}
		}
	}
	s.findMerged()
}

// findMerged finds the string literals that may be one object with another, since one ends as the
// other does (C17 6.4.5p7): "bar" may be in "foobar". It sorts them by their texts read backwards,
// so that each is next to those that end as it does.
func (s *solver) findMerged() {
	// 1. Sort the literals by their reversed texts.
	type literal struct {
		backwards string
		object    *Object
	}
	var list []literal
	for _, o := range s.objects {
		if o.Kind == Variable && o.Var.Merged && o.Var.Text != nil {
			text := slices.Clone(o.Var.Text)
			slices.Reverse(text)
			list = append(list, literal{string(text), o})
		}
	}
	slices.SortStableFunc(list, func(x, y literal) int { return strings.Compare(x.backwards, y.backwards) })
	// 2. Keep a stack of literals of which each is a prefix of the next: the texts that begin with one
	// directly follow it.
	var open []literal
	for _, l := range list {
		for len(open) > 0 && !strings.HasPrefix(l.backwards, open[len(open)-1].backwards) {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			l.object.merged, open[len(open)-1].object.merged = true, true
		}
		open = append(open, l)
	}
}

// declareVar makes the object of v, a variable of p or a global if p is nil, if v lives in memory.
func (s *solver) declareVar(p *core.Proc, v *core.Var) {
	if _, known := s.varObject[v]; known || !v.InMemory() {
		return
	}
	name := v.Name
	if p != nil {
		name = p.Name + "." + name
	}
	o := s.addObject(&Object{Kind: Variable, Name: name, Var: v, Size: core.Bytes(v.Type), arrays: s.prog.ArraysApart})
	s.varObject[v] = o
	// No statement sets a formal of a type that is not represented: it may carry anything of such
	// types.
	if _, opaque := v.Type.(core.Opaque); opaque {
		slot := s.slot(o, whole(s.objects[o].bits()))
		s.insert(numberAddress, slot)
		s.edge(s.unfollowed, slot)
	}
}

// object returns the index of the object of v, a variable that lives in memory.
func (s *space) object(v *core.Var) int32 {
	o, ok := s.varObject[v]
	if !ok {
		panic("alias: no variable of the program lives in memory as " + v.Name)
	}
	return o
}

// pointerBits returns the width of addresses in p, in bits: the widest pointer type in p if p does
// not say, and 64 if there are no pointers.
func pointerBits(p *core.Program) int {
	bits := p.PtrBits
	if bits > 0 {
		return bits
	}
	// Look at the types of variables first, then of expressions.
	look := func(t core.Type) {
		if t, ok := t.(core.Ptr); ok {
			bits = max(bits, t.Bits)
		}
	}
	for _, v := range p.Globals {
		look(v.Type)
	}
	for _, q := range p.Procs {
		for _, v := range q.Formals {
			look(v.Type)
		}
		for _, v := range q.Locals {
			look(v.Type)
		}
		for _, n := range q.Nodes {
			if bits > 0 {
				return bits
			}
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool { look(e.Type()); return true })
			})
		}
	}
	if bits == 0 {
		return 64
	}
	return bits
}
