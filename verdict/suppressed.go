package verdict

import (
	"fmt"
	"slices"
)

// This file decides a result some of whose failures are suppressed.

// Changes is what has changed since an earlier result.
type Changes struct {
	Since string // the name of the earlier one
	List  []Change
}

// Change is a failure of this result or of the earlier one.
type Change struct {
	State       ChangeState
	What, Where string // as of a Site
	Fingerprint string
}

// ChangeState says how a failure has changed.
type ChangeState string

// The states of failures.
const (
	NewFailure       ChangeState = "new"
	UnchangedFailure ChangeState = "unchanged"
	FixedFailure     ChangeState = "fixed"     // the property holds now, or its line is gone
	OpenFailure      ChangeState = "undecided" // it was not found, and not excluded
)

// Suppressed returns the number of failures that are suppressed.
func (r *Result) Suppressed() (n int) {
	for _, s := range r.Sites {
		if s.Failed && s.Suppressed != "" {
			n++
		}
	}
	return n
}

// Decide decides r anew, without its suppressed failures. If it was False and no other failure is left, it is
// Unknown if a property is open, and True if none is.
func (r *Result) Decide() {
	if r.Verdict != False || r.Suppressed() == 0 {
		return
	}
	// 1. Another failure decides.
	if i := slices.IndexFunc(r.Failures, func(f Failure) bool { return r.Sites[f.Site].Suppressed == "" }); i >= 0 {
		r.Failures = slices.Clone(r.Failures)
		f := r.Failures[i]
		r.Failures = slices.Insert(slices.Delete(r.Failures, i, i+1), 0, f)
		r.Failed, r.Trace = f.Site, f.Trace
		return
	}
	// 2. There is none: what is open decides.
	r.Verdict, r.Failed, r.Trace = True, 0, nil
	for _, s := range r.Sites {
		if s.Open {
			r.Verdict = Unknown
			if r.Reason = s.Reason; r.Reason == "" {
				r.Reason = "a property is undecided, the others hold or are suppressed"
			}
			return
		}
	}
}

// suppressedText returns the number of suppressed failures for the last line, after a separator.
func (r *Result) suppressedText() string {
	switch n := r.Suppressed(); n {
	case 0:
		return ""
	case 1:
		return "1 failure suppressed"
	default:
		return fmt.Sprintf("%d failures suppressed", n)
	}
}
