package frontend

import (
	"strings"
	"testing"
)

const signalPrelude = `
struct sigaction { union { void (*sa_handler)(int); void (*sa_sigaction)(int, void *, void *); } u; int sa_flags; };
int sigaction(int, const struct sigaction *, struct sigaction *);
void (*signal(int, void (*)(int)))(int);
int raise(int); void _exit(int);
int x, y; int table[2]; int *p = &x; struct s { int a; } s;
`

// TestSignals checks that some run has each effect that a handler may have at any time, and no run
// another one.
func TestSignals(t *testing.T) {
	for _, test := range []struct {
		text  string
		fails bool // an assertion does
	}{
		{"void h(int n) { assert(0); } int main(void) { signal(2, h); return 0; }", true},
		{"void h(int n) { assert(n == 2); } int main(void) { signal(2, h); return 0; }", false},
		{"void h(int n) { assert(x == 0); } int main(void) { signal(2, h); x = 1; for (;;); }", true},
		{"void h(int n) { assert(s.a == 0); } int main(void) { signal(2, h); s.a = 1; for (;;); }", true},
		{"void h(int n) { assert(table[1] == 0); } int main(void) { signal(2, h); table[1] = 1; for (;;); }", true},
		{"void h(int n) { assert(x == 0); } int main(void) { signal(2, h); *p = 1; for (;;); }", true},
		{"void h(int n) { static int twice; assert(twice == 0); twice = 1; } int main(void) { signal(2, h); raise(2); raise(2); }", true},
		{"void h(int n) { x = 1; assert(x == 1); } int main(void) { signal(2, h); for (;;); }", true}, // if it is interrupted itself
		{"void h(int n) { x = 1; } int main(void) { signal(2, h); x = 0; raise(2); assert(x == 0); }", true},
		{"void h(int n) { x = 1; } int main(void) { x = 0; assert(x == 0); signal(2, h); return 0; }", true}, // not seen: it is too early
		{"void h(int n) { x = 1; } int main(void) { signal(2, h); y = 1; s.a = 2; assert(y == 1 && s.a == 2); return 0; }", false},
		{"void h(int n) { if (y) s.a = 1; } int main(void) { signal(2, h); s.a = 0; assert(s.a == 0); return 0; }", true},
		{"void h(int n) { *p = 1; } int main(void) { signal(2, h); x = 0; assert(x == 0); return 0; }", true},
		{"void h(int n) { *p = 1; } int main(void) { int mine = 1; signal(2, h); assert(mine == 1); return 0; }", false},
		{"void set(void) { x = 1; } void h(int n) { set(); } int main(void) { signal(2, h); x = 0; assert(x == 0); return 0; }", true},
		{"void h(int n) { assert(0); } int main(void) { struct sigaction a; a.u.sa_handler = h; sigaction(2, &a, 0); return 0; }", true},
		{"void h(int n, void *i, void *c) { assert(n != 3); } int main(void) { struct sigaction a; a.u.sa_sigaction = h; sigaction(3, &a, 0); return 0; }", true},
		{"void h(int n) { x = 1; } int main(void) { struct sigaction a; a.u.sa_handler = h; sigaction(2, &a, 0); x = 0; assert(x == 0); return 0; }", true},
		{"void h(int n) { _exit(1); } int main(void) { signal(2, h); x = 1; assert(x == 1); return 0; }", false},
		{"int main(void) { signal(2, (void (*)(int))1); x = 1; assert(x == 1); return 0; }", false},
		{"void h(int n) { assert(0); } int main(void) { void (*q)(int) = h; signal(2, 0); return 0; }", false},
	} {
		text := signalPrelude + test.text
		if got := someRunFails(t, text); got != test.fails {
			t.Errorf("%s\nan assertion fails: %v", test.text, got)
		}
	}
}

// TestInstallers: what is said of calls that install handlers.
func TestInstallers(t *testing.T) {
	const timers = "struct sigevent { int kind; void (*notify)(union sigval *); }; int timer_create(int, struct sigevent *, void **); int x;"
	for _, test := range []struct{ text, want, not string }{
		{"int sigaction(int, void *, void *); char a[99]; int main(void) { return sigaction(2, a, 0); }",
			"sigaction at in.c:1: the handler that it installs is not called", ""},
		{"int sigaction(int, void *, void *); int main(void) { return sigaction(2, 0, 0); }", "", "not called"},
		{timers + "void f(union sigval *v) { x = 1; } int main(void) { struct sigevent e; e.notify = f; timer_create(0, &e, 0); int y = x; return y; }",
			"what another thread may change", ""},
		{"void later(void (*)(void)); void f(void) { } int main(void) { later(f); return 0; }", "but those it is given, all before it returns", ""},
	} {
		u := mustLoad(t, test.text, Options{})
		got := u.Program.String()
		if !strings.Contains(got, test.want) || test.not != "" && strings.Contains(got, test.not) {
			t.Errorf("%s\nwant %q, not %q:\n%s", test.text, test.want, test.not, got)
		}
	}
	for _, text := range []string{
		"void (*signal(int, int))(int); int main(void) { signal(2, 3); return 0; }",
		"void *signal(int, void *); void *(*p)(int, void *) = signal; int main(void) { p(2, 0); return 0; }",
	} {
		if _, err := load(t, text, Options{}); err == nil || !strings.Contains(err.Error(), "not supported") {
			t.Errorf("%s\ngot %v", text, err)
		}
	}
}
