package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
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

// TestKept: which values of p may be in the object that is made in front of the assignment to q. With Unreused, no
// object that others may have freed counts; what the program has freed does, and so do numbers and ends of arrays.
func TestKept(t *testing.T) {
	const no, yes, unreused = 0, 1, 2 // the last: only with Program.Unreused
	for _, c := range []struct {
		body string
		want int
	}{
		{"p = malloc(4); q = later();", yes},
		{"p = &g.n; q = later();", yes},
		{"int x; p = &x; q = later();", yes},
		{"p = 0; if (in()) p = make(); q = later();", yes},
		{"own.p = make(); p = own.p; q = later();", yes},
		{"p = (void *)-22L; q = later();", yes},
		{"p = make(); if (in()) p = (void *)-22L; q = later();", yes},
		{"p = 0; while (in()) { q = later(); p = q; }", yes},
		{"p = malloc(4); q = later(); free(p);", yes},

		{"p = malloc(4); free(p); q = later();", no},
		{"p = malloc(4); drop(p); q = later();", no},
		{"p = malloc(4); while (in()) { q = later(); free(p); }", no},
		{"p = 0; while (in()) { q = later(); p = q; if (in()) free(q); }", no},
		{"p = malloc(4); give(p); q = later();", unreused},
		{"p = malloc(4); own.p = p; give(&own); q = later();", unreused},
		{"p = malloc(4); give(p); free(p); q = later();", no},
		{"p = malloc(4); realloc(p, 8); q = later();", no},
		{"p = malloc(4); give(p); free(get()); q = later();", no},
		{"p = get(); q = later();", unreused},
		{"p = ext->p; q = later();", unreused},
		{"p = (void *)(long)in(); q = later();", no},
		{"p = (void *)4096; q = later();", no},
		{"p = (char *)malloc(4) + 4; q = later();", no},
		{"p = &g + 1; q = later();", no},
		{"p = &table[in()]; q = later();", no},
		{"union { int n[2]; void *p; } u; u.n[0] = in(); u.n[1] = in(); p = u.p; q = later();", no},
		{"p = alloca(4); q = later();", no},
	} {
		text := keptHead + "int main(void) { void *p, *q; " + c.body + " return p == q; }"
		prog := load(t, text, frontend.Options{})
		p := variableNamed(prog.Proc("main"), "p")
		site := allocationIn(prog.Proc("later"))
		if p == nil || site == nil {
			t.Fatalf("%s: no p, or no allocation", c.body)
		}
		for _, prog.Unreused = range []bool{false, true} {
			want := c.want == yes || c.want == unreused && prog.Unreused
			if got := alias.Analyze(prog).Kept(p.Ref(), core.DeclaredTarget(p.Ref()), site); (got.Off < got.End) != want {
				t.Errorf("%s, unreused %v: kept are %v", c.body, prog.Unreused, got)
			}
		}
	}
}

// TestKeptBytes: the bytes around the target of p that are not in the object which is made in front of the assignment to q,
// others having freed nothing.
func TestKeptBytes(t *testing.T) {
	none := core.Range{}
	for _, c := range []struct {
		body string
		want core.Range
	}{
		{"p = &g;", core.Range{Off: 0, End: 16}},
		{"p = (void *)&g.n;", core.Range{Off: -8, End: 8}},
		{"p = &g; if (in()) p = malloc(4);", core.Range{Off: 0, End: 4}},
		{"p = malloc(in());", core.Range{Off: 0, End: 1}},
		{"p = get();", core.Range{Off: 0, End: 16}},
		{"p = get(); if (in()) p = malloc(4);", core.Range{Off: 0, End: 4}},
		{"p = (void *)((char *)get() - 8);", core.Range{Off: 0, End: 16}},
		{"p = (void *)((char *)get() - 16);", none},
		{"p = (struct s *)get() + 1;", none},
		{"p = (struct s *)get() + in();", none},
	} {
		text := keptHead + "int main(void) { struct s *p; void *q; " + c.body + " q = later(); return p == q; }"
		prog := load(t, text, frontend.Options{})
		prog.Unreused = true
		p := variableNamed(prog.Proc("main"), "p").Ref()
		got := alias.Analyze(prog).Kept(p, core.DeclaredTarget(p), allocationIn(prog.Proc("later")))
		if got.Off >= got.End {
			got = none
		}
		if got != c.want {
			t.Errorf("%s kept are %v, want %v", c.body, got, c.want)
		}
	}
}

// TestKeptUsed: a pointer that is declared as void * leads to an object as large as the largest that the program follows
// it as, unless it is used as several that are no parts of each other, or at no fixed distance.
func TestKeptUsed(t *testing.T) {
	const head = keptHead + `
struct file { void *private; } *file(void); struct big { struct s s; long more[4]; }; struct other { long n[3]; };
`
	for _, c := range []struct {
		body string
		end  int64
	}{
		{"", 1},
		{"struct s *x = file()->private; x->n = 1;", 16},
		{"struct big *x = file()->private; x->more[1] = 1;", 48},
		{"struct big *x = file()->private; struct s *y = file()->private; x->more[1] = y->n;", 48},
		{"struct big *x = file()->private; struct other *y = file()->private; x->more[1] = y->n[2];", 1},
		{"struct big *x = (void *)((char *)file()->private - 8); x->more[1] = 1;", 1},
		{"struct s *x = (void *)((char *)file()->private + 16 * in()); x->n = 1;", 1},
	} {
		text := head + "int main(void) { struct file *f = file(); " + c.body + " void *q = later(); return f->private == q; }"
		prog := load(t, text, frontend.Options{})
		prog.Unreused = true
		var private *core.Mem
		for _, n := range prog.Proc("main").Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					if m, ok := e.(*core.Mem); ok && core.CString(m) == "f->private" {
						private = m
					}
					return true
				})
			})
		}
		got := alias.Analyze(prog).Kept(private, core.DeclaredTarget(private), allocationIn(prog.Proc("later")))
		if want := (core.Range{End: c.end}); got != want {
			t.Errorf("%s kept are %v, want %v", c.body, got, want)
		}
	}
}

// TestKeptLiving: a variable that leads to what the program has freed, unless it is set before; and one that is set from
// another one, which was a number, a function, or a place in an object at other times.
func TestKeptLiving(t *testing.T) {
	for _, body := range []string{
		"p = malloc(4); if (in()) { free(p); p = 0; }",
		"p = (void *)(long)in(); if (in()) p = malloc(4);",
		"p = (char *)&g + 8 * in(); if (in()) p = &g;",
		"p = (void *)later; if (in()) p = &own;",
	} {
		text := keptHead + "int main(void) { void *p, *q; " + body + " q = later(); return p == q; }"
		prog := load(t, text, frontend.Options{})
		p := variableNamed(prog.Proc("main"), "p")
		for _, p.Living = range []bool{false, true} {
			got := alias.Analyze(prog).Kept(p.Ref(), core.Range{}, allocationIn(prog.Proc("later")))
			if (got.Off < got.End) != p.Living {
				t.Errorf("%s living %v: kept are %v", body, p.Living, got)
			}
		}
	}
	// Others may have freed it, unless it is assumed that they have not.
	text := keptHead + "int main(void) { void *p, *q; p = malloc(4); give(p); q = later(); return p == q; }"
	prog := load(t, text, frontend.Options{})
	p := variableNamed(prog.Proc("main"), "p")
	p.Living = true
	for _, prog.Unreused = range []bool{false, true} {
		got := alias.Analyze(prog).Kept(p.Ref(), core.Range{}, allocationIn(prog.Proc("later")))
		if (got.Off < got.End) != prog.Unreused {
			t.Errorf("unreused %v: kept are %v", prog.Unreused, got)
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
