package prover

import (
	"math/big"

	"c2bp/logic"
)

// This file computes cones of influence: the predicates connected to a formula
// through shared symbols and functions, transitively. A predicate outside can only
// matter to an implication by being contradictory.
//
// Functions connect because two reads of one memory region at different addresses may
// be one read. Two reads at addresses that are constant, &x + 4 and &y, never are:
// such reads connect where they are the same, and to all reads of the region at
// addresses that are not constant. The symbols of addresses do not connect by
// themselves (else all members of an object would be in one cone): what is equal to
// an address stays so wherever the object lies. Only where addresses are computed
// with or ordered (addressed.go), do they count as other symbols.

// cones is the partition of predicates into connected groups.
type cones struct {
	preds     []*logic.Term
	addresses bool  // symbols of addresses connect
	group     []int // of each predicate; the least index in the group
	owner     map[string]int
	inMap     map[string][]int // predicates that read a map at constant addresses
	general   map[string]bool  // maps that are read at other addresses
	equations []equation       // of the predicates
	wide      *cones           // likewise with addresses, made when a formula needs it
}

// links is what connects a formula.
type links struct {
	names   []string // symbols, functions, reads at constant addresses
	maps    []string // of reads at constant addresses
	general []string // maps of other reads
}

func linksOf(f *logic.Term, addresses bool) links {
	var l links
	for _, s := range f.Syms() {
		if h := s.Hash(); addresses || !s.IsAddress() {
			l.names = append(l.names, "s"+string(h[:]))
		}
	}
	for _, a := range applications(f) {
		switch {
		case a.Op != logic.OpApp:
		case logic.HasMeaning(a.Name) || len(a.Args) != 1:
			l.names = append(l.names, "f"+a.Name)
		case constantAddress(a.Args[0]):
			h := a.Args[0].Hash()
			l.names = append(l.names, "f"+a.Name+"@"+string(h[:]))
			l.maps = append(l.maps, a.Name)
		default:
			l.names = append(l.names, "f"+a.Name)
			l.general = append(l.general, a.Name)
		}
	}
	return l
}

// constantAddress reports whether a is a number or the address of an object plus a
// number.
func constantAddress(a *logic.Term) bool {
	if a.IsAddress() || a.IsConst() {
		return true
	}
	return a.Op == logic.OpSum && len(a.Args) == 1 && a.Args[0].IsAddress() && a.Coef[0].Cmp(big.NewInt(1)) == 0
}

func newCones(preds []*logic.Term) *cones {
	var equations []equation
	for _, f := range preds {
		equations = appendEquations(equations, f)
	}
	return newConesWith(preds, equations, computesAddresses(equations, preds...))
}

func newConesWith(preds []*logic.Term, equations []equation, addresses bool) *cones {
	c := &cones{
		preds: preds, equations: equations, addresses: addresses, group: make([]int, len(preds)),
		owner: map[string]int{}, inMap: map[string][]int{}, general: map[string]bool{},
	}
	for i, f := range preds {
		c.group[i] = i
		l := linksOf(f, addresses)
		for _, n := range l.names {
			j, ok := c.owner[n]
			if !ok {
				c.owner[n] = i
				continue
			}
			c.merge(c.find(i), c.find(j))
		}
		for _, n := range l.maps {
			c.inMap[n] = append(c.inMap[n], i)
		}
		for _, n := range l.general {
			c.general[n] = true
		}
	}
	for n := range c.general {
		for _, i := range c.inMap[n] {
			c.merge(c.find(i), c.find(c.owner["f"+n]))
		}
	}
	for i := range c.group {
		c.group[i] = c.find(i)
	}
	return c
}

func (c *cones) find(i int) int {
	for c.group[i] != i {
		i = c.group[i]
	}
	return i
}

func (c *cones) merge(i, j int) { c.group[max(i, j)] = min(i, j) }

// of returns the predicates in the cone of f, ascending.
func (c *cones) of(f *logic.Term) []int {
	if !c.addresses && computesAddresses(c.equations, f) {
		if c.wide == nil {
			c.wide = newConesWith(c.preds, c.equations, true)
		}
		return c.wide.of(f)
	}
	in := map[int]bool{}
	put := func(name string) {
		if i, ok := c.owner[name]; ok {
			in[c.find(i)] = true
		}
	}
	l := linksOf(f, c.addresses)
	for _, n := range l.names {
		put(n)
	}
	for _, n := range l.maps { // to reads that may be anywhere
		put("f" + n)
	}
	for _, n := range l.general {
		for _, i := range c.inMap[n] {
			in[c.find(i)] = true
		}
	}
	return c.members(func(g int) bool { return in[g] })
}

func (c *cones) members(in func(group int) bool) []int {
	var ps []int
	for i, g := range c.group {
		if in(g) {
			ps = append(ps, i)
		}
	}
	return ps
}

// groups returns all groups, each ascending, by their first member.
func (c *cones) groups() [][]int {
	var gs [][]int
	for i, g := range c.group {
		if g == i {
			gs = append(gs, c.members(func(g int) bool { return g == i }))
		}
	}
	return gs
}
