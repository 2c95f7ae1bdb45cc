package slic

import (
	"fmt"
	"slices"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file finds the places that can be watched, by the points-to sets of the arguments of events.

// places is the addresses that events of one rule may be about.
type places struct {
	rule    *Rule
	outside bool
	targets map[any][]alias.Target  // by *core.Var or *core.Alloc
	frees   map[*core.Free]bool     // those that may free memory with some of them
	globals []alias.Target          // single addresses in global variables
	events  map[*core.Alloc][]int64 // single places in allocated memory that events may be about, in bytes

	watch, base, taken, none *core.Var
	death                    *action
}

// begin returns the targets in v or at a site, none if there are none.
func (p *places) begin(of any) []alias.Target { return p.targets[of] }

// places finds the addresses that the events of r may be about.
func (in *instrumenter) places(r *Rule, result *alias.Result) *places {
	p := &places{rule: r, targets: map[any][]alias.Target{}}
	// 1. The variables. base is the start of the object that the watch is in.
	for _, g := range in.prog.Globals {
		switch g.Name {
		case r.global("watch"):
			p.watch = g
		case r.global("none"):
			p.none = g
		}
	}
	p.base = &core.Var{Name: r.global("base"), Type: in.prog.Pointer(), Kind: core.Global, Pos: r.Object.Name.Pos, Living: true}
	p.taken = &core.Var{Name: r.global("taken"), Type: core.Int32, Kind: core.Global, Pos: r.Object.Name.Pos}
	in.prog.Globals = append(in.prog.Globals, p.base, p.taken)
	for _, a := range r.actions {
		if a.point == "death" {
			p.death = a
		}
	}
	// 2. The targets of the arguments.
	seen := map[string]bool{}
	var shapes []core.Shape // of what pointers from outside lead to
	add := func(t alias.Target) {
		var of any
		switch o := t.Object; {
		case o.Kind == alias.Outside:
			p.outside = true
			return
		case o.Kind == alias.Variable:
			of = o.Var
		case o.Kind == alias.Allocation:
			of = o.Site
		default:
			return // a function
		}
		if s := fmt.Sprint(t); !seen[s] {
			seen[s] = true
			p.targets[of] = append(p.targets[of], t)
		}
	}
	for _, e := range in.objects[r] {
		for _, t := range result.PointsTo(e.ptr).Targets() {
			if e.within {
				t.Off, t.Stride, t.Count = 0, 1, 0
			}
			if t.Object.Kind == alias.Outside {
				shapes = append(shapes, shapeOf(e.to))
			}
			add(t)
		}
	}
	for _, g := range in.prog.Globals {
		for _, t := range p.targets[g] {
			p.globals = append(p.globals, single(t)...)
		}
	}
	p.events = map[*core.Alloc][]int64{}
	for of, list := range p.targets {
		site, _ := of.(*core.Alloc)
		for _, t := range list {
			if site != nil && t.Stride == 0 {
				p.events[site] = append(p.events[site], t.Off)
			}
		}
	}
	// 3. Pointers from outside may lead to the bytes of escaped objects that have room for what they lead to, unless
	// the rule says that they do not.
	switch {
	case p.outside && r.Object.Outside:
		in.prog.Ledger = append(in.prog.Ledger, fmt.Sprintf("rule %s: what pointers from outside lead to is no object of the program", r.Name.Text))
	case p.outside:
		kinds, left := in.kinds(shapes), false
		for _, o := range result.Objects() {
			if !o.Escaped || o.Kind != alias.Variable && o.Kind != alias.Allocation {
				continue
			}
			var of any = o.Var
			if o.Kind == alias.Allocation {
				of = o.Site
			}
			switch offs, anywhere := room(result, o, kinds); {
			case anywhere || slices.ContainsFunc(p.targets[of], func(t alias.Target) bool { return t.Stride != 0 }):
				every := alias.Target{Object: o, Stride: 1}
				delete(p.targets, of)
				delete(seen, fmt.Sprint(every)) // it may have been the only one
				add(every)
			case len(offs) == 0:
				left = true
				in.assume(result.AssumesText(o))
			// Few places, besides those to which the program's own pointers lead.
			default:
				left = true
				for _, off := range offs {
					add(alias.Target{Object: o, Off: off})
				}
			}
		}
		if left {
			in.prog.Ledger = append(in.prog.Ledger, fmt.Sprintf("rule %s: what pointers from outside lead to lies as a whole in an object that may hold it", r.Name.Text))
		}
	}
	// 4. What may end them, by the points-to sets of the pointers that are freed.
	in.findFrees(p, result)
	return p
}

// findFrees notes the statements that may free memory with a target of p.
func (in *instrumenter) findFrees(p *places, result *alias.Result) {
	p.frees = map[*core.Free]bool{}
	for _, q := range in.prog.Procs {
		for _, n := range q.Nodes {
			s, ok := n.Stmt.(*core.Free)
			if !ok {
				continue
			}
			// The line of the ledger is that of the pointer, the same for all sites; a yes rests on none.
			line := ""
			for of := range p.targets {
				site, ok := of.(*core.Alloc)
				if !ok || site.Stack {
					continue
				}
				may, assumed := result.MayFree(s, site)
				p.frees[s] = p.frees[s] || may
				if assumed != "" {
					line = assumed
				}
			}
			if !p.frees[s] {
				in.assume(line)
			}
		}
	}
}

// assume adds a line to the ledger, unless it is there, or empty.
func (in *instrumenter) assume(line string) {
	if line != "" && !slices.Contains(in.prog.Ledger, line) {
		in.prog.Ledger = append(in.prog.Ledger, line)
	}
}

// mostElements bounds the elements of an array that are told apart from objects outside.
const mostElements = 64

// single lists the addresses of t one by one; none if they are more than mostElements, or not known.
func single(t alias.Target) (list []alias.Target) {
	count := t.Count
	switch {
	case t.Stride == 0:
		return []alias.Target{t}
	case count == 0 && t.Object.Size > 0:
		count = (t.Object.Size - t.Off + t.Stride - 1) / t.Stride
	}
	if count > mostElements {
		return nil
	}
	for k := range count {
		list = append(list, alias.Target{Object: t.Object, Off: t.Off + k*t.Stride})
	}
	return list
}

// shapeOf returns the shape of an object of a structure; of any object if there is none.
func shapeOf(r *core.Record) core.Shape {
	if r == nil {
		return core.Shape{}
	}
	return core.Shape{Record: r, Size: r.Size}
}

// kind is a shape, and the structures of whose members of such a shape the program computes addresses.
type kind struct {
	shape   core.Shape
	holders []core.Shape
}

// kinds returns the kinds of shapes, each once; none if one of them is any.
func (in *instrumenter) kinds(shapes []core.Shape) (list []kind) {
	records := in.owners()
	for i, s := range shapes {
		if s.Record == nil {
			return nil
		}
		if slices.Contains(shapes[:i], s) {
			continue
		}
		k := kind{shape: s}
		for _, r := range records {
			for off := int64(0); off+s.Size <= r.Size; off++ {
				if r != s.Record && r.Holds(off, s.Record) {
					k.holders = append(k.holders, shapeOf(r))
					break
				}
			}
		}
		list = append(list, k)
	}
	return list
}

// owners returns the structures of whose members the program computes addresses, each once.
func (in *instrumenter) owners() (list []*core.Record) {
	seen := map[*core.Record]bool{}
	for _, q := range in.prog.Procs {
		for _, n := range q.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					if o, ok := e.(*core.Offset); ok && o.Of != nil && !seen[o.Of] {
						seen[o.Of] = true
						list = append(list, o.Of)
					}
					return true
				})
			})
		}
	}
	return list
}

// mostRoom bounds the objects that are looked at byte by byte.
const mostRoom = 1 << 14

// mostPlaces bounds the bytes of an object that are distinguished.
const mostPlaces = 8

// isEmpty reports whether v is of a structure without members, as lock_class_key of a kernel that does not check its locks.
func isEmpty(v *core.Var) bool {
	return v.Declared != nil && v.Declared.Record != nil && len(v.Declared.Record.Members) == 0 && core.Bytes(v.Type) == 0
}

// room returns the bytes of o at which an object may begin that a pointer from outside to one of kinds leads to, as a
// whole, by the type and the uses of o; or that they are anywhere, if they are many, or if a structure may lie in o
// that the pointer was computed from, although types do not nest so. The ledger says that pointers from outside lead
// to places of their types, and that nothing is accessed outside of an object.
func room(result *alias.Result, o *alias.Object, kinds []kind) (offs []int64, anywhere bool) {
	if o.Var != nil && (o.Var.Literal || isEmpty(o.Var)) {
		return nil, false // nothing may be stored there
	}
	if kinds != nil && o.Size <= 0 && o.Site != nil && !mayHold(result, o.Site, kinds) {
		return nil, false // characters, and not known how many
	}
	if kinds == nil || o.Size <= 0 || o.Size > mostRoom {
		return nil, true
	}
	for _, k := range kinds {
		for off := int64(0); off+k.shape.Size <= o.Size; off++ {
			if !result.MayUse(o.Var, o.Site, off, k.shape) || slices.Contains(offs, off) {
				continue
			}
			if offs = append(offs, off); len(offs) > mostPlaces {
				return nil, true
			}
		}
		for _, h := range k.holders {
			if h.Size <= o.Size && result.MayMixWith(o.Var, o.Site, h) {
				return nil, true
			}
		}
	}
	return offs, false
}

// mayHold reports whether objects that site allocates may hold, anywhere, one of kinds, or a structure that the pointer to
// it was computed from.
func mayHold(result *alias.Result, site *core.Alloc, kinds []kind) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool {
		return slices.ContainsFunc(append(slices.Clone(k.holders), k.shape), func(s core.Shape) bool { return result.MayHold(site, s) })
	})
}
