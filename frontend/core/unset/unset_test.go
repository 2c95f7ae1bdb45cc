package unset_test

import (
	"context"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

// unsetIn lists what of the variables and objects of a C program may be read before it is set:
// "d 0-4; new 8-16", in the order of the nodes of its functions.
func unsetIn(t *testing.T, text string) string {
	t.Helper()
	f := source.NewFile("in.c", []byte(text))
	u, err := frontend.Load(context.Background(), []*source.File{f}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range u.Program.Procs {
		for _, n := range p.Nodes {
			switch s := n.Stmt.(type) {
			case *core.Havoc:
				for i, r := range s.Unset {
					if r != nil {
						out = append(out, core.ExprString(s.Locs[i])+" "+r.String())
					}
				}
			case *core.Alloc:
				if s.Unset != nil {
					out = append(out, "new "+s.Unset.String())
				}
			}
		}
	}
	return strings.Join(out, "; ")
}

func TestMark(t *testing.T) {
	t.Parallel()
	const head = `#include <stdlib.h>
#include <string.h>
void *kzalloc(size_t, unsigned); void ext(void *); int in(void);
struct s { int *a; long b; int *c; } g; struct s *list;
static void both(struct s *p) { p->a = 0; p->b = 1; }
static void some(struct s *p) { if (in()) p->a = 0; }
static void reads(struct s *p) { p->b = *p->a; }
static void keeps(struct s *p) { p->c = 0; list = p; }
static int next(struct s *p) { p = (struct s *)p->a; return p->b; }
static void again(struct s *p, int n) { if (n) again(p, n - 1); }
static int out(int **p) { if (in()) return 1; *p = 0; return 0; }
static int follow(int **p) { return **p; }
static void value(struct s p) { g = p; }
static struct s *make(void) { struct s *p = malloc(sizeof *p); if (!p) return 0; p->a = p->c = 0; return p; }
`
	for _, test := range []struct{ name, body, want string }{
		{"set first", "int *p; p = &in_; return *p;", ""},
		{"never read", "int *p; return 0;", ""},
		{"read", "int *p; return *p;", "p 0-8"},
		{"one way", "int *p; if (in()) p = &in_; return *p;", ""},
		{"behind the read", "int *p; if (in()) return *p; p = &in_; return *p;", "p 0-8"},
		{"never set", "struct s *p; reads(p); return 0;", "p 0-8"},
		{"set by a function, perhaps", "int *p; if (out(&p)) return 1; return *p;", ""},
		{"read by a function, a pointer", "int *p; follow(&p); return 0;", "p 0-8"},
		{"given away, a pointer", "int *p; ext(&p); return *p;", ""},
		{"one way, a member", "struct s d; if (in()) d.a = 0; return *d.a;", ""},
		{"both ways", "int *p; if (in()) p = &in_; else p = 0; return *p;", ""},
		{"in a loop", "int *p; for (int i = 0; i < 3; i++) { if (i) in_ = *p; p = &in_; } return 0;", ""},
		{"begins anew", "for (int i = 0; i < 3; i++) { int *p; if (i) in_ = *p; p = &in_; } return 0;", "p 0-8"},
		{"members", "struct s d; d.a = 0; d.c = 0; return d.b;", "d 8-16"},
		{"given away", "struct s d; d.b = 1; ext(&d); return *d.a;", ""},
		{"a member given away", "struct s d; d.b = 1; ext(&d.c); return *d.a;", ""},
		{"read before", "struct s d; in_ = *d.a; ext(&d); return *d.c;", "d 0-8"},
		{"stored", "struct s d; d.a = d.c = 0; list = &d; return 0;", "d 8-16"},
		{"copied", "struct s d; d.a = 0; g = d; return 0;", "d 8-24"},
		{"a copy", "struct s d; d = g; return *d.a;", ""},
		{"cleared", "struct s d; memset(&d, 0, sizeof d); return *d.a;", ""},
		{"part cleared", "struct s d; memset(&d, 0, 16); return *d.c;", "d 16-24"},
		{"elements", "int *a[4]; for (int i = 0; i < 4; i++) a[i] = 0; return *a[in() & 3];", ""},
		{"other elements", "struct { int *a[4], *b[4]; } d; for (int i = 0; i < 4; i++) d.a[i] = 0; return *d.b[in() & 3];", "d 32-64"},
		{"known elements", "int *a[2]; a[0] = a[1] = 0; return *a[in() & 1];", ""},
		{"set by a function", "struct s d; both(&d); d.c = 0; list = &d; return 0;", ""},
		{"perhaps set by a function", "struct s d; some(&d); d.b = 0; list = &d; return 0;", "d 16-24"},
		{"read by a function", "struct s d; d.c = 0; reads(&d); return 0;", "d 0-8"},
		{"kept by a function", "struct s d; d.b = 0; keeps(&d); return 0;", "d 0-8"},
		{"read behind a function that moves on", "struct s d; d.a = d.c = 0; next(&d); return d.b;", "d 8-16"},
		{"called by itself", "struct s d; d.b = 0; again(&d, 3); return 0;", "d 0-8, 16-24"},
		{"by value", "struct s d; d.b = 0; value(d); return 0;", "d 0-8, 16-24"},
		{"a union", "union { int *p; long n; char c[8]; } u; u.n = 0; return *u.p;", ""},
		{"half of a union", "union { int *p; int n; } u; u.n = 0; return *u.p;", "u 4-8"},
		{"allocated", "struct s *p = malloc(sizeof *p); if (!p) return 0; p->a = 0; return *p->c;", "new 16-24"},
		{"a list", "struct s *p = malloc(sizeof *p); if (p) { p->a = 0; p->b = 0; p->c = 0; list = p; } return 0;", ""},
		{"zeroed", "struct s *p = kzalloc(sizeof *p, 0); return p ? *p->a : 0;", ""},
		{"calloc", "size_t n = in(); struct s *p = calloc(n, sizeof *p); return p ? *p->a : 0;", ""},
		{"cleared in two steps", "size_t n = in(); char *p = malloc(n); if (p) memset(p, 0, n); list = (void *)p; return 0;", ""},
		{"less cleared", "size_t n = in(); char *p = malloc(n); n--; if (p) memset(p, 0, n); list = (void *)p; return 0;", ""},
		{"a constructor", "struct s *p = make(); return p ? *p->a : 0;", "new 8-16"},
		{"an earlier one", "struct s *p, *q = 0; for (int i = 0; i < 3; i++) { p = malloc(sizeof *p); if (!p) break; if (q) in_ = *q->a; q = p; } return 0;", "new 0-24"},
		{"freed", "struct s *p = malloc(sizeof *p); free(p); return 0;", ""},
		{"variable length", "int n = in(); int *a[n]; return *a[0];", "new 0-8"},
	} {
		text := head + "int in_; int main(void) { " + test.body + " }"
		if got := unsetIn(t, text); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
