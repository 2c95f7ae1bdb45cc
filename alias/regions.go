package alias

import (
	"fmt"
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// This file partitions the memory accesses of a program into regions. In
//
//	struct dev { int lock; int n; } a, b, *p = in() ? &a : &b;
//	p->lock = 1; a.n = 2; b.n = 3;
//
// p->lock is one of two cells, which so are in one region, a.lock; a.n and b.n are two more regions. A
// formula then has one map from addresses to values for each region, and a write to one of them leaves
// the others as they are.

// Regions is a partition of the memory accesses of a program: two that may overlap are in one region,
// so that one map from addresses to values represents each region. It is built from the cells of all
// accesses by union-find: cells that overlap are joined, and cells that one access may be.
type Regions struct {
	result  *Result
	seen    map[cellsOf]int // a cell of each access
	parent  []int           // union-find over cells
	cells   []writtenCell
	number  map[writtenCell]int
	byObj   map[int32][]int // cells of each object
	fields  []string        // name of the member at each cell, if known
	escaped []int           // cells of objects that have escaped
	region  []int           // of each cell's root
	names   []string

	accessed map[int]map[core.Int]bool // the integers as which each cell is accessed
	types    []map[core.Int]bool       // the same, of regions
	mixed    map[core.Int]bool         // signed ones that some region has with the unsigned ones of their size
}

// Regions partitions the accesses to scalars in the program, including the parts of its copies and
// all scalar variables in memory, and in the expressions extra: predicates.
func (r *Result) Regions(extra []core.Expr) *Regions {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := &Regions{
		result: r,
		seen:   map[cellsOf]int{},
		number: map[writtenCell]int{},
		byObj:  map[int32][]int{},

		accessed: map[int]map[core.Int]bool{},
		mixed:    map[core.Int]bool{},
	}
	// 1. Collect the cells of all accesses.
	g.addVariables(r.prog.Globals)
	for _, p := range r.prog.Procs {
		g.addVariables(p.Formals)
		g.addVariables(p.Locals)
		for _, n := range p.Nodes {
			core.StmtExprs(n.Stmt, g.addAll)
			switch s := n.Stmt.(type) {
			case *core.Copy:
				g.addParts(s.Dst, s.Parts)
				g.addParts(s.Src, s.Parts)
			case *core.Call:
				g.addPassed(s)
			}
		}
	}
	for _, e := range extra {
		g.addAll(e)
	}
	// 2. Join cells that overlap, and number the classes.
	g.joinOverlapping()
	g.finish()
	return g
}

// addVariables adds those of vars that are scalars in memory.
func (g *Regions) addVariables(vars []*core.Var) {
	for _, v := range vars {
		if v.InMemory() && isScalar(v.Type) {
			g.access(v.Ref())
		}
	}
}

// addAll adds the accesses in e.
func (g *Regions) addAll(e core.Expr) {
	core.Walk(e, func(e core.Expr) bool {
		if l, ok := e.(core.Loc); ok && isAccess(l) {
			g.access(l)
		}
		if v, ok := e.(*core.VarRef); ok && v.Var.Init != nil {
			g.addAll(v.Var.Init)
		}
		return true
	})
}

// isAccess reports whether l is a scalar in memory.
func isAccess(l core.Loc) bool {
	if v, ok := l.(*core.VarRef); ok && !v.Var.InMemory() {
		return false
	}
	return isScalar(l.Type())
}

// addParts adds the scalars that are known to be at address a.
func (g *Regions) addParts(a core.Expr, parts []core.Part) {
	for _, p := range parts {
		at := core.Expr(&core.Offset{X: a, Off: p.Off})
		if p.Count > 1 {
			i := &core.VarRef{Var: &core.Var{Name: "i", Type: core.Int64, Kind: core.Temp}}
			at = &core.Index{X: at, I: i, Size: core.Bytes(p.Typ), Count: p.Count}
		}
		g.access(&core.Mem{Addr: at, Typ: p.Typ, Bit: p.Bit})
	}
}

// addPassed adds the reads by which c passes a struct: the scalars of it that a callee uses, at the
// address that the argument is. Only the callee says which ones these are; a weakest precondition
// replaces reads of the formal by reads there.
func (g *Regions) addPassed(c *core.Call) {
	callees, _ := g.result.targets(c)
	for _, p := range callees {
		for i, v := range p.Formals {
			if _, isAgg := v.Type.(core.Agg); isAgg && i < len(c.Args) && c.Args[i] != nil && p.HasBody() {
				g.addParts(c.Args[i], core.PartsOf(p, v))
			}
		}
	}
}

// access adds l, all of whose cells are in one region: the map of the region must have an entry for
// l wherever it is.
func (g *Regions) access(l core.Loc) {
	key := g.keyOf(l)
	if n, known := g.seen[key]; known {
		if g.fields[n] == "" {
			g.fields[n] = fieldOf(l)
		}
		g.addType(n, l)
		return
	}
	// Join the cells that l may be.
	first := -1
	for _, c := range g.cellsOf(key) {
		n, ok := g.number[c]
		if !ok {
			n = len(g.cells)
			g.number[c] = n
			g.cells = append(g.cells, c)
			g.parent = append(g.parent, n)
			g.fields = append(g.fields, "")
			g.byObj[c.object] = append(g.byObj[c.object], n)
			if g.result.solver.objects[c.object].Escaped {
				g.escaped = append(g.escaped, n)
			}
		}
		if g.fields[n] == "" {
			g.fields[n] = fieldOf(l)
		}
		if first >= 0 {
			g.join(first, n)
		}
		first = n
	}
	g.seen[key] = first
	g.addType(first, l)
}

// addType notes the type of l, an access to cell n.
func (g *Regions) addType(n int, l core.Loc) {
	if !isStoredAsBytes(l) {
		return
	}
	if g.accessed[n] == nil {
		g.accessed[n] = map[core.Int]bool{}
	}
	g.accessed[n][l.Type().(core.Int)] = true
}

// Stored returns the type as which the place l is to be read, of the same size as its own: the
// signed one if its region has accesses of both signs, so that one place is read as one value. (It
// is the signed one since a sum that overflows has no signed value, while an unsigned one would
// wrap around.)
func (g *Regions) Stored(l core.Loc) core.Type {
	t, isInt := l.Type().(core.Int)
	signed := core.Int{Bits: t.Bits, Signed: true}
	if !isInt || t.Signed || !g.mixed[signed] || !isStoredAsBytes(l) {
		return l.Type()
	}
	if region := g.Of(l); region < 0 || !g.types[region][signed] {
		return t
	}
	return signed
}

// isStoredAsBytes reports whether l is an integer as which any bytes can be read: one of whole
// bytes, neither _Bool nor a floating-point number.
func isStoredAsBytes(l core.Loc) bool {
	t, isInt := l.Type().(core.Int)
	m, isMem := l.(*core.Mem)
	return isInt && !t.Bool && !t.Float && t.Bits%8 == 0 && !(isMem && m.Bit != 0)
}

// keyOf returns the cells that l may be.
func (g *Regions) keyOf(l core.Loc) cellsOf {
	switch l := l.(type) {
	case *core.VarRef:
		first, bits := bitRange(l.Var.Type, 0)
		return cellsOf{g.result.exactly(g.result.solver.object(l.Var)), first, bits}
	case *core.Mem:
		first, bits := bitRange(l.Typ, l.Bit)
		return cellsOf{g.result.eval(l.Addr), first, bits}
	}
	panic(fmt.Sprintf("alias: %T is no location", l))
}

// cellsOf lists the cells of key. A place that may be nowhere in the program is outside.
func (g *Regions) cellsOf(key cellsOf) []writtenCell {
	var out []writtenCell
	for _, t := range g.result.set(key.set).targets {
		switch o := t.Object; {
		// Everything outside is one cell.
		case o.Kind == Outside:
			out = append(out, writtenCell{o.id, whole(0)})
		case o.isMemory():
			if c, ok := t.cell(key.first, key.bits).in(o.bits()); ok {
				out = append(out, writtenCell{o.id, c})
			}
		}
	}
	if len(out) == 0 {
		out = append(out, writtenCell{outsideObject, whole(0)})
	}
	return out
}

// fieldOf returns the name of the member that l accesses, "" if it has none.
func fieldOf(l core.Loc) string {
	m, ok := l.(*core.Mem)
	if !ok {
		return ""
	}
	name := ""
	for a := m.Addr; ; {
		switch x := a.(type) {
		// A member is named after those that it is in.
		case *core.Offset:
			if x.Field == "" {
				return name
			}
			name = "." + x.Field + name
			a = x.X
		case *core.Index:
			name = "[]" + name
			a = x.X
		default:
			return name
		}
	}
}

// find returns the root of n, and halves the path to it.
func (g *Regions) find(n int) int {
	for g.parent[n] != n {
		g.parent[n] = g.parent[g.parent[n]]
		n = g.parent[n]
	}
	return n
}

// join unifies the classes of a and b; the lower root stays.
func (g *Regions) join(a, b int) {
	a, b = g.find(a), g.find(b)
	g.parent[max(a, b)] = min(a, b)
}

// joinOverlapping joins cells that have bits in common, and those of escaped objects with the
// outside if that is accessed.
func (g *Regions) joinOverlapping() {
	for i := range g.result.solver.objects {
		list := g.byObj[int32(i)]
		// 1. Within each object.
		for j, a := range list {
			for _, b := range list[:j] {
				if g.find(a) != g.find(b) && g.cells[a].cell.overlaps(g.cells[b].cell) {
					g.join(a, b)
				}
			}
		}
	}
	// 2. Escaped objects and the outside.
	if outside := g.byObj[outsideObject]; len(outside) > 0 {
		for _, n := range g.escaped {
			g.join(outside[0], n)
		}
	}
}

// finish numbers the regions in the order of their first cells.
func (g *Regions) finish() {
	// 1. Order the cells by object and offset.
	g.region = make([]int, len(g.cells))
	order := make([]int, len(g.cells))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := g.cells[a], g.cells[b]
		if x.object != y.object {
			return int(x.object - y.object)
		}
		return x.cell.compare(y.cell)
	})
	// 2. Number the roots, name the regions, and collect their types.
	for i := range g.region {
		g.region[i] = -1
	}
	taken := map[string]int{}
	for _, n := range order {
		root := g.find(n)
		if g.region[root] < 0 {
			g.region[root] = len(g.names)
			g.names = append(g.names, g.regionName(taken, n))
			g.types = append(g.types, map[core.Int]bool{})
		}
		maps.Copy(g.types[g.region[root]], g.accessed[n])
	}
	// 3. Note the integers that a region has with both signs.
	for _, types := range g.types {
		for t := range types {
			if t.Signed && types[core.Int{Bits: t.Bits}] {
				g.mixed[t] = true
			}
		}
	}
}

// regionName returns a name for the region whose first cell is n.
func (g *Regions) regionName(taken map[string]int, n int) string {
	c := g.cells[n]
	o := g.result.solver.objects[c.object]
	name := o.Name
	// The first object, with a member or an offset.
	switch {
	case o.Kind == Outside:
	case g.fields[n] != "":
		name += g.fields[n]
	case c.cell.off != 0 || c.cell.stride != 0:
		name += c.cell.String()
	}
	taken[name]++
	if k := taken[name]; k > 1 {
		name += fmt.Sprintf("#%d", k)
	}
	return name
}

// Len returns the number of regions.
func (g *Regions) Len() int { return len(g.names) }

// Name returns the name of region i for people: dev.lock, alloc@f.c:12+8.
func (g *Regions) Name(i int) string { return g.names[i] }

// Of returns the region of an access to a scalar in memory: one of the program, of the extra
// expressions, or one that a weakest precondition makes of those by substituting assigned values
// for variables. It is -1 if nothing like l is accessed.
func (g *Regions) Of(l core.Loc) int {
	found, other := g.of(l)
	if found != other {
		panic("alias: " + core.ExprString(l) + " is in the regions " + g.names[found] + " and " + g.names[other])
	}
	return found
}

// Know reports whether Of can be asked about l, which may be any location: no two regions have a
// part in it.
func (g *Regions) Know(l core.Loc) bool {
	found, other := g.of(l)
	return found == other
}

// Open reports whether the array bounds in l exclude nothing: every access in its region, to an
// object that l may be in, may be to bits of l. Then the effect of a write does not depend on
// whether the bounds hold: dev.regs[i] is open if everything in its region is an element of
// dev.regs.
func (g *Regions) Open(l core.Loc) bool {
	found, other := g.of(l)
	if found != other {
		return false
	}
	g.result.mu.Lock()
	defer g.result.mu.Unlock()
	// 1. The cells that l may be.
	mine := map[int32][]cell{}
	for _, c := range g.cellsOf(g.keyOf(l)) {
		mine[c.object] = append(mine[c.object], c.cell)
	}
	// 2. Is there an access in the region that none of them overlaps?
	for object, list := range mine {
		for _, n := range g.byObj[object] {
			met := slices.ContainsFunc(list, func(c cell) bool { return c.overlaps(g.cells[n].cell) })
			if g.region[g.find(n)] == found && !met {
				return false
			}
		}
	}
	return true
}

// of returns the region of l twice, or two different regions that it is in.
func (g *Regions) of(l core.Loc) (found, other int) {
	g.result.mu.Lock()
	defer g.result.mu.Unlock()
	found = -1
	for _, c := range g.cellsOf(g.keyOf(l)) {
		for _, n := range g.overlapping(c) {
			r := g.region[g.find(n)]
			if found >= 0 && found != r {
				return found, r
			}
			found = r
		}
	}
	return found, found
}

// overlapping returns the cells that c may have bits in common with.
func (g *Regions) overlapping(c writtenCell) []int {
	if n, ok := g.number[c]; ok {
		return []int{n}
	}
	var out []int
	if g.result.solver.objects[c.object].Escaped {
		out = append(out, g.byObj[outsideObject]...)
	}
	for _, n := range g.byObj[c.object] {
		if c.cell.overlaps(g.cells[n].cell) {
			out = append(out, n)
		}
	}
	return out
}
