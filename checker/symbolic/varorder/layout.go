package varorder

import (
	"c2bp/boolprog"
	"c2bp/checker/bdd"
	"c2bp/checker/symbolic/flow"
)

// This file assigns BDD levels to the copies of variables.

// Version selects one of the three copies of a variable.
type Version int

const (
	Entry    Version = iota // value at the entry of the procedure
	Current                 // value at the node
	Next                    // value after the edge
	Versions                // number of copies
)

// Layout assigns levels to groups; the three copies of a group are adjacent. It is the only place
// that knows the order of the variables.
type Layout struct {
	*flow.Numbering
	Place   []int        // by group: its position in the order
	ByPlace []flow.Group // by position: the group
}

// Ordering chooses an order of the variables 0 … n-1, which are numbered as they are declared.
// edges are the sets of variables that are to be close together.
type Ordering func(n int, edges [][]int32) []int32

// NewLayout numbers the variables of g, resolves its names and places the groups. choose is Force
// if it is nil. Its order is rearranged as in start unless that is nil.
func NewLayout(g *boolprog.Graph, choose Ordering, start *Order) (Layout, *flow.Flows) {
	if choose == nil {
		choose = Force
	}
	// 1. Number variables and resolve names.
	n := flow.NewNumbering(g)
	l := Layout{Numbering: n}
	f := flow.NewFlows(g, n)
	l.Place = make([]int, l.Groups())
	// 2. Order the groups.
	edges := hyperedges(g, n, f)
	order := choose(l.Groups(), edges)
	if start != nil {
		order = start.arrange(g, &l, order, edges)
	}
	// 3. Place them.
	for i, g := range order {
		l.Place[g] = i
		l.ByPlace = append(l.ByPlace, flow.Group(g))
	}
	return l, f
}

// Levels returns the number of BDD levels.
func (l *Layout) Levels() int { return int(Versions) * l.Groups() }

// Level returns the level of a copy of a group.
func (l *Layout) Level(g flow.Group, v Version) int { return int(Versions)*l.Place[g] + int(v) }

// NewStep returns the renaming of next to current copies, which follows every image.
func NewStep(m *bdd.Manager, l *Layout) *bdd.Shift {
	return m.NewShift(func(level int) int {
		if Version(level%int(Versions)) == Next {
			level += int(Current - Next)
		}
		return level
	})
}
