package frontend

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"c2bp/frontend/cgen"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// TestWordAssembly compares the lowering of assembly on words of memory with the processor, also for
// bits that are in the word after the operand.
func TestWordAssembly(t *testing.T) { likeProcessor(t, cgen.WordAssembly) }

// TestExchangeAssembly compares the lowering of assembly that exchanges words with registers with the processor.
func TestExchangeAssembly(t *testing.T) { likeProcessor(t, cgen.ExchangeAssembly) }

// TestScanAssembly compares the lowering of assembly that finds a one in a word with the processor.
func TestScanAssembly(t *testing.T) { likeProcessor(t, cgen.ScanAssembly) }

// likeProcessor compares what programs with assembly compute, interpreted and compiled.
func likeProcessor(t *testing.T, generate func(seed uint64, n int, main string) string) {
	t.Helper()
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("the assembly is that of amd64")
	}
	for _, seed := range seedRange(1, testkit.Count(6, 300)) {
		text := generate(seed, 60, "int main(void)")
		want := processorSum(t, text)
		if got := interpretedSum(t, text); got != want {
			t.Errorf("seed %d: %s, the processor says %s\n%s", seed, got, want, text)
		}
	}
}

// processorSum runs the program text.
func processorSum(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	file, program := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	text = strings.Replace(text, "int main(void)", "int run(void)", 1) + "#include <stdio.h>\nint main(void) { run(); printf(\"%llu\", " + cgen.Sum + "); return 0; }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-O1", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s\n%s", err, out, text)
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// interpretedSum runs it in the interpreter of core programs.
func interpretedSum(t *testing.T, text string) string {
	t.Helper()
	u, err := Load(context.Background(), []*source.File{source.NewFile("a.c", []byte(text))}, Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// Nobody else changes what the program tests, as package alias would find.
	for _, q := range u.Program.Procs {
		for _, n := range q.Nodes {
			if h, ok := n.Stmt.(*core.Havoc); ok && h.Reads != nil && h.Steady {
				n.Stmt = &core.Assign{Lhs: h.Locs, Rhs: []core.Expr{h.Reads}}
			}
		}
	}
	choices := &noChoices{}
	machine := interp.New(u.Program, choices, interp.Options{})
	if event, err := machine.Run(context.Background(), 1_000_000); err != nil || event.Kind != interp.Finished || choices.asked != "" {
		t.Fatalf("%v %v %s\n%s", event.Kind, err, choices.asked, text)
	}
	for _, g := range u.Program.Globals {
		if g.Name == cgen.Sum {
			return machine.Global(g).String()
		}
	}
	t.Fatal("there is no sum")
	return ""
}
