package refs

import (
	"fmt"
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file finds the objects of a type: in variables by their declared types, in other memory by the places
// that the program reads and writes there.

// access is a place that the program reads or writes as a member of a struct type.
type access struct {
	mem    *core.Mem
	record *core.Record // the type
	off    int64        // of the place in it
	name   string       // of the member, "" if it is a part of one
	object core.Expr    // the address of the struct
	first  alias.Set    // its targets
}

// findAccesses lists the accesses of a program.
func findAccesses(prog *core.Program, result *alias.Result) (list []access) {
	for _, q := range prog.Procs {
		for _, n := range q.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					if o, ok := e.(*core.Offset); ok && o.Of != nil && o.X != nil {
						at := firstByte(o)
						list = append(list, access{mem: &core.Mem{Addr: o, Typ: core.Uint8}, record: o.Of, off: o.Member, object: at, first: result.PointsTo(at)})
					}
					if m, ok := e.(*core.Mem); ok {
						if o, ok := m.Addr.(*core.Offset); ok && o.Of != nil {
							at := firstByte(o)
							list = append(list, access{mem: m, record: o.Of, off: o.Member, name: o.Field, object: at, first: result.PointsTo(at)})
						}
					}
					return true
				})
			})
		}
	}
	return list
}

// firstByte returns the address of the struct whose member is at o.
func firstByte(o *core.Offset) core.Expr {
	if o.Off == o.Member {
		return o.X
	}
	return &core.Offset{X: o.X, Off: o.Off - o.Member}
}

// part is objects of a class in an object in memory: count of them from an offset on, each stride bytes after the
// one before. There is more between these if they are parts of the elements of an array.
type part struct {
	off, count, stride int64
	class              *Class
}

// unbounded is the number of objects in memory of a size that is not known.
const unbounded = int64(1) << 31

// one returns the part that is a single object of a class at an offset.
func one(off int64, c *Class) part { return part{off, 1, c.Record.Size, c} }

// has reports whether one of the objects of x begins at an offset.
func (x part) has(off int64) bool {
	n := off - x.off
	return n >= 0 && n%x.stride == 0 && n/x.stride < x.count
}

// covers reports whether a byte at an offset is in one of the objects of x.
func (x part) covers(off int64) bool {
	n := off - x.off
	return n >= 0 && n/x.stride < x.count && n%x.stride < x.class.Record.Size
}

// end returns the offset just after the last object of x.
func (x part) end() int64 { return x.off + (x.count-1)*x.stride + x.class.Record.Size }

// all reports whether one of the objects of x begins at each address of a target.
func (x part) all(t alias.Target) bool {
	switch {
	case t.Stride == 0:
		return x.has(t.Off)
	case t.Stride%x.stride != 0 || !x.has(t.Off):
		return false
	case t.Count > 0:
		return x.has(t.Off + (t.Count-1)*t.Stride)
	}
	// Any address of the object in memory.
	if t.Object.Size == 0 {
		return x.count == unbounded && x.off < t.Stride
	}
	return x.has(t.Off + (t.Object.Size-1-t.Off)/t.Stride*t.Stride)
}

// overlaps reports whether objects of x and y have bytes in common.
func (x part) overlaps(y part) bool {
	if x.off >= y.end() || y.off >= x.end() {
		return false
	}
	// Parts of the elements of one array.
	if x.stride == y.stride && x.count > 1 && y.count > 1 {
		n := (y.off%x.stride - x.off%x.stride + x.stride) % x.stride
		return n < x.class.Record.Size || x.stride-n < y.class.Record.Size
	}
	return true
}

// any returns an address in variable v that has those of x.
func (x part) any(v *core.Var, t core.Ptr) core.Expr {
	e := element(v, x.off, t)
	if x.count == 1 {
		return e
	}
	some := &core.Var{Name: "some", Type: core.Int32, Kind: core.Ghost}
	return &core.Index{X: e, I: some.Ref(), Size: x.stride, Count: x.count}
}

// classesAt returns the classes of the objects that begin at all addresses of a target: each lies in those before
// it.
func (p *Plan) classesAt(t alias.Target) (list []*Class) {
	for _, x := range p.parts[t.Object] {
		if x.all(t) {
			list = append(list, x.class)
		}
	}
	return list
}

// findObjects finds the objects of a class, or the reason not to keep it.
func (p *Plan) findObjects(c *Class) (why string) {
	r := c.Record
	if r.Size == 0 {
		return "its size is not known, or 0"
	}
	// 1. Parts of objects of other classes.
	if why := p.findInner(c); why != "" {
		return why
	}
	// 2. Variables: as declared, whether they are used or not.
	found := map[*alias.Object][]part{}
	for _, o := range p.result.Objects() {
		if o.Var != nil && o.Var.Declared != nil {
			if list := declared(*o.Var.Declared, c); len(list) > 0 {
				found[o] = list
			}
		}
	}
	// 3. Allocations: in objects of other classes, where they are used as it, and where pointers to it lead.
	for o, list := range p.parts {
		if o.Site != nil {
			found[o] = append(found[o], innerParts(list, c)...)
		}
	}
	claim := func(t alias.Target) string {
		if t.Object.Site == nil || slices.ContainsFunc(found[t.Object], func(x part) bool { return x.all(t) }) {
			return ""
		}
		list, ok := claimed(found[t.Object], t, c)
		if !ok {
			return fmt.Sprintf("objects of it in %s are not one after the other", t.Object.Name)
		}
		found[t.Object] = list
		return ""
	}
	for _, a := range p.accesses {
		if a.record != r {
			continue
		}
		for _, t := range a.first.Targets() {
			if why := claim(t); why != "" {
				return why
			}
		}
	}
	p.eachVar(func(v *core.Var) {
		if v.To != r || v.InMemory() {
			return
		}
		for _, t := range p.result.PointsTo(v.Ref()).Targets() {
			if t.Object.Site != nil && t.Off == 0 && t.Stride == 0 && !p.usedOtherwise(t.Object, r) && len(found[t.Object]) == 0 {
				found[t.Object] = []part{one(0, c)}
			}
		}
	})
	// 4. Each as a whole, once, and of one class.
	for _, o := range p.result.Objects() {
		list := found[o]
		if len(list) == 0 {
			continue
		}
		// A global one is made where the program starts, once.
		if o.Var != nil && o.Var.Kind == core.Global && !p.result.EntryRunsOnce() {
			return fmt.Sprintf("%s is one object, but the function that the program starts with, and that makes it, is called", o.Name)
		}
		if n, ok := size(o); ok && o.Site != nil && slices.ContainsFunc(list, func(x part) bool { return n < x.off+r.Size }) {
			return fmt.Sprintf("%s is smaller", o.Name)
		}
		for _, x := range list {
			for _, y := range p.parts[o] {
				if x.overlaps(y) && !y.holds(x) {
					return fmt.Sprintf("%s is used as %s, too", o.Name, y.class.Record.Name)
				}
			}
		}
	}
	for o, list := range found {
		p.parts[o] = append(p.parts[o], list...)
		if o.Var != nil {
			p.byVar[o.Var] = append(p.byVar[o.Var], list...)
		}
		if o.Site != nil {
			p.bySite[o.Site] = append(p.bySite[o.Site], list...)
		}
	}
	return ""
}

// size returns the size of an object in memory, and whether it is known.
func size(o *alias.Object) (n int64, ok bool) {
	if o.Site != nil {
		return core.ConstantOf(o.Site.Size)
	}
	return o.Size, o.Size > 0
}

// usedOtherwise reports whether an allocation is used as another type than r, or one that is a part of r.
func (p *Plan) usedOtherwise(o *alias.Object, r *core.Record) bool {
	for _, a := range p.accesses {
		if a.record == r || contains(r, a.record) {
			continue
		}
		for _, t := range a.first.Targets() {
			if t.Object == o {
				return true
			}
		}
	}
	return false
}

// declared lists the objects of a class in one of a declared type, the first of which is at byte 0. Those in
// unions share their bytes with others and are left out, as are arrays of arrays.
func declared(m core.Member, c *Class) (list []part) {
	switch {
	case m.Record == nil || m.Count == core.OpenEnd:
	case m.Record == c.Record:
		list = append(list, part{m.Off, m.Count, m.Size, c})
	case !isUnion(m.Record):
		for _, inner := range m.Record.Members {
			for _, x := range declared(inner, c) {
				x.off += m.Off
				switch {
				case m.Count == 1:
					list = append(list, x)
				case x.count == 1: // one in each element
					list = append(list, part{x.off, m.Count, m.Size, c})
				}
			}
		}
	}
	return list
}

// isUnion reports whether members of r have bytes in common.
func isUnion(r *core.Record) bool {
	for i, m := range r.Members {
		for _, n := range r.Members[:i] {
			if m.Off < n.Off+n.Size && n.Off < m.Off+m.Size {
				return true
			}
		}
	}
	return false
}

// claimed returns the objects of a class in an allocation in which some are known, with those at a target;
// ok is false if they are not one after the other.
func claimed(list []part, t alias.Target, c *Class) (_ []part, ok bool) {
	size := c.Record.Size
	// 1. One object, the same as before.
	if t.Stride == 0 && (len(list) == 0 || list[0] == one(t.Off, c)) {
		return []part{one(t.Off, c)}, true
	}
	// 2. An array from the first byte on.
	if t.Off%size != 0 || t.Stride%size != 0 || len(list) > 0 && list[0].off != 0 {
		return nil, false
	}
	return []part{{0, unbounded, size, c}}, true
}

// contains reports whether an object of type inner may lie in one of type r, and is not r itself.
func contains(r, inner *core.Record) bool {
	if r == inner {
		return false
	}
	for _, m := range r.Members {
		if m.Record != nil && (m.Record == inner || contains(m.Record, inner)) {
			return true
		}
	}
	return false
}

// Record returns the struct or union type of that name that a program mentions; nil if there is none.
func Record(prog *core.Program, name string) *core.Record {
	for _, r := range prog.Records() {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// isMixed reports whether a pointer from outside that is declared to point to objects of class c may lead into
// an object of another class that is kept, or into the middle of one. By default types exclude it, unless the
// program itself uses some memory as two of them.
func (p *Plan) isMixed(c *Class) bool {
	if p.prog.Environment != core.EnvironmentTyped {
		return true
	}
	shape := core.Shape{Record: c.Record, Size: c.Record.Size}
	// 1. Objects outside.
	for _, d := range p.Classes {
		if d != c && p.result.MayMix(shape, core.Shape{Record: d.Record, Size: d.Record.Size}) {
			return true
		}
	}
	// 2. Objects of the program whose addresses are known outside.
	for o, list := range p.parts {
		begins := func(off int64) bool {
			return slices.ContainsFunc(list, func(x part) bool { return x.class == c && x.has(off) })
		}
		for _, x := range list {
			if o.Escaped && x.end()-x.off > mostBytes {
				return true
			}
			for off := x.off; o.Escaped && off < x.end(); off++ {
				if !begins(off) && p.result.MayUse(o.Var, o.Site, off, shape) {
					return true
				}
			}
		}
	}
	return false
}

// mostBytes bounds the bytes of an object that are looked at one by one.
const mostBytes = 1 << 16
