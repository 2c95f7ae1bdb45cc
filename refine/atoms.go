package refine

import (
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

// style says how a walk reads the path.
type style struct {
	apart     bool                     // each effect of a callee by itself, not their sum
	values    bool                     // variables are the constants that they hold on the path
	loops     bool                     // hints are loop invariants, and are carried on to the start of the path
	recursion bool                     // hints are about returns of recursive procedures
	hints     map[int][]core.Expr      // atoms to be carried back from steps, besides those of the reason
	sums      map[*core.Proc]summaries // the results of all activations of recursive procedures
}

// carrier is one walk back along a path.
type carrier struct {
	*world
	path   *Path
	reason *reason
	ghosts *ghosts
	calls  map[int]*snapshot // what variables held at the calls in the reason
	found  *predicates

	style
	now   *execution // what variables hold before the present step, from the start of the path on
	frame *Frame     // the activation that runs it

	live   []core.Expr            // atoms at the present step
	bypass map[*Frame][]core.Expr // those that wait in a caller while a callee is walked through
	facts  map[*Frame][]core.Expr // what is to hold at the calls that started these activations
	unsat  func([]*logic.Term, *logic.Table) bool
	starts map[*Frame]*execution // the path up to the calls of these activations
	result *core.Var             // stands for the result of the callee while atoms are carried into it
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
			if c.loops {
				for _, a := range c.live {
					c.found.add(f.Proc, a)
				}
			}
			if c.loops || c.recursion {
				c.live = nil
			}
			c.addAll(hints)
		}
		for _, a := range c.live {
			c.found.add(f.Proc, a)
		}
	}
	if c.loops {
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
	if len(hints) == 0 || !c.loops {
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

// addAll makes atoms live, simplified, each once; known ones are dropped.
func (c *carrier) addAll(atoms []core.Expr) {
	have := map[string]bool{}
	for _, a := range c.live {
		have[core.ExprString(a)] = true
	}
	for _, a := range atoms {
		a, known := simplify(a, c.values)
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

// summaries says what a procedure makes of variables, in terms of its entry.
type summaries map[*core.Var]core.Expr
