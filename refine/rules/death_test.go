package rules

import (
	"context"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// deathDriver is a driver that frees a pointer from outside while it holds a mutex.
const deathDriver = `# 1 "kernel.h"
struct mutex { long owner; };
extern void mutex_lock(struct mutex *m), mutex_unlock(struct mutex *m);
extern void *kzalloc(unsigned long n, unsigned flags);
extern void kfree(const void *p);
struct device { void *driver_data; };
struct platform_driver { int (*probe)(struct device *); };
extern int reg(struct platform_driver *d);
struct irq { int n; void *arg; };
struct slot { struct irq *irq; char *name; void *data; };
extern struct slot *get_slot(struct device *d);
extern struct mutex *get_mutex(struct device *d);
extern unsigned long get_size(struct device *d);
# 1 "in.c"
struct board { struct mutex m; int n; };
static int probe(struct device *d)
{
	struct board *b = kzalloc(sizeof *b, 0);
	struct slot *s = get_slot(d);

	if (!b)
		return -1;
	d->driver_data = b;
	BODY
	return 0;
}
static struct platform_driver driver = { probe };
int init_module(void) { return reg(&driver); }
`

// TestDeath: the mutex that is held is gone if its board is freed: not by a pointer to something else, nor by one to
// characters. No mutex is in memory that is allocated for characters.
func TestDeath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body, ledger string
		holds        bool
	}{
		{"mutex_lock(&b->m); kfree(s->irq); mutex_unlock(&b->m);", "environment: pointers from outside are null", true},
		{"mutex_lock(&b->m); kfree(s->name); mutex_unlock(&b->m);", "environment: characters to which", true},
		{"mutex_lock(&b->m); kfree(s->data); mutex_unlock(&b->m);", "", false},
		{"mutex_lock(&b->m); kfree(b); mutex_unlock(&b->m);", "", false},
		{"struct mutex *m = get_mutex(d); if (m) { mutex_lock(m); char *p = kzalloc(get_size(d), 0); s->name = p; kfree(p); mutex_unlock(m); }", "environment: characters to which", true},
		{"struct mutex *m; void *p = kzalloc(get_size(d), 0); s->data = p; m = get_mutex(d); if (m) { mutex_lock(m); kfree(p); mutex_unlock(m); }", "", false},
	} {
		text := strings.Replace(deathDriver, "BODY", c.body, 1)
		files, fo, err := frontend.WithHarness(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{}, harness.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Audit(context.Background(), files, []*syntax.Set{mustRule(t, "mutex")}, Options{Frontend: fo, Harnessed: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(rows(r), "holds"); got != c.holds {
			t.Errorf("%s\n%s", c.body, rows(r))
		}
		if !strings.Contains(strings.Join(r.Ledger, "\n"), c.ledger) {
			t.Errorf("%s\nno line %q in the ledger:\n%s", c.body, c.ledger, strings.Join(r.Ledger, "\n"))
		}
	}
}
