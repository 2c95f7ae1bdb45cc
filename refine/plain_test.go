package refine

import (
	"testing"

	"c2bp/checker"
	"c2bp/refine/technique"
	"c2bp/verdict"
)

// TestPlain: a run that goes other ways than an impossible path, and in which a function without a body replaces a pointer, is no
// result where such runs decide nothing.
func TestPlain(t *testing.T) {
	const text = `
struct bus { int n; };
struct dev { int id; struct bus *bus; };
struct dev *get(void);
void touch(struct dev *d);
int bit(void), fast, slow, slower;
static int read_bits(void)
{
	int data = 0;
	for (int m = 128; m; m >>= 1)
		if (bit())
			data |= m;
	return data;
}
int main(void)
{
	struct dev *d = get();
	struct bus *b = d->bus;
	int status = read_bits();
	if ((status & 0xff00) == 0x7800) {
		fast = 1;
	} else {
		slow = 1;
		slower = 1;
		slower = 2;
	}
	touch(d);
	if (d->bus != b) { ERROR: ; }
	return 0;
}`
	for plain, want := range map[bool]verdict.Verdict{false: verdict.False, true: verdict.Unknown} {
		o, log := auditText(t, text, Options{
			Plain: plain, Iterations: 1, Without: technique.Of(technique.Fuzzing), Checker: checker.Options{ErrorLabels: checker.DefaultErrorLabels()},
		})
		if o.Result.Verdict != want {
			t.Errorf("plain %v: %s\n%s", plain, o.Result.Summary(), log)
		}
	}
}
