package slic

import (
	"fmt"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/frontend/core/splice"
	"c2bp/source"
)

// This file chooses the object that is watched. A rule for each object holds if it holds for the one that is
// watched, whichever that is: a run chooses at most one place, where it begins to exist and before any event,
//
//	a global variable           at the start of the program
//	a local variable            at its declaration; a formal at the begin of its procedure
//	memory that is allocated    at the allocation
//	memory from outside         at the start of the program: an arbitrary pointer from outside
//
// and the choice is one of the addresses that an event may be about, by the points-to sets. Of an object
// that has escaped it is any byte, since a pointer from outside may lead there. A pointer from outside
// alone would not do: it leads to no object of the program that has not escaped, and the rule would hold of
// these. Nor would a choice at an event, after earlier ones have been missed.
//
// The place ceases to exist when it is freed, at the next execution of its declaration, or at the return of
// its procedure. From then on nothing is watched: another object at the same address is another one.

// watches puts the choice and the end of watches into the program. args are the pointers to objects at the
// events of each rule.
func (in *instrumenter) watches() {
	var list []*places
	var result *alias.Result
	for _, r := range in.rules {
		if r.Object == nil {
			continue
		}
		if result == nil {
			result = alias.Analyze(in.prog)
		}
		list = append(list, in.places(r, result))
	}
	if list == nil {
		return
	}
	for _, q := range in.prog.Procs {
		if !q.HasBody() {
			continue
		}
		in.enter(q)
		if in.hasLives(list) {
			in.lives(list)
		}
	}
	in.enter(in.prog.Entry)
	in.globals(list, result.Constants())
}

// set returns an assignment.
func set(v *core.Var, e core.Expr) core.Stmt {
	return &core.Assign{Lhs: []core.Loc{v.Ref()}, Rhs: []core.Expr{e}}
}

// cond returns the comparison of two expressions as an assumption.
func cond(op core.BinaryOp, x, y core.Expr) core.Stmt {
	return &core.Assume{Cond: &core.Binary{Op: op, X: x, Y: y}}
}

// addressOf returns the address of v.
func (in *instrumenter) addressOf(v *core.Var) core.Expr {
	return &core.AddrOf{Var: v, Typ: in.prog.Pointer()}
}

// Values of lock$taken: none is chosen yet; one is; one is in memory that can be freed.
const chosen, inHeap = 1, 2

// choose returns the nodes that choose the address at as the watch, in an object that starts at base; name
// is its name in traces.
func (in *instrumenter) choose(p *places, first []core.Stmt, base, at core.Expr, name string, pos source.Pos) []*core.Node {
	return in.chooseAs(chosen, p, first, base, at, name, pos)
}

// chooseAs is choose that sets lock$taken to kind.
func (in *instrumenter) chooseAs(kind int64, p *places, first []core.Stmt, base, at core.Expr, name string, pos source.Pos) []*core.Node {
	list := append([]core.Stmt{cond(core.Eq, p.taken.Ref(), core.NewConst(0, core.Int32))}, first...)
	list = append(list, &core.Assign{
		Lhs: []core.Loc{p.taken.Ref(), p.base.Ref(), p.watch.Ref()},
		Rhs: []core.Expr{core.NewConst(kind, core.Int32), base, at},
	})
	if len(p.rule.Lives) > 0 {
		for _, g := range in.prog.Globals {
			if g.Name == p.rule.global("alive") {
				list = append(list, set(g, core.NewConst(1, core.Int32)))
			}
		}
	}
	nodes := splice.Line(pos, list...)
	n := nodes[len(first)+1]
	n.Text, n.First = fmt.Sprintf("%s: watch %s", p.rule.Name.Text, name), true
	return nodes
}

// allocated returns nodes that may choose one of the targets at site, the object that starts at base. If none is
// chosen, the object that is watched is another one: it existed before. The nodes before the allocation choose
// the byte or element: it is known there that no place which exists already is that one of the new object (package wp).
func (in *instrumenter) allocated(p *places, site *core.Alloc, base core.Expr, pos source.Pos) (before, after []*core.Node) {
	var apart []core.Stmt
	for _, off := range p.events[site] {
		at := base
		if off != 0 {
			at = &core.Offset{X: base, Off: off}
		}
		apart = append(apart, cond(core.Ne, p.watch.Ref(), at))
	}
	ways, numbers := in.ways(p, p.begin(site), site, base, pos)
	before = splice.Line(pos, numbers...)
	if len(apart) == 0 {
		return before, splice.Either(pos, ways...)
	}
	return before, splice.OneOf(pos, append(ways, splice.Line(pos, apart...))...)
}

// pick returns nodes that may choose one of the targets, in an object that starts at base.
func (in *instrumenter) pick(p *places, targets []alias.Target, base core.Expr, pos source.Pos) []*core.Node {
	ways, _ := in.ways(p, targets, nil, base, pos)
	if len(ways) == 0 {
		return nil
	}
	return splice.Either(pos, ways...)
}

// pickHere is pick for v, a variable of the present procedure, which sets is to 1 if one is chosen. That the watch is in
// v could also be told by its base, but for that the addresses of variables would have to be told apart.
func (in *instrumenter) pickHere(p *places, v, is *core.Var, pos source.Pos) []*core.Node {
	ways, _ := in.ways(p, p.begin(v), nil, in.addressOf(v), pos)
	for i := range ways {
		ways[i] = splice.Chain(ways[i], splice.Line(pos, set(is, core.NewConst(1, core.Int32))))
	}
	return splice.Either(pos, ways...)
}

// endHere returns nodes that end the watch if is says that it is in a variable of the present procedure.
func (in *instrumenter) endHere(p *places, is *core.Var, pos source.Pos) []*core.Node {
	ends := splice.Chain(in.dies(p, pos), splice.Line(pos, set(is, core.NewConst(0, core.Int32))))
	return splice.If(pos, &core.Binary{Op: core.Ne, X: is.Ref(), Y: core.NewConst(0, core.Int32)}, ends)
}

// ways returns lists of nodes that choose one of the targets each, in an object that starts at base. site is its
// allocation, nil if it is a variable; numbers are then the statements that choose the numbers of elements, before it.
func (in *instrumenter) ways(p *places, targets []alias.Target, site *core.Alloc, base core.Expr, pos source.Pos) (ways [][]*core.Node, numbers []core.Stmt) {
	kind := int64(chosen)
	if site != nil && !site.Stack {
		kind = inHeap
	}
	for _, t := range targets {
		at := base
		if t.Off != 0 {
			at = &core.Offset{X: base, Off: t.Off}
		}
		var first []core.Stmt
		name := t.Object.Name
		if t.Stride != 0 {
			// Any element: k >= 0, and within the object as far as its size is known.
			k := in.temp(&core.Var{Type: core.Int64})
			count := t.Count
			if count == 0 && t.Object.Size > 0 {
				count = (t.Object.Size - t.Off + t.Stride - 1) / t.Stride
			}
			choose := &core.Havoc{Locs: []core.Loc{k.Ref()}, Why: core.RuleInput}
			if site != nil {
				numbers = append(numbers, choose)
			} else {
				first = append(first, choose)
			}
			first = append(first, cond(core.Ge, k.Ref(), core.NewConst(0, core.Int64)))
			if count > 0 {
				first = append(first, cond(core.Lt, k.Ref(), core.NewConst(count, core.Int64)))
			} else if site != nil && t.Stride == 1 && t.Off == 0 {
				first = append(first, within(k, site)...)
			}
			at = &core.Index{X: at, I: k.Ref(), Size: t.Stride}
		}
		ways = append(ways, in.chooseAs(kind, p, first, base, at, name, pos))
	}
	return ways, numbers
}

// within returns the condition that k, which is not negative, is the number of a byte in the object that site has just
// made; none if the size is not known any more.
func within(k *core.Var, site *core.Alloc) []core.Stmt {
	size, isInt := site.Size.Type().(core.Int)
	changed := func(v *core.Var) bool { return core.Mentions(site.Lhs, func(w *core.Var) bool { return v == w }) }
	if !isInt || len(core.Loads(site.Size)) > 0 || core.Mentions(site.Size, changed) {
		return nil
	}
	if size.Bits == 64 && !size.Signed {
		return []core.Stmt{cond(core.Lt, &core.Conv{X: k.Ref(), To: size}, site.Size)}
	}
	return []core.Stmt{cond(core.Lt, k.Ref(), &core.Conv{X: site.Size, To: core.Int64})}
}

// end returns nodes that end the watch, if it is in the variable that starts at base.
func (in *instrumenter) end(p *places, base core.Expr, pos source.Pos) []*core.Node {
	return splice.If(pos, &core.Binary{Op: core.Eq, X: p.base.Ref(), Y: base}, in.dies(p, pos))
}

// dies returns nodes that end the watch.
func (in *instrumenter) dies(p *places, pos source.Pos) []*core.Node {
	return splice.Chain(in.body(p.death, nil, pos), splice.Line(pos, set(p.base, in.addressOf(p.none))))
}

// freed returns nodes that end the watch, if it is in the memory at base, which is freed next. No pointer that can be
// freed leads to a variable, nor to lock$none, but the conditions of a path do not say so: they do not follow where
// pointers from outside lead.
func (in *instrumenter) freed(p *places, base core.Expr, pos source.Pos) []*core.Node {
	list := splice.If(pos, &core.Binary{Op: core.Ne, X: p.base.Ref(), Y: in.addressOf(p.none)}, in.dies(p, pos))
	list = splice.If(pos, &core.Binary{Op: core.Eq, X: p.taken.Ref(), Y: core.NewConst(inHeap, core.Int32)}, list)
	return splice.If(pos, &core.Binary{Op: core.Eq, X: p.base.Ref(), Y: base}, list)
}
