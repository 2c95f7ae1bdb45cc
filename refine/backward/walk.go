package backward

import (
	"slices"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/algebra"
	"c2bp/refine/cex"
	"c2bp/refine/preds"
)

// This file walks back along a path: the atoms of the conditions in an unsat core are carried backwards
// through the statements before them. An atom at a step is equivalent there to the original later on.
// Where it vanishes, because it has become a constant or an input decides it, it has been explained.

// Bounds on the frontier. Larger atoms, and more of them, are too special to be of use.
const (
	maxFrontier = 60 // atoms at one step
	maxSize     = 25 // operators and operands of an atom
)

// Style is how a walk reads the path.
type Style struct {
	Values    bool                     // variables are the constants that they hold on the path
	Loops     bool                     // Hints are loop invariants, and are carried on to the start of the path
	Recursion bool                     // Hints are about returns of recursive procedures
	Hints     map[int][]core.Expr      // atoms to be carried back from steps, besides those of the core
	Sums      map[*core.Proc]Summaries // the results of all activations of recursive procedures
}

// Unsat reports whether formulas of a table exclude each other.
type Unsat func([]*logic.Term, *logic.Table) bool

// Walk is a walk back along a path.
type Walk struct {
	*cex.Facts
	Path      *cex.Path
	Core      *cex.Core // of the path
	Constants *preds.Constants
	Found     *preds.Set // the predicates that are proposed are added to it
	Unsat     Unsat
	Style

	now   *cex.Execution    // the path from its start up to the present step
	frame *cex.Frame        // the activation of the present step
	calls map[int]*snapshot // values of variables at calls, by step

	frontier []core.Expr                   // atoms at the present step
	waiting  map[*cex.Frame][]core.Expr    // atoms that wait in a caller while its callee is walked through
	facts    map[*cex.Frame][]core.Expr    // atoms at the calls that started these activations
	starts   map[*cex.Frame]*cex.Execution // answers of atCall
	result   *core.Var                     // stands for the result of the callee while atoms are carried into it
}

// Run walks from the end of the core to its start, and proposes the atoms at each step as predicates
// of the procedure there. The values of variables at calls are those of an execution from step from on.
func (w *Walk) Run(from int) {
	w.waiting, w.facts = map[*cex.Frame][]core.Expr{}, map[*cex.Frame][]core.Expr{}
	w.calls = snapshots(w.Facts, w.Path, from, w.Core.To)
	w.now = w.Execute(logic.NewTable(), w.Path, 0, w.Core.To)
	required := map[int]core.Expr{}
	for _, x := range w.Core.Conds {
		required[x.Step] = x.Expr
	}
	for i := w.Core.To - 1; i >= w.Core.From; i-- {
		// 1. Carry the frontier back over the step.
		f := w.Path.Steps[i].Frame
		w.undo(i)
		// 2. A condition of the core adds its atoms. If it is an equation, atoms about one side of it are
		// asked about the other, too.
		if e := required[i]; e != nil {
			w.addAll(throughEquation(w.frontier, e))
			w.addAll(algebra.Atoms(e))
		}
		// 3. Hints take the place of the frontier: formulas that hold at each visit of a loop's head, or at
		// each return of a recursive procedure, are not carried on from one round to the next. The frontier
		// at the head of a loop is still proposed.
		if hints := w.relevant(w.Hints[i]); len(hints) > 0 {
			if w.Loops {
				for _, a := range w.frontier {
					w.Found.Add(f.Proc, a)
				}
			}
			if w.Loops || w.Recursion {
				w.frontier = nil
			}
			w.addAll(hints)
		}
		// 4. Propose the frontier.
		for _, a := range w.frontier {
			w.Found.Add(f.Proc, a)
		}
	}
	if w.Loops {
		w.strengthenToEntry()
	}
}

// undo carries the frontier back over step i, and takes back the step in w.now.
func (w *Walk) undo(i int) {
	s := w.Path.Steps[i]
	f := s.Frame
	w.now.Back(i)
	w.frame = f
	switch {
	case s.Node == f.Proc.Exit() && f.Caller != nil: // a return, backwards
		w.intoCallee(f)
	case s.Enter != nil: // a call, backwards
		w.outOfCallee(s.Enter, s.Stmt().(*core.Call))
	default:
		w.through(f, i)
	}
}

// relevant returns the hints about a loop that read a number which an atom of the frontier reads;
// hints of other kinds all.
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

// addAll adds atoms to the frontier, simplified, each once. Atoms that are seen to be true or false are
// dropped, and so are those beyond maxSize, and all beyond maxFrontier.
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
		// An atom about the target of a pointer becomes one about a variable, and one about the pointer.
		for _, b := range w.withTargets(a) {
			if text := core.ExprString(b); !have[text] {
				have[text] = true
				w.frontier = append(w.frontier, b)
			}
		}
	}
}

// Summaries are the results of a procedure in all its activations: the values of variables at its
// return, in terms of its entry.
type Summaries map[*core.Var]core.Expr
