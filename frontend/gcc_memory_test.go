package frontend

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// This file compares the lowering of pointers, structs and arrays with gcc: the programs
// in testdata/gcc compute a checksum over what they read, deterministic but for
// allocations, which are taken to succeed.

// success is a deterministic run in which every allocation succeeds.
type success struct {
	prog  *core.Program
	asked string
}

func (c *success) Branch(at interp.Place, next []int) int {
	if len(next) == 1 {
		return next[0]
	}
	for _, i := range next {
		if _, ok := at.Proc.Nodes[i].Stmt.(*core.Alloc); ok {
			return i
		}
	}
	if !leavesOut(at.Proc, next) {
		c.asked = fmt.Sprintf("a branch at %s", at.Proc.NodeID(at.Node))
	}
	return next[0]
}

func (c *success) Value(r interp.Request) *big.Int {
	if !r.Indeterminate && (r.Why == interp.Contents || r.Why == interp.ExternalResult) {
		c.asked = r.Why.String() + " at " + r.Proc.NodeID(r.Node)
	}
	switch {
	case r.Type.Bool || r.Var != nil && r.Var.Logical:
		return big.NewInt(1)
	case r.Pointer:
		return new(big.Int)
	}
	return r.Type.Convert(big.NewInt(77)) // must never be seen
}

// checksum runs the core program of a C file.
func checksum(t *testing.T, path string, m dataModel) (string, error) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load(context.Background(), []*source.File{source.NewFile(path, text)}, Options{Bits32: m.bits32})
	if err != nil {
		return "", err
	}
	return finalValue(u, "sum", 5_000_000)
}

// finalValue is what the global of that name holds when u's program, which is
// deterministic but for allocations, has ended after at most limit steps.
func finalValue(u *Unit, name string, limit int) (string, error) {
	choices := &success{prog: u.Program}
	machine := interp.New(u.Program, choices, interp.Options{})
	event, err := machine.Run(context.Background(), limit)
	switch {
	case err != nil:
		return "", err
	case choices.asked != "":
		return "", errors.New("the program is not deterministic: " + choices.asked)
	case event.Kind != interp.Finished:
		return "", fmt.Errorf("the run ended with %s at %s", event.Kind, event.Proc.NodeID(event.Node))
	}
	for _, g := range u.Program.Globals {
		if g.Name == name {
			return machine.Global(g).String(), nil
		}
	}
	return "", errors.New("no global " + name)
}

// library32 is what programs of the 32-bit data model need of a C library.
const library32 = `
void *malloc(unsigned n) { static char heap[1 << 18] __attribute__((aligned(16))); static unsigned used; void *p = heap + used; used += (n + 31) & ~15u; return p; }
void *calloc(unsigned n, unsigned k) { char *p = malloc(n * k); for (unsigned i = 0; i < n * k; i++) p[i] = 0; return p; }
void free(void *p) {}
void exit(int k) { sys(1, k, 0, 0); }
void *memmove(void *d, const void *s, unsigned n) { char *p = d; const char *q = s; if (p < q) while (n--) *p++ = *q++; else while (n--) p[n] = q[n]; return d; }
void *memcpy(void *d, const void *s, unsigned n) { return memmove(d, s, n); }
void *memset(void *d, int c, unsigned n) { char *p = d; while (n--) *p++ = c; return d; }
int __popcountdi2(u64 x) { int n = 0; for (; x; x >>= 1) n += x & 1; return n; }
int __popcountsi2(unsigned x) { return __popcountdi2(x); }
int __ctzdi2(u64 x) { int n = 0; while (!(x >> n & 1)) n++; return n; }
int __ffsdi2(u64 x) { return x ? __ctzdi2(x) + 1 : 0; }
int __clrsbdi2(i64 x) { int n = 0; while (n < 63 && (x >> (62 - n) & 1) == (x >> 63 & 1)) n++; return n; }
`

// gccChecksum compiles and runs a C file; undefined behaviour is an error.
func gccChecksum(t *testing.T, path string, m dataModel) string {
	t.Helper()
	dir := t.TempDir()
	text := "extern unsigned long sum;\nint program(void);\n"
	if m.bits32 {
		text += m.head + library32 +
			"void _start(void) { program(); print(0, sum); sys(1, 0, 0, 0); }\n"
	} else {
		text += "#include <stdio.h>\nint main(void) { program(); printf(\"0 %lu\\n\", sum); return 0; }\n"
	}
	driver := filepath.Join(dir, "driver.c")
	if err := os.WriteFile(driver, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	object, exe := filepath.Join(dir, "program.o"), filepath.Join(dir, "program")
	run := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%.3000s", name, args, err, out)
		}
		return string(out)
	}
	flags := append([]string{"-w", "-O0", "-fno-builtin", "-fno-strict-aliasing", "-std=gnu11"}, m.flags...)
	run("gcc", append([]string{"-Dmain=program", "-c", "-o", object, path}, flags...)...)
	run("gcc", append([]string{"-o", exe, driver, object}, flags...)...)
	var sum string
	if _, err := fmt.Sscanf(run(exe), "0 %s", &sum); err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestMemoryAgainstGCC(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed; it is the other side of this comparison")
	}
	paths := archives(t, "testdata/gcc/*.c")
	want := map[string]string{}
	for _, path := range paths {
		want[path] = gccChecksum(t, path, lp64)
		got, err := checksum(t, path, lp64)
		if err != nil || got != want[path] {
			t.Errorf("%s: got %s (%v), gcc has %s", path, got, err, want[path])
		}
	}
}

// TestMemoryAgainstGCC32 is TestMemoryAgainstGCC for the 32-bit data model.
func TestMemoryAgainstGCC32(t *testing.T) {
	t.Parallel()
	ilp32.need(t)
	differ := 0
	for _, path := range archives(t, "testdata/gcc/*.c") {
		want := gccChecksum(t, path, ilp32)
		got, err := checksum(t, path, ilp32)
		if err != nil || got != want {
			t.Errorf("%s: got %s (%v), gcc has %s", path, got, err, want)
		}
		if got, err := checksum(t, path, lp64); err != nil || got != want {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the 64-bit data model would do")
	}
}
