package flow

import "c2bp/boolprog"

// This file numbers the variables of a program.

// Group is the number of a variable. Globals come first, then the local slots, then the result
// slots. Procedures share the slots: local 3 of one procedure and local 3 of another are the same
// group. Globals that no expression reads have no group, since their values decide nothing.
type Group int

// NoGroup stands for a global without a group.
const NoGroup Group = -1

// Numbering is the groups of a program.
type Numbering struct {
	Globals, Locals, results int     // number of groups of each kind
	Global                   []Group // by number of the global in the program
	Names                    []int   // by group: number of the global in the program
}

// NewNumbering numbers the variables of g.
func NewNumbering(g *boolprog.Graph) *Numbering {
	n := &Numbering{}
	// 1. Number the globals that are read.
	for i, read := range readGlobals(g) {
		n.Global = append(n.Global, NoGroup)
		if read {
			n.Global[i] = Group(n.Globals)
			n.Names = append(n.Names, i)
			n.Globals++
		}
	}
	// 2. Reserve as many slots as the largest procedure needs.
	for _, p := range g.Procs {
		n.Locals = max(n.Locals, len(p.Vars))
		n.results = max(n.results, p.Proc.Results)
	}
	return n
}

// Groups returns the number of groups.
func (n *Numbering) Groups() int { return n.Globals + n.Locals + n.results }

// Local returns the group of local slot i; parameters are the first slots.
func (n *Numbering) Local(i int) Group { return Group(n.Globals + i) }

// Result returns the group of result slot i.
func (n *Numbering) Result(i int) Group { return Group(n.Globals + n.Locals + i) }

// IsGlobal reports whether g is a global.
func (n *Numbering) IsGlobal(g Group) bool { return int(g) < n.Globals }

// IsResult reports whether g is a result slot.
func (n *Numbering) IsResult(g Group) bool { return int(g) >= n.Globals+n.Locals }

// Slot returns the group of a variable as the graph names it; it may be NoGroup.
func (n *Numbering) Slot(s boolprog.Slot) Group {
	if s.Global {
		return n.Global[s.Index]
	}
	return n.Local(s.Index)
}

// GroupOf returns the group that a name denotes in p. The name is declared.
func (n *Numbering) GroupOf(p *boolprog.ProcGraph, name string) Group {
	s, ok := p.Slot(name)
	if !ok {
		panic("undeclared variable " + name) // boolprog.Check has passed
	}
	return n.Slot(s)
}

// readGlobals reports, by number in the program, which globals occur in an expression. It stops
// when all do.
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
		// Enforce clauses read, too.
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

// readBy visits the variables in the expressions of a node.
func readBy(n *boolprog.Node, visit func(*boolprog.Ref)) {
	// Values are of returns; the other kinds have expressions of their own.
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
