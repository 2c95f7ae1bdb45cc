package refs

import (
	"fmt"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file finds the objects of a type, from the places that the program reads and writes.

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

// objectsOf returns the objects of type r, or the reason not to keep it.
func (p *Plan) objectsOf(r *core.Record, wants []Want) (objects []*alias.Object, why string) {
	// 1. A type that lies in one that is kept, or that is wanted, has objects that are parts of others.
	for _, w := range wants {
		if w.Record != r && contains(w.Record, r) {
			return nil, fmt.Sprintf("it is a part of %s, which is to be kept, too", w.Record.Name)
		}
	}
	// 2. The objects that are used as r: each as a whole.
	used := map[*alias.Object]bool{}
	for _, a := range p.accesses {
		if a.record != r {
			continue
		}
		for _, t := range a.first.Targets() {
			o := t.Object
			switch {
			case o.Kind == alias.Outside:
			case o.Kind == alias.Function:
			case t.Off != 0 || t.Stride != 0:
				return nil, fmt.Sprintf("%s has objects of it inside", o.Name)
			case !used[o]:
				used[o] = true
				if why := isObject(o, r); why != "" {
					return nil, why
				}
				objects = append(objects, o)
			}
		}
	}
	// 3. Variables that are declared with it, whether they are used or not.
	for _, o := range p.result.Objects() {
		if o.Var != nil && o.Var.Declared != nil && o.Var.Declared.Record == r && o.Var.Declared.Count == 1 && !used[o] {
			used[o] = true
			objects = append(objects, o)
		}
	}
	// Allocations that pointers to it lead to, likewise.
	p.eachVar(func(v *core.Var) {
		if v.To != r || v.InMemory() {
			return
		}
		for _, t := range p.result.PointsTo(v.Ref()).Targets() {
			if o := t.Object; o.Site != nil && t.Off == 0 && t.Stride == 0 && !used[o] && isObject(o, r) == "" {
				used[o] = true
				objects = append(objects, o)
			}
		}
	})
	// 4. A global one is made where the program starts, once.
	for _, o := range objects {
		if o.Var != nil && o.Var.Kind == core.Global && !p.result.EntryRunsOnce() {
			return nil, fmt.Sprintf("%s is one object, but the function that the program starts with, and that makes it, is called", o.Name)
		}
	}
	// 5. None of them is used as another type, of which it is no part.
	for _, a := range p.accesses {
		if a.record == r || contains(r, a.record) {
			continue
		}
		for _, t := range a.first.Targets() {
			if used[t.Object] {
				return nil, fmt.Sprintf("%s is used as %s, too", t.Object.Name, a.record.Name)
			}
		}
	}
	return objects, ""
}

// isObject returns why an object that is used as r is none of that type; "" if it is one.
func isObject(o *alias.Object, r *core.Record) string {
	switch {
	case o.Var != nil && (o.Var.Declared == nil || o.Var.Declared.Record != r):
		return fmt.Sprintf("%s is used as one, but is declared as another type", o.Name)
	case o.Var != nil && o.Var.Declared.Count != 1:
		return fmt.Sprintf("%s is an array of it", o.Name)
	case o.Site != nil:
		if n, ok := core.ConstantOf(o.Site.Size); !ok || n != r.Size {
			return fmt.Sprintf("%s has another size", o.Name)
		}
	}
	return ""
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
	for o, d := range p.of {
		if !o.Escaped {
			continue
		}
		for off := int64(0); off < d.Record.Size; off++ {
			if (d != c || off != 0) && p.result.MayUse(o.Var, o.Site, off, shape) {
				return true
			}
		}
	}
	return false
}
