package verdict

// Stopped notes in r that the work ended before all was decided, and why: this is the reason
// of Unknown, unless there is one already, and then, as beside False, that of the sites that
// are open without one.
func (r *Result) Stopped(why string) {
	if r.Verdict == Unknown && r.Reason == "" {
		r.Reason = why
		return
	}
	for i := range r.Sites {
		if s := &r.Sites[i]; s.Open && s.Reason == "" {
			s.Reason = why
		}
	}
}
