package refine

import (
	"context"
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
	"c2bp/verdict"
)

// TestHidden: functions without a body change the members of a private struct that addresses lead to which they
// get, and no others. Each program keeps a value in d->open or the like over such calls.
func TestHidden(t *testing.T) {
	t.Parallel()
	const head = `
struct device; typedef struct { int raw; } lock_t;
void take(lock_t *l); void give(int *n); void set(struct device *d, void *context); void *get(struct device *d);
void put(void *p, unsigned long n); void number(unsigned long n); struct device *any(void); int one(void);
void *malloc(unsigned long n); void abort(void);
`
	const dev = "struct dev { struct device *parent; lock_t lock; int open; int count; int buf[4]; };\n"
	// probe has d, known outside as the context of a device, with open == 1, and x in between.
	probe := func(decl, x string) string {
		return decl + `
int main(void)
{
  struct device *a = any();
  struct dev *d = malloc(sizeof *d);
  if (!d) return 0;
  d->parent = a; d->open = 1;
  set(a, d);
  ` + x + `
  if (d->open != 1) { ERROR: ; }
  return 0;
}
`
	}
	later := func(x string) string {
		return dev + `
static void start(struct device *a) { struct dev *d = get(a); d->open = 1; ` + x + ` }
static void stop(struct device *a) { struct dev *d = get(a); d->open = 1; take(&d->lock); if (d->open != 1) { ERROR: ; } }
int main(void) { struct device *a = any(); start(a); stop(a); return 0; }
`
	}
	// laid also takes a context, from byte at on, for the struct that decl defines, and gives x, an address in another such
	// struct, away.
	laid := func(decl, at, x string) string {
		return "#line 1 \"other.h\"\nstruct other { int a, b; };\n#line 20 \"in.c\"\n" + decl + later(strings.ReplaceAll("TYPE *u = (TYPE *)((char *)d + "+at+"); u->a = 0; TYPE *v = get(a); v->a = 0; "+x, "TYPE", "struct "+strings.Trim(strings.Fields(decl)[1], ";")))
	}
	// inner has a device in a struct of a header that keeps a pointer of its own, too.
	inner := func(decl, x string) string {
		return "#line 1 \"device.h\"\nstruct device { int n; void *driver_data; struct device *parent; };\n" +
			"struct pci_dev { int irq; struct bus *bus; " + decl + " int state; };\n#line 20 \"in.c\"\nstruct pci_dev *pci(void);\n" + dev + `
int main(void)
{
  struct pci_dev *p = pci();
  struct dev *d = malloc(sizeof *d);
  if (!p || !d) return 0;
  p->dev.driver_data = d; d->open = 1;
  set(&p->dev, d);
  ` + x + `
  d = p->dev.driver_data;
  if (d->open != 1) { ERROR: ; }
  return 0;
}`
	}
	// table has a table of numbers that others may know, and a pointer that may be taken for a struct dev.
	table := func(qualifiers string) string {
		return "struct table { long a; int b, c, d, e[4]; };\nvoid show(const volatile struct table *);\nstruct dev *d2;\n" +
			qualifiers + " struct table tab;\n"
	}
	const first = "struct dev { int rate, open; struct device *parent; };\n"
	const gate = "struct gate { struct device *p; int a, b, c; };\n"
	for _, c := range []struct {
		name, text string
		safe       bool
		extern     core.Extern
	}{
		{"nothing more is known", probe(dev, ""), true, 0},
		{"another member", probe(dev, "take(&d->lock); give(&d->count); give(d->buf); set(a, d);"), true, 0},
		{"the member", probe(dev, "give(&d->open);"), false, 0},
		{"the member, later", probe(dev, "give(&d->open); d->open = 1; give(&d->count);"), false, 0},
		{"its array", probe(strings.Replace(dev, "int open;", "int opens[2];", 1)+"#define open opens[1]\n", "give(&d->opens[0]);"), false, 0},
		{"by arithmetic", probe(dev, "give((int *)((char *)d + __builtin_offsetof(struct dev, open)));"), false, 0},
		{"anywhere", probe(dev, "give((int *)((char *)d + one()));"), false, 0},
		{"by number", probe(dev, "number((unsigned long)&d->open);"), false, 0},
		{"whole, by number", probe(dev, "number((unsigned long)d);"), true, 0},
		{"as bytes", probe(dev, "put(d, sizeof *d);"), false, 0},
		{"a member as bytes", probe(dev, "put(d->buf, sizeof d->buf);"), true, 0},
		{"a first member with a size", probe(first, "put(&d->rate, 1);"), true, 0},
		{"a first member with a size, in a function", probe(first+"static void read_one(int *p) { put(p, 1); }\n", "read_one(&d->rate);"), true, 0},
		{"a first member with a size, in two calls", probe(first+"static void read_one(int *p) { put(p, 1); }\n", "read_one(&d->rate); read_one((int *)d);"), false, 0},
		{"a first member with a size, or all", probe(first+"static void read_one(int *p, int *q) { if (one()) p = q; put(p, 1); }\n", "read_one(&d->rate, (int *)d);"), false, 0},
		{"a first member with a size, in a union", probe("struct pair { int a, b; }; struct dev { union { int rate; struct pair pair; } u; struct device *parent; };\n#define open u.pair.b\n",
			"put(&d->u.rate, 1);"), false, 0},
		{"a first member with a size, a struct", probe("struct pair { int a, b; struct device *of; }; struct dev { struct pair pair; struct device *parent; };\n#define open pair.b\n",
			"put(&d->pair, 1);"), false, 0},
		{"through memory", probe(dev+"struct box { int *p; }; void show(struct box *);\n", "struct box b = { &d->open }; show(&b);"), false, 0},
		{"in a box, another", probe(dev+"struct box { int *p; }; void show(struct box *);\n", "struct box b = { &d->count }; show(&b);"), true, 0},
		{"in itself", probe(strings.Replace(dev, "int open;", "int open; int *link;", 1), "d->link = &d->open; set(a, d);"), false, 0},
		{"the first member", probe("struct dev { int open; struct device *parent; };\n", ""), true, 0},
		{"the first member, given", probe("struct dev { int open; struct device *parent; };\n", "give(&d->open);"), false, 0},
		{"the first member, converted", probe("struct dev { int open; struct device *parent; };\n", "give((int *)d);"), false, 0},
		{"the first member, as a struct", probe("struct dev { lock_t open; struct device *parent; };\n#define open open.raw\n", ""), false, 0},
		{"of a table in another", probe("struct in { int first; struct device *a; }; struct dev { struct device *parent; struct in in[3]; };\n"+
			"#define open in[1].first\n", "give(&d->in[0].first);"), false, 0},
		{"of a header", probe("#line 1 \"dev.h\"\n"+dev+"#line 20 \"in.c\"\n", ""), false, 0},
		{"in a prototype", probe(dev+"void reset(struct dev *d);\n", ""), false, 0},
		{"its name in a prototype", probe("struct dev; struct box { struct dev *d; }; void show(struct box *);\n"+dev, ""), false, 0},
		{"in a variable of others", probe(dev+"extern struct dev *first;\n", ""), false, 0},
		{"only numbers", probe("struct dev { int pad, open; void *parent; };\n", ""), false, 0},
		{"a pointer in a union", probe("struct dev { int pad, open; union { struct device *parent; long n; }; };\n", "d->n = 1;"), false, 0},
		{"used as another", probe(dev+"struct other { long x, y; int z; struct device *a; };\n", "((struct other *)d)->z = 1; d->open = 1; set(a, d);"), false, 0},
		{"a table used as it", probe(dev+table("static"), "show(&tab); if (one()) d2 = (struct dev *)&tab; d2->count = 1;"), false, 0},
		{"a constant table used as it", probe(dev+table("static const"), "show(&tab); if (one()) d2 = (struct dev *)&tab; if (d2->count) d2 = d;"), true, 0},
		{"a constant table of others used as it", probe(dev+table("extern const"), "show(&tab); if (one()) d2 = (struct dev *)&tab; if (d2->count) d2 = d;"), false, 0},
		{"a table that changes used as it", probe(dev+table("static volatile const"), "show(&tab); if (one()) d2 = (struct dev *)&tab; if (d2->count) d2 = d;"), false, 0},
		{"all may change", probe(dev, ""), false, core.ExternAll},
		{"nested", probe("struct in { struct device *a; int first, second; };\nvoid look(void *);\n"+
			"struct dev { struct device *parent; int x; struct in in; };\n#define open in.second\n", "look(&d->in);"), true, 0},
		{"nested, given", probe("struct in { struct device *a; int first, second; };\n"+
			"struct dev { struct device *parent; int x; struct in in; };\n#define open in.second\n", "give(&d->in.second);"), false, 0},
		{"nested, first", probe("struct in { int first, second; struct device *a; };\nvoid look(void *);\n"+
			"struct dev { struct device *parent; int x; struct in in; };\n#define open in.first\n", "look(&d->in);"), false, 0},
		{"an element of a table", dev + `
static struct dev tab[4];
int main(void)
{
  int i = one();
  if (i < 0 || i > 3) return 0;
  tab[i].open = 1;
  take(&tab[i].lock);
  if (tab[i].open != 1) { ERROR: ; }
  return 0;
}`, true, 0},
		{"a member of the table", dev + `
static struct dev tab[4];
int main(void)
{
  int i = one();
  if (i < 0 || i > 3) return 0;
  tab[i].open = 1;
  give(&tab[i ^ 1].open);
  if (tab[i].open != 1) { ERROR: ; }
  return 0;
}`, false, 0},
		{"assembly of a header", probe("#line 1 \"barrier.h\"\nstatic inline void mb(void) { __asm__ volatile(\"frob\" : : : \"memory\"); }\n"+
			"#line 20 \"in.c\"\n"+dev, "mb();"), true, 0},
		{"assembly, later", probe("static inline void mb(void) { __asm__ volatile(\"frob\" : : : \"memory\"); }\n"+dev, "mb();"), false, 0},
		{"the driver's context", strings.Replace(probe("#line 1 \"device.h\"\nstruct device { int n; void *driver_data; struct device *parent; };\n#line 20 \"in.c\"\n"+dev,
			"a->driver_data = d; set(a, d); set(any(), a); d = a->driver_data;"), "if (!d)", "if (!d || !a)", 1), true, 0},
		{"the driver's context, given", strings.Replace(probe("#line 1 \"device.h\"\nstruct device { int n; void *driver_data; struct device *parent; };\n#line 20 \"in.c\"\n"+dev,
			"a->driver_data = d; put(&a->driver_data, 8); d = a->driver_data;"), "if (!d)", "if (!d || !a)", 1), false, 0},
		{"the driver's context, in a struct with another", inner("struct device dev;", ""), true, 0},
		{"the driver's context, in a struct with another, given", inner("struct device dev;", "put(&p->dev.driver_data, 8);"), false, 0},
		{"the driver's context, in a union in a struct with another", inner("union { struct device dev; long words[2]; };", ""), false, 0},
		{"another member of the device, in a struct with another", inner("struct device dev;", "p->dev.n = 1; set(&p->dev, d); d->open = p->dev.n;"), false, 0},
		{"another member of the device", "#line 1 \"device.h\"\nstruct device { int n; void *driver_data; struct device *parent; };\n#line 20 \"in.c\"\n" + dev + `
int main(void)
{
  struct device *a = any();
  struct dev *d = malloc(sizeof *d);
  if (!a || !d) return 0;
  a->driver_data = d; a->n = 1; d->open = 1;
  set(a, d);
  if (a->n != 1) { ERROR: ; }
  return 0;
}`, false, 0},
		{"a register", probe("#line 1 \"io.h\"\nstatic inline void writel(unsigned x, volatile void *at)\n"+
			"{ __asm__ volatile(\"movl %0, %1\" : : \"r\" (x), \"m\" (*(volatile unsigned *)at) : \"memory\"); }\n#line 20 \"in.c\"\n"+dev,
			"char *regs = get(a); if (!regs) return 0; writel(2, regs + 16);"), true, 0},
		{"from outside", later(""), true, 0},
		{"from outside, given", later("give(&d->open);"), false, 0},
		{"from outside, another", later("give(&d->count);"), true, 0},
		{"from outside, as bytes", later("put(d, sizeof *d);"), false, 0},
		{"laid over another", laid(gate, "0", ""), true, 0},
		{"laid over another, given", laid(gate, "0", "give(&v->b);"), false, 0},
		{"laid over another, its other member", laid(gate, "0", "give(&v->c);"), true, 0},
		{"laid behind the start of another, given", laid(gate, "4", "give(&v->a);"), false, 0},
		{"laid behind the start of another, its other member", laid(gate, "4", "give(&v->b);"), true, 0},
		{"laid over another, as bytes", laid(gate, "0", "put(v, sizeof *v);"), false, 0},
		{"laid anywhere, given", laid(gate, "4 * (one() & 3)", "give(&v->c);"), false, 0},
		{"laid over a third, given later", laid(gate+"struct third { int a, b, c, d; };\n", "0", "struct third *w = get(a); w->a = 0; ((struct gate *)w)->a = 0; "+
			"struct third *x = get(a); x->a = 0; give(&x->d);"), false, 0},
		{"laid over one of a header", laid("struct other;\n", "8", ""), false, 0},
		{"laid over one of a header, which may be longer", laid("struct other;\n", "0", ""), false, 0},
		{"laid over one of a header, behind the member", laid("struct other;\n", "16", ""), true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			unit, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(head+c.text))}, frontend.Options{Extern: c.extern, Assume: frontend.Assumptions{Members: frontend.MembersPrivate}})
			if err != nil {
				t.Fatal(err)
			}
			opts := Options{Iterations: 40}
			opts.Checker.ErrorLabels = checker.DefaultErrorLabels()
			o, err := Audit(context.Background(), unit.Program, opts)
			if err != nil {
				t.Fatal(err)
			}
			want := verdict.False
			if c.safe {
				want = verdict.True
			}
			// A replay gives no object of the program to others that they were given earlier.
			if o.Result.Verdict != want && (c.safe || !strings.HasSuffix(c.name, "later") || o.Result.Verdict == verdict.True) {
				t.Errorf("%v (%s), want %v", o.Result.Verdict, o.Result.Reason, want)
			}
			if said := strings.Contains(strings.Join(o.Result.Ledger, "\n"), "structs that only the given files define"); c.safe && !said {
				t.Errorf("not in the ledger: %q", o.Result.Ledger)
			}
		})
	}
}
