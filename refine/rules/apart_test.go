package rules

import (
	"strings"
	"testing"
)

// TestApart: where no replay takes the shortest failing path, since a pointer to numbers would have to lead into a struct, a longer
// one is found. Nothing is proved so.
func TestApart(t *testing.T) {
	t.Parallel()
	driver := func(rest string) string {
		return `
struct mutex { int raw; };
struct hw { void *p; };
struct ops { void (*off)(struct hw *); };
struct data { unsigned short *count; };
extern int reg(const struct ops *), ask(void);
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
# 1 "in.c"
struct gate { unsigned short id; struct hw hw; struct data *data; struct mutex *lock; };
static void off(struct hw *h)
{
	struct gate *g = (struct gate *)((char *)h - __builtin_offsetof(struct gate, hw));
	if (g->id == 0xffff)
		return;
	mutex_lock(g->lock);
	g->data->count[g->id]--;
	if (g->id == 0xffff)
		return;
	mutex_unlock(g->lock);
	` + rest + `
}
static const struct ops ops = { off };
int init_module(void) { return reg(&ops); }
`
	}
	for _, c := range []struct{ name, rest, want string }{
		{"no other", "", "undecided a failing run could not be replayed"},
		{"a longer one", "if (ask() == 1 && ask() == 2 && ask() == 3) mutex_lock(g->lock);", "fails held-at-end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := auditDriver(t, "mutex", driver(c.rest))
			if got := strings.TrimSpace(rows(r)); !strings.HasPrefix(got, "mutex "+c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
