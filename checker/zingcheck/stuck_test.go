package zingcheck

import (
	"strings"
	"testing"

	"c2bp/checker/interleave"
)

// TestStuckSites: a message that nobody receives has the place where it was sent; among several, the oldest.
func TestStuckSites(t *testing.T) {
	const head = "chan C int;\nclass A {\nstatic C c = new C; static C d = new C;\n"
	for _, c := range []struct{ name, text, want string }{
		{"sent once", head + "activate static void a() {\nsend(c, 1); }\n};", "FALSE (stuck: orphan message, in.zing:5)"},
		{"the oldest that is left", head + "activate static void a() { int v;\nsend(c, 1);\nsend(c, 2);\nsend(c, 3);\nselect { receive(c, v) -> ; } }\n};", "FALSE (stuck: orphan message, in.zing:6)"},
		{"of the first channel", head + "activate static void a() {\nsend(d, 1);\nsend(c, 2); }\n};", "FALSE (stuck: orphan message, in.zing:6)"},
		{"in a channel that is lost", head + "static void f() { C e; e = new C;\nsend(e, 1); }\nactivate static void a() { f(); }\n};", "FALSE (stuck: orphan message, in.zing:5)"},
		{"a condition that sends", head + "static bool f() {\nsend(c, 2); return true; }\nactivate static void a() {\nsend(c, 1);\nselect { wait(f()) -> ; } }\n};", "FALSE (stuck: orphan message, in.zing:7)"},
		{"a process that waits", head + "activate static void a() { int v; send(d, 1);\nselect { receive(c, v) -> ; } }\n};", "FALSE (stuck: deadlock, in.zing:5)"},
		{"another failure", head + "activate static void a() {\nsend(c, 1);\nassert(c == null); }\n};", "FALSE (assertion, in.zing:6)"},
		{"nothing left", head + "activate static void a() { int v; send(c, 1);\nselect { receive(c, v) -> ; } }\n};", "TRUE"},
	} {
		r := Check(t.Context(), load(t, []byte(c.text)), Options{Options: interleave.Options{Stuck: true}}).Result
		if r.Summary() != c.want {
			t.Errorf("%s: %s, want %s", c.name, r.Summary(), c.want)
		}
		for _, s := range r.Sites {
			if s.Name == "deadlock" {
				t.Errorf("%s: a property of its own for deadlocks", c.name)
			}
		}
		if strings.Contains(c.want, "orphan") && !strings.HasPrefix(r.Sites[r.Failed].Text, "send(") {
			t.Errorf("%s: it was sent at %s", c.name, r.Sites[r.Failed].Text)
		}
	}
}
