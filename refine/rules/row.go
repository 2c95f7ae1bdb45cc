package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/slic"
	"c2bp/frontend/slic/syntax"
	"c2bp/refine"
	"c2bp/refine/fuzz"
	"c2bp/verdict"
)

// This file makes a row of the outcome of an audit.

// row is the result for one rule.
type row struct {
	rule     *slic.Rule
	site     *verdict.Site
	result   *verdict.Result // of all rules
	failures []verdict.Failure
	ignored  func(verdict.Site) bool // nil: no failure is
	guides   []*fuzz.Guide           // the choices of failing runs of other rules, and then its own
}

// timed decides rule k of program within the time that a rule has.
func (w *row) timed(parent context.Context, program *slic.Program, k rule, opts Options) error {
	if opts.Started != nil {
		defer opts.Started(k.Name.Text)()
	}
	ctx := parent
	if opts.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(parent, opts.Timeout)
		defer stop()
	}
	unit, err := program.With(ctx, k.set, []*syntax.Checked{k.Checked}, opts.Harnessed)
	if err == nil {
		w.rule = unit.Rules[0]
		err = w.decide(ctx, unit, opts)
	}
	// An end of the rule's time is none of the whole audit. A reason that the audit has found is kept: it was
	// the best answer so far.
	s, limit := w.site, fmt.Sprintf("time limit of %v for the rule", opts.Timeout)
	switch {
	case ctx.Err() == nil:
		return err
	case err == nil && s.Open && opts.Timeout > 0 && (s.Reason == "" || s.Reason == ctx.Err().Error()):
		s.Reason = limit
	case parent.Err() != nil:
		return err
	case err != nil:
		s.Open, s.Reason = true, limit
	}
	return nil
}

// decide audits the program of unit, which has the rule in it, and sets the row.
func (w *row) decide(ctx context.Context, unit *slic.Unit, all Options) error {
	s := w.site
	if !w.rule.Applies {
		s.Open, s.Absent = false, true
		return nil
	}
	prog := unit.Program
	if !asserts(prog) {
		// Nothing that is reached can violate the rule.
		s.Open = false
		w.add(prog.Ledger)
		w.look()
		return nil
	}
	// 1. The audit. Properties of the program itself are no matter of rules, and the compiled program
	// knows nothing of them.
	opts := all.Refine
	opts.Checker.ErrorLabels = []string{}
	opts.Files, opts.Harness = nil, nil
	opts.Like, opts.Plain = w.guides, all.Harnessed
	opts.All = opts.All || w.ignored != nil // a failure that is ignored must not hide others
	o, err := refine.Audit(ctx, prog, opts)
	if err != nil {
		return err
	}
	// 2. Failures that only such runs show in which others replace pointers of the driver, or that rest on what no kernel does.
	if all.Harnessed {
		defer func() { prog.ScalarsApart = false }()
		if o, err = apart(ctx, prog, opts, o); err != nil {
			return err
		}
	}
	if all.Harnessed && o.Result.Verdict == verdict.False {
		if o, err = w.plainer(ctx, prog, opts, o); err != nil {
			return err
		}
		o = astray(w.unmade(o))
	}
	r := o.Result
	w.add(r.Ledger)
	w.result.Uncalled, w.result.UncalledInHeaders = r.Uncalled, r.UncalledInHeaders
	w.result.Stats = addStats(w.result.Stats, r.Stats)
	w.result.Predicates = append(w.result.Predicates, r.Predicates...)
	// 3. The row.
	switch r.Verdict {
	case verdict.False:
		w.fail(r)
		for _, f := range o.Failures {
			w.guides = append(w.guides, f.Guide)
		}
	case verdict.True:
		s.Open = false
		w.look()
		w.lookInside(o, all.Harnessed)
	default:
		s.Open, s.Reason = true, r.Reason
		// All that might violate the rule is in functions that nothing calls.
		if strings.HasPrefix(r.Reason, "vacuous") {
			s.Open, s.Reason = false, ""
		}
		if !s.Open || w.rule.Concurrent {
			w.look()
		}
	}
	return nil
}

// fail sets the row to the first failure that is not ignored. If there is none, and something else is open, the
// row is.
func (w *row) fail(r *verdict.Result) {
	// 1. The failures, as failures of the rule.
	first, all := *w.site, true
	for i, f := range r.Failures {
		s := *w.site
		at := r.Sites[f.Site]
		s.Failed, s.Open = true, false
		s.Pos, s.Node, s.Proc, s.Text = at.Pos, at.Node, at.Proc, at.Text
		s.Key = w.key(at.Text)
		counts := w.ignored == nil || !w.ignored(s)
		if i == 0 || counts && all {
			first = s
			w.failures = append([]verdict.Failure{f}, w.failures...)
		} else {
			w.failures = append(w.failures, f)
		}
		all = all && !counts
	}
	*w.site = first
	// 2. What is open beside those that are ignored.
	if all {
		for _, s := range r.Sites {
			if s.Open {
				w.site.Failed, w.site.Open, w.site.Key, w.failures = false, true, "", nil
				w.site.Reason = "beside a failure that is suppressed: " + cmp.Or(s.Reason, r.Reason, "undecided")
				return
			}
		}
	}
}

// look makes the row an open one unless all places that the rule is about have been looked at.
func (w *row) look() {
	switch r := w.rule; {
	case r.Concurrent:
		w.site.Open, w.site.Reason = true, "threads: the program starts threads or installs handlers of signals, and rules are decided for programs without"
	case len(r.Never) > 0:
		var list []string
		for _, m := range r.Never {
			if text := place(m); !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
		w.site.Open, w.site.Reason = true, "never called: "+strings.Join(list, ", ")
	case len(r.Required) > 0 && !r.Entered:
		w.site.Open, w.site.Reason = true, "vacuous: no entry point is of type "+strings.Join(r.Required, " or ")
	case len(r.Indirect) > 0:
		w.site.Open, w.site.Reason = true, fmt.Sprintf("entry points: main calls a function that is not known (%s:%d)", r.Indirect[0].File, r.Indirect[0].Line)
	case !r.Happens && len(r.Sites) == 0:
		w.site.Open, w.site.Reason = true, "vacuous: the program reaches no event of the rule"
	}
}

// key returns the key of the abort with this text.
func (w *row) key(text string) string {
	for _, a := range w.rule.Aborts {
		if a.String() == text {
			return a.Key
		}
	}
	return ""
}

// add adds lines to the ledger, each once.
func (w *row) add(lines []string) {
	for _, line := range lines {
		if !slices.Contains(w.result.Ledger, line) {
			w.result.Ledger = append(w.result.Ledger, line)
		}
	}
}

// addStats returns the sums of counters.
func addStats(list, more []verdict.Stat) []verdict.Stat {
	list = slices.Clone(list)
	for _, m := range more {
		i := slices.IndexFunc(list, func(s verdict.Stat) bool { return s.Name == m.Name })
		if i < 0 {
			list = append(list, m)
		} else {
			list[i].Value += m.Value
		}
	}
	return list
}
