package certificate_test

import (
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/refine/certificate"
)

// TestTypesAreNotClaimed: what a pointer is declared to point to does not make places separate that
// the program takes for one. The programs fail, and the certificates say that x stays what it is.
func TestTypesAreNotClaimed(t *testing.T) {
	for name, text := range map[string]string{
		"one value, two types": `
			struct a { int n, x; }; struct b { int k, y; };
			void *next(void);
			int main(void) { void *q = next(); struct a *p = q; struct b *r = q; if (!q) return 0; p->x = 1; r->y = 2; assert(p->x == 1); return 0; }`,
		"a cast": `
			struct a { int n, x; }; struct b { int k, y; };
			struct a *next(void);
			int main(void) { struct a *p = next(); if (!p) return 0; p->x = 1; ((struct b *)p)->y = 2; assert(p->x == 1); return 0; }`,
		"a member of a member": `
			struct a { int n, x; }; struct b { int k; struct a a; };
			struct b *next(void);
			int main(void) { struct b *r = next(); struct a *p; if (!r) return 0; p = &r->a; p->x = 1; r->a.x = 2; assert(p->x == 1); return 0; }`,
		"one member, two types": `
			struct a { int n, x; }; struct b { int k, y; }; struct c { void *any; };
			struct c *next(void);
			int main(void) { struct c *c = next(); struct a *p; struct b *r; if (!c || !c->any) return 0; p = c->any; r = c->any; p->x = 1; r->y = 2; assert(p->x == 1); return 0; }`,
	} {
		cert := claims(loaded(t, text), "", map[string]claim{"main": {
			predicates: "(predicate p (== (mem int32 (offset (var p) 4 x)) (const int32 1)))",
			invariant: func(_ int, n *core.Node) string {
				if s := core.StmtString(n.Stmt); strings.HasPrefix(s, "assert") || strings.Contains(s, "y := 2") || strings.Contains(s, "x := 2") {
					return "p"
				}
				return "true"
			},
		}})
		if r := validate(t, cert, text, options); r.Verdict != certificate.Rejected || !strings.Contains(r.Why, "does not follow") {
			t.Errorf("%s: %s\n%s", name, r.Summary(), cert)
		}
	}
}
