package rules

import (
	"strings"
	"testing"

	"c2bp/verdict"
)

// TestUnmade: a failure that rests on the state of a struct of the driver which nobody has made decides nothing, if the
// run takes nothing before. Any other failure does.
func TestUnmade(t *testing.T) {
	t.Parallel()
	const head = `
struct clk; struct mutex { int raw; };
struct seq { int id; };
struct host { int n; struct seq *seq; };
struct ops { void (*on)(struct host *); void (*off)(struct host *); };
struct device { int n, up; };
struct platform_driver { int (*probe)(struct device *); };
struct shared { struct seq seq; int on; struct clk *clk; };
extern int reg(struct platform_driver *), use(const struct ops *, struct seq *);
extern void print(struct shared *);
extern int ask(void);
extern void *kzalloc(unsigned long, unsigned);
extern struct clk *devm_clk_get(struct device *, const char *);
extern int clk_prepare_enable(struct clk *);
extern void clk_disable_unprepare(struct clk *), mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
# 1 "in.c"
struct own { struct seq seq; int on; struct device *dev; struct clk *clk; struct mutex lock; };
`
	driver := func(off, probe string) string {
		return head + `
static void off(struct host *h)
{
	struct own *o = (struct own *)h->seq;
	` + off + `
	o->on = 0;
}
static void on(struct host *h)
{
	struct own *o = (struct own *)h->seq;
	if (!o->on && clk_prepare_enable(o->clk) == 0)
		o->on = 1;
}
static const struct ops ops = { on, off };
static int probe(struct device *d)
{
	struct own *o = kzalloc(sizeof *o, 0);
	if (!o)
		return -12;
	o->clk = devm_clk_get(d, "x");
	` + probe + `
	return use(&ops, &o->seq);
}
static struct platform_driver driver = { probe };
int init_module(void) { return reg(&driver); }
`
	}
	// running has a device of which the kernel says whether it runs.
	running := func(more string) string {
		return "# 1 \"linux/pm.h\"" + strings.Replace(head, "struct device {", "struct dev_pm_info { int awake, runtime_status; };\nstruct device { struct dev_pm_info power;", 1) + `
struct dev_pm_ops { int (*suspend)(struct device *); };
extern int sleeps(const struct dev_pm_ops *);
static struct clk *clk;
static int suspend(struct device *d)
{
	` + more + `
	if (d->power.runtime_status != 2)
		clk_disable_unprepare(clk);
	return 0;
}
static const struct dev_pm_ops ops = { suspend };
static int probe(struct device *d)
{
	clk = devm_clk_get(d, "x");
	return sleeps(&ops);
}
static struct platform_driver driver = { probe };
int init_module(void) { return reg(&driver); }
`
	}
	const right, state = "if (o->on) clk_disable_unprepare(o->clk);", "in a struct own that the program has not made"
	for _, c := range []struct{ name, rule, text, want, rests string }{
		{"one that is on", "clk", driver(right, ""), "undecided a run fails in which o->on is not 0, " + state + " (in.c:12), and o->on is not 0, " + state + " (in.c:6); what the driver has done to that before is not known", ""},
		{"one in any state", "clk", driver("clk_disable_unprepare(o->clk);", ""), "undecided a run fails in which o->clk is in a struct own that the program has not made (in.c:6); what the driver has done to that before is not known", ""},
		{"one that runs", "clk", running(""), "undecided a run fails in which d->power.runtime_status says what the kernel has called before (in.c:9); what the driver has done to that before is not known", ""},
		{"one that runs, and is turned off twice", "clk", running("if (clk_prepare_enable(clk)) return; clk_disable_unprepare(clk);"), "fails not-enabled", ""},
		{"one that is awake", "clk", strings.Replace(running(""), "runtime_status !=", "awake !=", 1), "fails not-enabled", ""},
		{"one in any state that others know", "clk", strings.ReplaceAll(driver("clk_disable_unprepare(o->clk);", ""), "struct own *", "struct shared *"), "fails not-enabled", ""},
		{"too much to ask", "clk", strings.NewReplacer("struct own *", "struct shared *", "clk_prepare_enable(o->clk) == 0", "o->on").Replace(driver(strings.Repeat("if (ask() >= 0) return; ", 60)+"clk_disable_unprepare(o->clk);", "")),
			"undecided a run fails that gives back too much; it is not known what it rests on", ""},
		{"it is on, and is turned off twice", "clk", driver("if (o->on) { if (clk_prepare_enable(o->clk)) return; clk_disable_unprepare(o->clk); clk_disable_unprepare(o->clk); }", ""), "fails not-enabled", state},
		{"another one was on before", "clk", strings.Replace(strings.Replace(driver("if (o->on && o->clk == last) clk_disable_unprepare(o->clk);", ""),
			"o->on = 1;", "{ clk_disable_unprepare(o->clk); last = o->clk; }", 1), "static void off", "static struct clk *last;\nstatic void off", 1),
			"undecided a run fails in which o->on is not 0, " + state + " (in.c:7); what the driver has done to that before is not known", ""},
		{"it stays on", "clk", strings.Replace(driver("if (o->on) { if (clk_prepare_enable(o->clk)) return; }", ""), "!o->on && clk_prepare_enable(o->clk) == 0", "!o->on", 1), "fails enabled-at-end", state},
		{"one that the driver makes", "clk", driver("if (o->on) return;", "o->on = d->n != 0; if (o->on) clk_disable_unprepare(o->clk);"), "fails not-enabled", ""},
		{"one that others know", "clk", strings.ReplaceAll(driver(right, ""), "struct own *", "struct shared *"), "fails not-enabled", ""},
		{"of which others of the driver know", "clk", strings.Replace(driver(right, ""), `"in.c"`, `"./own.h"`, 1), "undecided a run fails in which o->on is not 0, " + state + " (./own.h:12), and o->on is not 0, " + state + " (./own.h:6); what the driver has done to that before is not known", ""},
		{"of which others know by their header", "clk", strings.Replace(driver(right, ""), `"in.c"`, `"linux/own.h"`, 1), "fails not-enabled", ""},
		{"what one leads to", "clk", driver("if (o->dev->up) clk_disable_unprepare(o->clk);", ""), "undecided a run fails in which o->dev->up is not 0, in an object that a struct own leads to which the program has not made (in.c:6); what the driver has done to that before is not known", ""},
		{"what one leads to that the driver has made", "clk", driver("", "o->dev = d; if (o->dev->up) clk_disable_unprepare(o->clk);"), "fails not-enabled", ""},
		{"what another one leads to", "clk", driver("if (h->n) clk_disable_unprepare(o->clk);", ""), "fails not-enabled", ""},
		{"a lock", "mutex", driver("if (o->on) mutex_unlock(&o->lock);", ""), "fails double-unlock", state},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := auditDriver(t, c.rule, c.text)
			if got := strings.TrimSpace(rows(r)); got != c.rule+" "+c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			var states []string
			for _, f := range r.Failures {
				for _, x := range f.RestsOn {
					if x.Kind == verdict.StateChoice {
						states = append(states, x.Text)
					}
				}
			}
			if got := strings.Join(states, "\n"); !strings.Contains(got, c.rests) || c.rests == "" && got != "" {
				t.Errorf("the failure rests on %q, want %q", got, c.rests)
			}
		})
	}
}
