package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file follows the entry from its first node on as long as it only sets variables, chooses arbitrary numbers, and asserts
// or assumes something about what is set (initial.go).

// beginning is the parts of globals that are set then.
type beginning struct {
	scalars map[*core.Var]bool   // variables outside of memory
	ranges  map[*core.Var][]cell // bits of the others
}

// part is a variable outside of memory, or bits of one in memory.
type part struct {
	v        *core.Var
	inMemory bool
	cell     cell
}

// setParts are the parts that are set before each node of the entry. Nodes after an end of the initialisation are not
// reached.
type setParts struct {
	solver  *solver
	list    []part
	numbers map[part]int
	before  []bitset // of numbers, by node
	reached []bool
}

// initialisers returns the parts of globals that the entry sets before anything else.
func (s *solver) initialisers() *beginning {
	nodes := s.prog.Entry.Nodes
	p := &setParts{solver: s, numbers: map[part]int{}, before: make([]bitset, len(nodes)), reached: make([]bool, len(nodes))}
	p.solve(nodes)
	// 1. The parts that are set at each end.
	var set bitset
	ended := false
	for i, n := range nodes {
		if !p.reached[i] {
			continue
		}
		if _, goesOn := p.after(n, p.before[i]); goesOn && len(n.Succ) > 0 {
			continue
		}
		if !ended {
			set = slices.Clone(p.before[i])
		}
		set.meet(p.before[i])
		ended = true
	}
	// 2. Not those that were copied before they were set.
	for i, n := range nodes {
		if c, ok := n.Stmt.(*core.Copy); ok && p.reached[i] {
			v := root(c.Src)
			for k, x := range p.list {
				if x.v == v && !p.before[i].has(k) {
					set.clear(k)
				}
			}
		}
	}
	b := &beginning{scalars: map[*core.Var]bool{}, ranges: map[*core.Var][]cell{}}
	for k, x := range p.list {
		switch {
		case !set.has(k):
		case x.inMemory:
			b.ranges[x.v] = append(b.ranges[x.v], x.cell)
		default:
			b.scalars[x.v] = true
		}
	}
	return b
}

// solve computes the parts that are set before each node.
func (p *setParts) solve(nodes []*core.Node) {
	p.reached[0] = true
	for work := []int{0}; len(work) > 0; {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		after, goesOn := p.after(nodes[i], p.before[i])
		if !goesOn {
			continue
		}
		for _, j := range nodes[i].Succ {
			if !p.reached[j] {
				p.reached[j], p.before[j] = true, slices.Clone(after)
				work = append(work, j)
			} else if p.before[j].meet(after) {
				work = append(work, j)
			}
		}
	}
}

// after returns the parts that are set after n if those of before are set before it; goesOn is false where the
// initialisation ends, at a node that reads something that may not be set, or does anything else.
func (p *setParts) after(n *core.Node, before bitset) (after bitset, goesOn bool) {
	after = slices.Clone(before)
	switch n := n.Stmt.(type) {
	case *core.Skip, *core.Branch:
		return after, true
	case *core.Assert:
		return after, p.isSet(n.Cond, before)
	case *core.Assume:
		return after, p.isSet(n.Cond, before)
	case *core.Assign:
		for i, l := range n.Lhs {
			m, inMemory := l.(*core.Mem)
			if !p.isSet(n.Rhs[i], before) || inMemory && !p.isSet(m.Addr, before) {
				return after, false
			}
			p.set(&after, l)
		}
		return after, true
	case *core.Havoc:
		if n.Region || len(n.From) > 0 || n.Reads != nil {
			return after, false
		}
		for _, l := range n.Locs {
			if v, ok := l.(*core.VarRef); !n.Begin && (!ok || v.Var.InMemory()) {
				return after, false
			}
			if !n.Begin {
				p.set(&after, l)
			}
		}
		return after, true
	case *core.Fill:
		size, ok := constant(n.Size)
		if !ok || n.Byte == nil || !p.isSet(n.Byte, before) {
			return after, false
		}
		p.setRange(&after, n.Dst, 0, size*8)
		return after, true
	case *core.Data:
		p.setRange(&after, n.Dst, 0, int64(len(n.Bytes))*8)
		return after, true
	case *core.Copy:
		size, ok := constant(n.Size)
		if !ok || root(n.Src) == nil {
			return after, false
		}
		p.setRange(&after, n.Dst, 0, size*8)
		return after, true
	}
	return after, false
}

// isSet reports whether e reads nothing but variables that are set.
func (p *setParts) isSet(e core.Expr, before bitset) bool {
	set := true
	core.Walk(e, func(e core.Expr) bool {
		if l, ok := e.(core.Loc); ok {
			v, isVar := l.(*core.VarRef)
			if set = set && isVar; set && v.Var.Kind == core.Global {
				n, known := p.numbers[part{v: v.Var}]
				set = known && before.has(n)
			}
		}
		return set
	})
	return set
}

// set adds the place l to set.
func (p *setParts) set(set *bitset, l core.Loc) {
	switch l := l.(type) {
	case *core.Mem:
		first, bits := bitRange(l.Typ, l.Bit)
		p.setRange(set, l.Addr, first, bits)
	case *core.VarRef:
		if l.Var.InMemory() {
			first, bits := bitRange(l.Var.Type, 0)
			p.setRange(set, &core.AddrOf{Var: l.Var}, first, bits)
		} else {
			set.set(p.number(part{v: l.Var}))
		}
	}
}

// setRange adds bits bits from first on after address a to set, if a is a known place in a variable.
func (p *setParts) setRange(set *bitset, a core.Expr, first, bits int64) {
	v := root(a)
	if v == nil || bits >= unbounded {
		return
	}
	if r := p.solver.ref(a); r.vertex < 0 && r.stride == 0 {
		set.set(p.number(part{v: v, inMemory: true, cell: r.cell(first, bits)}))
	}
}

// number returns the number of x.
func (p *setParts) number(x part) int {
	n, known := p.numbers[x]
	if !known {
		n = len(p.list)
		p.numbers[x] = n
		p.list = append(p.list, x)
	}
	return n
}
