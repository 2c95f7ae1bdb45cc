package rules

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/refine"
	"c2bp/refine/concretise"
	"c2bp/refine/harness"
	"c2bp/verdict"
)

// This file looks for plainer failures of drivers. A function without a body may change all memory that it reaches,
// so the first failing run may rest on one that replaces a pointer of the driver or of its kernel:
//
//	mutex_lock(&d->bus->lock);
//	reset(d);                       replaces d->bus
//	mutex_unlock(&d->bus->lock);    another lock
//
// Such a failure says more of the function than of the driver; but that the function does not do it is for the user to
// say. So the program is audited again with the
// members as they are (core.Record.Kept), until a failing run replaces none: that one is reported. If there is none, the
// rule is undecided, and the reason says which members these are, and how to say that they stay.

// mostPlainer bounds the further audits of a rule.
const mostPlainer = 4

// plainer returns the outcome of a further audit with a failing run in which no pointer is replaced, or one that is
// undecided; one that fails if its run is such a one, or if that its members stay does not help.
func (w *row) plainer(ctx context.Context, prog *core.Program, opts refine.Options, o *refine.Outcome) (*refine.Outcome, error) {
	var kept []harness.Replaced
	defer func() {
		for _, k := range kept {
			k.Record.Kept = k.Record.Kept[:len(k.Record.Kept)-1]
		}
	}()
	first := o
	for range mostPlainer {
		// 1. The members in which pointers are replaced. One that stays already, and is replaced all the same, is no
		// reason: others know its address, or the run does not need that.
		more := w.replaced(o.Failures)
		more = slices.DeleteFunc(more, func(m harness.Replaced) bool {
			return slices.ContainsFunc(kept, func(k harness.Replaced) bool { return k.Record == m.Record && k.Member == m.Member })
		})
		if len(more) == 0 {
			return o, nil
		}
		// 2. The audit in which they stay.
		for _, m := range more {
			m.Record.Kept = append(m.Record.Kept, m.Member)
			kept = append(kept, m)
		}
		next, err := refine.Audit(ctx, prog, opts)
		if err != nil {
			return nil, err
		}
		if next.Result.Verdict == verdict.False {
			o = next
			continue
		}
		// 3. Only such runs fail, as far as that is known.
		reason := replacing(kept) + unlessKept(kept)
		if next.Result.Verdict == verdict.Unknown {
			reason += "; without that: " + next.Result.Reason
		}
		return undecided(first, reason), nil
	}
	return first, nil
}

// undecided returns o with the verdict that it is not decided.
func undecided(o *refine.Outcome, reason string) *refine.Outcome {
	r := *o.Result
	r.Verdict, r.Failures, r.Trace, r.Reason = verdict.Unknown, nil, nil, reason
	u := *o
	u.Result, u.Failures = &r, nil
	return &u
}

// replaced returns the members in which pointers are replaced in failing runs that count, each once; none if one of
// these runs does not.
func (w *row) replaced(failures []*concretise.Failure) (list []harness.Replaced) {
	for _, f := range failures {
		if f.Recording == nil || len(f.Recording.Replaced) == 0 {
			return nil
		}
		for _, m := range f.Recording.Replaced {
			if !slices.ContainsFunc(list, func(k harness.Replaced) bool { return k.Record == m.Record && k.Member == m.Member }) {
				list = append(list, m)
			}
		}
	}
	return list
}

// ofStruct is the form of a member of the struct that a pointer leads to.
var ofStruct = regexp.MustCompile(`->(\w+)$`)

// replacing returns the reason for which a rule is undecided that fails only if these members change.
func replacing(kept []harness.Replaced) string {
	var parts []string
	for _, k := range kept {
		parts = append(parts, fmt.Sprintf("%s() replaces %s (%s:%d)", k.By, k.Place, k.Pos.File, k.Pos.Line))
	}
	return "a run fails in which " + strings.Join(parts, ", and ")
}

// unlessKept returns the flags by which a user says that these members stay, as the end of a reason; "" if a member has
// no name for that.
func unlessKept(kept []harness.Replaced) string {
	var flags []string
	for _, k := range kept {
		if m := ofStruct.FindStringSubmatch(k.Place); m != nil && strings.HasPrefix(k.Record.Name, "struct ") {
			flags = append(flags, fmt.Sprintf("--assume '%s.%s=kept'", k.Record.Name, m[1]))
		}
	}
	if len(flags) < len(kept) {
		return ""
	}
	return "; if that cannot be: " + strings.Join(flags, " ")
}
