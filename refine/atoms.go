package refine

import (
	"c2bp/frontend/core"
	"c2bp/wp"
)

// This file finds predicates that rule out a path: it carries the atoms of the
// conditions in a reason backwards, through the statements before them. What an atom has
// become at a step says there what the atom says later on; where it vanishes, because
// it has become a constant or because an input decides it, it has been explained.
//
// Predicates are suggestions: whatever they are, the abstraction by them is sound. So
// this file may guess; that the path is gone is checked by doing.

// Bounds on what is carried: beyond, atoms are too special to be of use.
const (
	maxLive = 60 // atoms at one step
	maxSize = 25 // operators and operands of an atom
)

// level says how hard to look for predicates: what is general first.
type level int

const (
	looped  level = iota // at loops that are taken several times, what holds in every round
	counted              // the values of what counts to a constant
	general              // from the reason; callers' variables as symbolic constants
	special              // callers' variables as the constants that they hold on the path
	levels
)

// carrier is one walk back along a path.
type carrier struct {
	*world
	path   *Path
	reason *reason
	ghosts *ghosts
	calls  map[int]*snapshot // what variables held at the calls in the reason
	found  *predicates

	level level
	now   *execution // what variables hold before the present step, from the start of the path on
	frame *Frame     // the activation that runs it

	hints  map[int][]core.Expr    // atoms to be carried back from steps, besides those of the reason
	live   []core.Expr            // atoms at the present step
	bypass map[*Frame][]core.Expr // those that wait in a caller while a callee is walked through
	facts  map[*Frame][]core.Expr // what is to hold at the calls that started these activations
	result *core.Var              // stands for the result of the callee while atoms are carried into it
}

// atomsOf lists the comparisons and plain values that a condition is made of.
func atomsOf(e core.Expr) []core.Expr {
	switch x := e.(type) {
	case *core.Unary:
		if x.Op == core.Not {
			return atomsOf(x.X)
		}
	case *core.Binary:
		if x.Op.IsLogical() {
			return append(atomsOf(x.X), atomsOf(x.Y)...)
		}
	case *core.Conv: // a truth value of another type
		if b, ok := x.X.(*core.Binary); ok && (b.Op.IsComparison() || b.Op.IsLogical()) {
			return atomsOf(x.X)
		}
	}
	return []core.Expr{condition1(e)}
}

// condition1 is e as a comparison.
func condition1(e core.Expr) core.Expr {
	if b, ok := e.(*core.Binary); ok {
		if b.Op.IsComparison() {
			if inner, ok := comparedTruth(b); ok {
				return inner
			}
			return e
		}
	}
	switch t := e.Type().(type) {
	case core.Int:
		return &core.Binary{Op: core.Ne, X: e, Y: core.NewConst(0, t)}
	case core.Ptr:
		return &core.Binary{Op: core.Ne, X: e, Y: core.Null(t)}
	}
	return e
}

// comparedTruth returns the comparison c of (c) == 0 or (c) != 0.
func comparedTruth(b *core.Binary) (core.Expr, bool) {
	zero, ok := b.Y.(*core.Const)
	if !ok || zero.Val.Sign() != 0 || b.Op != core.Eq && b.Op != core.Ne {
		return nil, false
	}
	x := b.X
	for {
		c, ok := x.(*core.Conv)
		if !ok {
			break
		}
		x = c.X
	}
	if c, ok := x.(*core.Binary); ok && c.Op.IsComparison() {
		return condition1(c), true
	}
	return nil, false
}

// walk goes back from the end of the reason to its start.
func (c *carrier) walk() {
	required := map[int]core.Expr{}
	for _, x := range c.reason.conds {
		required[x.step] = x.expr
	}
	for i := c.reason.to - 1; i >= c.reason.from; i-- {
		s := c.path.Steps[i]
		f := s.Frame
		c.now.back(i)
		c.frame = f
		switch {
		case s.Node == f.Proc.Exit() && f.Caller != nil:
			c.intoCallee(f)
		case s.Enter != nil:
			c.outOfCallee(s.Enter, s.stmt().(*core.Call))
		default:
			c.through(f, i)
		}
		if e := required[i]; e != nil {
			c.addAll(atomsOf(e))
		}
		if hints := c.hints[i]; len(hints) > 0 {
			if c.level == looped {
				for _, a := range c.live {
					c.found.add(f.Proc, a)
				}
				c.live = nil
			}
			c.addAll(hints)
		}
		for _, a := range c.live {
			c.found.add(f.Proc, a)
		}
	}
}

// addAll makes atoms live, simplified, each once; known ones are dropped.
func (c *carrier) addAll(atoms []core.Expr) {
	have := map[string]bool{}
	for _, a := range c.live {
		have[core.ExprString(a)] = true
	}
	for _, a := range atoms {
		a, known := simplify(a, c.level == special)
		if known || size(a) > maxSize || len(c.live) >= maxLive {
			continue
		}
		for _, b := range c.concrete(a) {
			if text := core.ExprString(b); !have[text] {
				have[text] = true
				c.live = append(c.live, b)
			}
		}
	}
}

// size is the number of operators and operands of e; conversions are free.
func size(e core.Expr) int {
	n := 0
	core.Walk(e, func(x core.Expr) bool {
		if _, ok := x.(*core.Conv); !ok {
			n++
		}
		return true
	})
	return n
}

// through carries the live atoms back through a statement within a procedure.
func (c *carrier) through(f *Frame, step int) {
	stmt, facts := c.statement(c.path.Steps[step].stmt())
	old := c.live
	c.live = nil
	if h, ok := stmt.(*core.Havoc); ok {
		for _, l := range h.Locs {
			old = c.eliminate(old, l)
		}
	}
	depends := false
	for _, a := range old {
		before := c.before(a, stmt)
		depends = depends || len(before) != 1 || before[0] != a
		c.addAll(before)
	}
	if depends {
		c.addAll(facts)
	}
}

// eliminate adds to atoms what they say together, without l, which an input decides: of
// l == t and l < u, t < u; of t <= l and l < u, t < u.
func (c *carrier) eliminate(atoms []core.Expr, l core.Loc) []core.Expr {
	text := core.ExprString(l)
	out := atoms
	for _, a := range atoms {
		t := solved(a, text)
		if t == nil || c.reads(t, l) {
			continue
		}
		for _, b := range atoms {
			if b == a || !c.reads(b, l) {
				continue
			}
			out = append(out, core.Replace(b, func(x core.Expr) core.Expr {
				if y, ok := x.(core.Loc); ok && core.ExprString(y) == text {
					return convertTo(t, x.Type())
				}
				return nil
			}))
		}
	}
	return out
}

// solved returns t if a compares the location spelt text with t, whatever the comparison
// is.
func solved(a core.Expr, text string) core.Expr {
	b, ok := a.(*core.Binary)
	if !ok || !b.Op.IsComparison() {
		return nil
	}
	for _, side := range [][2]core.Expr{{b.X, b.Y}, {b.Y, b.X}} {
		x := side[0]
		if k, ok := x.(*core.Conv); ok && holds(k) {
			x = k.X
		}
		if core.ExprString(x) == text {
			return side[1]
		}
	}
	return nil
}

// before is what a says before s: atoms about the state before s that together decide a
// behind it, as far as that is known; none if an input decides.
func (c *carrier) before(a core.Expr, s core.Stmt) []core.Expr {
	switch s := s.(type) {
	case *core.Assign:
		return c.beforeAssign(a, s)
	case *core.Havoc:
		for _, l := range s.Locs {
			if c.reads(a, l) {
				return nil
			}
		}
		if s.Region && readsMemory(a) {
			return nil
		}
	case *core.Alloc:
		if c.reads(a, s.Lhs) {
			return nil
		}
	case *core.Fill:
		return c.beforeRange(a, s.Dst, s.Size, func(*core.Mem, int64) core.Expr {
			if b, ok := s.Byte.(*core.Const); ok && b.Val.Sign() == 0 {
				return b
			}
			return nil
		})
	case *core.Data:
		return c.beforeRange(a, s.Dst, core.NewConst(int64(len(s.Bytes)), core.Uint64), func(*core.Mem, int64) core.Expr { return nil })
	case *core.Copy:
		return c.beforeRange(a, s.Dst, s.Size, func(m *core.Mem, off int64) core.Expr {
			return &core.Mem{Addr: offset(s.Src, off), Typ: m.Typ, Bit: m.Bit, Packed: m.Packed}
		})
	case *core.Call: // of a procedure without a body
		if s.Lhs != nil && c.reads(a, s.Lhs) {
			return nil
		}
		for _, l := range core.Locs(a) {
			if c.alias.Affected(s, l) {
				return nil
			}
		}
	}
	return []core.Expr{a}
}

func readsMemory(e core.Expr) bool { return len(core.Loads(e)) > 0 }

// reads reports whether e may read l.
func (c *carrier) reads(e core.Expr, l core.Loc) bool {
	if v := variable(l); v != nil && !v.InMemory() {
		return core.Mentions(e, func(u *core.Var) bool { return u == v })
	}
	for _, m := range core.Loads(e) {
		if c.aliases.MayAlias(m, l) {
			return true
		}
	}
	return false
}

// variable is the variable that l is, nil for a place in memory.
func variable(l core.Loc) *core.Var {
	if r, ok := l.(*core.VarRef); ok {
		return r.Var
	}
	return nil
}

// beforeAssign puts what is assigned in the place of what it is assigned to. Where a
// pointer may or may not lead to what the atom reads, all three parts of the case
// distinction are atoms.
func (c *carrier) beforeAssign(a core.Expr, s *core.Assign) []core.Expr {
	values := map[*core.Var]core.Expr{}
	for i, l := range s.Lhs {
		if v := variable(l); v != nil && !v.InMemory() {
			values[v] = s.Rhs[i]
		}
	}
	out := []core.Expr{a}
	for i, l := range s.Lhs {
		if v := variable(l); v != nil && !v.InMemory() {
			continue
		}
		for _, m := range core.Loads(a) {
			if m.Type() == l.Type() && c.aliases.MayAlias(m, l) {
				out = c.overwritten(out, m, l, s.Rhs[i])
			}
		}
	}
	if len(values) == 0 {
		return out
	}
	for i, e := range out {
		out[i] = core.Replace(e, func(x core.Expr) core.Expr {
			if r, ok := x.(*core.VarRef); ok && values[r.Var] != nil {
				return values[r.Var]
			}
			return nil
		})
	}
	return out
}

// overwritten is the atoms out before value was stored in l, which may be the place m.
func (c *carrier) overwritten(out []core.Expr, m, l core.Loc, value core.Expr) []core.Expr {
	text := core.ExprString(m)
	stored := make([]core.Expr, len(out))
	for i, e := range out {
		stored[i] = core.Replace(e, func(x core.Expr) core.Expr {
			if x.Type() == m.Type() && core.ExprString(x) == text {
				return value
			}
			return nil
		})
	}
	p, q := addressOf(m), addressOf(l)
	if p != nil && q != nil {
		base1, off1 := baseOf(p)
		base2, off2 := baseOf(q)
		switch same := core.ExprString(base1) == core.ExprString(base2); {
		case same && off1 == off2:
			return stored
		case same:
			return out
		}
	}
	if len(out) > 4 || p == nil || q == nil {
		return out
	}
	same := &core.Binary{Op: core.Eq, X: p, Y: q}
	return append(append(out, stored...), same)
}

// addressOf is the address of a place in memory.
func addressOf(l core.Loc) core.Expr {
	switch l := l.(type) {
	case *core.Mem:
		return l.Addr
	case *core.VarRef:
		return &core.AddrOf{Var: l.Var, Typ: core.Ptr{Bits: 64}}
	}
	return nil
}

// beforeRange carries a back through a write of size bytes at dst: value says what a
// place at a known offset from dst holds; nil is arbitrary.
func (c *carrier) beforeRange(a core.Expr, dst, size core.Expr, value func(*core.Mem, int64) core.Expr) []core.Expr {
	written := &core.Mem{Addr: dst, Typ: core.Agg{Size: constantOf(size)}}
	base, at := baseOf(dst)
	known := true
	out := core.Replace(a, func(x core.Expr) core.Expr {
		l, ok := x.(core.Loc)
		if !ok || !isScalar(x.Type()) {
			return nil
		}
		if v := variable(l); v != nil && !v.InMemory() || !c.aliases.MayAlias(l, written) {
			return nil
		}
		b, off := baseOf(addressOf(l))
		n := constantOf(size)
		switch {
		case core.ExprString(b) != core.ExprString(base):
			known = false
			return nil
		case off+core.Bytes(l.Type()) <= at, n > 0 && off >= at+n:
			return nil
		case off < at:
			known = false
			return nil
		}
		m, ok := l.(*core.Mem)
		if !ok {
			m = &core.Mem{Addr: addressOf(l), Typ: l.Type()}
		}
		v := value(m, off-at)
		if v == nil {
			known = false
			return nil
		}
		return convertTo(v, x.Type())
	})
	if !known {
		return nil
	}
	return []core.Expr{out}
}

func constantOf(e core.Expr) int64 {
	if c, ok := e.(*core.Const); ok && c.Val.IsInt64() {
		return c.Val.Int64()
	}
	return 0
}

// baseOf splits an address into a base and a constant offset from it.
func baseOf(e core.Expr) (base core.Expr, off int64) {
	for {
		switch x := e.(type) {
		case *core.Offset:
			off += x.Off
			e = x.X
		case *core.Index:
			i, ok := x.I.(*core.Const)
			if !ok || !i.Val.IsInt64() {
				return e, off
			}
			off += i.Val.Int64() * x.Size
			e = x.X
		default:
			return e, off
		}
	}
}

// offset is the address off bytes behind e.
func offset(e core.Expr, off int64) core.Expr {
	if off == 0 {
		return e
	}
	return &core.Offset{X: e, Off: off}
}

// convertTo is v as a value of type t.
func convertTo(v core.Expr, t core.Type) core.Expr {
	if v.Type() == t {
		return v
	}
	_, fromInt := v.Type().(core.Int)
	switch to := t.(type) {
	case core.Int:
		if fromInt {
			return &core.Conv{X: v, To: to}
		}
		return &core.ToInt{X: v, To: to}
	case core.Ptr:
		if fromInt {
			return &core.ToPtr{X: v, Typ: to}
		}
	}
	return v
}

// intoCallee goes, backwards, from behind a call into the callee, f, at its return.
// What the call cannot change waits in the caller.
func (c *carrier) intoCallee(f *Frame) {
	call := c.path.Steps[f.Call].stmt().(*core.Call)
	after := c.live
	c.live = nil
	c.frame = f
	var wait, inside []core.Expr
	for _, a := range after {
		c.found.add(f.Caller.Proc, a)
		e, depends := c.atReturn(a, call, f.Proc)
		if !depends {
			wait = append(wait, a)
			continue
		}
		if c.level != special && core.Mentions(e, c.foreign) {
			if callee, before, ok := c.summarised(e, call, f); ok {
				inside = append(inside, callee...)
				c.facts[f] = append(c.facts[f], before)
				continue
			}
		}
		if e = c.inTermsOfCallee(e, call, f); e != nil {
			inside = append(inside, e)
		}
	}
	c.bypass[f.Caller] = wait
	c.addAll(inside)
}

// atReturn is a, an atom of the caller behind the call, with the result in the place of
// the call's destination; depends is set if the callee has a say in it.
func (c *carrier) atReturn(a core.Expr, call *core.Call, q *core.Proc) (e core.Expr, depends bool) {
	e = a
	if call.Lhs != nil && q.Result != nil && isScalar(q.Result.Type) && isScalar(call.Lhs.Type()) {
		var result core.Expr = c.returned(q).Ref()
		if call.ResultConv != nil {
			result = convertTo(result, *call.ResultConv)
		}
		text := core.ExprString(call.Lhs)
		e = core.Replace(a, func(x core.Expr) core.Expr {
			if l, ok := x.(core.Loc); ok && core.ExprString(l) == text {
				depends = true
				return result
			}
			return nil
		})
	}
	for _, l := range core.Locs(e) {
		depends = depends || c.alias.Affected(call, l)
	}
	return e, depends
}

// outOfCallee goes, backwards, from the entry of the activation g to before its call.
func (c *carrier) outOfCallee(g *Frame, call *core.Call) {
	inside := c.live
	c.live = nil
	for _, a := range inside {
		c.found.add(g.Proc, a)
	}
	c.addAll(c.bypass[g.Caller])
	delete(c.bypass, g.Caller)
	c.addAll(c.facts[g])
	delete(c.facts, g)
	for _, a := range inside {
		if core.Mentions(a, func(v *core.Var) bool { return v.Kind == core.Local || v.Kind == core.Temp }) {
			continue // nobody has set it
		}
		a = core.Replace(a, func(x core.Expr) core.Expr {
			if r, ok := x.(*core.VarRef); ok && r.Var.Kind == core.Ghost {
				return r.Var.Init
			}
			return nil
		})
		c.found.add(g.Proc, a) // for callers to say
		c.addAll([]core.Expr{wp.Actual(call, a)})
	}
}
