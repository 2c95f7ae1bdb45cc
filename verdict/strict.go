package verdict

import "fmt"

// Strict is r for a user who accepts no assumption: TRUE under a ledger that is not
// empty becomes UNKNOWN; everything else is r itself.
func (r *Result) Strict() *Result {
	n := len(r.Ledger)
	if r.Verdict != True || n == 0 {
		return r
	}
	s := *r
	s.Verdict = Unknown
	s.Reason = fmt.Sprintf("strict: TRUE only under %d assumptions", n)
	if n == 1 {
		s.Reason = "strict: TRUE only under 1 assumption"
	}
	return &s
}
