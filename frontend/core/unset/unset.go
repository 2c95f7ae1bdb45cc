// Package unset determines which variables and allocated objects of a program are read although
// nothing has set them, and which bytes of them.
//
//	struct dev d;              begin d                  from here on nobody has set d
//	d.n = 1;                   d.n := 1                 bytes 0 to 4 are set
//	the = &d;                  the := &d                others see d: bytes 4 to 16 may be read
//
// Such a place stands for a value from outside: programs that leave a structure as it is, and read
// it, mean any structure. A pointer there is one from outside. It is different if some path to the
// read sets the place:
//
//	int *p;  if (c) p = &x;  use(p);
//
// C leaves undefined what happens without c, as it does for any other access outside of an object;
// p points to x or, if c does not hold, nowhere. This is worth much: bytes that an initialiser
// leaves unset when it fails are never read; and no pointer leads outside from a list that the
// program has built itself.
//
// Mark is a forward data-flow analysis of each life, from the Havoc that begins it or the Alloc
// that makes it. The state at a node is the set of bytes that have been set on some path there, and
// the set of variables that may hold the address of the new object. A life is exposed where its
// address goes anywhere else: into memory, into arithmetic. From there on anybody may read it, and
// the bytes that cannot have been set by then count as read. A function of the program that is
// given the address is analysed likewise, from its entry to its returns (a summary); one without a
// body may set all.
//
//	unset.go  lives, states, the worklist
//	step.go   execution of statements
//	place.go  places of the object in expressions
package unset

import (
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// This file follows the lives of variables and objects.

// Mark notes at each Havoc with Begin, and at each Alloc, of p the bytes that are read although
// nothing has set them.
func Mark(p *core.Program) {
	m := &marker{extern: p.Extern, summaries: map[*core.Var]*life{}}
	for _, q := range p.Procs {
		for i, n := range q.Nodes {
			switch s := n.Stmt.(type) {
			case *core.Havoc:
				if s.Begin {
					s.Unset = m.begun(q, i, s)
				}
			case *core.Alloc:
				s.Unset = m.made(q, i, s)
			}
		}
	}
}

// marker marks one program.
type marker struct {
	extern    core.Extern
	summaries map[*core.Var]*life // by formal: of the object that it points to
}

// begun returns the unset bytes of each variable that s, node i of q, begins; nil if there are
// none.
func (m *marker) begun(q *core.Proc, i int, s *core.Havoc) (out []core.Ranges) {
	for k, l := range s.Locs {
		ref, ok := l.(*core.VarRef)
		if !ok {
			continue
		}
		// Follow the life of each variable.
		x := &life{marker: m, proc: q, begin: i, v: ref.Var, whole: core.Range{Off: 0, End: core.Far}}
		// A variable of unknown size has all bytes up to core.Far.
		if n := core.Bytes(ref.Var.Type); n > 0 {
			x.whole.End = n
		}
		if x.follow(nil); x.unset != nil {
			if out == nil {
				out = make([]core.Ranges, len(s.Locs))
			}
			out[k] = x.unset
		}
	}
	return out
}

// made returns the unset bytes of the object that a, node i of q, makes; nil if there are none.
func (m *marker) made(q *core.Proc, i int, a *core.Alloc) core.Ranges {
	x := &life{marker: m, proc: q, begin: i, alloc: a, whole: core.Range{Off: 0, End: core.Far}}
	if n, ok := core.ConstantOf(a.Size); ok && n > 0 {
		x.whole.End = n
	}
	name, ok := a.Lhs.(*core.VarRef)
	// An address that is stored in memory at once exposes the object.
	if !ok || !isRegister(name.Var) {
		return core.Ranges{x.whole}
	}
	x.follow(name.Var)
	return x.unset
}

// summary analyses the object that formal, of q, points to: the bytes that q reads and cannot have
// set, and those that it may have set when it returns.
func (m *marker) summary(q *core.Proc, formal *core.Var) *life {
	// A summary that is asked for while it is being made is open: the procedure calls itself.
	x := m.summaries[formal]
	if x == nil {
		x = &life{marker: m, proc: q, begin: -1, whole: core.Range{Off: -core.Far, End: core.Far}, open: true}
		m.summaries[formal] = x
		x.follow(formal)
		x.open = false
	}
	return x
}

// isRegister reports whether v is a variable that only its own procedure reads and writes.
func isRegister(v *core.Var) bool { return v.Kind != core.Global && !v.InMemory() }

// life is the life of a variable, of an object that one Alloc makes, or of the object that a formal
// points to.
type life struct {
	*marker
	proc  *core.Proc
	begin int         // node; -1 is before the first
	v     *core.Var   // nil for an object
	alloc *core.Alloc // nil for others
	whole core.Range
	open  bool // it is being followed

	results
}

// results are the results of the analysis of a life.
type results struct {
	unset   core.Ranges // bytes that are read and cannot be set
	exposed bool        // on some path anybody may read and write it
	returns bool        // the procedure returns while it is not exposed,
	left    core.Ranges // and this may be set then
}

// state is the state of the analysis at a node.
type state struct {
	set   core.Ranges        // bytes that some path there has set
	names map[*core.Var]bool // variables that may hold the address of the object
}

// clone returns a copy of s.
func (s *state) clone() *state { return &state{slices.Clone(s.set), maps.Clone(s.names)} }

// join adds the sets of t to s, and reports whether s grew. Both hold the effects of some
// path, so union is the join of paths.
func (s *state) join(t *state) (more bool) {
	set := s.set.With(t.set...)
	more = !slices.Equal(set, s.set)
	s.set = set
	for v := range t.names {
		if !s.names[v] {
			s.names[v], more = true, true
		}
	}
	return more
}

// follow analyses all paths from the beginning, where name holds the address of the object; nil for
// a variable. It sets the results. States only grow, and names and bounds of bytes are finitely
// many.
func (x *life) follow(name *core.Var) {
	// 1. A worklist: execute nodes until no state grows.
	at := map[int]*state{}
	var work []int
	arrive := func(next []int, s *state) {
		for _, k := range next {
			old := at[k]
			if old == nil {
				at[k] = s.clone()
				work = append(work, k)
			} else if old.join(s) && !slices.Contains(work, k) {
				work = append(work, k)
			}
		}
	}
	s, first := &state{names: map[*core.Var]bool{}}, []int{0}
	if name != nil {
		s.names[name] = true
	}
	// Before it the variable or object does not exist.
	if x.begin >= 0 {
		first = x.proc.Nodes[x.begin].Succ
	}
	arrive(first, s)
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if w := x.step(k, at[k]); !w.over {
			arrive(x.proc.Nodes[k].Succ, w.state)
		}
	}
	// 2. Collect the results again, from the final states only.
	// On the way a state may have lacked bytes that other paths set: reads noted then need not be
	// unset.
	x.results = results{}
	for k, s := range at {
		x.step(k, s)
	}
}
