package refine

import (
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// TestCounting: where a path has to go round a loop so often as an array has elements, and it is known which relations hold
// in the loop, the rounds are told apart at once, not one by each refinement.
func TestCounting(t *testing.T) {
	t.Parallel()
	const text = `
int a[40]; int measure(int n);
struct bed { int irq; int rsp[40]; } *bed; void *get(void);
int main(void)
{
  int i;
  struct bed *b = get();
  if (!b) return 0;
  b->irq = -1;
  for (i = 0; i < sizeof a / sizeof a[0]; i++) b->rsp[i] = -1;
  if (measure(1) * 3 == 37035) { ERROR: ; }
  return 0;
}`
	o, log := auditText(t, text, Options{Without: technique.Of(technique.Fuzzing, technique.DirectedReplay), Checker: checker.Options{ErrorLabels: checker.DefaultErrorLabels()}})
	if o.Result.Verdict != verdict.False || strings.Count(log, "iteration ") > 14 {
		t.Errorf("%v (%s) in %d iterations\n%s", o.Result.Verdict, o.Result.Reason, strings.Count(log, "iteration "), log)
	}
}
