package refine

import (
	"fmt"
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
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
	nested  level = iota // of recursive procedures, what holds in every activation
	looped               // at loops that are taken several times, what holds in every round
	counted              // the values of what counts to a constant
	general              // from the reason; callers' variables as symbolic constants
	apart                // the same, with what a callee changes each by itself
	special              // callers' variables as the constants that they hold on the path
	few                  // the values that variables are seen to hold
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

	hints  map[int][]core.Expr      // atoms to be carried back from steps, besides those of the reason
	live   []core.Expr              // atoms at the present step
	bypass map[*Frame][]core.Expr   // those that wait in a caller while a callee is walked through
	facts  map[*Frame][]core.Expr   // what is to hold at the calls that started these activations
	sums   map[*core.Proc]summaries // what all activations of recursive procedures make of variables
	unsat  func([]*logic.Term, *logic.Table) bool
	starts map[*Frame]*execution // the path up to the calls of these activations
	result *core.Var             // stands for the result of the callee while atoms are carried into it
}

// atomsOf lists the comparisons and plain values that a condition is made of.
func atomsOf(e core.Expr) []core.Expr {
	switch x := e.(type) {
	case *core.Unary:
		if x.Op == core.Not {
			return atomsOf(x.X)
		}
	case *core.Binary:
		if x.Op.IsLogical() || (x.Op == core.Eq || x.Op == core.Ne) && isTruth(x.X) && isTruth(x.Y) {
			return append(atomsOf(x.X), atomsOf(x.Y)...)
		}
	case *core.Conv: // a truth value of another type
		if b, ok := x.X.(*core.Binary); ok && (b.Op.IsComparison() || b.Op.IsLogical()) {
			return atomsOf(x.X)
		}
	}
	return []core.Expr{condition1(e)}
}

// isTruth reports whether e is a truth value, of whatever type.
func isTruth(e core.Expr) bool {
	switch x := e.(type) {
	case *core.Conv:
		return isTruth(x.X)
	case *core.Unary:
		return x.Op == core.Not
	case *core.Float:
		return x.Op.IsTruth()
	case *core.Binary:
		return x.Op.IsComparison() || x.Op.IsLogical()
	}
	return false
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
		f := c.path.Steps[i].Frame
		c.undo(i)
		if e := required[i]; e != nil {
			c.addAll(replaced(c.live, e))
			c.addAll(atomsOf(e))
		}
		if hints := c.relevant(c.hints[i]); len(hints) > 0 {
			if c.level == looped {
				for _, a := range c.live {
					c.found.add(f.Proc, a)
				}
			}
			if c.level == looped || c.level == nested {
				c.live = nil
			}
			c.addAll(hints)
		}
		for _, a := range c.live {
			c.found.add(f.Proc, a)
		}
	}
	if c.level == looped {
		c.toStart()
	}
}

// undo goes back over step i: the live atoms become what they say before it.
func (c *carrier) undo(i int) {
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
}

// relevant lists those hints about a loop that speak of a number that a live atom reads.
func (c *carrier) relevant(hints []core.Expr) (out []core.Expr) {
	if len(hints) == 0 || c.level != looped {
		return hints
	}
	read := map[string]bool{}
	for _, a := range c.live {
		for _, l := range core.Locs(a) {
			read[placeName(l)] = true
		}
	}
	for _, h := range hints {
		if slices.ContainsFunc(core.Locs(h), func(l core.Loc) bool {
			_, isNumber := l.Type().(core.Int)
			return isNumber && read[placeName(l)]
		}) {
			out = append(out, h)
		}
	}
	return out
}

// placeName is the same for two ways to write one place: a member, and what is at its
// distance from the pointer.
func placeName(l core.Loc) string {
	m, ok := l.(*core.Mem)
	if !ok {
		return core.ExprString(l)
	}
	base, off := baseOf(m.Addr)
	return fmt.Sprintf("%s+%d", core.ExprString(base), off)
}

// addAll makes atoms live, simplified, each once; known ones are dropped.
func (c *carrier) addAll(atoms []core.Expr) {
	have := map[string]bool{}
	for _, a := range c.live {
		have[core.ExprString(a)] = true
	}
	for _, a := range atoms {
		a, known := simplify(a, c.level == special)
		if known || size(a) > maxSize || len(c.live) >= maxLive || followsNull(a) {
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
