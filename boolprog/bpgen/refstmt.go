package bpgen

import (
	"fmt"
	"maps"

	"c2bp/boolprog"
)

// This file makes the statements of random programs with references.

func (g *references) block(depth int) (list []*boolprog.Stmt) {
	for range g.IntN(g.Stmts) + 1 {
		stmts := g.stmt(depth)
		if g.chance(10) {
			stmts[0].Labels = append(stmts[0].Labels, fmt.Sprint("L", g.labels))
			g.labels++
		}
		list = append(list, stmts...)
	}
	return list
}

// stmt is a statement and what guards it.
func (g *references) stmt(depth int) []*boolprog.Stmt {
	if g.chance(g.Asserts) {
		if g.chance(40) {
			return g.assert(g.sharp())
		}
		return g.assert(g.likely())
	}
	if g.index > 0 && g.chance(g.Touches) {
		return g.touch()
	}
	switch n := g.IntN(100); {
	case n < 50:
		return g.guarded(g.assign())
	case n < 69:
		return g.call(g.later())
	case n < 83 && depth > 0:
		return g.branch(depth)
	case n < 85 && depth > 0:
		return g.loop(depth)
	case n < 91 && g.index > 0:
		return g.assume(&boolprog.Assume{Cond: g.likely()}, depth)
	case n < 93 && g.index > 0:
		return g.assume(&boolprog.AbortIf{Cond: &boolprog.Not{X: g.likely()}}, depth)
	case n < 95:
		return []*boolprog.Stmt{{Op: &boolprog.Dead{Vars: []*boolprog.Ref{ref(pick(g, g.booleans()).Name)}}}}
	case n < 96:
		op := &boolprog.Print{Args: []boolprog.Expr{g.boolean(1)}}
		g.guards = nil // a print evaluates nothing
		return []*boolprog.Stmt{{Op: op}}
	case n < 97 && g.index > 0 && depth < g.Depth:
		return g.guarded(g.returnOp())
	}
	return g.guarded(g.assign())
}

// assert is an assertion, perhaps one that only some runs come to, so that others go on
// where it fails.
func (g *references) assert(e boolprog.Expr) []*boolprog.Stmt {
	list := g.guarded(&boolprog.Assert{Cond: e})
	if g.chance(g.Optional) {
		return g.optional(list)
	}
	return list
}

// optional is statements that only some runs come to.
func (g *references) optional(list []*boolprog.Stmt) []*boolprog.Stmt {
	return []*boolprog.Stmt{{Op: &boolprog.If{Conds: []boolprog.Expr{&boolprog.Nondet{}}, Thens: [][]*boolprog.Stmt{list}}}}
}

// assume prunes some runs, or half of them at most.
func (g *references) assume(op boolprog.Op, depth int) []*boolprog.Stmt {
	list := g.guarded(op)
	if depth > 0 && g.chance(85) {
		return g.maybe(func() []*boolprog.Stmt { return append(list, g.stmt(depth-1)...) })
	}
	return list
}

// maybe is statements made by do, that only some runs come to.
func (g *references) maybe(do func() []*boolprog.Stmt) []*boolprog.Stmt {
	full := maps.Clone(g.full)
	list := g.optional(do())
	maps.DeleteFunc(full, func(name string, _ bool) bool { return !g.full[name] })
	g.full = full
	return list
}

// branch branches, often on *, and what it dereferences is guarded outside.
func (g *references) branch(depth int) []*boolprog.Stmt {
	op := &boolprog.If{Conds: []boolprog.Expr{&boolprog.Nondet{}}}
	if g.chance(60) {
		op.Conds[0] = g.boolean(1)
	}
	guards, full := g.guards, maps.Clone(g.full)
	g.guards = nil
	op.Thens = [][]*boolprog.Stmt{g.block(depth - 1)}
	if g.chance(60) {
		g.full = full
		op.Else = g.block(depth - 1)
	}
	g.guards, g.full = guards, map[string]bool{}
	return g.guarded(op)
}

// loop goes round as long as it likes, or as a condition that dereferences nothing says.
func (g *references) loop(depth int) []*boolprog.Stmt {
	op := &boolprog.While{Cond: &boolprog.Nondet{}}
	if g.chance(50) {
		g.plain = true
		op.Cond = g.boolean(0)
		g.plain = false
	}
	g.full = map[string]bool{}
	op.Body = g.block(depth - 1)
	g.full = map[string]bool{}
	return []*boolprog.Stmt{{Op: op}}
}

// assign assigns to one target, at times to two or three.
func (g *references) assign() boolprog.Op {
	op := &boolprog.Assign{}
	for len(op.Lhs) == 0 || len(op.Lhs) < 3 && g.chance(20) {
		target, class := g.target()
		if has(op.Lhs, target) {
			break
		}
		op.Lhs = append(op.Lhs, target)
		op.Rhs = append(op.Rhs, g.value(class))
	}
	if v := op.Lhs[0]; v.Field == "" && g.chance(8) {
		op.Constrain = g.constrain(v)
	}
	g.assigned(op)
	return op
}

// assigned notes which variables are null no longer; behind a guard, none.
func (g *references) assigned(op *boolprog.Assign) {
	for i, target := range op.Lhs {
		if target.Field == "" {
			_, full := op.Rhs[i].(*boolprog.New)
			g.full[target.Name] = full && len(g.guards) == 0
		}
	}
}

// constrain is a clause over a target, of which it holds more often than not.
func (g *references) constrain(v *boolprog.Ref) boolprog.Expr {
	var after boolprog.Expr = &boolprog.Ref{Name: v.Name, Next: true}
	for _, r := range g.refs("") {
		if r.Name == v.Name {
			after = &boolprog.Binary{Op: boolprog.Ne, X: after, Y: g.reference(r.Class)}
		}
	}
	return &boolprog.Binary{Op: boolprog.Or, X: after, Y: g.boolean(1)}
}

// has reports whether a target is among others.
func has(list []*boolprog.Ref, target *boolprog.Ref) bool {
	for _, r := range list {
		if r.Name == target.Name && r.Field == target.Field {
			return true
		}
	}
	return false
}

// target is a place that can be assigned to, and its class.
func (g *references) target() (target *boolprog.Ref, class string) {
	switch n := g.IntN(100); {
	case n < 35:
		return g.fieldTarget("")
	case n < 50:
		class = pick(g, g.prog.Classes).Name
		return g.fieldTarget(class)
	case n < 82:
		v := pick(g, g.refs(""))
		return ref(v.Name), v.Class
	}
	return ref(pick(g, g.booleans()).Name), ""
}

// fieldTarget is a field of a class, or a variable if there is none.
func (g *references) fieldTarget(class string) (*boolprog.Ref, string) {
	fields := g.fields(class)
	if len(fields) == 0 {
		v := pick(g, g.vars)
		return ref(v.Name), v.Class
	}
	s := pick(g, fields)
	g.read(s)
	return &boolprog.Ref{Name: s.X.(*boolprog.Ref).Name, Field: s.Field}, class
}

// value is a right-hand side of a class.
func (g *references) value(class string) boolprog.Expr {
	switch {
	case class == "":
		return g.boolean(1)
	case g.chance(25):
		return &boolprog.New{Class: class}
	}
	return g.reference(class)
}

func (g *references) returnOp() boolprog.Op {
	op := &boolprog.Return{}
	for _, class := range g.proc.Returns {
		op.Values = append(op.Values, g.argument(class))
	}
	return op
}

// argument is a value that is passed or returned.
func (g *references) argument(class string) boolprog.Expr {
	if class == "" {
		return g.boolean(1)
	}
	return g.reference(class)
}
