package certificate_test

import (
	"context"
	"strings"
	"testing"

	"c2bp/alias/devirt"
	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/refine"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
	"c2bp/source"
	"c2bp/verdict"
)

// This file validates certificates of small C programs, and of programs nearby that are
// not safe.

// pair is a safe program that becomes unsafe if old is replaced by new.
type pair struct{ name, old, new, text string }

var pairs = []pair{
	{"straight", "x = 1;", "x = 2;", `
		int x;
		int main(void) { x = 1; x = x + 1; assert(x == 2); return 0; }`},
	{"entry", "int g = 0;", "int g = 1;", `
		int g = 0;
		int main(void) { assert(g == 0); return 0; }`},
	{"loop", "i < 10", "i < 11", `
		int main(void) { int i = 0; while (i < 10) i = i + 1; assert(i == 10); return 0; }`},
	{"globals in calls", "x = x + 1", "x = x + 2", `
		int x;
		void inc(void) { x = x + 1; }
		int main(void) { x = 1; inc(); inc(); assert(x == 3); return 0; }`},
	{"two callers", "abs(-4) == 4", "abs(-4) == 3", `
		int abs(int n) { if (n < 0) return 0 - n; return n; }
		int main(void) { int a = abs(3); assert(a == 3); assert(abs(-4) == 4); return 0; }`},
	{"result", "return n + 1", "return n + 2", `
		int next(int n) { return n + 1; }
		int main(void) { int y = __VERIFIER_nondet_int(), z; z = next(y); assert(z == y + 1); return 0; }`},
	{"lock", "release(); }", "}", `
		int locked;
		void acquire(void) { assert(locked == 0); locked = 1; }
		void release(void) { assert(locked == 1); locked = 0; }
		int main(void) {
			locked = 0;
			while (__VERIFIER_nondet_int()) { acquire(); if (__VERIFIER_nondet_int()) { } release(); }
			acquire();
			return 0;
		}`},
	{"out parameter", "*p = 7", "*p = 8", `
		void set(int *p) { *p = 7; }
		int main(void) { int a = 1, b = 2; set(&a); assert(a == 7); assert(b == 2); return 0; }`},
	{"pointer kept", "*p = *p + 1", "*p = *p + 2", `
		struct dev { int users; int state; };
		void get(int *p) { *p = *p + 1; }
		int main(void) { struct dev d; d.users = 0; d.state = 5; get(&d.users); assert(d.users == 1); assert(d.state == 5); return 0; }`},
	{"swap", "*q = t", "*q = *p", `
		void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
		int main(void) { int a = 1, b = 2; swap(&a, &b); assert(a == 2); assert(b == 1); return 0; }`},
	{"recursion", "return down(n - 1)", "return down(n - 2)", `
		int down(int n) { if (n == 0) return 0; if (n == -1) return 1; return down(n - 1); }
		int main(void) { int n = __VERIFIER_nondet_int(); int r; if (n < 0) return 0; r = down(n); assert(r == 0); return 0; }`},
	{"recursive locals", "int mine = n;", "int mine = 0;", `
		int g;
		void walk(int n) { int mine = n; if (n > 0) walk(n - 1); assert(mine == n); g = n; }
		int main(void) { walk(3); assert(g == 3); return 0; }`},
	{"label", "x != 3", "x != 4", `
		int main(void) { int x = 3; if (x != 3) { ERROR: return 1; } return 0; }`},
	{"external", "int other = 1;", "int other = 1; touch(&other);", `
		void touch(int *p);
		int main(void) { int mine = 2; int other = 1; touch(&mine); assert(other == 1); return 0; }`},
	{"through a table", "return 2; }", "return 3; }", `
		int one(void) { return 1; }
		int two(void) { return 2; }
		int main(void) {
			int (*f)(void) = __VERIFIER_nondet_int() ? one : two; int r;
			r = f();
			assert(r == 1 || r == 2);
			return 0;
		}`},
	{"memory outside", "put(c->m)", "put((void *)&c->timer)", `
		struct message { int owner; };
		struct conn { struct message *m; int timer; };
		struct conn *next_conn(void);
		void put(struct message *m) { m->owner = m->owner + 1; }
		int main(void) {
			struct conn *c = next_conn();
			if (!c || !c->m) return 0;
			c->timer = 0;
			put(c->m);
			assert(c->timer == 0);
			return 0;
		}`},
	{"nested memory outside", "i->dev->lock.claims++", "i->state++", `
		struct lock { int held, claims; };
		struct dev { int n; struct lock lock; };
		struct intf { struct dev *dev; int state; };
		struct intf *next(void);
		int main(void) {
			struct intf *i = next();
			if (!i || !i->dev) return 0;
			i->state = 1;
			i->dev->lock.held = 1;
			i->dev->lock.claims++;
			assert(i->state == 1);
			assert(i->dev->lock.held == 1);
			return 0;
		}`},
	{"unused result", "set(); assert", "g = set(); assert", `
		int g;
		int set(void) { g = 1; return 2; }
		int main(void) { set(); assert(g == 1); return 0; }`},
}

// loaded is a program as the validator wants it.
func loaded(t testing.TB, text string) *core.Program {
	t.Helper()
	u, err := frontend.Load(context.Background(), []*source.File{source.NewFile("t.c", []byte(text))}, frontend.Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	devirt.Resolve(u.Program)
	return u.Program
}

// certified audits a program that is safe and returns its certificate as a text.
func certified(t testing.TB, text string) string {
	t.Helper()
	if cert, ok := certificates[text]; ok {
		return cert
	}
	prog := loaded(t, text)
	o, err := refine.Audit(context.Background(), prog, refine.Options{Refs: refine.RefsNever})
	if err != nil {
		t.Fatal(err)
	}
	if o.Result.Verdict != verdict.True {
		t.Fatalf("the audit says %s", o.Result.Summary())
	}
	c, err := extract.Certificate(context.Background(), prog, o.Analysis, o.Predicates)
	if err != nil {
		t.Fatal(err)
	}
	certificates[text] = textOf(t, certificate.Proof{c})
	return certificates[text]
}

// certificates are those made already, by program.
var certificates = map[string]string{}

func textOf(t testing.TB, p certificate.Proof) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var options = certificate.Options{ErrorLabels: checker.DefaultErrorLabels()}

func validate(t testing.TB, cert, text string, opts certificate.Options) *certificate.Report {
	t.Helper()
	r, err := certificate.ValidateFile(context.Background(), source.NewFile("t.cert", []byte(cert)), loaded(t, text), opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, cert)
	}
	return r
}

func read(t testing.TB, cert, text string) (*certificate.Certificate, *core.Program) {
	t.Helper()
	prog := loaded(t, text)
	p, err := certificate.Read(source.NewFile("t.cert", []byte(cert)), prog)
	if err != nil {
		t.Fatal(err)
	}
	return p[0], prog
}

// The certificate of a safe program is valid, for it and not for the unsafe one; and what
// is read is what was written.
func TestPairs(t *testing.T) {
	for _, p := range pairs {
		t.Run(p.name, func(t *testing.T) {
			cert := certified(t, p.text)
			r := validate(t, cert, p.text, options)
			if r.Verdict != certificate.Valid || r.Sites == 0 || r.Conditions == 0 {
				t.Errorf("%s, %+v\n%s", r.Summary(), r, cert)
			}
			c, _ := read(t, cert, p.text)
			if again := textOf(t, certificate.Proof{c}); again != cert {
				t.Errorf("read and written again it is\n%s\nnot\n%s", again, cert)
			}
			if r := validate(t, cert, p.unsafe(t), options); r.Verdict != certificate.Rejected {
				t.Errorf("for the unsafe program: %s\n%s", r.Summary(), cert)
			}
		})
	}
}

func (p pair) unsafe(t testing.TB) string {
	t.Helper()
	if strings.Count(p.text, p.old) != 1 {
		t.Fatalf("%q is not there once", p.old)
	}
	return strings.Replace(p.text, p.old, p.new, 1)
}
