package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"c2bp/refine"
	"c2bp/verdict"
)

// What an audit has found out is not lost with work that does not stop in time.
func TestInterim(t *testing.T) {
	open := []verdict.Site{{Proc: "f", Failed: true}, {Proc: "g", Open: true}, {Proc: "h", Open: true, Reason: "it cannot be replayed"}}
	for _, c := range []struct {
		name   string
		known  *verdict.Result
		want   string
		reason string // of the second property
	}{
		{"nothing", nil, "UNKNOWN (time limit)", ""},
		{"nothing decided", &verdict.Result{Sites: open[1:]}, "UNKNOWN (time limit)", "it cannot be replayed"},
		{"one set aside", &verdict.Result{Sites: open[1:], Reason: "it cannot be replayed"}, "UNKNOWN (it cannot be replayed)", "it cannot be replayed"},
		{"a failure", &verdict.Result{Verdict: verdict.False, Sites: open}, "FALSE (assertion, f)", "time limit"},
		{"a proof", &verdict.Result{Verdict: verdict.True}, "TRUE", ""},
	} {
		var latest interim
		ctx, cancel := context.WithCancelCause(context.Background())
		hang := make(chan bool)
		_, err := guarded(ctx, time.Millisecond, func() (*refine.Outcome, error) {
			if c.known != nil {
				latest.keep(&refine.Outcome{Result: c.known})
			}
			cancel(stopped("time limit"))
			<-hang
			return nil, nil
		})
		close(hang)
		var reason stopped
		if !errors.As(err, &reason) {
			t.Fatalf("%s: %v", c.name, err)
		}
		r := latest.outcome(string(reason)).Result
		if got := r.Summary(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if len(r.Sites) > 1 && r.Sites[1].Reason != c.reason {
			t.Errorf("%s: undecided because %q, want %q", c.name, r.Sites[1].Reason, c.reason)
		}
	}
	if open[1].Reason != "" {
		t.Error("what was kept has changed")
	}
}

func TestNumbered(t *testing.T) {
	for n, want := range map[int]string{1: "dir.d/in.c", 2: "dir.d/in-2.c"} {
		if got := numbered("dir.d/in.c", n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	if got := numbered("dir.d/in", 3); got != "dir.d/in-3" {
		t.Error(got)
	}
}
