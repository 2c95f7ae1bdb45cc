package refine

import (
	"strings"
	"testing"

	"c2bp/verdict"
)

// TestAfter: an audit that goes on after another one begins with its predicates, and tells their provenance.
func TestAfter(t *testing.T) {
	t.Parallel()
	const text = `
#include <assert.h>
int in(void);
int main(void)
{
	int a = 1, b = 2, c = 3, n = in();
	while (n > 0) {
		if (in())
			a = b - 1;
		b = c - 1;
		n--;
	}
	assert(a == 1 && b == 2);
	return 0;
}
`
	prog, _ := loadText(t, "in.c", text)
	first, err := Audit(t.Context(), prog, Options{})
	if err != nil || first.Result.Verdict != verdict.True || first.Iterations < 2 {
		t.Fatal(err, first)
	}
	next, err := Audit(t.Context(), prog, Options{After: first})
	if err != nil || next.Result.Verdict != verdict.True || next.Iterations != 1 {
		t.Errorf("%v, %v after %d iterations, and %d before", err, next.Result.Verdict, next.Iterations, first.Iterations)
	}
	for _, p := range next.Predicates {
		if from, known := next.Origin(p.From()); known && !strings.HasPrefix(from.String(), "iteration ") || !known && !p.Auto {
			t.Errorf("%s comes from %v", p.Name, from)
		}
	}
}
