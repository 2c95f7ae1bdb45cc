package frontend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/frontend/cgen"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// This file compares the lowering with gcc: random programs are compiled and
// executed, and their core programs are interpreted. A run in which UBSan finds
// undefined behaviour is discarded; the interpreter may miss it, since a value
// that nobody uses is not computed. The converse is rare and looked at closely:
// gcc folds x * 5 != 0 into x != 0 before UBSan sees the product.

// outcome is what a program did: its checksum, or undefined behaviour.
type outcome struct {
	sum       string
	undefined bool
}

// dataModel is a data model with the way to run programs in it.
type dataModel struct {
	bits32 bool
	flags  []string
	head   string // in front of the programs
	run    string // runs program %[1]s and prints %[2]d and its checksum, in a process of its own
	main   string // the function that does all runs
	memory bool   // the programs have pointers, structs and so on
}

// program is the program of a seed.
func (m dataModel) program(seed uint64) string {
	return cgen.Generate(seed, cgen.Options{Prefix: prefix(seed), Memory: m.memory})
}

var lp64 = dataModel{
	flags: []string{"-fsanitize=undefined", "-fno-sanitize-recover=all"},
	head:  "#include <stdio.h>\n#include <unistd.h>\n#include <sys/wait.h>\n",
	run:   "fflush(stdout); if (fork() == 0) { %[1]smain(); printf(\"%[2]d %%lu\\n\", %[1]ssum); fflush(stdout); _exit(0); } wait(0);\n",
	main:  "int main(void)",
}

// ilp32 needs no 32-bit C library: it calls Linux itself, and brings the
// divisions that the compiler calls.
var ilp32 = dataModel{
	bits32: true,
	flags:  []string{"-m32", "-nostdlib", "-static", "-no-pie", "-fno-pie", "-fno-stack-protector", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"},
	head: `
typedef unsigned long long u64; typedef long long i64;
static int sys(int n, int a, int b, int c) { int r; __asm__ volatile ("int $0x80" : "=a"(r) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory"); return r; }
__attribute__((no_sanitize("undefined"))) static u64 divide(u64 n, u64 d, u64 *rest) {
  u64 q = 0, r = 0;
  for (int i = 63; i >= 0; i--) { r = r << 1 | (n >> i & 1); if (r >= d) { r -= d; q |= 1ull << i; } }
  *rest = r; return q;
}
u64 __udivdi3(u64 n, u64 d) { u64 r; return divide(n, d, &r); }
u64 __umoddi3(u64 n, u64 d) { u64 r; divide(n, d, &r); return r; }
__attribute__((no_sanitize("undefined"))) i64 __divdi3(i64 n, i64 d) { u64 r, q = divide(n < 0 ? -(u64)n : n, d < 0 ? -(u64)d : d, &r); return (n < 0) != (d < 0) ? -q : q; }
__attribute__((no_sanitize("undefined"))) i64 __moddi3(i64 n, i64 d) { u64 r; divide(n < 0 ? -(u64)n : n, d < 0 ? -(u64)d : d, &r); return n < 0 ? -r : r; }
static void print(unsigned a, unsigned b) {
  char s[32]; int i = 32; s[--i] = '\n';
  do s[--i] = '0' + b % 10; while (b /= 10);
  s[--i] = ' ';
  do s[--i] = '0' + a % 10; while (a /= 10);
  sys(4, 1, (int)&s[i], 32 - i);
}
`,
	run:  "{ int child = sys(2, 0, 0, 0); if (child == 0) { %[1]smain(); print(%[2]d, %[1]ssum); sys(1, 0, 0, 0); } sys(7, child, 0, 0); }\n",
	main: "void _start(void)",
}

// need skips the test if programs of the 32-bit data model cannot be compiled and run.
func (m dataModel) need(t *testing.T) {
	t.Helper()
	probe := filepath.Join(t.TempDir(), "probe.c")
	if err := os.WriteFile(probe, []byte(m.head+"void _start(void) { sys(1, 0, 0, 0); }"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-w", "-o", probe + ".exe", probe}, m.flags...)
	if err := exec.Command("gcc", args...).Run(); err != nil {
		t.Skip("gcc cannot compile for 32 bits here")
	}
	if err := exec.Command(probe + ".exe").Run(); err != nil {
		t.Skip("programs of 32 bits do not run here")
	}
}

// gccBatch compiles programs into one executable in dir and runs each in a process of
// its own.
func gccBatch(dir string, m dataModel, seeds []uint64) ([]outcome, error) {
	var src bytes.Buffer
	src.WriteString(m.head)
	for _, s := range seeds {
		src.WriteString(m.program(s))
	}
	src.WriteString(m.main + "\n{\n")
	for i, s := range seeds {
		fmt.Fprintf(&src, m.run, prefix(s), i)
	}
	if m.bits32 {
		src.WriteString("sys(1, 0, 0, 0);\n")
	}
	src.WriteString("}\n")
	file, exe := filepath.Join(dir, "batch.c"), filepath.Join(dir, "batch")
	if err := os.WriteFile(file, src.Bytes(), 0o644); err != nil {
		return nil, err
	}
	args := append([]string{"-w", "-O0", "-o", exe, file}, m.flags...)
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gcc: %v\n%.4000s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		return nil, fmt.Errorf("running the batch: %v", err)
	}
	results := make([]outcome, len(seeds))
	for i := range results {
		results[i].undefined = true
	}
	for _, line := range strings.Split(string(out), "\n") {
		var i int
		var sum string
		if n, _ := fmt.Sscan(line, &i, &sum); n == 2 {
			results[i] = outcome{sum: sum}
		}
	}
	return results, nil
}

func prefix(seed uint64) string { return fmt.Sprintf("p%d_", seed) }

// noChoices fails the test if the program leaves anything open but initial
// values.
type noChoices struct{ asked string }

func (c *noChoices) Branch(at interp.Place, next []int) int {
	if len(next) > 1 && !leavesOut(at.Proc, next) {
		c.asked = fmt.Sprintf("a branch at %s", at.Proc.NodeID(at.Node))
	}
	return next[0]
}

// leavesOut reports whether the branch to next leaves open whether an initialiser that
// another one overrides is evaluated. The first way is that of gcc, which leaves it out.
func leavesOut(p *core.Proc, next []int) bool {
	for _, i := range next {
		if _, conditional := p.Nodes[i].Stmt.(*core.Assume); conditional {
			return false
		}
	}
	return true
}

func (c *noChoices) Value(r interp.Request) *big.Int {
	switch r.Why {
	case interp.InitGlobal, interp.InitLocal, interp.InitFormal:
		if r.Type.Bool || r.Var.Logical {
			return big.NewInt(1)
		}
		return r.Type.Convert(big.NewInt(77)) // must never be seen
	case interp.Havocked: // declarations without initialiser, jumps past declarations
		return r.Type.Convert(big.NewInt(78))
	}
	c.asked = r.Why.String()
	return new(big.Int)
}

// interpret runs the core program of one generated program.
func interpret(t *testing.T, m dataModel, seed uint64) (outcome, *core.Program) {
	t.Helper()
	text := m.program(seed)
	file := source.NewFile("gen.c", []byte(text))
	u, err := Load(context.Background(), []*source.File{file}, Options{Entry: prefix(seed) + cgen.Entry, Bits32: m.bits32})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	choices := &noChoices{}
	machine := interp.New(u.Program, choices, interp.Options{})
	event, err := machine.Run(context.Background(), 5_000_000)
	var ub *interp.UBError
	switch {
	case errors.As(err, &ub):
		return outcome{undefined: true}, u.Program
	case err != nil:
		t.Fatalf("seed %d: %v", seed, err)
	case choices.asked != "":
		t.Fatalf("seed %d: the program is not deterministic: %s\n%s", seed, choices.asked, text)
	case event.Kind != interp.Finished:
		t.Fatalf("seed %d: the run ended with %s at %s\n%s\n%s", seed, event.Kind, event.Proc.NodeID(event.Node), text, u.Program)
	}
	for _, g := range u.Program.Globals {
		if g.Name == prefix(seed)+cgen.Sum {
			return outcome{sum: machine.Global(g).String()}, u.Program
		}
	}
	t.Fatalf("seed %d: no global %s", seed, cgen.Sum)
	return outcome{}, nil
}

// comparison is what compare found.
type comparison struct {
	different []uint64 // seeds whose results differ
	discarded int      // undefined behaviour according to UBSan
	disputed  []uint64 // undefined behaviour according to the interpreter alone
}

// compare interprets the programs of seeds and compares with what gcc made of
// them.
func compare(t *testing.T, m dataModel, seeds []uint64, want []outcome) (c comparison) {
	t.Helper()
	for i, s := range seeds {
		if want[i].undefined {
			c.discarded++
			continue
		}
		switch got, _ := interpret(t, m, s); {
		case got.undefined:
			c.disputed = append(c.disputed, s)
		case got != want[i]:
			c.different = append(c.different, s)
		}
	}
	return c
}

// gcc runs the programs of seeds in batches, two at a time.
func gcc(t *testing.T, m dataModel, seeds []uint64) []outcome {
	t.Helper()
	const batch = 20
	want := make([]outcome, len(seeds))
	errs := make(chan error)
	slots := make(chan struct{}, 2)
	batches := 0
	for i := 0; i < len(seeds); i += batch {
		batches++
		part := seeds[i:min(i+batch, len(seeds))]
		dir := t.TempDir()
		go func() {
			slots <- struct{}{}
			got, err := gccBatch(dir, m, part)
			copy(want[i:], got)
			<-slots
			errs <- err
		}()
	}
	var all error
	for range batches {
		all = errors.Join(all, <-errs)
	}
	if all != nil {
		t.Fatal(all)
	}
	return want
}

func seedRange(from, n int) (list []uint64) {
	for i := 0; i < n; i++ {
		list = append(list, uint64(from+i))
	}
	return list
}

// agree compares n programs and reports those that differ.
func agree(t *testing.T, m dataModel, seeds []uint64, want []outcome) {
	t.Helper()
	n := len(seeds)
	c := compare(t, m, seeds, want)
	t.Logf("%d programs, %d discarded for undefined behaviour, disputed: %v", n, c.discarded, c.disputed)
	for i, s := range c.different {
		if i < 3 {
			_, prog := interpret(t, m, s)
			t.Errorf("seed %d differs:\n%s\n%s", s, m.program(s), prog)
		}
	}
	if len(c.different) > 0 {
		t.Errorf("%d of %d programs differ: seeds %v", len(c.different), n, c.different)
	}
	if c.discarded > n/2 {
		t.Errorf("%d of %d programs have undefined behaviour: the generator is of little use", c.discarded, n)
	}
	if len(c.disputed) > 1+n/200 {
		t.Errorf("the interpreter alone finds undefined behaviour in %v", c.disputed)
	}
}

func TestAgainstGCC(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed; it is the other side of this comparison")
	}
	seeds := seedRange(1, testkit.Count(36, 1400))
	want := gcc(t, lp64, seeds)
	agree(t, lp64, seeds, want)
}

// TestAgainstGCC32 is TestAgainstGCC for the 32-bit data model. Programs of the other one
// differ.
func TestAgainstGCC32(t *testing.T) {
	t.Parallel()
	ilp32.need(t)
	seeds := seedRange(5001, testkit.Count(25, 400))
	want := gcc(t, ilp32, seeds)
	agree(t, ilp32, seeds, want)
	c := compare(t, dataModel{}, seeds[:25], want[:25])
	if len(c.different) == 0 {
		t.Error("the 64-bit data model would do")
	}
}
