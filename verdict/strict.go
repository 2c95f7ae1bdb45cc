package verdict

import (
	"fmt"
	"slices"
)

// This file is the result for a user who accepts no assumption.

// Strict returns r for a user who accepts no assumption: under a ledger that is not empty no
// property holds, and TRUE becomes UNKNOWN. A failing run remains one.
func (r *Result) Strict() *Result {
	n := len(r.Ledger)
	if n == 0 {
		return r.withoutSuppression()
	}
	// 1. Sites that hold are open.
	s := *r
	s.Sites = slices.Clone(r.Sites)
	for i := range s.Sites {
		if at := &s.Sites[i]; !at.Failed && !at.Open && !at.Absent {
			at.Open, at.Reason = true, "it holds under assumptions"
		}
	}
	// 2. So is the program.
	if r.Verdict != True {
		return &s
	}
	s.Verdict = Unknown
	s.Reason = fmt.Sprintf("strict: TRUE only under %d assumptions", n)
	if n == 1 {
		s.Reason = "strict: TRUE only under 1 assumption"
	}
	return &s
}

// withoutSuppression returns r, or Unknown if only suppression made it True.
func (r *Result) withoutSuppression() *Result {
	if r.Verdict != True || r.Suppressed() == 0 {
		return r
	}
	s := *r
	s.Verdict, s.Reason = Unknown, "strict: TRUE only without the failures suppressed"
	return &s
}
