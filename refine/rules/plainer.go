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
// So may it rest on one that changes a variable of other files between two tests of it. Such a failure says more of the
// function than of the driver; but that the function does not do it is for the user to say. So the program is audited
// again with the members and variables as they are (core.Record.Kept, core.Var.Kept), until a failing run replaces none:
// that one is reported. If there is none, the rule is undecided, and the reason says which these are, and how to say that
// they stay.

// mostPlainer bounds the further audits of a rule.
const mostPlainer = 4

// plainer returns the outcome of a further audit with a failing run in which no pointer is replaced, or one that is
// undecided; one that fails if its run is such a one.
func (w *row) plainer(ctx context.Context, prog *core.Program, opts refine.Options, o *refine.Outcome) (*refine.Outcome, error) {
	var kept []harness.Replaced // the members and variables, in the order in which they were met
	var forced []*core.Record   // those that are not to be forced at the end
	before := map[*core.Record][]core.Member{}
	defer func() {
		for r, list := range before {
			r.Kept = list
		}
		for _, r := range forced {
			r.Forced = false
		}
		for _, k := range kept {
			if k.Var != nil {
				k.Var.Kept = false
			}
		}
	}()
	first := o
	for range mostPlainer {
		// 1. The members in which pointers are replaced stay. One that would stay already is forced to: the program
		// uses its struct as another type, too, or others may know its address. Then no run replaces it where the program
		// has used it as that member.
		more, list := false, w.replaced(o.Failures)
		for _, m := range list {
			if m.Var != nil {
				if !m.Var.Kept {
					more, m.Var.Kept, kept = true, true, append(kept, m)
				}
				continue
			}
			stays := slices.Contains(m.Record.Kept, m.Member)
			if stays && m.Record.Forced {
				continue
			}
			more = true
			if _, noted := before[m.Record]; !noted {
				before[m.Record] = slices.Clip(m.Record.Kept)
			}
			if stays {
				m.Record.Forced, forced = true, append(forced, m.Record)
			} else {
				m.Record.Kept = append(m.Record.Kept, m.Member)
			}
			if !slices.ContainsFunc(kept, m.Is) {
				kept = append(kept, m)
			}
		}
		if !more {
			if len(list) == 0 {
				return o, nil
			}
			// Others know its address, of the links of a list from each other, or as that of another type.
			return undecided(first, replacing(kept)+"; that it stays cannot be assumed, since others may know its address"), nil
		}
		// 2. The audit in which they stay, which goes on where the last one ended. If that is at a path that no replay takes,
		// others are found from the start.
		opts.After = o
		next, err := refine.Audit(ctx, prog, opts)
		if err == nil && next.Result.Verdict == verdict.Unknown && ctx.Err() == nil {
			opts.After = nil
			next, err = refine.Audit(ctx, prog, opts)
		}
		if err != nil {
			return nil, err
		}
		if next.Result.Verdict == verdict.False {
			o = next
			continue
		}
		// 3. Only such runs fail, as far as that is known.
		reason := replacing(kept)
		if names := namesOf(forced); names == "" {
			reason += unlessKept(kept)
		} else {
			reason += "; that it stays cannot be assumed, since the program uses " + names + " as another type, or others may know its address"
		}
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
			if !slices.ContainsFunc(list, m.Is) {
				list = append(list, m)
			}
		}
	}
	return list
}

// namesOf returns the names of structs.
func namesOf(list []*core.Record) string {
	var names []string
	for _, r := range list {
		names = append(names, r.Name)
	}
	return strings.Join(names, " and ")
}

// ofStruct is the form of a member of the struct that a pointer leads to, or of an element of such an array.
var ofStruct = regexp.MustCompile(`->(\w+)(\[[^]]*\])?$`)

// replacing returns the reason for which a rule is undecided that fails only if these members change.
func replacing(kept []harness.Replaced) string {
	var parts []string
	for _, k := range kept {
		does := "replaces"
		if k.Var != nil {
			does = "changes"
		}
		parts = append(parts, fmt.Sprintf("%s() %s %s (%s:%d)", k.By, does, k.Place, k.Pos.File, k.Pos.Line))
	}
	return "a run fails in which " + strings.Join(parts, ", and ")
}

// unlessKept returns the flags by which a user says that these members stay, as the end of a reason; "" if a member has
// no name for that.
func unlessKept(kept []harness.Replaced) string {
	var flags []string
	for _, k := range kept {
		if k.Var != nil {
			flags = append(flags, fmt.Sprintf("--assume '%s=kept'", k.Place))
		} else if m := ofStruct.FindStringSubmatch(k.Place); m != nil && strings.HasPrefix(k.Record.Name, "struct ") {
			flags = append(flags, fmt.Sprintf("--assume '%s.%s=kept'", k.Record.Name, m[1]))
		}
	}
	if len(flags) < len(kept) {
		return ""
	}
	return "; if that cannot be: " + strings.Join(flags, " ")
}
