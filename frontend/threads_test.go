package frontend

import (
	"context"
	"strings"
	"testing"

	"c2bp/frontend/core/interp"
)

const startThread = `
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *);
pthread_t t;
void *nothing(void *p) { return p; }
`

// TestThreads checks that some run has each effect that another thread may have, and no run another one.
func TestThreads(t *testing.T) {
	for _, test := range []struct {
		text  string
		fails bool // an assertion does
	}{
		{"int x; int main(void) { x = 1; assert(x == 1); }", false},
		{"int x; int main(void) { pthread_create(&t, 0, nothing, 0); x = 1; assert(x == 1); }", true},
		{"int x; int main(void) { x = 1; assert(x == 1); pthread_create(&t, 0, nothing, 0); }", true},
		{"int x; void *f(void *p) { assert(x == 0); return 0; } int main(void) { pthread_create(&t, 0, f, 0); return 0; }", true},
		{"void *f(void *p) { assert(0); return 0; } int main(void) { pthread_create(&t, 0, f, 0); return 0; }", true},
		{"void *f(void *p) { assert(*(int *)p == 3); return 0; } int main(void) { int n = 3; pthread_create(&t, 0, f, &n); return 0; }", true},
		{"void *f(void *p) { assert(p == &t); return 0; } int main(void) { pthread_create(&t, 0, f, &t); return 0; }", false},
		{"int main(void) { int mine = 1, a[2]; a[1] = 2; pthread_create(&t, 0, nothing, 0); assert(mine == 1 && a[1] == 2); }", false},
		{"int main(void) { int mine = 1; pthread_create(&t, 0, nothing, &mine); assert(mine == 1); }", true},
		{"int main(void) { int a[2]; a[1] = 2; pthread_create(&t, 0, nothing, a); assert(a[1] == 2); }", true},
		{"const int k = 3; const int l[2] = { 1, 2 }; int main(void) { pthread_create(&t, 0, nothing, 0); assert(k == 3 && l[1] == 2 && \"ab\"[1] == 'b'); }", false},
		{"int *p, x; int main(void) { p = &x; pthread_create(&t, 0, nothing, 0); assert(p == &x); }", true},
		{"long l; int main(void) { l = 1; pthread_create(&t, 0, nothing, 0); assert(l == 1); }", true},
		{"struct s { int a; int b : 3; } g; int main(void) { g.b = 1; pthread_create(&t, 0, nothing, 0); assert(g.b == 1); }", true},
		{"struct s { int a, b; } g; int main(void) { g.a = 1; pthread_create(&t, 0, nothing, 0); struct s l = g; assert(l.a == 1); }", true},
		{"struct s { int a, b; } g; void f(struct s v) { assert(v.a == 1); } int main(void) { g.a = 1; pthread_create(&t, 0, nothing, 0); f(g); }", true},
		{"struct s { int a, b; } g, h; int c; int main(void) { g.a = 1; h.a = 1; pthread_create(&t, 0, nothing, 0); assert((c ? g : h).a == 1); }", true},
		{"int g[3]; int main(void) { pthread_create(&t, 0, nothing, 0); int *p = g; assert(p[1] == 0); }", true},
		{"int x; int main(void) { pthread_create(&t, 0, nothing, 0); x++; int y = x; x += 2; assert(x == y + 2); }", true},
		{"int x; int main(void) { pthread_create(&t, 0, nothing, 0); if (x) assert(x); }", true},
		{"int x; int main(void) { pthread_create(&t, 0, nothing, 0); int y = x; if (y) assert(y); }", false},
	} {
		text := startThread + test.text
		if got := someRunFails(t, text); got != test.fails {
			t.Errorf("%s\nan assertion fails: %v", test.text, got)
		}
	}
}

// someRunFails reports whether an assertion fails in a random run.
func someRunFails(t *testing.T, text string) bool {
	u := mustLoad(t, text, Options{})
	for seed := uint64(1); seed <= 60; seed++ {
		machine := interp.New(u.Program, interp.NewRandom(u.Program, seed), interp.Options{})
		event, err := machine.Run(context.Background(), 10_000)
		if err == nil && event.Kind == interp.Failed {
			return true
		}
	}
	return false
}

func TestThreadStarts(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"int pthread_create(); int main(void) { return pthread_create(1, 2); }", "this call of pthread_create is not supported"},
		{"int setjmp(void *); int (*p)(void *) = setjmp; int main(void) { return p(0); }", "setjmp may be called through a pointer, and it is not supported"},
		{startThread + "int (*p)() = pthread_create; int main(void) { return p(); }", "pthread_create may be called through a pointer, and it is not supported"},
	} {
		if _, err := load(t, test.text, Options{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\ngot %v, want %q", test.text, err, test.want)
		}
	}
	u := mustLoad(t, "int vfork(void); int main(void) {\nreturn vfork(); }", Options{})
	if s := u.Program.String(); !strings.Contains(s, "// assume vfork at in.c:2: the child changes nothing that its parent reads") {
		t.Errorf("vfork:\n%s", s)
	}
}
