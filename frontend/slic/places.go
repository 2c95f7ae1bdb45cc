package slic

import (
	"fmt"

	"c2bp/alias"
	"c2bp/frontend/core"
)

// This file finds the places that can be watched, by the points-to sets of the arguments of events.

// places is the addresses that events of one rule may be about.
type places struct {
	rule    *Rule
	outside bool
	targets map[any][]alias.Target // by *core.Var or *core.Alloc
	frees   bool                   // some are in memory that can be freed
	globals []alias.Target         // single addresses in global variables

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
	p.base = &core.Var{Name: r.global("base"), Type: in.prog.Pointer(), Kind: core.Global, Pos: r.Object.Name.Pos}
	p.taken = &core.Var{Name: r.global("taken"), Type: core.Int32, Kind: core.Global, Pos: r.Object.Name.Pos}
	in.prog.Globals = append(in.prog.Globals, p.base, p.taken)
	for _, a := range r.actions {
		if a.point == "death" {
			p.death = a
		}
	}
	// 2. The targets of the arguments.
	seen := map[string]bool{}
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
			p.frees = p.frees || !o.Site.Stack
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
			add(t)
		}
	}
	for _, g := range in.prog.Globals {
		for _, t := range p.targets[g] {
			if t.Stride == 0 {
				p.globals = append(p.globals, t)
			}
		}
	}
	// 3. Pointers from outside may lead to any byte of escaped objects.
	if p.outside {
		for _, o := range result.Objects() {
			if o.Escaped && (o.Kind == alias.Variable || o.Kind == alias.Allocation) {
				delete(p.targets, any(o.Var))
				if o.Kind == alias.Allocation {
					delete(p.targets, any(o.Site))
				}
				add(alias.Target{Object: o, Stride: 1})
			}
		}
	}
	return p
}
