package symbolic

import (
	"encoding/binary"

	"c2bp/boolprog"
	"c2bp/checker/bdd"
)

// version selects one of the three copies of a variable.
type version int

const (
	entry   version = iota // value when the procedure was entered
	current                // value at the node
	next                   // value after the edge
	versions
)

// group names a variable up to the sharing of levels: globals come first, then the
// local slots that the procedures share, then the result slots. Globals that no
// expression reads have none: what they hold decides nothing.
type group int

// noGroup is that of such a global.
const noGroup group = -1

// layout assigns levels to groups; the three copies of a group are adjacent. It
// is the one place that knows the order of the variables.
type layout struct {
	globals, locals, results int     // number of groups of each kind
	place                    []int   // position of each group in the order
	byPlace                  []group // the groups by position
	global                   []group // by number in the program
	names                    []int   // of the groups that are globals: their number in the program
}

// readGlobals tells which globals occur in an expression.
func readGlobals(g *boolprog.Graph) []bool {
	read := make([]bool, len(g.Globals))
	missing := len(read)
	for _, p := range g.Procs {
		visit := func(r *boolprog.Ref) {
			if s, ok := p.Slot(r.Name); ok && s.Global && !read[s.Index] {
				read[s.Index] = true
				missing--
			}
		}
		boolprog.InspectRefs(p.Proc.Enforce, visit)
		for _, n := range p.Nodes {
			if missing == 0 {
				return read
			}
			readBy(n, visit)
		}
	}
	return read
}

// readBy visits what the expressions of a node mention.
func readBy(n *boolprog.Node, visit func(*boolprog.Ref)) {
	list := n.Values
	switch n.Kind {
	case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
		boolprog.InspectRefs(n.Cond, visit)
	case boolprog.NodeAssign:
		boolprog.InspectRefs(n.Assign.Constrain, visit)
		list = n.Assign.Rhs
	case boolprog.NodeCall:
		list = n.Call.Args
	}
	for _, e := range list {
		boolprog.InspectRefs(e, visit)
	}
}

// ordering chooses an order of the variables 0 … n-1, given as they are declared, and of
// the sets of them that are to be close together.
type ordering func(n int, edges [][]int32) []int32

// newLayout lays out the groups of g; choose is force if nil. What it chooses is arranged as
// in start, unless that is nil.
func newLayout(g *boolprog.Graph, choose ordering, start *Order) (layout, *flows) {
	if choose == nil {
		choose = force
	}
	var l layout
	for i, read := range readGlobals(g) {
		l.global = append(l.global, noGroup)
		if read {
			l.global[i] = group(l.globals)
			l.names = append(l.names, i)
			l.globals++
		}
	}
	for _, p := range g.Procs {
		l.locals = max(l.locals, len(p.Vars))
		l.results = max(l.results, p.Proc.Results)
	}
	f := newFlows(g, &l)
	l.place = make([]int, l.groups())
	edges := hyperedges(g, &l, f)
	order := choose(l.groups(), edges)
	if start != nil {
		order = start.arrange(g, &l, order, edges)
	}
	for i, g := range order {
		l.place[g] = i
		l.byPlace = append(l.byPlace, group(g))
	}
	return l, f
}

func (l *layout) groups() int           { return l.globals + l.locals + l.results }
func (l *layout) levels() int           { return int(versions) * l.groups() }
func (l *layout) local(i int) group     { return group(l.globals + i) }
func (l *layout) result(i int) group    { return group(l.globals + l.locals + i) }
func (l *layout) isGlobal(g group) bool { return int(g) < l.globals }

// level of a copy of a group.
func (l *layout) level(g group, v version) int { return int(versions)*l.place[g] + int(v) }

// order lists the groups by their place, topmost first. The list is shared.
func (l *layout) order() []group { return l.byPlace }

// slot is the group of a variable as the graph names it; it may be noGroup.
func (l *layout) slot(s boolprog.Slot) group {
	if s.Global {
		return l.global[s.Index]
	}
	return l.local(s.Index)
}

// newStep is the renaming of next to current copies, which follows an image.
func newStep(m *bdd.Manager, l *layout) *bdd.Shift {
	return m.NewShift(func(level int) int {
		if version(level%int(versions)) == next {
			level += int(current - next)
		}
		return level
	})
}

// liftOf is the renaming that turns path edges at the exit of p into its summaries:
// a callee's view into its callers'. The value of a global at the entry is in the
// current copy of the callers, that at the exit in the next copy; parameters are in
// their entry copies. What p does not modify has only a current copy in p.
func (s *Solution) liftOf(p *proc) *bdd.Shift {
	var from, to []int
	move := func(g group, v, w version) {
		from, to = append(from, s.lay.level(g, v)), append(to, s.lay.level(g, w))
	}
	for _, g := range p.inputs {
		switch {
		case !s.lay.isGlobal(g) && p.isFixed(g):
			move(g, current, entry)
		case s.lay.isGlobal(g) && !p.isFixed(g):
			move(g, entry, current)
		}
	}
	for _, g := range p.outputs {
		if s.lay.isGlobal(g) {
			move(g, current, next)
		}
	}
	var key []byte
	for i := range from {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(from[i])), uint64(to[i]))
	}
	if s.lifts[string(key)] == nil {
		s.lifts[string(key)] = s.m.NewSparseShift(from, to)
	}
	return s.lifts[string(key)]
}
