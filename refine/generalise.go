package refine

import (
	"math/big"
	"slices"
	"strings"

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

// loop is the head of a loop and what numbers are when a path comes there.
type loop struct {
	frame  *Frame
	steps  []int // when the path is there
	places []quantity
	values []map[string]*logic.Term // by text of the place
}

// quantity is a place that holds a number: a variable, or a member of a global one.
type quantity struct {
	loc core.Loc
	typ core.Int
}

func (q quantity) text() string { return core.ExprString(q.loc) }

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

// observe notes what the numbers in scope are at the heads.
func (w *world) observe(p *Path, heads []*loop, to int) *execution {
	at := map[int]*loop{}
	whole := w.execute(logic.NewTable(), p, 0, to)
	for _, l := range heads {
		l.places = append(w.numbers(l.frame), whole.membersRead(l.frame)...)
		for _, i := range l.steps {
			at[i] = l
		}
	}
	x := w.execute(logic.NewTable(), p, 0, 0)
	for i := range to {
		if l := at[i]; l != nil {
			l.values = append(l.values, x.look(l, i))
		}
		x.marks = append(x.marks, len(x.changes))
		x.step(p, i)
	}
	return x
}

// numbers lists the variables outside of memory in scope of an activation that hold
// numbers, in a fixed order.
func (w *world) numbers(f *Frame) (out []quantity) {
	for _, vars := range [][]*core.Var{f.Proc.Formals, f.Proc.Locals, w.prog.Globals} {
		for _, v := range vars {
			if t, ok := v.Type.(core.Int); ok && !t.Bool && !v.InMemory() {
				out = append(out, quantity{v.Ref(), t})
			}
		}
	}
	return out
}

// mostPlaces bounds the places in memory that are looked at.
const mostPlaces = 30

// membersRead lists the numbers in memory that a path reads in global variables and where
// pointer variables of activation f point to, in a fixed order. x has executed the path.
func (x *execution) membersRead(f *Frame) (out []quantity) {
	seen := map[string]bool{}
	for read := range x.memory.known {
		typ, ok := x.base.TypeOf(read).(core.Int)
		if !ok || typ.Bool || typ.Bits%8 != 0 {
			continue
		}
		if a := x.addressIn(read.Args[0], f); a != nil {
			q := quantity{&core.Mem{Addr: a, Typ: typ}, typ}
			if !seen[q.text()] {
				seen[q.text()] = true
				out = append(out, q)
			}
		}
	}
	slices.SortFunc(out, func(a, b quantity) int { return strings.Compare(a.text(), b.text()) })
	return out[:min(len(out), mostPlaces)]
}

// addressIn spells an address in the language of activation f; nil if it is neither in a
// global variable nor at a fixed distance from what a pointer variable holds.
func (x *execution) addressIn(addr *logic.Term, f *Frame) core.Expr {
	typ := core.Ptr{Bits: x.bits}
	if a := x.address(addr, nil, typ, x.prog.Globals); a != nil {
		return a
	}
	for _, vars := range [][]*core.Var{f.Proc.Formals, f.Proc.Locals, x.prog.Globals} {
		for _, v := range vars {
			if _, ok := v.Type.(core.Ptr); !ok {
				continue
			}
			value := x.values[placeOf(f, v)]
			if v.InMemory() {
				value = x.eval(f, 0, v.Ref())
			}
			if value != nil {
				if d := x.t.Sub(addr, value); d.IsConst() && d.Val.IsInt64() && !value.IsConst() {
					return offset(v.Ref(), d.Val.Int64())
				}
			}
		}
	}
	return nil
}

// look is what the places of a loop hold before step i; what has not been used so far is
// left out.
func (x *execution) look(l *loop, i int) map[string]*logic.Term {
	out := map[string]*logic.Term{}
	for _, q := range l.places {
		if v := variable(q.loc); v != nil {
			if t := x.values[placeOf(l.frame, v)]; t != nil {
				out[q.text()] = t
			}
			continue
		}
		out[q.text()] = x.eval(l.frame, i, q.loc)
	}
	return out
}

// mover is a number that changes by constants from visit to visit.
type mover struct {
	quantity
	deltas []*big.Int
	values []*logic.Term
}

// movers lists the numbers that change by constants, in a fixed order.
func (l *loop) movers(t *logic.Table) (out []mover) {
	for _, q := range l.places {
		l.addMover(t, &out, q)
	}
	return out
}

func (l *loop) addMover(t *logic.Table, out *[]mover, q quantity) {
	m := mover{quantity: q}
	moves := false
	for i, values := range l.values {
		value := values[q.text()]
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

// distinct is how many values a takes.
func (a mover) distinct() int {
	seen := map[*logic.Term]bool{}
	for _, v := range a.values {
		seen[v] = true
	}
	return len(seen)
}

// relations guesses what holds at a head: of the movers, and of them and what they are
// compared with in the conditions.
func (w *world) relations(t *logic.Table, l *loop, conds []condition, p *Path) (out []core.Expr) {
	movers := l.movers(t)
	for i, a := range movers {
		for _, b := range movers[:i] {
			if e := inStep(t, a, b); e != nil {
				out = append(out, e)
			} else {
				out = append(out, differences(t, a, b)...)
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
		var here []condition
		for _, c := range conds {
			if p.Steps[c.step].Frame == l.frame {
				out = append(out, bounds(a, movers, c.expr)...)
				here = append(here, c)
			}
		}
		out = append(out, between(a, movers, here)...)
	}
	return out
}

// inStep is k·a == m·b + c if that has held at each visit; nil if not.
func inStep(t *logic.Table, a, b mover) core.Expr {
	if a.typ != b.typ {
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
	s.addAtom(k, a.loc)
	s.addAtom(new(big.Int).Neg(m), b.loc)
	left, right, ok := s.sides(a.typ)
	if !ok {
		return nil
	}
	return &core.Binary{Op: core.Eq, X: left, Y: right}
}

// mostDifferences bounds what differences returns.
const mostDifferences = 3

// differences is a == b + c for the few c that have held at the visits: a number that
// counts what another one does, but for some that come and go for other reasons.
func differences(t *logic.Table, a, b mover) (out []core.Expr) {
	if a.typ != b.typ || a.distinct() < visitsNeeded || b.distinct() < visitsNeeded {
		return nil // a flag is related to everything
	}
	apart := map[string]bool{}
	for i := range a.values {
		d := t.Sub(a.values[i], b.values[i])
		if !d.IsConst() {
			return nil
		}
		if apart[d.Val.String()] {
			continue
		}
		apart[d.Val.String()] = true
		s := sum{constant: new(big.Int).Neg(d.Val), exact: true}
		s.addAtom(big.NewInt(1), a.loc)
		s.addAtom(big.NewInt(-1), b.loc)
		left, right, ok := s.sides(a.typ)
		if !ok {
			return nil
		}
		out = append(out, &core.Binary{Op: core.Eq, X: left, Y: right})
	}
	if len(out) > mostDifferences {
		return nil
	}
	return out
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
	typ := a.typ
	if d.Cmp(big.NewInt(1)) <= 0 || !typ.Contains(d) {
		return nil
	}
	r := t.Mod(a.values[0], d)
	if !r.IsConst() {
		return nil
	}
	number := func(v *big.Int) core.Expr { return &core.Const{Val: v, Typ: typ} }
	return &core.Binary{Op: core.Eq, X: &core.Binary{Op: core.Rem, X: a.loc, Y: number(d)}, Y: number(r.Val)}
}
