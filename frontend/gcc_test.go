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

// gccBatch compiles programs into one executable and runs each in a process of
// its own.
func gccBatch(t *testing.T, seeds []uint64) []outcome {
	t.Helper()
	var src bytes.Buffer
	src.WriteString("#include <stdio.h>\n#include <unistd.h>\n#include <sys/wait.h>\n")
	for _, s := range seeds {
		src.WriteString(cgen.Generate(s, cgen.Options{Prefix: prefix(s)}))
	}
	src.WriteString("int main(void) {\n")
	for i, s := range seeds {
		fmt.Fprintf(&src, "fflush(stdout); if (fork() == 0) { %smain(); printf(\"%d %%lu\\n\", %ssum); fflush(stdout); _exit(0); } wait(0);\n", prefix(s), i, prefix(s))
	}
	src.WriteString("return 0; }\n")
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "batch.c"), filepath.Join(dir, "batch")
	if err := os.WriteFile(file, src.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-o", exe, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%.4000s", err, out)
	}
	cmd := exec.Command(exe)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("running the batch: %v", err)
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
	return results
}

func prefix(seed uint64) string { return fmt.Sprintf("p%d_", seed) }

// noChoices fails the test if the program leaves anything open but initial
// values.
type noChoices struct{ asked string }

func (c *noChoices) Branch(at interp.Place, next []int) int {
	if len(next) > 1 {
		c.asked = fmt.Sprintf("a branch at %s", at.Proc.NodeID(at.Node))
	}
	return next[0]
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
func interpret(t *testing.T, seed uint64, mutate mutation) (outcome, *core.Program) {
	t.Helper()
	text := cgen.Generate(seed, cgen.Options{Prefix: prefix(seed)})
	file := source.NewFile("gen.c", []byte(text))
	u, err := Load(context.Background(), []*source.File{file}, Options{Entry: prefix(seed) + cgen.Entry, mutation: mutate})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	choices := &noChoices{}
	m := interp.New(u.Program, choices, interp.Options{})
	event, err := m.Run(context.Background(), 5_000_000)
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
			return outcome{sum: m.Global(g).String()}, u.Program
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
func compare(t *testing.T, seeds []uint64, want []outcome, mutate mutation) (c comparison) {
	t.Helper()
	for i, s := range seeds {
		if want[i].undefined {
			c.discarded++
			continue
		}
		switch got, _ := interpret(t, s, mutate); {
		case got.undefined:
			c.disputed = append(c.disputed, s)
		case got != want[i]:
			c.different = append(c.different, s)
		}
	}
	return c
}

// gcc runs the programs of seeds in batches.
func gcc(t *testing.T, seeds []uint64) (want []outcome) {
	t.Helper()
	const batch = 40
	for len(seeds) > 0 {
		n := min(batch, len(seeds))
		want = append(want, gccBatch(t, seeds[:n])...)
		seeds = seeds[n:]
	}
	return want
}

func seedRange(from, n int) (list []uint64) {
	for i := 0; i < n; i++ {
		list = append(list, uint64(from+i))
	}
	return list
}

func TestAgainstGCC(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed; it is the other side of this comparison")
	}
	n := 60
	if os.Getenv("C2BP_LONG") == "1" {
		n = 1400
	}
	seeds := seedRange(1, n)
	want := gcc(t, seeds)
	c := compare(t, seeds, want, 0)
	t.Logf("%d programs, %d discarded for undefined behaviour, disputed: %v", n, c.discarded, c.disputed)
	for i, s := range c.different {
		if i < 3 {
			_, prog := interpret(t, s, 0)
			t.Errorf("seed %d differs:\n%s\n%s", s, cgen.Generate(s, cgen.Options{Prefix: prefix(s)}), prog)
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
	for name, m := range map[string]mutation{
		"no promotion": noPromotion, "signed wins": signedWins, "logical shift": logicalShift,
		"new for old": newForOld, "one dispatch": oneDispatch,
	} {
		c := compare(t, seeds[:40], want[:40], m)
		t.Logf("mutation %q: %d programs differ", name, len(c.different)+len(c.disputed))
		if len(c.different) == 0 {
			t.Errorf("the mutation %q is not noticed", name)
		}
	}
}
