package rules

import (
	"strings"
	"testing"
)

// TestAstray: a failure that needs an element of a list that does not lead back to what has the list decides nothing. Any
// other failure does.
func TestAstray(t *testing.T) {
	t.Parallel()
	driver := func(visit string) string {
		return `
struct mutex { int raw; };
struct list_head { struct list_head *next, *prev; };
struct host { struct mutex *lock; struct list_head devices; struct dev *first; };
struct dev { int gone; struct host *host; struct list_head siblings; };
struct ops { void (*visit)(struct host *); };
extern int reg(const struct ops *);
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
# 1 "in.c"
#define entry(p) ((struct dev *)((char *)(p) - __builtin_offsetof(struct dev, siblings)))
static void visit(struct host *h)
{
	mutex_lock(h->lock);
	` + visit + `
	mutex_unlock(h->lock);
}
static const struct ops ops = { visit };
int init_module(void) { return reg(&ops); }
`
	}
	loop := func(body string) string {
		return "for (struct dev *d = entry(h->devices.next); &d->siblings != &h->devices; d = entry(d->siblings.next)) if (d->gone) { " + body + " }"
	}
	for _, c := range []struct{ name, text, want string }{
		{"another host", driver(loop("mutex_unlock(d->host->lock); return;")), "undecided a run fails in which d->host does not lead to the struct host that has the list (in.c:5)"},
		// Of a run as long as this nothing is asked but where its pointers lead.
		{"the host before it", driver("int n = 0; while (n < 3000) n++; " + strings.Replace(loop("mutex_unlock(d->host->lock); return;"), "d->gone", "d->host + 1 == h", 1)), "undecided a run fails in which d->host does not lead to the struct host that has the list (in.c:5)"},
		{"unlocked twice", driver(loop("mutex_unlock(h->lock); mutex_unlock(h->lock); return;")), "fails double-unlock"},
		{"never unlocked", driver(loop("return;")), "fails held-at-end"},
		{"of no list", driver("if (h->first->gone) { mutex_unlock(h->first->host->lock); return; }"), "fails double-unlock"},
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
