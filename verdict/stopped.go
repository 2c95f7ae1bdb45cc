package verdict

// This file adds the reason of a stop to results.

// Stopped records in r that the work ended before all was decided, and why. This becomes the reason
// of Unknown, unless it has one; otherwise, and for False, the reason of the open sites that have
// none.
func (r *Result) Stopped(why string) {
	// 1. The stop is the reason of the whole result.
	if r.Verdict == Unknown && r.Reason == "" {
		r.Reason = why
		return
	}
	// 2. Otherwise it is the reason of single sites.
	for i := range r.Sites {
		if s := &r.Sites[i]; s.Open && s.Reason == "" {
			s.Reason = why
		}
	}
}
