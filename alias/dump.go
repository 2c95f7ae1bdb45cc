package alias

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/core"
)

// This file prints the result for people.

// String returns the result for people, --dump alias: points-to sets, regions, escaped objects, and
// the MOD set of each procedure.
//
//	main.p -> {dev+8}
//	escaped: dev
//	regions: dev.lock, dev.next
//	release writes: locked, dev+8:4
func (r *Result) String() string {
	var b strings.Builder
	// 1. Variables.
	r.dumpPointers(&b, r.prog.Globals)
	for _, p := range r.prog.Procs {
		r.dumpPointers(&b, p.Formals)
		r.dumpPointers(&b, p.Locals)
	}
	// 2. The objects that have escaped, and the regions.
	var escaped []string
	for _, o := range r.Objects() {
		if o.Escaped && o.Kind != Outside {
			escaped = append(escaped, o.Name)
		}
	}
	fmt.Fprintf(&b, "escaped: %s\n", list(escaped))
	if hidden := r.hidden.String(); hidden != "" {
		fmt.Fprintf(&b, "hidden: %s\n", hidden)
	}
	fmt.Fprintf(&b, "regions: %s\n", list(r.Regions(nil).names))
	// 3. MOD sets.
	for _, p := range r.prog.Procs {
		if p.HasBody() {
			fmt.Fprintf(&b, "%s writes: %s\n", p.Name, r.ModSetOf(p))
		}
	}
	return b.String()
}

// dumpPointers lists the points-to sets of vars.
func (r *Result) dumpPointers(b *strings.Builder, vars []*core.Var) {
	for _, v := range vars {
		if v.Kind == core.Temp {
			continue
		}
		// Variables in memory by their cells, others by name.
		if v.InMemory() {
			r.dumpMemory(b, r.solver.objects[r.solver.object(v)])
			continue
		}
		_, isNumber := v.Type.(core.Int)
		set := r.PointsTo(v.Ref())
		if isNumber && len(set.targets) == 1 && set.Outside() {
			continue // any number
		}
		if !set.IsEmpty() {
			name := v.Name
			if v.Proc != nil {
				name = v.Proc.Name + "." + name
			}
			fmt.Fprintf(b, "%s -> %s\n", name, set)
		}
	}
}

// dumpMemory lists the contents of the cells of o.
func (r *Result) dumpMemory(b *strings.Builder, o *Object) {
	slots := slices.Clone(r.solver.memories[o.id].slots)
	slices.SortFunc(slots, func(a, b place) int { return a.cell.compare(b.cell) })
	for _, c := range r.solver.memories[o.id].lent {
		fmt.Fprintf(b, "%s%s -> {outside}\n", o.Name, c)
	}
	for _, p := range slots {
		set := r.pointsIn(p.vertex)
		if !set.IsEmpty() {
			fmt.Fprintf(b, "%s%s -> %s\n", o.Name, p.cell, set)
		}
	}
}

// pointsIn returns the addresses in vertex n.
func (r *Result) pointsIn(n int32) Set {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.set(r.solver.setIn(n))
}

// list joins names, none if there are none.
func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
