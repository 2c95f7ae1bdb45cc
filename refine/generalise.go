package refine

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file keeps refinement from unrolling loops: where a path goes round a loop several
// times, atoms come back with moving constants, i == 0, i == 1, i == 2, for ever. What
// holds each time at the head of the loop is more to the point: differences of variables
// that move in step, bounds with what a moving variable is compared with in the program,
// remainders. Such relations are guesses from one path, and like all predicates they can
// do no harm but cost.

// visitsNeeded is how often a path comes to the head of a loop before it is looked at.
const visitsNeeded = 3

// loop is the head of a loop and what variables hold when a path comes there.
type loop struct {
	frame  *Frame
	steps  []int // when the path is there
	values []map[*core.Var]*logic.Term
}

// loops finds the heads that one activation comes to at least three times.
func loops(p *Path, from, to int) []*loop {
	type head struct {
		frame *Frame
		node  int
	}
	visits := map[head]*loop{}
	isHead := map[head]bool{}
	var order []head
	last := map[*Frame]int{}
	for i := from; i < to; i++ {
		s := p.Steps[i]
		h := head{s.Frame, s.Node}
		if visits[h] == nil {
			visits[h] = &loop{frame: s.Frame}
			order = append(order, h)
		}
		visits[h].steps = append(visits[h].steps, i)
		if n, ok := last[s.Frame]; ok && n >= s.Node {
			isHead[h] = true
		}
		last[s.Frame] = s.Node
	}
	var out []*loop
	for _, h := range order {
		if isHead[h] && len(visits[h].steps) >= visitsNeeded {
			out = append(out, visits[h])
		}
	}
	return out
}

// observe notes what the scalars in scope hold at the heads.
func (w *world) observe(p *Path, heads []*loop, to int) *execution {
	at := map[int]*loop{}
	for _, l := range heads {
		for _, i := range l.steps {
			at[i] = l
		}
	}
	x := w.execute(logic.NewTable(), p, 0, 0)
	for i := range to {
		if l := at[i]; l != nil {
			l.values = append(l.values, x.scalars(l.frame))
		}
		x.marks = append(x.marks, len(x.changes))
		x.step(p, i)
	}
	return x
}

// scalars is what the numbers in scope of an activation hold; what has not been used so
// far is left out.
func (x *execution) scalars(f *Frame) map[*core.Var]*logic.Term {
	out := map[*core.Var]*logic.Term{}
	for at, t := range x.values {
		if _, isInt := at.v.Type.(core.Int); isInt && (at.frame == f || at.frame == nil) && !at.v.Type.(core.Int).Bool {
			out[at.v] = t
		}
	}
	return out
}

// mover is a variable that changes by constants from visit to visit.
type mover struct {
	v      *core.Var
	deltas []*big.Int
	values []*logic.Term
}

// movers lists the variables that change by constants, in a fixed order.
func (l *loop) movers(t *logic.Table) (out []mover) {
	for _, v := range append(append([]*core.Var{}, l.frame.Proc.Formals...), l.frame.Proc.Locals...) {
		l.addMover(t, &out, v)
	}
	var globals []*core.Var
	for v := range l.values[len(l.values)-1] {
		if v.Kind == core.Global {
			globals = append(globals, v)
		}
	}
	sortByName(globals)
	for _, v := range globals {
		l.addMover(t, &out, v)
	}
	return out
}

func (l *loop) addMover(t *logic.Table, out *[]mover, v *core.Var) {
	m := mover{v: v}
	moves := false
	for i, values := range l.values {
		value := values[v]
		if value == nil {
			return
		}
		m.values = append(m.values, value)
		if i == 0 {
			continue
		}
		d := t.Sub(value, m.values[i-1])
		if !d.IsConst() {
			return
		}
		m.deltas = append(m.deltas, d.Val)
		moves = moves || d.Val.Sign() != 0
	}
	if moves {
		*out = append(*out, m)
	}
}

// counts reports whether a moves by one and the same number, if at all.
func (a mover) counts() bool {
	var step *big.Int
	for _, d := range a.deltas {
		if d.Sign() == 0 {
			continue
		}
		if step != nil && step.Cmp(d) != 0 {
			return false
		}
		step = d
	}
	return true
}

// relations guesses what holds at a head: of the movers, and of them and what they are
// compared with in the conditions.
func (w *world) relations(t *logic.Table, l *loop, conds []condition, p *Path) (out []core.Expr) {
	movers := l.movers(t)
	for i, a := range movers {
		for _, b := range movers[:i] {
			if e := inStep(t, a, b); e != nil {
				out = append(out, e)
			}
		}
		if e := remainder(t, a); e != nil {
			out = append(out, e)
		}
	}
	for _, a := range movers {
		if !a.counts() {
			continue // the numbers of states are not larger or smaller
		}
		for _, c := range conds {
			if p.Steps[c.step].Frame == l.frame {
				out = append(out, bounds(a, movers, c.expr)...)
			}
		}
	}
	return out
}

// inStep is k·a == m·b + c if that has held at each visit; nil if not.
func inStep(t *logic.Table, a, b mover) core.Expr {
	if a.v.Type != b.v.Type {
		return nil
	}
	k, m := ratio(a.deltas, b.deltas)
	if k == nil {
		return nil
	}
	diff := t.Sub(t.Scale(k, a.values[0]), t.Scale(m, b.values[0]))
	if !diff.IsConst() {
		return nil
	}
	s := sum{constant: new(big.Int).Neg(diff.Val), exact: true}
	s.addAtom(k, a.v.Ref())
	s.addAtom(new(big.Int).Neg(m), b.v.Ref())
	left, right, ok := s.sides(a.v.Type.(core.Int))
	if !ok {
		return nil
	}
	return &core.Binary{Op: core.Eq, X: left, Y: right}
}

// ratio returns small k, m > 0 or m < 0 with k·x == m·y for the deltas x and y of each
// round; nil if there are none.
func ratio(xs, ys []*big.Int) (k, m *big.Int) {
	for i, x := range xs {
		if x.Sign() == 0 != (ys[i].Sign() == 0) {
			return nil, nil
		}
		if x.Sign() == 0 {
			continue
		}
		g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(ys[i]))
		a, b := new(big.Int).Quo(ys[i], g), new(big.Int).Quo(x, g)
		if a.Sign() < 0 {
			a.Neg(a)
			b.Neg(b)
		}
		if k != nil && (k.Cmp(a) != 0 || m.Cmp(b) != 0) {
			return nil, nil
		}
		k, m = a, b
	}
	return k, m
}

// remainder is a % d == r for the common divisor d > 1 of its steps; nil if it is 1.
func remainder(t *logic.Table, a mover) core.Expr {
	d := new(big.Int)
	for _, x := range a.deltas {
		d.GCD(nil, nil, d, new(big.Int).Abs(x))
	}
	typ := a.v.Type.(core.Int)
	if d.Cmp(big.NewInt(1)) <= 0 || !typ.Contains(d) {
		return nil
	}
	r := t.Mod(a.values[0], d)
	if !r.IsConst() {
		return nil
	}
	number := func(v *big.Int) core.Expr { return &core.Const{Val: v, Typ: typ} }
	return &core.Binary{Op: core.Eq, X: &core.Binary{Op: core.Rem, X: a.v.Ref(), Y: number(d)}, Y: number(r.Val)}
}

// bounds is a <= t and a == t for each t that a is compared with in e and that does not
// move.
func bounds(a mover, movers []mover, e core.Expr) (out []core.Expr) {
	moves := func(v *core.Var) bool {
		for _, m := range movers {
			if m.v == v {
				return true
			}
		}
		return false
	}
	for _, atom := range atomsOf(e) {
		b, ok := atom.(*core.Binary)
		if !ok || !b.Op.IsComparison() {
			continue
		}
		for _, side := range [][2]core.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			x := side[0]
			if k, ok := x.(*core.Conv); ok && holds(k) {
				x = k.X
			}
			if r, ok := x.(*core.VarRef); ok && r.Var == a.v && !core.Mentions(side[1], moves) {
				out = append(out,
					&core.Binary{Op: core.Le, X: side[0], Y: side[1]},
					&core.Binary{Op: core.Eq, X: side[0], Y: side[1]})
			}
		}
	}
	return out
}
