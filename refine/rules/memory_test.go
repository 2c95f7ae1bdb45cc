package rules

import (
	"context"
	"slices"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/ccfix"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic"
	"c2bp/frontend/slic/library"
	"c2bp/frontend/slic/syntax"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// TestMemory: programs with rules are the same, whether their headers are read once or each time.
func TestMemory(t *testing.T) {
	for i, name := range lib.Names() {
		set, err := lib.Rule(name)
		if err != nil {
			t.Fatal(err)
		}
		examples, err := lib.Examples(name)
		if err != nil {
			t.Fatal(err)
		}
		for k, x := range examples {
			if !testkit.Long() && (k+i)%6 > 0 {
				continue
			}
			t.Run(name+"/"+x.Name, func(t *testing.T) {
				t.Parallel()
				memory := new(ccfix.Memory)
				got, want := withRules(t, name, set, x, memory), withRules(t, name, set, x, nil)
				if !slices.Equal(got, want) {
					for i := range min(len(got), len(want)) {
						if got[i] != want[i] {
							t.Fatalf("got\n%s\nwant\n%s", got[i], want[i])
						}
					}
					t.Fatalf("%d texts instead of %d", len(got), len(want))
				}
				if memory.Continued == 0 {
					t.Error("nothing was continued")
				}
			})
		}
	}
}

// withRules returns the programs that are made of an example for each rule of set, as texts, with their
// ledgers and diagnostics.
func withRules(t *testing.T, name string, set *syntax.Set, x library.Example, memory *ccfix.Memory) (list []string) {
	file, err := lib.File(name, x.Name)
	if err != nil {
		t.Fatal(err)
	}
	opts := frontend.Options{ReadFile: lib.Include(name), Memory: memory}
	files := []*source.File{file}
	harnessed := false
	if _, err = frontend.Load(t.Context(), files, opts); err != nil && frontend.LacksMain(err) {
		harnessed = true
		if files, opts, err = frontend.WithHarness(t.Context(), files, opts, harness.Options{}); err != nil {
			t.Fatal(err)
		}
		list = append(list, string(files[0].Text))
	}
	p, err := slic.Read(t.Context(), files, opts, []*syntax.Set{set})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range set.Rules {
		u, err := p.With(t.Context(), set, []*syntax.Checked{k}, harnessed)
		if err != nil {
			t.Fatal(err)
		}
		if u.Unit == nil {
			list = append(list, "does not apply")
			continue
		}
		list = append(list, u.Program.String(), u.Diags.Error())
		list = append(list, u.Program.Ledger...)
		list = append(list, u.Program.Uncalled().Procs...)
	}
	return list
}

// TestReadOnce: the headers of a driver are read once, however many rules are decided, and although it needs a harness.
func TestReadOnce(t *testing.T) {
	t.Parallel()
	const driver = `# 1 "kernel.h"
typedef struct { int raw; } spinlock_t;
extern void spin_lock(spinlock_t *l), spin_unlock(spinlock_t *l);
struct mutex { int n; };
extern void mutex_lock(struct mutex *m), mutex_unlock(struct mutex *m);
struct device { void *driver_data; };
struct platform_driver { int (*probe)(struct device *); };
extern int reg(struct platform_driver *d);
# 1 "in.c"
static spinlock_t l;
static struct mutex m;
static int probe(struct device *d) { mutex_lock(&m); spin_lock(&l); spin_unlock(&l); mutex_unlock(&m); return 0; }
static struct platform_driver driver = { probe };
int init_module(void) { return reg(&driver); }
`
	memory := new(ccfix.Memory)
	files, fo, err := frontend.WithHarness(t.Context(), []*source.File{source.NewFile("in.c", []byte(driver))}, frontend.Options{Memory: memory}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Audit(context.Background(), files, []*syntax.Set{mustRule(t, "spinlock"), mustRule(t, "mutex"), mustRule(t, "clk")}, Options{Frontend: fo, Harnessed: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := rows(r); len(r.Sites) != 3 {
		t.Errorf("%d rows:\n%s", len(r.Sites), got)
	}
	// For the harness; with it, and with it and each of the two rules that apply.
	if memory.Preprocessed != 1 || memory.Continued != 3 {
		t.Errorf("preprocessed %d times, continued %d times", memory.Preprocessed, memory.Continued)
	}
}
