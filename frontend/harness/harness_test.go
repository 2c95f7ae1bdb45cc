package harness_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/frontend/harness"
	"c2bp/internal/testkit"
	"c2bp/refine/fuzz"
	"c2bp/source"
	"c2bp/verdict"
)

// driver is a case of testdata: C files, options and the harness expected.
type driver struct {
	name  string
	ar    *txtar.Archive
	files []*source.File
	how   harness.Options
	want  string
}

// drivers reads testdata.
func drivers(t testing.TB) (list []*driver) {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 12 {
		t.Fatalf("drivers: %v, %v", names, err)
	}
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := &driver{name: name, ar: ar}
		for _, f := range ar.Files {
			switch {
			case f.Name == "options":
				for _, w := range strings.Fields(string(f.Data)) {
					if w == "one-device" {
						d.how.OneDevice = true
					} else {
						d.how.Entries = append(d.how.Entries, w)
					}
				}
			case f.Name == "harness":
				d.want = string(f.Data)
			default:
				d.files = append(d.files, source.NewFile(f.Name, f.Data))
			}
		}
		list = append(list, d)
	}
	return list
}

// program returns the files of d with its harness as parts of them.
func (d *driver) program(t testing.TB) []*source.File {
	t.Helper()
	h, err := frontend.Harness(t.Context(), d.files, frontend.Options{}, d.how)
	if err != nil {
		t.Fatal(err)
	}
	files, assumed, err := harness.Merge(append(slices.Clip(d.files), source.NewFile("harness.c", []byte(h.String()))))
	if err != nil || !slices.Equal(assumed, h.Assumed) {
		t.Fatalf("merging: %v; assumed %q and %q", err, assumed, h.Assumed)
	}
	return files
}

// TestHarness: the harnesses are those in testdata.
func TestHarness(t *testing.T) {
	for _, d := range drivers(t) {
		t.Run(filepath.Base(d.name), func(t *testing.T) {
			h, err := frontend.Harness(t.Context(), d.files, frontend.Options{}, d.how)
			if err != nil {
				t.Fatal(err)
			}
			got := h.String()
			// What was found to lack a function main gets the same one.
			if _, h, err := frontend.LoadDriver(t.Context(), d.files, frontend.Options{Memory: new(ccfix.Memory)}, d.how); err != nil || h.String() != got {
				t.Errorf("from files that were read before: %v, %v", h, err)
			}
			if got == d.want {
				return
			}
			if !*testkit.Update {
				t.Fatalf("the harness is\n%s\nnot\n%s", got, d.want)
			}
			d.ar.Files = slices.DeleteFunc(d.ar.Files, func(f txtar.File) bool { return f.Name == "harness" })
			d.ar.Files = append(d.ar.Files, txtar.File{Name: "harness", Data: []byte(got)})
			if err := os.WriteFile(d.name, txtar.Format(d.ar), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestCompiles: gcc accepts each harness with its driver, without a warning, and links them: what is
// missing is external.
func TestCompiles(t *testing.T) {
	testkit.NeedGCC(t)
	for _, d := range drivers(t) {
		t.Run(filepath.Base(d.name), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := []string{"-Wall", "-Werror", "-Wno-attribute-alias", "-Wl,--unresolved-symbols=ignore-all", "-o", filepath.Join(dir, "driver")}
			for _, f := range d.program(t) {
				name := filepath.Join(dir, f.Name)
				if err := os.WriteFile(name, f.Text, 0o666); err != nil {
					t.Fatal(err)
				}
				args = append(args, name)
			}
			if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
				t.Errorf("gcc: %v\n%s", err, out)
			}
		})
	}
}

// loaded reads a driver with its harness.
func (d *driver) loaded(t testing.TB) *frontend.Unit {
	t.Helper()
	u, err := frontend.Load(context.Background(), d.program(t), frontend.Options{Assume: frontend.Assumptions{CallbacksLater: true}})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// called returns the functions of the driver that main of the harness calls, and those of sequences.
func called(u *frontend.Unit) (names []string) {
	for _, p := range u.Program.Procs {
		if !strings.HasPrefix(p.Name, "main") && !strings.HasPrefix(p.Name, "c2bp_sequence_") {
			continue
		}
		for _, n := range p.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok && c.Callee != nil && len(c.Callee.Nodes) > 0 && c.Callee.Name != "c2bp_swap_devices" {
				names = append(names, c.Callee.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// TestReached: random runs reach every function that a harness calls. The function fails when it is
// entered, and a search for failures has to find it.
func TestReached(t *testing.T) {
	total := 0
	for _, d := range drivers(t) {
		names := called(d.loaded(t))
		if len(names) < 2 {
			t.Errorf("%s: main calls %v", d.name, names)
		}
		for _, name := range names {
			if !found(d.loaded(t).Program, name) {
				t.Errorf("%s: random runs do not enter %s", d.name, name)
			}
			total++
		}
	}
	t.Logf("%d functions", total)
}

// found reports whether a run with random inputs enters the function called name.
func found(prog *core.Program, name string) bool {
	for _, p := range prog.Procs {
		if p.Name == name {
			p.Nodes[0].Stmt = &core.Assert{Cond: core.NewConst(0, core.Int32)}
			site := verdict.Site{Kind: verdict.Assertion, Node: p.NodeID(0)}
			return fuzz.New(prog, []verdict.Site{site}, 1, interp.Options{Typed: true}).Search(context.Background(), 2_000_000, 0) != nil
		}
	}
	return false
}

// A search does not find a function that cannot be reached: the test above can fail.
func TestReachedFails(t *testing.T) {
	text := "static int n; int f(void) { return 1; } int main(void) { if (n) f(); return 0; }"
	u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("f.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if found(u.Program, "f") {
		t.Error("f is entered")
	}
}

// TestErrors: drivers without a harness, and files that give none.
func TestErrors(t *testing.T) {
	lamp := source.NewFile("lamp.c", []byte("int lamp_on(int n) { return n; } int lamp_off(void) { return 0; }\n"))
	none := source.NewFile("none.c", []byte("static int f(void) { return 0; }\n"))
	for _, c := range []struct {
		file *source.File
		how  harness.Options
		want string
	}{
		{none, harness.Options{}, "none.c: error: there is nothing to start at: no function main; no function whose address"},
		{lamp, harness.Options{Entries: []string{"lamp_of"}}, "lamp.c: error: --entry: the program has no function lamp_of; is it lamp_on, or lamp_off?"},
		{lamp, harness.Options{Entries: []string{"xyz"}}, "lamp.c: error: --entry: the program has no function xyz"},
		{lamp, harness.Options{Lifetimes: []*source.File{source.NewFile("l", []byte("# rows\nobject lamp on first off\n"))}},
			"l:2:16: error: expected the number of an argument, from 1: \"first\" is none\n    object lamp on first off\n                   ^"},
		{lamp, harness.Options{Lifetimes: []*source.File{source.NewFile("l", []byte("makes lamp on results off 1\nmakes lamp on 2 lamp.off,hub. 1\nkept lamp\n"))}},
			"l:1:15: error: expected the number of an argument, from 1: \"results\" is none\n    makes lamp on results off 1\n                  ^\n" +
				"l:2:17: error: expected members, or STRUCT.MEMBER: \"lamp.off,hub.\" is none\n    makes lamp on 2 lamp.off,hub. 1\n                    ^\n" +
				"l:3:10: error: expected members of it: the line ends\n"},
		{lamp, harness.Options{Lifetimes: []*source.File{source.NewFile("l", []byte("index lamp on 1 a->.b\n"))}},
			"l:1:17: error: expected members with . and -> between them: \"a->.b\" is none\n"},
		{lamp, harness.Options{Lifetimes: []*source.File{source.NewFile("l", []byte("before f g 1\nonce f,\nold f g\n"))}},
			"l:1:13: error: expected a member: the line ends\n    before f g 1\n                ^\nl:2:6: error: expected names of functions: \"f,\" is none\n    once f,\n         ^\nl:3:7: error: expected the end of the line: \"g\" is none\n"},
	} {
		_, err := frontend.Harness(t.Context(), []*source.File{c.file}, frontend.Options{}, c.how)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || !source.IsInput(err) {
			t.Errorf("the error is\n%v, not\n%s", err, c.want)
		}
	}
	h := source.NewFile("h.c", []byte("//@ harness of pump.c\nint main(void) { return 0; }\n"))
	want := "h.c:1:16: error: this harness belongs to pump.c, which must be given with it, once\n    //@ harness of pump.c\n                   ^"
	if _, _, err := harness.Merge([]*source.File{h, lamp}); err == nil || err.Error() != want {
		t.Errorf("the error is\n%v, not\n%s", err, want)
	}
}

// TestOwnLifetimes: rows of a user come before those that are built in.
func TestOwnLifetimes(t *testing.T) {
	text := "struct hub { int n; }; struct hub_ops { int (*plug)(int, struct hub *); void (*unplug)(struct hub *); };\n" +
		"void add(struct hub_ops *); static int p(int n, struct hub *h) { return 0; } static void u(struct hub *h) { }\n" +
		"static struct hub_ops ops = { p, u }; void begin(void) { add(&ops); }\n"
	how := harness.Options{Lifetimes: []*source.File{source.NewFile("l", []byte("init begin any\nobject hub_ops plug 2 unplug nonnegative\n"))}}
	h, err := frontend.Harness(t.Context(), []*source.File{source.NewFile("hub.c", []byte(text))}, frontend.Options{}, how)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\tbegin();\n", "if (p(__VERIFIER_nondet_int(), c2bp_hub) < 0)\n\t\t\t\tc2bp_hub = 0;", "u(c2bp_hub);\n\t\t\tc2bp_hub = 0;"} {
		if !strings.Contains(h.String(), want) {
			t.Errorf("no %q in\n%s", want, h)
		}
	}
}

// FuzzMerge: texts of harnesses do not make Merge panic, and lines keep their places.
func FuzzMerge(f *testing.F) {
	f.Add("//@ harness of a.c\n//@ assume x\nint main(void) { return 0; }\n//@ harness of b.c\nint g;")
	f.Add("//@ harness of a.c")
	f.Fuzz(func(t *testing.T, text string) {
		a, b := source.NewFile("a.c", []byte("int x;")), source.NewFile("b.c", nil)
		given := source.NewFile("h.c", []byte(text))
		files, _, err := harness.Merge([]*source.File{a, b, given})
		if err != nil && !source.IsInput(err) {
			t.Fatal(err)
		}
		if err != nil || !strings.HasPrefix(text, "//@ harness of ") {
			return
		}
		// Each line of the harness is in one of the files, at the line that a marker says.
		lines := strings.Split(text, "\n")
		for _, m := range files {
			line := 0
			for _, l := range strings.Split(string(m.Text), "\n") {
				if _, err := fmt.Sscanf(l, "# %d \"h.c\"", &line); err == nil {
					continue
				}
				if line > 0 && line <= len(lines) && l != "" && l != lines[line-1] && !strings.HasPrefix(lines[line-1], "//@ harness of ") {
					t.Fatalf("line %d is %q, not %q", line, l, lines[line-1])
				}
				if line > 0 {
					line++
				}
			}
		}
	})
}

// FuzzLifetimes: texts do not make the reader panic; errors lie in the text.
func FuzzLifetimes(f *testing.F) {
	f.Add("object a b 1 c\nphase a b,c 2 - any d e # x\nends f 1 g,h\ninit i zero\nexit a.b\nstarts")
	f.Add("object a b 0 c")
	f.Add("sets a 1 b\nsets c 2 d any\nsame a,b\nhands a b 1 c,d 2\nhands a b 1 - 1 any\nfinds a 1 b 2 c any\nlocks a b,c d,e")
	f.Add("fresh a,b c 1\nfresh a - 2\nallocates a,b c")
	f.Add("makes a b result c.d,e 2\nkept a b,c\nstate a b\nmakes a b 1 c 1")
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("l", []byte(text))
		_, err := harness.Build([]*harness.Unit{}, harness.Options{Lifetimes: []*source.File{file}})
		list, ok := err.(source.List)
		if !ok {
			t.Fatalf("%v", err) // there is nothing to call at least
		}
		for _, d := range list {
			if d.Pos.File == "l" && (file.Offset(d.Pos) < 0 || d.Pos.Col > len(d.Quote)+1) {
				t.Fatalf("an error outside of the text: %+v", d)
			}
		}
	})
}

// TestAddresses: the harness of addresses.txtar calls every function that a name with e_ says, and none
// with n_.
func TestAddresses(t *testing.T) {
	for _, d := range drivers(t) {
		if !strings.HasSuffix(d.name, "addresses.txtar") {
			continue
		}
		h, err := frontend.Harness(t.Context(), d.files, frontend.Options{}, d.how)
		if err != nil {
			t.Fatal(err)
		}
		// Each definition in the text.
		for line := range strings.Lines(string(d.files[0].Text)) {
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "static int "), "(")
			if name == line || !strings.HasPrefix(name, "e_") && !strings.HasPrefix(name, "n_") {
				continue
			}
			if calls := strings.Contains(h.String(), "\t"+name+"("); calls != strings.HasPrefix(name, "e_") {
				t.Errorf("%s is called: %v", name, calls)
			}
		}
	}
}

// TestReleased: a random run finds that a function is given an object after its end if, and only if,
// the harness is changed so that the object does not end.
func TestReleased(t *testing.T) {
	text := "void __VERIFIER_assert(int); struct file { int open; }; struct inode;\n" +
		"struct file_operations { int (*open)(struct inode *, struct file *); int (*release)(struct inode *, struct file *); int (*flush)(struct file *); };\n" +
		"int reg(const struct file_operations *);\n" +
		"static int f_open(struct inode *i, struct file *f) { f->open = 1; return 0; }\n" +
		"static int f_release(struct inode *i, struct file *f) { f->open = 0; return 0; }\n" +
		"static int f_flush(struct file *f) { __VERIFIER_assert(f->open); return 0; }\n" +
		"static const struct file_operations ops = { f_open, f_release, f_flush }; int init_module(void) { return reg(&ops); }\n"
	files := []*source.File{source.NewFile("f.c", []byte(text))}
	h, err := frontend.Harness(t.Context(), files, frontend.Options{}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const end = "f_release(c2bp_get_inode(), c2bp_file);\n\t\t\tc2bp_file = 0;"
	for _, c := range []struct {
		text  string
		fails bool
	}{{h.String(), false}, {strings.Replace(h.String(), end, "f_release(c2bp_get_inode(), c2bp_file);", 1), true}} {
		merged, _, err := harness.Merge(append(slices.Clip(files), source.NewFile("h.c", []byte(c.text))))
		if err != nil {
			t.Fatal(err)
		}
		u, err := frontend.Load(t.Context(), merged, frontend.Options{Assume: frontend.Assumptions{CallbacksLater: true}})
		if err != nil {
			t.Fatal(err)
		}
		if crash := crashes(t, u); crash != c.fails {
			t.Errorf("a run fails: %v, in\n%s", crash, c.text)
		}
	}
}

// TestTwoDevices: what two devices share goes away with the first of them. One device does not show it.
func TestTwoDevices(t *testing.T) {
	text := "void __VERIFIER_assert(int); struct pci_dev { int id; };\n" +
		"struct pci_driver { int (*probe)(struct pci_dev *); void (*remove)(struct pci_dev *); }; int reg(struct pci_driver *);\n" +
		"static int power;\n" +
		"static int probe(struct pci_dev *d) { power = 1; return 0; }\n" +
		"static void remove(struct pci_dev *d) { __VERIFIER_assert(power); power = 0; }\n" +
		"static struct pci_driver driver = { probe, remove }; int init_module(void) { return reg(&driver); }\n"
	for _, one := range []bool{false, true} {
		d := &driver{files: []*source.File{source.NewFile("f.c", []byte(text))}, how: harness.Options{OneDevice: one}}
		if crash := crashes(t, d.loaded(t)); crash == one {
			t.Errorf("one device: %v; a run fails: %v", one, crash)
		}
	}
}

// TestWithoutEnd: what no function of the driver ends, object or phase, has ended silently, and begins again. With a
// function that ends it, it does not.
func TestWithoutEnd(t *testing.T) {
	const files = "struct inode; struct file { int n; }; struct file_operations { int (*open)(struct inode *, struct file *); int (*release)(struct inode *, struct file *); };\n" +
		"static int n_open(struct inode *i, struct file *f) { n++; __VERIFIER_assert(n < 3); return 0; }\n" +
		"static int n_release(struct inode *i, struct file *f) { n--; return 0; }\n"
	const power = "struct device; struct dev_pm_ops { int (*suspend)(struct device *); int (*resume)(struct device *); };\n" +
		"static int n_suspend(struct device *d) { n++; __VERIFIER_assert(n < 3); return 0; }\n" +
		"static int n_resume(struct device *d) { n--; return 0; }\n"
	for _, c := range []struct {
		text  string
		fails bool
	}{
		{files + "static const struct file_operations ops = { .open = n_open };", true},
		{files + "static const struct file_operations ops = { .open = n_open, .release = n_release };", false},
		{power + "static const struct dev_pm_ops ops = { .suspend = n_suspend };", true},
		{power + "static const struct dev_pm_ops ops = { .suspend = n_suspend, .resume = n_resume };", false},
	} {
		text := "void __VERIFIER_assert(int); int reg(const void *); static int n;\n" + c.text + "\nint init_module(void) { return reg(&ops); }\n"
		checkRuns(t, text, harness.Options{}, c.fails)
	}
}

// TestWholePhase: a phase whose members are given no object is one of the whole driver, however many devices there
// are, and the driver does not end in it.
func TestWholePhase(t *testing.T) {
	const bridge = "struct agp_bridge_driver { int (*configure)(void); void (*cleanup)(void); };\n"
	const both = "static const struct agp_bridge_driver b = { .configure = conf, .cleanup = clean };"
	for _, c := range []struct {
		text  string
		fails bool
	}{
		{"static int conf(void) { n++; __VERIFIER_assert(n < 2); return 0; } static void clean(void) { n--; }" + both, false},
		{"static int conf(void) { n++; __VERIFIER_assert(n < 2); return 1; } static void clean(void) { n--; }" + both, true}, // it fails
		{"static int conf(void) { n++; return 0; } static void clean(void) { __VERIFIER_assert(n); n--; }" + both, false},
		{"static int conf(void) { n++; return 0; } static void clean(void) { n--; }" + both + "void cleanup_module(void) { __VERIFIER_assert(!n); }", false},
		{"static int conf(void) { n++; return 0; } static const struct agp_bridge_driver b = { .configure = conf }; void cleanup_module(void) { __VERIFIER_assert(!n); }", true},
	} {
		text := "void __VERIFIER_assert(int); int reg(const void *); static int n;\n" + bridge + c.text + "\nint init_module(void) { return reg(&b); }\n"
		checkRuns(t, text, harness.Options{}, c.fails)
	}
}

// TestOwed: each registration is remembered, of one function for several clocks too, and all are done before the driver
// ends. Those of a probe are done before the next one for the device, if nothing else makes them. Those that the driver
// takes back are not.
func TestOwed(t *testing.T) {
	const head = "void __VERIFIER_assert(int); struct device { int id; }; struct platform_device { struct device dev; };\n" +
		"struct platform_driver { int (*probe)(struct platform_device *); void (*remove)(struct platform_device *); };\n" +
		"int devm_add_action(struct device *dev, void (*action)(void *), void *data); void devm_remove_action(struct device *dev, void (*action)(void *), void *data);\n" +
		"int reg(struct platform_driver *, const void *); static int on[3], any, fails;\n" +
		"static void off(void *data) { int *p = data; (*p)--; any--; }\n" +
		"static int get(struct platform_device *d, int i) { int r; on[i]++; any++; r = devm_add_action(&d->dev, off, &on[i]); if (r) { on[i]--; any--; } return r; }\n"
	const end = "int init_module(void) { return reg(&driver, 0); }\n" +
		"void cleanup_module(void) { __VERIFIER_assert(!on[0] && !on[1] && !on[2]); }\n"
	const three = "static int probe(struct platform_device *d) { if (get(d, 0) || get(d, 1) || get(d, 2)) return -1; return fails; }\n"
	const removed = "static void remove(struct platform_device *d) { %s devm_remove_action(&d->dev, off, &on[0]); }\n"
	const both = "static struct platform_driver driver = { probe, remove };\n"
	for _, c := range []struct {
		text  string
		fails bool
	}{
		{three + "static struct platform_driver driver = { probe };\n", false},
		// One that is forgotten.
		{strings.Replace(three, "return fails;", "on[1]++; return fails;", 1) + "static struct platform_driver driver = { probe };\n", true},
		// All of the last probe are done.
		{strings.Replace(three, "{", "{ __VERIFIER_assert(!any);", 1) + "static struct platform_driver driver = { probe };\n", false},
		// Not if another function makes some, or calls the function that does.
		{strings.Replace(three, "{", "{ __VERIFIER_assert(!any);", 1) + "static void remove(struct platform_device *d) { get(d, 0); }\n" + both, true},
		{"struct component_ops { int (*bind)(struct device *); }; int component_add(const struct component_ops *); static struct platform_device here;\n" +
			"static int bind(struct device *d) { __VERIFIER_assert(!any); return get(&here, 0); } static const struct component_ops ops = { bind };\n" +
			"static struct platform_driver driver; int reg(struct platform_driver *p, const void *q) { return bind(&here.dev) || component_add(&ops); }\n", true},
		// Nor if the driver does some itself.
		{"int devres_release_group(struct device *, void *); static int here; static int probe(struct platform_device *d) { here = 1; if (get(d, 0)) return -1; devres_release_group(&d->dev, 0); __VERIFIER_assert(here); return 0; }\n" +
			"static void remove(struct platform_device *d) { __VERIFIER_assert(on[0]); here = 0; }\n" + both, true},
		// Taken back: not done, unless the driver does it.
		{"static int probe(struct platform_device *d) { return get(d, 0); }\n" + fmt.Sprintf(removed, "") + both, true},
		{"static int probe(struct platform_device *d) { return get(d, 0); }\n" + fmt.Sprintf(removed, "off(&on[0]);") + both, false},
	} {
		checkRuns(t, head+c.text+end, harness.Options{OneDevice: true}, c.fails)
	}
}

// TestFresh: a new object is none of those that are in use, and may be one that was freed.
func TestFresh(t *testing.T) {
	for _, c := range []struct {
		between, claim string
		fails          bool
	}{
		{"", "a != b", false},
		{"free_netdev(a);", "a != b", true},
		{"drop(a);", "a != b", false}, // another function frees nothing of it
		{"", "a == b", true},
	} {
		text := "void __VERIFIER_assert(int); struct net_device { int n; }; extern struct net_device *alloc_etherdev(int); extern void free_netdev(struct net_device *), drop(struct net_device *);\n" +
			"void probe(void) { struct net_device *a = alloc_etherdev(1); " + c.between + " struct net_device *b = alloc_etherdev(1); if (a && b) __VERIFIER_assert(" + c.claim + "); }\n"
		checkRuns(t, text, harness.Options{}, c.fails)
	}
}

// TestFreshOfBegun: a new object is none that an entry has begun.
func TestFreshOfBegun(t *testing.T) {
	const phy = "void __VERIFIER_assert(int); struct phy { int n; }; struct phy_ops { int (*init)(struct phy *); int (*exit)(struct phy *); }; struct platform_device; struct platform_driver { int (*probe)(struct platform_device *); };\n" +
		"extern struct phy *%s(void); extern int reg(const void *, const void *);\n" +
		"static struct phy *on; static int up(struct phy *p) { if (!on) on = p; return 0; } static int down(struct phy *p) { if (on == p) on = 0; return 0; } static const struct phy_ops ops = { up, down };\n" +
		"static int probe(struct platform_device *d) { struct phy *p = %[1]s(); if (p) __VERIFIER_assert(p != on); return 0; } static struct platform_driver driver = { probe };\n" +
		"int init_module(void) { return reg(&ops, &driver); }\n"
	for name, fails := range map[string]bool{"phy_create": false, "phy_get": true} {
		d := &driver{files: []*source.File{source.NewFile("f.c", fmt.Appendf(nil, phy, name))}}
		if crash := crashes(t, d.loaded(t)); crash != fails {
			t.Errorf("%s: a run fails: %v", name, crash)
		}
	}
}

// TestAllocators: two functions whose names and types say that one allocates what the other is given are like those of a
// row "fresh". No function is taken for one that allocates if it may return what it is given, or if nobody frees what it
// returns.
func TestAllocators(t *testing.T) {
	const can, differ = "struct dev *alloc_candev(int); void free_candev(struct dev *);", "a != b || error(a)"
	for _, c := range []struct {
		declared, make, between, after, claim string
		fails                                 bool
	}{
		// A new object. The third is not the first.
		{can, "alloc_candev(1)", "", "free_candev(a);", differ, false},
		{can, "alloc_candev(1)", "alloc_candev(1);", "free_candev(a);", differ, false},
		{"struct dev *can_allocate_dev(int); int can_free_dev(int, struct dev *);", "can_allocate_dev(1)", "", "can_free_dev(1, a);", differ, false},
		// One that was freed may come again.
		{can, "alloc_candev(1)", "free_candev(a);", "", differ, true},
		// It may return its argument, or what an object of that type leads to.
		{"struct dev *alloc_candev(struct dev *); void free_candev(struct dev *);", "alloc_candev(0)", "", "free_candev(a);", differ, true},
		// The words of these are not about the life of an object, or about that of another one.
		{"struct dev *can_alloc_list(int); struct dev *can_free_list(struct dev *);", "can_alloc_list(1)", "", "can_free_list(a);", differ, true},
		{"struct dev *get_candev(int); void put_candev(struct dev *);", "get_candev(1)", "", "put_candev(a);", differ, true},
		{"struct other; struct dev *alloc_candev(int); void free_candev(struct other *);", "alloc_candev(1)", "", "free_candev(0);", differ, true},
		{can, "alloc_candev(1)", "", "", differ, true},
	} {
		text := "void __VERIFIER_assert(int); struct dev { int n; };\n" + c.declared + "\nstatic int error(struct dev *d) { return (unsigned long)d >= -4095UL; }\n" +
			"void probe(void) { struct dev *a = " + c.make + ", *b; " + c.between + " b = " + c.make + "; if (a && b) __VERIFIER_assert(" + c.claim + "); " + c.after + " }\n"
		checkRuns(t, text, harness.Options{}, c.fails)
	}
}

// TestLookups: what is looked up is the same as before, or what was given away; other answers are any.
func TestLookups(t *testing.T) {
	const video = "struct file { int n; }; struct video_device { int n; }; extern struct video_device *video_devdata(struct file *); extern struct file *next(void);\n" +
		"void probe(void) { struct file *f = next(), *g = next(); struct video_device *v = video_devdata(f), *w = video_devdata(g); if (f) __VERIFIER_assert("
	const edac = "struct device; struct mem_ctl_info { int n; struct device *pdev; }; extern struct mem_ctl_info *edac_mc_del_mc(struct device *), *next(void);\n" +
		"extern int edac_mc_add_mc_with_groups(struct mem_ctl_info *, const void *); extern struct device *dev(void);\n" +
		"void probe(void) { static int calls; struct mem_ctl_info *m = next(), *found = 0; struct device *d = dev(), *e = dev(); if (calls++ || !m || !d || !e) return;\n"
	for _, c := range []struct {
		text  string
		fails bool
	}{
		{video + "v == video_devdata(f)); }", false},
		{video + "v == w); }", true},
		{strings.Replace(video, "if (f) ", "", 1) + "v == video_devdata(f) && f); }", false}, // it does not return for null
		{video + "v != w); }", true},
		{edac + "if (edac_mc_add_mc_with_groups(m, 0)) return; m->pdev = d; found = edac_mc_del_mc(d); __VERIFIER_assert(found == m); }", false},
		{edac + "if (edac_mc_add_mc_with_groups(m, 0)) return; m->pdev = d; found = edac_mc_del_mc(d); found = edac_mc_del_mc(d); __VERIFIER_assert(!found); }", false},
		{edac + "if (edac_mc_add_mc_with_groups(m, 0)) return; m->pdev = d; found = edac_mc_del_mc(e); __VERIFIER_assert(found == m); }", true},
		{edac + "edac_mc_add_mc_with_groups(m, 0); m->pdev = d; found = edac_mc_del_mc(d); __VERIFIER_assert(found == m); }", true},
		{edac + "if (m == found) edac_mc_add_mc_with_groups(m, 0); else { found = edac_mc_del_mc(d); __VERIFIER_assert(!found); } }", false},
	} {
		d := &driver{files: []*source.File{source.NewFile("f.c", []byte("void __VERIFIER_assert(int);\n"+c.text+"\n"))}}
		if crash := crashes(t, d.loaded(t)); crash != c.fails {
			t.Errorf("a run fails: %v\n%s", crash, c.text)
		}
	}
}

// TestContexts: rows about members that stay add to those that come with c2bp.
func TestContexts(t *testing.T) {
	c, err := harness.ReadConventions([]*source.File{source.NewFile("l", []byte("kept box mine,own # two\nkept device other\n"))})
	if err != nil {
		t.Fatal(err)
	}
	rows := c.Contexts
	if got := fmt.Sprint(rows["box"], rows["device"], rows["crate"]); got != "[mine own] [other driver_data platform_data] []" {
		t.Errorf("rows: %s", got)
	}
}

// TestChangesRows: rows about what functions change come before those that come with c2bp.
func TestChangesRows(t *testing.T) {
	c, err := harness.ReadConventions([]*source.File{source.NewFile("l", []byte("changes cut,paste text,char # two\nchanges rb_erase -\n"))})
	if err != nil {
		t.Fatal(err)
	}
	rows := c.Changes
	if got := fmt.Sprint(rows["cut"], rows["paste"], rows["rb_erase"], rows["rb_insert_color"]); got != "[text char] [text char] [] [rb_node rb_root]" {
		t.Errorf("rows: %s", got)
	}
	for _, wrong := range []string{"changes", "changes f", "changes f g h", "changes 1 -", "least f", "least f 0 1", "least f 1 x", "least f 1 1 1", "state", "state s", "state s m n", "hands s f 1 e", "hands s f 0 e 1"} {
		if _, err := harness.ReadConventions([]*source.File{source.NewFile("l", []byte(wrong+"\n"))}); err == nil {
			t.Errorf("accepted: %s", wrong)
		}
	}
}

// TestLeastRows: rows about the least numbers that functions are given come before those that come with c2bp.
func TestLeastRows(t *testing.T) {
	c, err := harness.ReadConventions([]*source.File{source.NewFile("l", []byte("least to_ptr 2 -100 # two\nleast to_ptr 1 0\n"))})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c.Leasts["to_ptr"], c.Leasts["ERR_PTR"], len(c.Leasts)); got != "{1 -100} {0 -4095} 2" {
		t.Errorf("rows: %s", got)
	}
}

// checkRuns checks whether a random run of a driver fails.
func checkRuns(t *testing.T, text string, how harness.Options, fails bool) {
	t.Helper()
	d := &driver{files: []*source.File{source.NewFile("f.c", []byte(text))}, how: how}
	if crash := crashes(t, d.loaded(t)); crash != fails {
		t.Errorf("a run fails: %v\n%s", crash, text)
	}
}

// crashes reports whether a random run violates an assertion.
func crashes(t *testing.T, u *frontend.Unit) bool {
	t.Helper()
	var sites []verdict.Site
	for _, p := range u.Program.Procs {
		for i, n := range p.Nodes {
			if _, ok := n.Stmt.(*core.Assert); ok {
				sites = append(sites, verdict.Site{Kind: verdict.Assertion, Node: p.NodeID(i)})
			}
		}
	}
	return fuzz.New(u.Program, sites, 1, interp.Options{Typed: true}).Search(t.Context(), 1_000_000, 0) != nil
}
