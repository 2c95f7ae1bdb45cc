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

// setParts are the parts that are set before nodes of the entry. Sets are kept where ways join only: a program may have
// tables of thousands of elements.
type setParts struct {
	solver  *solver
	list    []part
	numbers map[part]int
	joins   map[int]bool
	before  map[int]bitset       // of numbers, by node in joins
	ends    bitset               // before each end of the initialisation
	ended   bool                 // there is one
	copied  map[*core.Var]bitset // before each copy of bits of a variable
}

// initialisers returns the parts of globals that the entry sets before anything else.
func (s *solver) initialisers() *beginning {
	p := &setParts{solver: s, numbers: map[part]int{}, joins: map[int]bool{}, before: map[int]bitset{}, copied: map[*core.Var]bitset{}}
	p.solve(s.prog.Entry.Nodes)
	b := &beginning{scalars: map[*core.Var]bool{}, ranges: map[*core.Var][]cell{}}
	for k, x := range p.list {
		copied, isCopied := p.copied[x.v]
		switch {
		// Not what was copied before it was set.
		case !p.ends.has(k), isCopied && !copied.has(k):
		case x.inMemory:
			b.ranges[x.v] = append(b.ranges[x.v], x.cell)
		default:
			b.scalars[x.v] = true
		}
	}
	return b
}

// solve follows all ways from the first node, again where fewer parts are set than before.
func (p *setParts) solve(nodes []*core.Node) {
	// 1. Where do ways join? The first node has one from the start.
	reached := map[int]bool{0: true}
	for _, n := range nodes {
		for _, j := range n.Succ {
			p.joins[j] = p.joins[j] || reached[j]
			reached[j] = true
		}
	}
	// 2. Follow each way up to a join at which nothing is new, or an end.
	type way struct {
		node int
		set  bitset
	}
	for work := []way{{}}; len(work) > 0; {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		for p.enter(w.node, &w.set) {
			n := nodes[w.node]
			if !p.pass(n, &w.set) || len(n.Succ) == 0 {
				p.end(w.set)
				break
			}
			for _, j := range n.Succ[1:] {
				work = append(work, way{j, slices.Clone(w.set)})
			}
			w.node = n.Succ[0]
		}
	}
}

// enter takes a way on which set is set to node i, and reports whether it leads on: set is then the parts that are set on each
// way to there.
func (p *setParts) enter(i int, set *bitset) bool {
	if !p.joins[i] {
		return true
	}
	if old, known := p.before[i]; known {
		if !old.meet(*set) {
			return false
		}
		*set = slices.Clone(old)
	} else {
		p.before[i] = slices.Clone(*set)
	}
	return true
}

// end notes an end of the initialisation.
func (p *setParts) end(set bitset) {
	if !p.ended {
		p.ends, p.ended = slices.Clone(set), true
	}
	p.ends.meet(set)
}

// pass adds the parts that n sets to set; it reports false, and adds nothing, where the initialisation ends: at a node that
// reads something that may not be set, or does anything else.
func (p *setParts) pass(n *core.Node, set *bitset) bool {
	switch n := n.Stmt.(type) {
	case *core.Skip, *core.Branch:
		return true
	case *core.Assert:
		return p.isSet(n.Cond, *set)
	case *core.Assume:
		return p.isSet(n.Cond, *set)
	case *core.Assign:
		for i, l := range n.Lhs {
			m, inMemory := l.(*core.Mem)
			if !p.isSet(n.Rhs[i], *set) || inMemory && !p.isSet(m.Addr, *set) {
				return false
			}
		}
		for _, l := range n.Lhs {
			p.set(set, l)
		}
		return true
	case *core.Havoc:
		return p.passHavoc(n, set)
	case *core.Fill:
		size, ok := constant(n.Size)
		if !ok || n.Byte == nil || !p.isSet(n.Byte, *set) {
			return false
		}
		p.setRange(set, n.Dst, 0, size*8)
		return true
	case *core.Data:
		p.setRange(set, n.Dst, 0, int64(len(n.Bytes))*8)
		return true
	case *core.Copy:
		size, ok := constant(n.Size)
		from := root(n.Src)
		if !ok || from == nil {
			return false
		}
		p.copies(from, *set)
		p.setRange(set, n.Dst, 0, size*8)
		return true
	}
	return false
}

// passHavoc is pass for a choice of numbers, or the begin of the life of variables.
func (p *setParts) passHavoc(n *core.Havoc, set *bitset) bool {
	switch {
	case n.Region || len(n.From) > 0 || n.Reads != nil:
		return false
	case n.Begin:
		return true
	}
	for _, l := range n.Locs {
		if v, ok := l.(*core.VarRef); !ok || v.Var.InMemory() {
			return false
		}
	}
	for _, l := range n.Locs {
		p.set(set, l)
	}
	return true
}

// copies notes that bits of v are copied where set is set.
func (p *setParts) copies(v *core.Var, set bitset) {
	old, known := p.copied[v]
	if !known {
		old = slices.Clone(set)
		p.copied[v] = old
	}
	old.meet(set)
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
