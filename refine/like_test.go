package refine

import (
	"fmt"
	"testing"

	"c2bp/refine/fuzz"
	"c2bp/verdict"
)

// TestLike: a run like one that fails in a program fails in another one, which has a property and a choice of its own. The run needs
// numbers and pointers that no random run has.
func TestLike(t *testing.T) {
	t.Parallel()
	const text = `
#include <assert.h>
struct dev { long id; struct dev *peer, *next; };
struct dev *get(int n); unsigned number(void); int other(void);
static int left, watched;
static void probe(struct dev *d)
{
	unsigned n = number(), m = number();
	struct dev *e = d->next;
	if (n * n %% 9973 != 4 * m || n < 100 || e != d->peer || e == d || !e || e->id != 77777 + (long)m)
		return;
	left++;
}
int main(void)
{
	struct dev *d = get(1);
	if (!d)
		return 0;
	%s
	probe(d);
	%s
	return 0;
}
`
	first, _ := loadText(t, "in.c", fmt.Sprintf(text, "", "assert(left == 0);"))
	o, err := Audit(t.Context(), first, Options{})
	if err != nil || o.Result.Verdict != verdict.False {
		t.Fatal(err, o.Result.Summary())
	}
	prog, sites := loadText(t, "in.c", fmt.Sprintf(text, "if (other()) watched = 1;", "assert(!(watched && left == 1));"))
	search := func(g *fuzz.Guide) *fuzz.Crash {
		a := newAudit(prog, Options{})
		defer a.close()
		return newCampaign(a.Facts, sites).Follow(t.Context(), g, likeEach)
	}
	if search(fuzz.NewGuide()) != nil {
		t.Error("a random run fails, too")
	}
	if search(o.Failures[0].Guide) == nil {
		t.Error("no run like the failing one of the other program fails")
	}
	next, err := Audit(t.Context(), prog, Options{Like: []*fuzz.Guide{o.Failures[0].Guide}})
	if err != nil || next.Result.Verdict != verdict.False || next.Iterations != 1 {
		t.Errorf("%v, %v after %d iterations", err, next.Result.Summary(), next.Iterations)
	}
}
