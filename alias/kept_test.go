package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

// keptHead declares what the programs of TestKept use.
const keptHead = `
void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *); void *alloca(unsigned long);
int in(void); void *get(void); void give(void *);
struct s { int *p; long n; } g; extern struct s *ext;
static struct s own, table[4];
static void drop(void *x) { free(x); }
static void *make(void) { int *m = malloc(4); return m; }
static void *later(void) { void *q = malloc(4); return q; }
`

// TestKept: which values of p may be in the object that is made in front of the assignment to q.
func TestKept(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{"p = malloc(4); q = later();", true},
		{"p = &g.n; q = later();", true},
		{"int x; p = &x; q = later();", true},
		{"p = 0; if (in()) p = make(); q = later();", true},
		{"own.p = make(); p = own.p; q = later();", true},
		{"p = 0; while (in()) { q = later(); p = q; }", true},
		{"p = malloc(4); q = later(); free(p);", true},

		{"p = malloc(4); free(p); q = later();", false},
		{"p = malloc(4); drop(p); q = later();", false},
		{"p = malloc(4); while (in()) { q = later(); free(p); }", false},
		{"p = 0; while (in()) { q = later(); p = q; if (in()) free(q); }", false},
		{"p = malloc(4); give(p); q = later();", false},
		{"p = malloc(4); own.p = p; give(&own); q = later();", false},
		{"p = malloc(4); realloc(p, 8); q = later();", false},
		{"p = get(); q = later();", false},
		{"p = ext->p; q = later();", false},
		{"p = (void *)(long)in(); q = later();", false},
		{"p = (void *)4096; q = later();", false},
		{"p = (char *)malloc(4) + 4; q = later();", false},
		{"p = &g + 1; q = later();", false},
		{"p = &table[in()]; q = later();", false},
		{"union { int n[2]; void *p; } u; u.n[0] = in(); u.n[1] = in(); p = u.p; q = later();", false},
		{"p = alloca(4); q = later();", false},
	} {
		text := keptHead + "int main(void) { void *p, *q; " + c.body + " return p == q; }"
		u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		prog := u.Program
		devirt.Resolve(prog)
		p := variableNamed(prog.Proc("main"), "p")
		site := allocationIn(prog.Proc("later"))
		if p == nil || site == nil {
			t.Fatalf("%s: no p, or no allocation", c.body)
		}
		if got := alias.Analyze(prog).Kept(p.Ref(), site); got != c.want {
			t.Errorf("%s: kept is %v", c.body, got)
		}
	}
}

func variableNamed(p *core.Proc, name string) *core.Var {
	for _, v := range p.Locals {
		if v.Name == name {
			return v
		}
	}
	return nil
}

func allocationIn(p *core.Proc) *core.Alloc {
	for _, n := range p.Nodes {
		if a, ok := n.Stmt.(*core.Alloc); ok {
			return a
		}
	}
	return nil
}
