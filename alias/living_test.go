package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// TestKeptSince: of the objects that an allocation in a loop has made, some were freed. The one that p leads to when
// the object for q is made, is alive if nothing has freed it since p was set.
func TestKeptSince(t *testing.T) {
	const no, yes, unreused = 0, 1, 2 // the last: only with Program.Unreused
	for _, c := range []struct {
		round string
		want  int
	}{
		{"p = malloc(4); q = malloc(8); free(p);", yes},
		{"p = malloc(4); void *o = p; q = malloc(8); free(o);", yes},
		{"void *o = malloc(4); p = (char *)o + 1; q = malloc(8); free(o);", yes},
		{"p = make(); q = malloc(8); free(p);", yes},
		{"p = malloc(4); in(); q = malloc(8); drop(p);", yes},
		{"p = 0; if (in()) p = malloc(4); q = malloc(8); free(p);", yes},
		{"p = malloc(4); while (in()) q = malloc(8); free(p);", yes},
		{"q = malloc(8); free(p); p = malloc(4);", yes},
		{"p = malloc(4); give(p); q = malloc(8); free(p);", unreused},
		{"p = get(); free(q); q = malloc(8); give(q);", unreused},

		{"q = malloc(8); free(p); if (in()) p = malloc(4);", no},
		{"p = malloc(4); if (in()) free(p); q = malloc(8);", no},
		{"p = malloc(4); if (in()) drop(p); q = malloc(8);", no},
		{"p = malloc(4); if (in()) own.p = realloc(p, 9); q = malloc(8);", no},
		{"p = malloc(4); give(p); if (in()) free(get()); q = malloc(8);", no},
		{"void *o = malloc(4); p = o; if (in()) free(o); q = malloc(8);", no},
		{"p = make(); if (in()) free(p); q = malloc(8);", no},
		{"own.p = malloc(4); p = own.p; q = malloc(8); free(p);", no},
		{"p = same(last); q = malloc(8); free(p); last = malloc(4);", no},
		{"p = malloc(4); if (in()) { free(p); p = gone(); } q = malloc(8);", no},
	} {
		text := keptHead + `
static void *last;
static void *same(void *x) { return x; }
static void *gone(void) { void *x = malloc(4); free(x); return x; }
int main(void) { void *p = 0, *q = 0; while (in()) { ` + c.round + ` } return p == q; }`
		prog := load(t, text, frontend.Options{})
		p := variableNamed(prog.Proc("main"), "p").Ref()
		site := allocationOf(prog.Proc("main"), "q")
		for _, prog.Unreused = range []bool{false, true} {
			want := c.want == yes || c.want == unreused && prog.Unreused
			r := alias.Analyze(prog)
			if got := r.Kept(p, core.DeclaredTarget(p), site); (got.Off < got.End) != want {
				t.Errorf("%s, unreused %v: kept are %v", c.round, prog.Unreused, got)
			}
			if ever := r.KeptEver(p, core.DeclaredTarget(p), site); ever.Off < ever.End && c.want == no {
				t.Errorf("%s, unreused %v: ever kept are %v", c.round, prog.Unreused, ever)
			}
		}
	}
}

// TestKeptEver: p leads to a living object when the one for q is made, and has led to one that was freed.
func TestKeptEver(t *testing.T) {
	prog := load(t, keptHead+"int main(void) { void *p, *q; while (in()) { p = malloc(4); q = malloc(8); free(p); } return p == q; }", frontend.Options{})
	p := variableNamed(prog.Proc("main"), "p").Ref()
	if ever := alias.Analyze(prog).KeptEver(p, core.Range{}, allocationOf(prog.Proc("main"), "q")); ever.Off < ever.End {
		t.Errorf("ever kept are %v", ever)
	}
}

// TestKeptArgument: a formal, or its value at the entry, leads to a living object if each caller's argument does.
func TestKeptArgument(t *testing.T) {
	for _, c := range []struct {
		round string
		want  bool
	}{
		{"with(p);", true},
		{"if (in()) with(p); else with(0);", true},
		{"if (in()) free(p); else with(p);", true},
		{"if (in()) free(p); with(p);", false},
		{"with(p); with(own.p); own.p = p;", false},
	} {
		prog := load(t, keptHead+`
static void with(void *x) { void *q = malloc(8); if (q == x) free(q); }
int main(void) { void *p; while (in()) { p = malloc(4); `+c.round+` if (in()) free(p); } return 0; }`, frontend.Options{})
		with := prog.Proc("with")
		x := with.Formals[0]
		entry := &core.Var{Name: "'x", Type: x.Type, Kind: core.Ghost, Proc: with, Init: x.Ref()}
		for _, v := range []*core.Var{x, entry} {
			got := alias.Analyze(prog).Kept(v.Ref(), core.Range{End: 1}, allocationOf(with, "q"))
			if (got.Off < got.End) != c.want {
				t.Errorf("%s: kept of %s are %v", c.round, v.Name, got)
			}
		}
	}
}

// allocationOf returns the allocation in p, of which the address goes to a variable.
func allocationOf(p *core.Proc, name string) *core.Alloc {
	for _, n := range p.Nodes {
		if a, ok := n.Stmt.(*core.Alloc); ok {
			if r, ok := a.Lhs.(*core.VarRef); ok && r.Var.Name == name {
				return a
			}
		}
	}
	return nil
}
