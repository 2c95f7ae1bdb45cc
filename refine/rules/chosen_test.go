package rules

import (
	"strings"
	"testing"
)

// TestChosen: a struct of the driver stays its own although the harness chooses which one a function of the driver is called
// with. Others leave dev->lock alone then.
func TestChosen(t *testing.T) {
	t.Parallel()
	driver := func(declared string) string {
		return `
struct mutex { int raw; };
struct device { int n; };
struct ops { int (*probe)(struct device *); };
extern int reg(const struct ops *);
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
extern void *kzalloc(unsigned long, unsigned);
extern void set(struct device *, void *);
# 1 "in.c"
struct dev { struct device *parent; struct mutex *lock; void (*write)(struct dev *); };
` + declared + `
static struct mutex lock, other;
static void write(struct dev *d) { }
static int probe(struct device *parent)
{
	struct dev *d = kzalloc(sizeof *d, 0);
	if (!d)
		return -12;
	d->lock = &lock;
	d->write = write;
	mutex_lock(d->lock);
	set(parent, d);
	mutex_unlock(d->lock);
	return 0;
}
static const struct ops ops = { probe };
int init_module(void) { return reg(&ops); }
`
	}
	if got := strings.TrimSpace(rows(auditDriver(t, "mutex", driver("")))); got != "mutex holds" {
		t.Errorf("chosen by the harness: %s", got)
	}
	if got := strings.TrimSpace(rows(auditDriver(t, "mutex", driver("extern void show(struct dev *);")))); got == "mutex holds" {
		t.Errorf("known to another function: %s", got)
	}
}
