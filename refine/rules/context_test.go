package rules

import (
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// TestContext: a driver that gives the kernel its context before the context is filled. For the second device the same
// function makes a new context, which is none that the first device has.
func TestContext(t *testing.T) {
	t.Parallel()
	const text = `
struct clk;
struct device { struct device *parent; void *driver_data; };
struct platform_device { int id; struct device dev; };
struct platform_driver { int (*probe)(struct platform_device *); int (*remove)(struct platform_device *); };
extern int reg(struct platform_driver *d), provide(struct device *d);
extern void *kmalloc(unsigned long size, unsigned flags);
extern struct clk *devm_clk_get(struct device *d, const char *name);
extern int clk_prepare_enable(struct clk *c);
extern void clk_disable_unprepare(struct clk *c);
static inline void dev_set_drvdata(struct device *d, void *data) { d->driver_data = data; }
static inline void *dev_get_drvdata(struct device *d) { return d->driver_data; }
# 1 "in.c"
struct sata { struct device *dev; struct clk *clk; };
static int probe(struct platform_device *p)
{
	struct sata *s = kmalloc(sizeof *s, 0);
	if (!s)
		return -12;
	s->dev = &p->dev;
	dev_set_drvdata(&p->dev, s);
	s->clk = devm_clk_get(&p->dev, "cfg");
	if (clk_prepare_enable(s->clk))
		return -5;
	if (provide(&p->dev)) {
		clk_disable_unprepare(s->clk);
		return -6;
	}
	return 0;
}
static int remove(struct platform_device *p)
{
	struct sata *s = dev_get_drvdata(&p->dev);
	clk_disable_unprepare(s->clk);
	return 0;
}
static struct platform_driver driver = { probe, remove };
int init_module(void) { return reg(&driver); }
`
	for want, change := range map[string][2]string{
		"clk holds":                 {},
		"clk fails enabled-at-end":  {"	clk_disable_unprepare(s->clk);\n	return 0;", "	return 0;"},
		"clk fails prepared-at-end": {"	clk_disable_unprepare(s->clk);\n	return 0;", "	clk_disable(s->clk);\n	return 0;"},
		"clk fails not-enabled":     {"	clk_disable_unprepare(s->clk);\n	return 0;", "	clk_disable_unprepare(s->clk);\n	clk_disable_unprepare(s->clk);\n	return 0;"},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			file := "# 1 \"kernel.h\"\nextern void clk_disable(struct clk *c);" + strings.Replace(text, change[0], change[1], 1)
			checkHarnessed(t, file, mustRule(t, "clk"), want)
		})
	}
}

// checkHarnessed audits a driver, a file in.c, with its harness by the rules in set, and checks the rows of the result.
func checkHarnessed(t *testing.T, file string, set *syntax.Set, want string) {
	t.Helper()
	files, fo, err := frontend.WithHarness(t.Context(), []*source.File{source.NewFile("in.c", []byte(file))}, frontend.Options{}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Audit(t.Context(), files, []*syntax.Set{set}, Options{Frontend: fo, Harnessed: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(rows(r)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
