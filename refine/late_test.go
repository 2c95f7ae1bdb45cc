package refine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"c2bp/alias"
	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/cex"
	"c2bp/refine/event"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// A path is executed without facts about its objects if only its values matter, and no further than there is time.
func TestBareAndLate(t *testing.T) {
	prog, _ := loadText(t, "in.c", `
struct dev { int lock, users; };
struct item { long key; };
struct dev *get(void);
void *malloc(unsigned long);
int main(void)
{
	struct dev *d = get();
	struct item *p = malloc(sizeof *p);
	p->key = 1;
	d->users = 2;
	if ((void *)&d->users != (void *)p) { }
	return 0;
}
`)
	prog.Unreused = true // others free nothing of the program's, so that there are facts
	p := firstWays(prog.Proc("main"))
	facts := cex.NewFacts(prog, alias.Analyze(prog), technique.Set{})
	size := func(x *cex.Execution) string { return fmt.Sprint(len(x.Conds), len(x.Accessed)) }
	full, bare := facts.ExecuteWatched(t.Context(), logic.NewTable(), p), facts.ExecuteBare(t.Context(), logic.NewTable(), p)
	if size(full) != size(bare) {
		t.Errorf("%s and %s conditions and addresses", size(full), size(bare))
	}
	text := func(x *cex.Execution) string { return fmt.Sprint(cex.Terms(x.Conds)) }
	if a, b := text(full), text(bare); !strings.Contains(a, "<=") || strings.Contains(b, "<=") {
		t.Errorf("conditions %s, and bare %s", a, b)
	}
	late, stop := context.WithCancel(t.Context())
	stop()
	for _, x := range []*cex.Execution{facts.ExecuteWatched(late, logic.NewTable(), p), facts.ExecuteBare(late, logic.NewTable(), p)} {
		if size(x) != "0 0" {
			t.Errorf("late, %s conditions and addresses", size(x))
		}
	}
}

// A failing run for whose doubts there is no time is not believed.
func TestDoubtLate(t *testing.T) {
	const text = `
#include <assert.h>
int main(void)
{
	int x, n = 0;
	asm("mov $1, %0" : "=r"(x));
	for (int i = 0; i < 200; i++)
		n++;
	assert(n == 0 || x != 1);
	return 0;
}
`
	prog, _ := loadText(t, "in.c", text)
	for _, late := range []bool{false, true} {
		ctx, stop := context.WithCancel(t.Context())
		replayed := false
		o, err := Audit(ctx, prog, Options{Log: func(e event.Event) {
			if d, ok := e.(event.Directed); ok && d.Err == nil {
				if replayed = true; late {
					stop()
				}
			}
		}})
		stop()
		if err != nil || o.Result.Verdict != verdict.Unknown || !replayed {
			t.Fatal(late, o, err, replayed)
		}
		if doubted := strings.Contains(o.Result.Reason, "assembly"); doubted == late {
			t.Errorf("late %v: %s", late, o.Result.Reason)
		}
	}
}

// firstWays returns the path through p that goes the first way at each branch.
func firstWays(proc *core.Proc) *cex.Path {
	f := cex.NewFrame(0, proc, nil, -1)
	p := &cex.Path{}
	for n := 0; ; {
		p.Steps = append(p.Steps, cex.Step{Frame: f, Node: n})
		next := proc.Nodes[n].Succ
		if len(next) == 0 {
			return p
		}
		n = next[0]
	}
}
