package refine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/boolprog"
	"c2bp/frontend/core"
	"c2bp/refine/event"
	"c2bp/refine/technique"
)

// This file decides when pointers are kept as references (package abstract/refs). Predicates that say
// something of one object are object predicates then, and the types of these objects are kept; comparisons
// of references need no predicates. So a path that was refuted by aliasing is refuted by its references.
//
// An abstraction with references costs more to check, since heaps are searched one by one, and less to find,
// since no predicate speaks of aliasing. RefsAuto takes it where aliasing has refuted two paths, RefsAlways
// from the start. Both go back to the ordinary one where the check exceeds a limit, or no predicates help.
//
// Most of the time of an audit goes by iterations: each makes random runs, however small its abstraction. So an
// attempt that fails must fail in its first iterations. The check visits all states, after failures, too: a
// proof has to, and heaps that are too many while little is known of them do not become few.
//
// After an attempt that failed, the search goes on from where it was before: predicates found with references
// are for other paths, and would be in the way. So RefsAuto decides whatever RefsNever does, and costs the
// attempt more. Facts stay: properties that hold or fail, answers of the prover.

// Refs says when pointers are kept as references.
type Refs int

const (
	RefsAuto Refs = iota
	RefsAlways
	RefsNever
)

// refsModes are the names of the modes, as on the command line.
var refsModes = []string{"auto", "always", "never"}

// String returns the name of a mode.
func (m Refs) String() string { return refsModes[m] }

// Set sets the mode by its name.
func (m *Refs) Set(name string) error {
	i := slices.Index(refsModes, name)
	if i < 0 {
		return fmt.Errorf("no mode %q; expected one of: %s", name, strings.Join(refsModes, ", "))
	}
	*m = Refs(i)
	return nil
}

const (
	aliasRefutations = 2       // paths refuted by aliasing, from which on RefsAuto keeps pointers
	mostHeaps        = 10_000  // states with whole stacks, of an abstraction with references
	mostVisited      = 300_000 // states of all abstractions with references, until RefsAuto goes back
	keptFor          = 24      // and such abstractions
)

// references is the state of that decision.
type references struct {
	on      bool  // pointers are kept
	over    bool  // they were, and that did not help
	aliased int   // paths that were refuted by aliasing
	made    int   // abstractions with references
	visited int64 // states of these
}

// withReferences returns the predicates and options of the next abstraction.
func (a *audit) withReferences(preds []*abstract.Predicate, opts abstract.Options) ([]*abstract.Predicate, abstract.Options) {
	opts.Refs = a.refs.on
	if !a.refs.on {
		opts.Keep = nil
		return preds, opts
	}
	return abstract.ObjectPredicates(preds, a.Prog.Pointer()), opts
}

// noticeAliasing counts the paths that aliasing refutes, and keeps pointers from the second on. The
// predicates from number before on are those that a path needed.
func (a *audit) noticeAliasing(before int) {
	if a.refs.on || a.refs.over {
		return
	}
	for _, p := range a.search.preds.List[before:] {
		if a.aboutAliasing(p.Expr) {
			a.refs.aliased++
			break
		}
	}
	if a.refs.aliased >= aliasRefutations {
		a.refs.on = true
		a.opts.Log.Report(event.References{Kept: true})
	}
}

// aboutAliasing reports whether a predicate says which object a pointer leads to, or reads an object that is
// one of several.
func (a *audit) aboutAliasing(e core.Expr) bool {
	several := func(e core.Expr) bool {
		targets := a.Alias.PointsTo(e).Targets()
		return len(targets) > 1 || a.Alias.PointsTo(e).Outside() || slices.ContainsFunc(targets, func(t alias.Target) bool { return t.Object.Site != nil })
	}
	found := false
	core.Walk(e, func(e core.Expr) bool {
		switch e := e.(type) {
		case *core.Binary:
			_, isPointer := e.X.Type().(core.Ptr)
			found = found || isPointer && (e.Op == core.Eq || e.Op == core.Ne) && !core.IsNull(e.X) && !core.IsNull(e.Y)
		case *core.Mem:
			o, isMember := e.Addr.(*core.Offset)
			found = found || isMember && o.Of != nil && several(core.Base(e.Addr))
		}
		return !found
	})
	return found
}

// withoutReferences goes back to the ordinary abstraction, if pointers are kept and need not be. It reports
// whether that is so.
func (a *audit) withoutReferences(why string) bool {
	if !a.refs.on {
		return false
	}
	a.refs.on, a.refs.over = false, true
	a.opts.Log.Report(event.References{Why: why})
	a.search.restore()
	if a.scheduler != nil {
		for _, t := range a.scheduler.queue {
			t.search.restore()
		}
	}
	// What was set aside for want of predicates is open again.
	a.status.reopen(math.MaxInt)
	return true
}

// restore undoes all changes of s since its first abstraction with references, if it had one.
func (s *search) restore() {
	if s.before != nil {
		*s = *s.before
	}
}

// tooLong goes back to the ordinary abstraction if pointers have been kept for a while, and reports whether it
// does.
func (a *audit) tooLong() bool {
	if !a.refs.on || a.opts.Refs == RefsAlways {
		return false
	}
	if !keepsReferences(a.last.Program) {
		return false
	}
	a.refs.made++
	a.refs.visited += counter(a.last.Result.Stats, "whole states") + counter(a.last.Result.Stats, "visible states")
	return (a.refs.made > keptFor || a.refs.visited > mostVisited) && a.withoutReferences("that takes long")
}

// constrains reports whether constraints are added to the last abstraction: if it has no references.
func (a *audit) constrains() bool {
	return !keepsReferences(a.search.made.Program) && !a.Without.Has(technique.Constraints)
}

// keepsReferences reports whether an abstraction has references.
func keepsReferences(p *boolprog.Program) bool { return p != nil && len(p.Classes) > 0 }
