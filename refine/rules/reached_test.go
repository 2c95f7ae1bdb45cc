package rules

import (
	"strings"
	"testing"

	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// TestReached: a rule is open if it holds since no run comes to a function that has to do with it. Of a program with its own
// main, that has to be all of them.
func TestReached(t *testing.T) {
	t.Parallel()
	driver := func(init, use string) string {
		return `
struct mutex { int raw; };
struct device { int n; };
struct ops { int (*probe)(struct device *); void (*use)(struct device *); };
extern int reg(const struct ops *);
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
static inline int absent(const struct ops *ops) { return -6; }
# 1 "in.c"
static struct mutex lock;
static void locked(int unlock)
{
	mutex_lock(&lock);
	if (unlock)
		mutex_unlock(&lock);
}
static int probe(struct device *d) { ` + use + ` return 0; }
static const struct ops ops = { probe };
int init_module(void) { return ` + init + `; }
`
	}
	for _, c := range []struct{ name, text, want string }{
		{"it holds", driver("reg(&ops)", "locked(1);"), "holds"},
		{"it fails", driver("reg(&ops)", "locked(0);"), "fails held-at-end"},
		{"there is no bus", driver("absent(&ops)", "locked(0);"), "undecided vacuous: no run calls locked (in.c:4)"},
		{"nothing is used", driver("reg(&ops)", "static int on; if (on) locked(0);"), "undecided vacuous: no run calls locked (in.c:4)"},
		{"one place of two", driver("reg(&ops)", "static int on; if (on) locked(0); mutex_lock(&lock); mutex_unlock(&lock);"), "undecided vacuous in part: no run calls locked (in.c:4)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := auditDriver(t, "mutex", c.text)
			if got := strings.TrimSpace(rows(r)); got != "mutex "+c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
	own := strings.Replace(driver("0", "static int on; if (on) locked(0); mutex_lock(&lock); mutex_unlock(&lock);"), "int init_module(void) {", "int main(void) { probe(0);", 1)
	set, err := lib.Rule("mutex")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Audit(t.Context(), []*source.File{source.NewFile("in.c", []byte(own))}, []*syntax.Set{set}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(rows(r)); got != "mutex holds" {
		t.Errorf("one place of two, with a main of its own: %s", got)
	}
}
