package zingcheck

import (
	"c2bp/checker/interleave"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file lists the properties of a model.

// errorNames are the names of runtime errors.
var errorNames = map[zom.Outcome]string{
	zom.NullUsed:      "null dereference",
	zom.Overflow:      "arithmetic overflow",
	zom.DivByZero:     "division by zero",
	zom.BadIndex:      "invalid index",
	zom.EmptyChoice:   "choose from nothing",
	zom.NoMessage:     "receive from an empty channel",
	zom.BlockedInside: "blocking select inside a step",
	zom.Unhandled:     "unhandled exception",
	zom.Endless:       "infinite loop in a step",
	zom.WrongClass:    "object of another class",
	zom.ChoiceInside:  "choice inside a condition",
	zom.TooLarge:      "array too large",
}

// sites fills in the properties of r: assertions, deadlock, and runtime errors, which are one property unless
// some are found.
func (a *Analysis) sites(r *verdict.Result, opts Options) {
	open := a.Search.Open != "" || len(a.Search.Failures) > 0 && !opts.All
	// 1. Assertions, in the order of the text.
	at := map[int32]int{}
	for _, n := range a.Lowered.Asserts {
		at[n] = len(r.Sites)
		s := a.site(verdict.Assertion, "", n)
		s.Open = open
		r.Sites = append(r.Sites, s)
	}
	// 2. Failures: of assertions at their place, others get one.
	deadlock, errors := false, false
	for i, f := range a.Search.Failures {
		site := len(r.Sites)
		switch {
		case f.Kind == interleave.Deadlock:
			deadlock = true
			name := "deadlock"
			if opts.Stuck {
				name = "stuck: deadlock"
			}
			r.Sites = append(r.Sites, a.site(verdict.Check, name, f.Node))
		case f.Kind == interleave.Orphan:
			deadlock = true
			model := interleave.Model{Prog: a.Lowered.Prog, Roots: a.Lowered.Activate}
			r.Sites = append(r.Sites, a.site(verdict.Check, "stuck: orphan message", senders(model, opts.Options, f)[0]))
		case f.Outcome == zom.Failed:
			site = at[f.Node]
		default:
			errors = true
			r.Sites = append(r.Sites, a.site(verdict.Check, errorNames[f.Outcome], f.Node))
		}
		r.Sites[site].Failed, r.Sites[site].Open = true, false
		if i == 0 {
			r.Failed = site
		}
	}
	// 3. What was not found.
	switch {
	case deadlock || opts.NoDeadlocks:
	case opts.Stuck:
		r.Sites = append(r.Sites, verdict.Site{Kind: verdict.Check, Name: "stuck", Proc: "-", Open: open})
	default:
		r.Sites = append(r.Sites, verdict.Site{Kind: verdict.Check, Name: "deadlock", Proc: "-", Open: open})
	}
	if !errors {
		r.Sites = append(r.Sites, verdict.Site{Kind: verdict.Check, Name: "runtime error", Proc: "-", Open: open})
	}
}

// site returns the property of a node.
func (a *Analysis) site(kind verdict.SiteKind, name string, node int32) verdict.Site {
	n := a.Lowered.Nodes[node]
	return verdict.Site{Kind: kind, Name: name, Proc: n.Method, Pos: n.Pos, Text: n.Text}
}
