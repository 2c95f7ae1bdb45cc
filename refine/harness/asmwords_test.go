package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"c2bp/frontend/cgen"
)

// TestWordAssembly: what is written in the place of assembly that is an operation on a word, exchanges one or finds a one in it,
// does what that does.
func TestWordAssembly(t *testing.T) {
	t.Parallel()
	if runtime.GOARCH != "amd64" {
		t.Skip("this test uses amd64 assembly")
	}
	dir := t.TempDir()
	sum := func(name, text string) string {
		file, program := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
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
	rest := fmt.Sprintf("void %s(int a, int b, void *p, unsigned long n) { __builtin_abort(); }\nint printf(const char *, ...);\nint main(void) { run(); printf(\"%%llu\", %s); return 0; }\n", assemblyName, cgen.Sum)
	generators := []func(seed uint64, n int, main string) string{cgen.WordAssembly, cgen.ExchangeAssembly, cgen.ScanAssembly}
	for i := range 4 * len(generators) {
		seed := uint64(i / len(generators))
		text := generators[i%len(generators)](seed, 60, "int run(void)")
		plain, err := withoutAssembly([]byte(text))
		switch {
		case err != nil:
			t.Fatal(err)
		case strings.Contains(string(plain), "asm "):
			t.Fatalf("there is assembly in it\n%s", plain)
		}
		if got, want := sum("plain", string(plain)+rest), sum("assembly", text+rest); got != want {
			t.Errorf("seed %d: %s, the processor says %s\n%s", seed, got, want, plain)
		}
	}
}
