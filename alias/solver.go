package alias

import (
	"slices"
	"strings"

	"c2bp/frontend/core"
)

// solver makes and solves the constraints of a program.
type solver struct {
	prog     *core.Program
	mutated  mutation
	pointers int  // bits of an address
	plain    bool // nothing is merged or shared: for tests

	space
	constraintGraph
	worklist
	sharing
	boundary
}

// space is the objects of a program and the addresses in them.
type space struct {
	objects   []*Object
	memories  []memory // by object
	addresses []address
	numbers   map[address]int32   // positions in addresses
	origins   map[originKey]int32 // addresses of values from outside
	varObject map[*core.Var]int32
	site      map[*core.Alloc]int32
	function  map[*core.Proc]int32

	transfers    []transfer // copies of slots along links that are still to be made
	transferring bool
}

// constraintGraph is the vertices and the sets of addresses in them.
type constraintGraph struct {
	sets     *setTable
	vertices []*vertex
	spare    []vertex          // allocated, not yet used
	parent   []int32           // union-find: vertices that have been merged
	same     [][2]int32        // pairs of vertices that are to be merged
	rules    map[ruleKey]int32 // the other vertex of the rule
	edges    int               // made so far
}

// worklist is the vertices with addresses that were not yet passed on, and counters of rounds.
type worklist struct {
	now      queue   // vertices to be visited in this round
	next     []int32 // and in the next
	position int32   // in the order, of the vertex visited
	tidied   int     // edges when cycles were merged last
	rounds   int
	merges   int // rounds that began with merging
}

// sharing finds vertices and sets again by their purpose, so that each is made once.
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

// boundary is the traffic between the program and its outside.
type boundary struct {
	escaped      int32 // vertex: what has escaped
	exposed      int32 // vertex: the objects that numbers may be addresses of, see expose.go
	unfollowed   int32 // vertex: what values of types that are not followed may carry
	guesses      bool  // some pointer is made of a number
	calls        []*callSite
	outsideCalls []*callSite // through pointers from outside
	escapedProcs []*core.Proc
	openWorld    bool // externals may change everything (ExternAll), and there is one
	back         Callbacks
	regionKnown  bool // what a Havoc of the region means has been added
}

// Numbers of the special objects.
const (
	outsideObject = iota
	numberObject
	smallObject
	zeroObject
	guessObject
)

// Numbers of their addresses.
const (
	outsideAddress = iota
	numberAddress
	smallAddress
	zeroAddress
	guessAddress
)

// mutation breaks one rule, so that tests can see that they would notice.
type mutation int

const (
	noDestinations   mutation = iota + 1 // destinations of calls are not counted as written
	quietExternals                       // externals write nothing
	quietAssembly                        // assembly changes only what its operands lead to
	notTransitive                        // callees' effects are left out
	noCopies                             // a struct assignment moves no pointers
	exactWidths                          // loads see stores of their own width alone
	forgetIntegers                       // integers carry no addresses
	forgetFloats                         // nor do results of floating-point operations
	noStrides                            // an index is taken to be 0
	shortArrays                          // an index is never the last one
	nothingUnset                         // nothing is read before it is set
	nothingEscapes                       // externals do not keep what they are given
	argumentsOnly                        // calls reach nothing through global variables
	passedForgotten                      // regions do not know what calls pass
	dropLate                             // what merged vertices missed is not passed on
	dropSame                             // rules with one effect fill one vertex only
	writtenConstants                     // what initialisers set is constant, whoever changes it
	nothingExposed                       // a number leads to no object that it was not computed from
	stayingPointers                      // a pointer from outside is another value once it went through memory
	oneTypeEach                          // what a pointer from outside is followed as merges no types
	noNesting                            // no object outside lies in another
	noUnions                             // members of unions do not overlap
	nothingGiven                         // pointers from outside lead to nothing that was given away
	neverBack                            // procedures without a body call nothing that memory leads to
	strangersApart                       // pointers from outside that come from different places differ
	nothingFreed                         // no object's address is given to another one
)

func newSolver(p *core.Program, m mutation) *solver {
	s := &solver{
		prog: p, mutated: m, pointers: pointerBits(p),
		space: space{
			numbers:   map[address]int32{},
			origins:   map[originKey]int32{},
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
	s.exposed, s.unfollowed = s.newVertex(), s.newVertex()
	s.exposeAll(s.unfollowed)
	s.escaped = s.newVertex()
	s.rule(s.escaped, rule{kind: escapeRule})
	s.declare()
	return s
}

// number is the number of an address.
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
	for _, v := range s.prog.Globals {
		s.declareVar(nil, v)
	}
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
				o := &Object{Kind: Allocation, Name: siteName(names, p, i), Proc: p, Site: a}
				if size, ok := constant(a.Size); ok {
					o.Size = max(size, 0)
				}
				s.site[a] = s.addObject(o)
			}
		}
	}
	s.findMerged()
}

// findMerged finds the literals that may be one object with another: in the order of their
// texts, read from the end, such ones are side by side.
func (s *solver) findMerged() {
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
	// Each text that begins with an earlier one is behind it, and all between them are, too.
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

func (s *solver) declareVar(p *core.Proc, v *core.Var) {
	if _, known := s.varObject[v]; known || !v.InMemory() {
		return
	}
	name := v.Name
	if p != nil {
		name = p.Name + "." + name
	}
	o := s.addObject(&Object{Kind: Variable, Name: name, Var: v, Size: core.Bytes(v.Type)})
	s.varObject[v] = o
	if _, opaque := v.Type.(core.Opaque); opaque { // a formal, say: no statement sets it
		slot := s.slot(o, whole(s.objects[o].bits()))
		s.insert(numberAddress, slot)
		s.edge(s.unfollowed, slot)
	}
}

// object is the number of the object of v, a variable that lives in memory.
func (s *space) object(v *core.Var) int32 {
	o, ok := s.varObject[v]
	if !ok {
		panic("alias: no variable of the program lives in memory as " + v.Name)
	}
	return o
}

// pointerBits is the width of addresses in p.
func pointerBits(p *core.Program) int {
	bits := p.PtrBits
	if bits > 0 {
		return bits
	}
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
