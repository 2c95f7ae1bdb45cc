package splice

import (
	"fmt"
	"maps"
	"slices"

	"c2bp/frontend/core"
)

// This file makes the variables of checks that watch one object of the program.

// Ghosts makes variables in a program for a check.
type Ghosts struct {
	Prog   *core.Program
	Prefix string // of the names of global ones: heap$

	temps  int
	inside map[int64]*core.Var // see Inside
}

// Name returns a name that begins with the prefix and that no global variable or procedure has.
func (g *Ghosts) Name(name string) string {
	name = g.Prefix + name
	for slices.ContainsFunc(g.Prog.Globals, func(v *core.Var) bool { return v.Name == name }) || g.Prog.Proc(name) != nil {
		name += "$"
	}
	return name
}

// Global returns a new global variable.
func (g *Ghosts) Global(name string, t core.Type) *core.Var {
	v := &core.Var{Name: g.Name(name), Type: t, Kind: core.Global, Pos: g.Prog.Entry.Pos}
	g.Prog.Globals = append(g.Prog.Globals, v)
	return v
}

// Temp returns a new temporary of q.
func (g *Ghosts) Temp(q *core.Proc, t core.Type) *core.Var {
	g.temps++
	v := &core.Var{Name: fmt.Sprintf("$%s%d", g.Prefix[:1], g.temps), Type: t, Kind: core.Temp, Proc: q, Pos: q.Pos}
	q.Locals = append(q.Locals, v)
	return v
}

// Inside returns the variable with the address that is off bytes after the start of the object that is watched, which
// is in watch.
func (g *Ghosts) Inside(watch *core.Var, off int64) *core.Var {
	if off == 0 {
		return watch
	}
	if g.inside == nil {
		g.inside = map[int64]*core.Var{}
	}
	if g.inside[off] == nil {
		g.inside[off] = g.Global(fmt.Sprintf("watch%+d", off), g.Prog.Pointer())
	}
	return g.inside[off]
}

// Choice is an assignment by which an object becomes the one that is watched: it begins at Start, and has Size bytes.
type Choice struct {
	Assign      *core.Assign
	Start, Size core.Expr
}

// SetInside lets the first assignment and each choice set the variables that Inside has returned. An address that an
// object is not known to have is that of an object which no pointer leads to.
func (g *Ghosts) SetInside(first *core.Assign, choices []Choice) {
	if len(g.inside) == 0 {
		return
	}
	v := g.Global("none", core.Int8)
	v.AddrTaken = true
	nothing := &core.AddrOf{Var: v, Typ: g.Prog.Pointer()}
	for _, off := range slices.Sorted(maps.Keys(g.inside)) {
		at := g.inside[off]
		first.Lhs, first.Rhs = append(first.Lhs, at.Ref()), append(first.Rhs, nothing)
		for _, c := range choices {
			var e core.Expr = nothing
			if n, ok := core.ConstantOf(c.Size); ok && off <= n {
				e = &core.Offset{X: c.Start, Off: off}
			}
			c.Assign.Lhs, c.Assign.Rhs = append(c.Assign.Lhs, at.Ref()), append(c.Assign.Rhs, e)
		}
	}
}
