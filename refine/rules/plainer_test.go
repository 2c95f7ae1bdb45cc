package rules

import (
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// TestPlainer: a failure in which a function without a body replaces a pointer of the driver decides nothing; a
// plainer one does.
func TestPlainer(t *testing.T) {
	t.Parallel()
	// poll has the lock of d->bus before x, and releases that of from->bus after it.
	driver := func(x, from string) string {
		return `
typedef struct { int raw; } spinlock_t;
struct bus { int n; spinlock_t lock; };
struct dev { int id; struct bus *bus; };
struct chip { int n; struct dev *dev; };
extern void spin_lock(spinlock_t *l), spin_unlock(spinlock_t *l);
extern int reset(struct dev *d), restart(struct chip *c), find(struct bus **b), ready(void);
int poll(struct chip *c)
{
	struct dev *d = c->dev;
	spin_lock(&d->bus->lock);
	` + x + `
	spin_unlock(&` + from + `->bus->lock);
	return 0;
}
`
	}
	const bus, dev = "struct dev.bus=kept", "struct chip.dev=kept"
	for _, c := range []struct{ name, text, assume, want string }{
		{"nothing in between", driver("", "d"), "", "spinlock holds"},
		{"no pointer of the driver", driver("ready();", "d"), "", "spinlock holds"},
		{"one is replaced", driver("reset(d);", "d"), "", "spinlock undecided a run fails in which reset() replaces d->bus (in.c:12); if that cannot be: --assume 'struct dev.bus=kept'"},
		{"it stays", driver("reset(d);", "d"), bus, "spinlock holds"},
		{"it stays in an array, which no run changes", strings.NewReplacer("struct bus *bus;", "struct bus *bus[2];", "d->bus->", "d->bus[1]->").Replace(driver("d->id++; reset(d);", "d")), bus, "spinlock undecided a failing run could not be replayed: the run is blocked at poll:17 ()"},
		{"one of an array is replaced", strings.NewReplacer("struct bus *bus;", "struct bus *bus[2];", "d->bus->", "d->bus[1]->").Replace(driver("reset(d);", "d")), "",
			"spinlock undecided a run fails in which reset() replaces d->bus[1] (in.c:12); that it stays cannot be assumed, since the program uses struct dev as another type, or others may know its address; without that: a failing run could not be replayed: the run is blocked at poll:16 ()"},
		{"one of two is", driver("restart(c);", "c->dev"), bus, "spinlock undecided a run fails in which restart() replaces c->dev (in.c:12); if that cannot be: --assume 'struct chip.dev=kept'"},
		{"its struct is another one, too", strings.Replace(driver("reset(d); ((struct pair *)d)->a = 1;", "d"), "struct chip {", "struct pair { long a; };\nstruct chip {", 1), bus,
			"spinlock undecided a run fails in which reset() replaces d->bus (in.c:13); that it stays cannot be assumed, since the program uses struct dev as another type, or others may know its address"},
		{"an object of the program is another one, too", strings.Replace(strings.Replace(driver("((struct pair *)((char *)d + ready()))->a = 1; clear(c, ready());", "d"), "struct chip {", "struct pair { long a; };\nextern int clear(void *, int);\nstruct chip {", 1), "d = c->dev;", "d = c->dev; static struct dev own; static struct bus b; own.bus = &b; d = c->dev = &own;", 1), bus,
			"spinlock undecided a run fails in which clear() replaces d->bus (in.c:14); that it stays cannot be assumed, since the program uses struct dev as another type, or others may know its address; without that: a failing run could not be replayed: <rules>/spinlock/rule.slic:42:1: undefined behaviour: pointer outside of a live object in &({ptr}d->bus)->lock (poll:23)"},
		{"a pointer that was null is set", strings.NewReplacer("spin_lock(&d->bus->lock);", "if (d->lock) return 0;", "spin_unlock(&d->bus->lock)", "if (d->lock) spin_unlock(d->lock)", "struct bus *bus;", "struct bus *bus; spinlock_t *lock;").Replace(driver("reset(d);", "d")), "",
			"spinlock undecided a run fails in which reset() replaces d->lock (in.c:12); if that cannot be: --assume 'struct dev.lock=kept'"},
		{"one that the driver has made null", strings.Replace(strings.Replace(driver("d->lock = 0; find(&d->bus); reset(d);", "d"), "spin_unlock(&d->bus->lock)", "if (d->lock) spin_unlock(d->lock)", 1), "struct bus *bus;", "struct bus *bus; spinlock_t *lock;", 1), "struct dev.bus=kept",
			"spinlock fails double-unlock"},
		{"a variable of others changes", strings.Replace(driver("", "d"), "spin_lock(&d->bus->lock);", "extern int slow; if (!slow) spin_lock(&d->bus->lock); ready(); if (!slow)", 1), "",
			"spinlock undecided a run fails in which ready() changes slow (in.c:11); if that cannot be: --assume 'slow=kept'"},
		{"it stays, too", strings.Replace(driver("", "d"), "spin_lock(&d->bus->lock);", "extern int slow; if (!slow) spin_lock(&d->bus->lock); ready(); if (!slow)", 1), "slow=kept", "spinlock holds"},
		{"the driver changes it", strings.Replace(driver("", "d"), "spin_lock(&d->bus->lock);", "extern int slow; if (!slow) spin_lock(&d->bus->lock); slow++; if (!slow)", 1), "slow=kept", "spinlock fails double-unlock"},
		{"both stay", driver("restart(c);", "c->dev"), bus + "," + dev, "spinlock holds"},
		{"a plainer failure", driver("reset(d); if (!ready()) return -1;", "d"), "", "spinlock fails held-at-end"},
		{"it is given", driver("find(&d->bus);", "d"), bus, "spinlock fails held-at-end"},
		{"its address is known", strings.Replace(driver("reset(d);", "d"), "d = c->dev;", "d = c->dev; find(&d->bus);", 1), bus,
			"spinlock undecided a run fails in which reset() replaces d->bus (in.c:12); that it stays cannot be assumed, since the program uses struct dev as another type, or others may know its address; without that: a failing run could not be replayed: the run is blocked at poll:17 ()"},
		{"the address of a link is known", strings.NewReplacer("d = c->dev;", "d = c->dev; link(&d->bus);", "struct bus *bus;", "struct dev *bus; spinlock_t lock;", "struct chip {", "extern void link(struct dev **);\nstruct chip {").Replace(driver("reset(d);", "d")), bus,
			"spinlock undecided a run fails in which reset() replaces d->bus (in.c:13); that it stays cannot be assumed, since the program uses struct dev as another type, or others may know its address; without that: a failing run could not be replayed: the run is blocked at poll:17 ()"},
		{"its address is known, and another run is plainer", strings.Replace(driver("reset(d); if (!ready()) { ready(); ready(); ready(); ready(); return -1; }", "d"), "d = c->dev;", "d = c->dev; find(&d->bus);", 1), "",
			"spinlock fails held-at-end"},
		{"the driver replaces it", driver("d->bus = (struct bus *)c;", "d"), bus, "spinlock fails held-at-end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			set, err := lib.Rule("spinlock")
			if err != nil {
				t.Fatal(err)
			}
			fo := frontend.Options{}
			if c.assume != "" {
				if err := fo.Assume.Set(c.assume); err != nil {
					t.Fatal(err)
				}
			}
			files := []*source.File{source.NewFile("in.c", []byte(c.text))}
			files, fo, err = frontend.WithHarness(t.Context(), files, fo, harness.Options{Entries: []string{"poll"}})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Audit(t.Context(), files, []*syntax.Set{set}, Options{Frontend: fo, Harnessed: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(rows(r)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if strings.HasPrefix(c.assume, "slow") {
				if !strings.Contains(strings.Join(r.Ledger, "\n"), "environment: functions without a body do not change slow") {
					t.Errorf("the ledger is silent: %q", r.Ledger)
				}
				return
			}
			if c.assume != "" && !strings.Contains(strings.Join(r.Ledger, "\n"), "environment: functions without a body do not change bus of struct dev") {
				t.Errorf("the ledger is silent: %q", r.Ledger)
			}
			// One line for one member.
			if c.assume != "" && strings.Contains(strings.Join(r.Ledger, "\n"), "contexts that drivers keep in") {
				t.Errorf("two lines of the ledger are about a member: %q", r.Ledger)
			}
		})
	}
}
