package invgen

import (
	"math/big"
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
)

// This file looks at numbers at the heads of loops that a path goes round several times: variables,
// members of global variables, and targets of pointers of the activation. Those that change by
// constants are induction variables.

// loop is the head of a loop, and the values of numbers when a path comes there.
type loop struct {
	frame   *cex.Frame               // the activation
	steps   []int                    // the visits
	tracked []lvalue                 // the numbers that are looked at
	values  []map[string]*logic.Term // at each visit, by text of the place
}

// lvalue is a place that holds a number.
type lvalue struct {
	loc core.Loc
	typ core.Int
}

// text returns the printed form of the place, by which it is identified.
func (q lvalue) text() string { return core.ExprString(q.loc) }

// loops returns the heads in a segment to which one activation comes at least LoopVisits times. A node
// is a head if control came to it from one with a number not less than its own.
func loops(p *cex.Path, from, to int) []*loop {
	type head struct {
		frame *cex.Frame
		node  int
	}
	visits := map[head]*loop{}
	isHead := map[head]bool{}
	var order []head
	last := map[*cex.Frame]int{}
	// 1. Visits of each node by each activation; heads are where control goes backwards.
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
	// 2. Heads with enough visits, in order of their first.
	var out []*loop
	for _, h := range order {
		if isHead[h] && len(visits[h].steps) >= cex.LoopVisits {
			out = append(out, visits[h])
		}
	}
	return out
}

// observe records the values of the numbers in scope at the heads of loops, and returns the execution
// of the path up to step to.
func (fd *Finder) observe(p *cex.Path, heads []*loop, to int) *cex.Execution {
	// 1. The numbers in scope, in memory those that the path reads.
	at := map[int]*loop{}
	whole := fd.Execute(logic.NewTable(), p, 0, to)
	for _, l := range heads {
		l.tracked = append(fd.numbers(l.frame), fd.membersRead(whole, l.frame)...)
		for _, i := range l.steps {
			at[i] = l
		}
	}
	// 2. Their values at each visit.
	x := fd.Execute(logic.NewTable(), p, 0, 0)
	for i := range to {
		if l := at[i]; l != nil {
			l.values = append(l.values, valuesAt(x, l, i))
		}
		x.Step(p, i)
	}
	return x
}

// numbers lists the variables outside of memory in scope of an activation that hold numbers, in a fixed
// order.
func (fd *Finder) numbers(f *cex.Frame) (out []lvalue) {
	for _, vars := range [][]*core.Var{f.Proc.Formals, f.Proc.Locals, fd.Prog.Globals} {
		for _, v := range vars {
			if t, ok := v.Type.(core.Int); ok && !t.Bool && !v.InMemory() {
				out = append(out, lvalue{v.Ref(), t})
			}
		}
	}
	return out
}

// mostPlaces bounds the places in memory that are looked at.
const mostPlaces = 30

// membersRead lists the numbers in memory that a path reads, in global variables and at targets of
// pointer variables of activation f, in a fixed order; x has executed the path.
func (fd *Finder) membersRead(x *cex.Execution, f *cex.Frame) (out []lvalue) {
	seen := map[string]bool{}
	// 1. The reads of whole numbers, each place once.
	for read := range x.Memory.Known {
		typ, ok := x.Translator.TypeOf(read).(core.Int)
		if !ok || typ.Bool || typ.Bits%8 != 0 {
			continue
		}
		if a := addressIn(x, read.Args[0], f); a != nil {
			q := lvalue{&core.Mem{Addr: a, Typ: typ}, typ}
			if !seen[q.text()] {
				seen[q.text()] = true
				out = append(out, q)
			}
		}
	}
	// 2. In order, as the map has none.
	slices.SortFunc(out, func(a, b lvalue) int { return strings.Compare(a.text(), b.text()) })
	return out[:min(len(out), mostPlaces)]
}

// addressIn returns an expression over variables of activation f and globals for an address; nil if it
// is neither in a global variable nor at a constant distance from a pointer that a variable holds.
func addressIn(x *cex.Execution, addr *logic.Term, f *cex.Frame) core.Expr {
	typ := core.Ptr{Bits: x.Bits}
	// 1. In a global variable.
	if a := x.SpellAddress(addr, nil, typ, x.Prog.Globals); a != nil {
		return a
	}
	for _, vars := range [][]*core.Var{f.Proc.Formals, f.Proc.Locals, x.Prog.Globals} {
		for _, v := range vars {
			if _, ok := v.Type.(core.Ptr); !ok {
				continue
			}
			// 2. At a constant distance from the value of a pointer. A constant value would be a coincidence.
			value := x.Values[cex.SlotOf(f, v)]
			if v.InMemory() {
				value = x.Eval(f, 0, v.Ref())
			}
			if value != nil {
				if d := x.Table.Sub(addr, value); d.IsConst() && d.Val.IsInt64() && !value.IsConst() {
					return algebra.Displace(v.Ref(), d.Val.Int64())
				}
			}
		}
	}
	return nil
}

// valuesAt returns the values of the tracked places of a loop before step i, by text. Local variables
// that have not been used so far are left out, and so are places that the program does not read.
func valuesAt(x *cex.Execution, l *loop, i int) map[string]*logic.Term {
	out := map[string]*logic.Term{}
	for _, q := range l.tracked {
		if v := algebra.Variable(q.loc); v != nil {
			if x.Values[cex.SlotOf(l.frame, v)] == nil && v.Kind != core.Global && v.Kind != core.Formal {
				continue
			}
		}
		if x.IsRead(q.loc) {
			out[q.text()] = cex.Unwrapped(x.Table, x.Eval(l.frame, i, q.loc))
		}
	}
	return out
}

// inductionVar is a number that changes by constants from visit to visit of a loop's head.
type inductionVar struct {
	lvalue
	deltas []*big.Int    // from visit to visit; not all are 0
	values []*logic.Term // at each visit
}

// inductionVars lists the induction variables of a loop, in a fixed order.
func (l *loop) inductionVars(t *logic.Table) (out []inductionVar) {
numbers:
	for _, q := range l.tracked {
		if q.typ.Float { // there is no arithmetic on its bits
			continue
		}
		m, moves := inductionVar{lvalue: q}, false
		for i, values := range l.values {
			// 1. It must have a value at each visit.
			value := values[q.text()]
			if value == nil {
				continue numbers
			}
			m.values = append(m.values, value)
			if i == 0 {
				continue
			}
			// 2. The change since the last visit must be a constant, not always 0.
			d := t.Sub(value, m.values[i-1])
			if !d.IsConst() {
				continue numbers
			}
			m.deltas = append(m.deltas, d.Val)
			moves = moves || d.Val.Sign() != 0
		}
		if moves {
			out = append(out, m)
		}
	}
	return out
}

// step returns the first change that is not 0.
func (a inductionVar) step() *big.Int {
	for _, d := range a.deltas {
		if d.Sign() != 0 {
			return d
		}
	}
	return new(big.Int)
}

// isCounter reports whether all changes that are not 0 are the same. The state of an automaton, 0, 2, 1, 0,
// is no counter.
func (a inductionVar) isCounter() bool {
	step := a.step()
	for _, d := range a.deltas {
		if d.Sign() != 0 && d.Cmp(step) != 0 {
			return false
		}
	}
	return true
}

// distinct returns the number of different values. A variable with fewer than LoopVisits is a flag.
func (a inductionVar) distinct() int {
	seen := map[*logic.Term]bool{}
	for _, v := range a.values {
		seen[v] = true
	}
	return len(seen)
}
