package heap

import (
	"fmt"
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// This file has the addresses inside of the object that is watched: at a known distance from its start, and past its
// end. They are computed when the object is chosen, since nothing may be computed with its address once it was freed.

// choice is an assignment by which an object of a site becomes the one that is watched.
type choice struct {
	assign *core.Assign
	site   *core.Alloc
}

// at returns the variable with the address that is off bytes after the start of the object.
func (in *instrumenter) at(off int64) *core.Var {
	if off == 0 {
		return in.watch
	}
	if in.inside[off] == nil {
		in.inside[off] = in.ghost(fmt.Sprintf("watch%+d", off), in.prog.Pointer())
	}
	return in.inside[off]
}

// past returns the variable with the address of the end of the object.
func (in *instrumenter) past() *core.Var {
	if in.end == nil {
		in.end = in.ghost("end", in.prog.Pointer())
	}
	return in.end
}

// completeChoices lets each choice set all these variables. An address that an object does not have is that of an
// object which no pointer leads to.
func (in *instrumenter) completeChoices(start *core.Assign) {
	set := func(a *core.Assign, v *core.Var, e core.Expr) {
		a.Lhs, a.Rhs = append(a.Lhs, v.Ref()), append(a.Rhs, e)
	}
	var nothing core.Expr
	if len(in.inside) > 0 {
		v := in.ghost("none", core.Int8)
		v.AddrTaken = true
		nothing = &core.AddrOf{Var: v, Typ: in.prog.Pointer()}
	}
	for _, off := range slices.Sorted(maps.Keys(in.inside)) {
		set(start, in.inside[off], nothing)
		for _, c := range in.choices {
			at := nothing
			if in.knownSize(c.site, off) {
				at = &core.Offset{X: c.site.Lhs, Off: off}
			}
			set(c.assign, in.inside[off], at)
		}
	}
	if in.site != nil {
		set(start, in.site, number(0))
		for _, c := range in.choices {
			set(c.assign, in.site, number(in.number[c.site]))
		}
	}
	if in.end != nil {
		set(start, in.end, core.Null(in.prog.Pointer()))
		for _, c := range in.choices {
			set(c.assign, in.end, &core.Index{X: c.site.Lhs, I: c.site.Size, Size: 1})
		}
	}
}
