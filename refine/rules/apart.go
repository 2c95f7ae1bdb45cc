package rules

import (
	"context"
	"strings"

	"c2bp/frontend/core"
	"c2bp/refine"
	"c2bp/refine/concretise"
	"c2bp/verdict"
)

// This file looks for failures of drivers that need no pointer to a number in a struct outside:
//
//	if (c->gate == NONE)               not so
//		return;
//	data->count[c->gate]--;            a pointer from outside: may it lead to c->gate?
//	if (c->gate == NONE)               now it is so?
//
// It may, as count leads to numbers of the type of c->gate; but then the array of which it leads to an element has the rest of the
// struct in it. A path that goes both ways there has no replay. The next path would be longer, and the audit does not look
// for it. So if no replay takes a failing path, the program is audited once more, as if pointers to numbers led into no struct
// (core.Program.ScalarsApart). That proves nothing; but a run that fails is one.

// apart returns the outcome of a further audit that fails, if o is undecided since no replay takes a failing path; else o. The
// caller takes ScalarsApart back.
func apart(ctx context.Context, prog *core.Program, opts refine.Options, o *refine.Outcome) (*refine.Outcome, error) {
	if o.Result.Verdict != verdict.Unknown || !strings.HasPrefix(o.Result.Reason, concretise.NotReplayed) || ctx.Err() != nil {
		return o, nil
	}
	prog.ScalarsApart = true
	next, err := refine.Audit(ctx, prog, opts)
	if err != nil {
		return nil, err
	}
	if next.Result.Verdict != verdict.False {
		return o, nil
	}
	return next, nil
}
