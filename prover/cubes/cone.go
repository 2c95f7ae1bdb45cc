package cubes

import "c2bp/logic"

// This file computes cones of influence: the predicates connected to a formula through shared
// symbols and functions, transitively. A predicate outside the cone can only matter to an
// implication by being contradictory.
//
// Functions connect because two reads of one memory region at different addresses may be one read.
// Two reads at different constant addresses, &x + 4 and &y, never are: such reads connect where
// they are the same, and to all reads of the region at addresses that are not constant. Symbols of
// addresses alone do not connect, or else all members of an object would be in one cone: an
// equation with an address stays true wherever the object lies. They count as other symbols only
// where addresses are computed with or ordered (addressed.go), or where two of the objects may
// overlap.

// cones is the partition of predicates into connected groups, kept as a union-find forest.
type cones struct {
	preds     []*logic.Term
	addresses bool             // symbols of addresses connect
	overlap   bool             // objects may overlap: their addresses connect, and reads there
	symbols   []*logic.Term    // of addresses
	group     []int            // of each predicate; the least index in the group
	owner     map[string]int   // the first predicate with a link of this name
	inMap     map[string][]int // predicates that read a map at constant addresses
	general   map[string]bool  // maps that are read at other addresses
	equations []equation       // of the predicates
	wide      *cones           // the same with addresses set; made when a formula needs it
	overlaid  *cones           // the same with overlap set
}

// links lists the names by which a formula connects to others. The formula *(&x + 4) = y has the
// names of y and of the read f@&x+4, and the map f in maps; *p = y has those of p, y and f, and f
// in general.
type links struct {
	names   []string // symbols, functions, reads at constant addresses
	maps    []string // of reads at constant addresses
	general []string // maps of other reads
}

// linksOf returns the links of f.
func (c *cones) linksOf(f *logic.Term) links {
	var l links
	// Symbols connect, those of addresses only where asked for.
	for _, s := range f.Syms() {
		if h := s.Hash(); c.addresses || c.overlap || !s.IsAddress() {
			l.names = append(l.names, "s"+string(h[:]))
		}
	}
	// A function with a fixed meaning, or of several arguments, connects by its name; a map (a
	// memory region) also by the address, if that is constant.
	for _, a := range f.Applications() {
		switch {
		case a.Op != logic.OpApp:
		case logic.HasMeaning(a.Name) || len(a.Args) != 1:
			l.names = append(l.names, "f"+a.Name)
		case constantAddress(a.Args[0]) && !c.overlap:
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

// constantAddress reports whether a is a number, or the address of an object plus a number.
func constantAddress(a *logic.Term) bool {
	base, _ := a.Displaced()
	return base.IsAddress() || a.IsConst()
}

// newCones returns the partition of preds. Whether addresses connect is decided by preds alone; see
// of for formulas that need more.
func newCones(preds []*logic.Term) *cones {
	var equations []equation
	for _, f := range preds {
		equations = appendEquations(equations, f)
	}
	symbols := addressesIn(preds...)
	return newConesWith(preds, equations, symbols, computesAddresses(equations, preds...), mayOverlap(symbols))
}

// addressesIn lists the symbols of addresses in fs, each once.
func addressesIn(fs ...*logic.Term) (list []*logic.Term) {
	seen := map[*logic.Term]bool{}
	for _, f := range fs {
		for _, s := range f.Syms() {
			if s.IsAddress() && !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	return list
}

// mayOverlap reports whether two of the objects at these addresses may overlap.
func mayOverlap(addresses []*logic.Term) bool {
	var special []*logic.Term // the others overlap these alone
	for _, a := range addresses {
		if a.Storage != nil || a.Val.Sign() == 0 {
			special = append(special, a)
		}
	}
	// Only pairs with a special address are of interest.
	for _, a := range special {
		for _, b := range addresses {
			if a != b && logic.MayOverlap(a, b) {
				return true
			}
		}
	}
	return false
}

// newConesWith returns the partition of preds under fixed rules: whether symbols of addresses
// connect, and whether objects may overlap.
func newConesWith(preds []*logic.Term, equations []equation, symbols []*logic.Term, addresses, overlap bool) *cones {
	c := &cones{
		preds: preds, equations: equations, symbols: symbols, addresses: addresses, overlap: overlap, group: make([]int, len(preds)),
		owner: map[string]int{}, inMap: map[string][]int{}, general: map[string]bool{},
	}
	for i, f := range preds {
		// 1. Merge predicates with a common link, each with the first predicate that has the link.
		c.group[i] = i
		l := c.linksOf(f)
		for _, n := range l.names {
			j, ok := c.owner[n]
			if !ok {
				c.owner[n] = i
				continue
			}
			c.merge(c.find(i), c.find(j))
		}
		// Reads at constant addresses are merged in step 2, when it is known whether there
		// are others.
		for _, n := range l.maps {
			c.inMap[n] = append(c.inMap[n], i)
		}
		for _, n := range l.general {
			c.general[n] = true
		}
	}
	// 2. Merge reads at constant addresses with the reads of the same map at other addresses.
	for n := range c.general {
		for _, i := range c.inMap[n] {
			c.merge(c.find(i), c.find(c.owner["f"+n]))
		}
	}
	// 3. Let each predicate point to the representative of its group directly.
	for i := range c.group {
		c.group[i] = c.find(i)
	}
	return c
}

// find returns the representative of the group of i: its least index.
func (c *cones) find(i int) int {
	for c.group[i] != i {
		i = c.group[i]
	}
	return i
}

// merge joins the groups of the representatives i and j, which may be one.
func (c *cones) merge(i, j int) { c.group[max(i, j)] = min(i, j) }

// of returns the predicates in the cone of f, ascending.
func (c *cones) of(f *logic.Term) []int {
	// A formula may bring computations with addresses, or objects that overlap others; then ask the
	// partition that allows for them.
	if !c.addresses && computesAddresses(c.equations, f) {
		if c.wide == nil {
			c.wide = newConesWith(c.preds, c.equations, c.symbols, true, c.overlap)
		}
		return c.wide.of(f)
	}
	if !c.overlap && mayOverlap(append(addressesIn(f), c.symbols...)) {
		if c.overlaid == nil {
			c.overlaid = newConesWith(c.preds, c.equations, c.symbols, c.addresses, true)
		}
		return c.overlaid.of(f)
	}
	// Collect the groups that share a link with f.
	in := map[int]bool{}
	put := func(name string) {
		if i, ok := c.owner[name]; ok {
			in[c.find(i)] = true
		}
	}
	l := c.linksOf(f)
	for _, n := range l.names {
		put(n)
	}
	for _, n := range l.maps { // to reads that may be anywhere
		put("f" + n)
	}
	// A read at an address that varies may be any read at a constant address.
	for _, n := range l.general {
		for _, i := range c.inMap[n] {
			in[c.find(i)] = true
		}
	}
	return c.members(func(g int) bool { return in[g] })
}

// members returns the predicates whose group satisfies in, ascending.
func (c *cones) members(in func(group int) bool) []int {
	var ps []int
	for i, g := range c.group {
		if in(g) {
			ps = append(ps, i)
		}
	}
	return ps
}

// groups returns all groups, each ascending, ordered by their first members.
func (c *cones) groups() [][]int {
	var gs [][]int
	for i, g := range c.group {
		// Only a representative has its own index.
		if g == i {
			gs = append(gs, c.members(func(g int) bool { return g == i }))
		}
	}
	return gs
}
