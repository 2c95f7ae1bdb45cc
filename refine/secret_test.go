package refine

import (
	"strings"
	"testing"

	"c2bp/alias"
	"c2bp/logic"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
)

// In the replay of a path, no function without a body changes a new object of which the path has told nobody.
func TestSecret(t *testing.T) {
	for name, c := range map[string]struct {
		tell string
		kept bool
	}{
		"nobody":                 {"", true},
		"its own member":         {"d->self = d;", true},
		"another one's member":   {"d->other = e;", true},
		"a variable outside":     {"p = d;", true},
		"a member elsewhere":     {"get()->other = d;", false},
		"an argument":            {"add(d);", false},
		"an argument, by member": {"add(&d->other);", false},
		"a copy":                 {"__builtin_memcpy(get(), d, ask());", false},
		"its members":            {"*get() = *d;", false},
		"a variable in memory":   {"p = d; add(&p);", false},
	} {
		prog, _ := loadText(t, "in.c", `
struct dev { int n; struct dev *self, *other; };
struct dev *get(void);
void reset(void), add(void *);
unsigned long ask(void);
extern struct dev *first;
void *malloc(unsigned long);
int main(void)
{
	struct dev *p, *e = get(), *d = malloc(sizeof *d);
	d->n = 1;
	`+c.tell+`
	add(0);
	first = 0;
	reset();
	if (d->n) { }
	add(d);
	return 0;
}
`)
		p := firstWays(prog.Proc("main"))
		facts := cex.NewFacts(prog, alias.Analyze(prog), technique.Set{})
		last := func(x *cex.Execution) string { return cex.Terms(x.Conds)[len(x.Conds)-1].String() }
		watched, plain := last(facts.ExecuteWatched(t.Context(), logic.NewTable(), p)), last(facts.Execute(logic.NewTable(), p, 0, len(p.Steps)))
		if got := !strings.Contains(watched, "@new#"); got != c.kept {
			t.Errorf("%s: d->n is kept: %v (%s)", name, got, watched)
		}
		if !strings.Contains(plain, "@new#") {
			t.Errorf("%s: a path that is not replayed keeps d->n: %s", name, plain)
		}
	}
}
