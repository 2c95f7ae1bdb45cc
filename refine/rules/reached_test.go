package rules

import (
	"strings"
	"testing"
)

// TestReached: a rule is open if it holds since no run comes to a function that has to do with it.
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
		{"one place of two", driver("reg(&ops)", "static int on; if (on) locked(0); mutex_lock(&lock); mutex_unlock(&lock);"), "holds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := auditDriver(t, "mutex", c.text)
			if got := strings.TrimSpace(rows(r)); got != "mutex "+c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
