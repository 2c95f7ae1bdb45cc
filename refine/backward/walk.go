package backward

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/preds"
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
	maxFrontier = 60 // atoms at one step
	maxSize     = 25 // operators and operands of an atom
)

// Style says how a walk reads the path.
type Style struct {
	Apart     bool                     // each effect of a callee by itself, not their sum
	Values    bool                     // variables are the constants that they hold on the path
	Loops     bool                     // hints are loop invariants, and are carried on to the start of the path
	Recursion bool                     // hints are about returns of recursive procedures
	Hints     map[int][]core.Expr      // atoms to be carried back from steps, besides those of the reason
	Sums      map[*core.Proc]Summaries // the results of all activations of recursive procedures
}

// Walk is one walk back along a path.
type Walk struct {
	*cex.Facts
	path      *cex.Path
	core      *cex.Core
	constants *preds.Constants
	calls     map[int]*snapshot // what variables held at the calls in the reason
	found     *preds.Set

	Style
	now   *cex.Execution // what variables hold before the present step, from the start of the path on
	frame *cex.Frame     // the activation that runs it

	frontier []core.Expr                // atoms at the present step
	waiting  map[*cex.Frame][]core.Expr // those that wait in a caller while a callee is walked through
	facts    map[*cex.Frame][]core.Expr // what is to hold at the calls that started these activations
	unsat    func([]*logic.Term, *logic.Table) bool
	starts   map[*cex.Frame]*cex.Execution // the path up to the calls of these activations
	result   *core.Var                     // stands for the result of the callee while atoms are carried into it
}

// Run goes back from the end of the reason to its start.
func (w *Walk) Run() {
	required := map[int]core.Expr{}
	for _, x := range w.core.Conds {
		required[x.Step] = x.Expr
	}
	for i := w.core.To - 1; i >= w.core.From; i-- {
		f := w.path.Steps[i].Frame
		w.undo(i)
		if e := required[i]; e != nil {
			w.addAll(throughEquation(w.frontier, e))
			w.addAll(algebra.Atoms(e))
		}
		if hints := w.relevant(w.Hints[i]); len(hints) > 0 {
			if w.Loops {
				for _, a := range w.frontier {
					w.found.Add(f.Proc, a)
				}
			}
			if w.Loops || w.Recursion {
				w.frontier = nil
			}
			w.addAll(hints)
		}
		for _, a := range w.frontier {
			w.found.Add(f.Proc, a)
		}
	}
	if w.Loops {
		w.strengthenToEntry()
	}
}

// undo goes back over step i: the live atoms become what they say before it.
func (w *Walk) undo(i int) {
	s := w.path.Steps[i]
	f := s.Frame
	w.now.Back(i)
	w.frame = f
	switch {
	case s.Node == f.Proc.Exit() && f.Caller != nil:
		w.intoCallee(f)
	case s.Enter != nil:
		w.outOfCallee(s.Enter, s.Stmt().(*core.Call))
	default:
		w.through(f, i)
	}
}

// New returns the walk along p from the end of r to its start, for which the path is looked at from
// step from on. The predicates that it finds are added to found; unsat reports whether formulas cannot
// hold together.
func New(facts *cex.Facts, p *cex.Path, r *cex.Core, from int, constants *preds.Constants, found *preds.Set, by Style, unsat func([]*logic.Term, *logic.Table) bool) *Walk {
	return &Walk{
		Facts: facts, path: p, core: r, constants: constants, found: found, Style: by, unsat: unsat,
		waiting: map[*cex.Frame][]core.Expr{}, facts: map[*cex.Frame][]core.Expr{},
		calls: snapshots(facts, p, from, r.To), now: facts.Execute(logic.NewTable(), p, 0, r.To),
	}
}

// relevant lists those hints about a loop that speak of a number that a live atom reads.
func (w *Walk) relevant(hints []core.Expr) (out []core.Expr) {
	if len(hints) == 0 || !w.Loops {
		return hints
	}
	read := map[string]bool{}
	for _, a := range w.frontier {
		for _, l := range core.Locs(a) {
			read[algebra.PlaceName(l)] = true
		}
	}
	for _, h := range hints {
		if slices.ContainsFunc(core.Locs(h), func(l core.Loc) bool {
			_, isNumber := l.Type().(core.Int)
			return isNumber && read[algebra.PlaceName(l)]
		}) {
			out = append(out, h)
		}
	}
	return out
}

// addAll makes atoms live, simplified, each once; known ones are dropped.
func (w *Walk) addAll(atoms []core.Expr) {
	have := map[string]bool{}
	for _, a := range w.frontier {
		have[core.ExprString(a)] = true
	}
	for _, a := range atoms {
		a, known := algebra.Simplify(a, w.Values)
		if known || algebra.Size(a) > maxSize || len(w.frontier) >= maxFrontier || algebra.FollowsNull(a) {
			continue
		}
		for _, b := range w.withTargets(a) {
			if text := core.ExprString(b); !have[text] {
				have[text] = true
				w.frontier = append(w.frontier, b)
			}
		}
	}
}

// Summaries says what a procedure makes of variables, in terms of its entry.
type Summaries map[*core.Var]core.Expr
