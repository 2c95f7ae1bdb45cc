package heap

import (
	"c2bp/frontend/core"
)

// This file has the addresses inside of the object that is watched: at a known distance from its start, and past its
// end. They are computed when the object is chosen, since nothing may be computed with its address once it was freed.

// past returns the variable with the address of the end of the object.
func (in *instrumenter) past() *core.Var {
	if in.end == nil {
		in.end = in.Global("end", in.Prog.Pointer())
	}
	return in.end
}

// completeChoices lets each choice set all these variables, and the number of the site.
func (in *instrumenter) completeChoices(start *core.Assign) {
	in.SetInside(start, in.choices)
	set := func(a *core.Assign, v *core.Var, e core.Expr) {
		a.Lhs, a.Rhs = append(a.Lhs, v.Ref()), append(a.Rhs, e)
	}
	if in.site != nil {
		set(start, in.site, number(0))
		for i, c := range in.choices {
			set(c.Assign, in.site, number(in.number[in.chosen[i]]))
		}
	}
	if in.end != nil {
		set(start, in.end, core.Null(in.Prog.Pointer()))
		for _, c := range in.choices {
			set(c.Assign, in.end, &core.Index{X: c.Start, I: c.Size, Size: 1})
		}
	}
}
