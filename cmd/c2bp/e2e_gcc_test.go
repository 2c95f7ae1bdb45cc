package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// This file compiles programs with gcc and runs them, to test claims about them.

// world is the harness that compiled programs run in, built once for a data model.
type world struct {
	object string
	model  []string // gcc's flags for the data model
}

// newWorld32 is newWorld for int, long and pointers of 32 bits; nil if gcc does not make such
// programs here: on a machine of 64 bits they need a library of their own.
func newWorld32(t *testing.T) *world {
	t.Helper()
	if !links32(t) {
		return nil
	}
	w := &world{filepath.Join(t.TempDir(), "world32.o"), []string{"-m32"}}
	w.gcc(t, "-c", "-o", w.object, "testdata/world/world.c")
	return w
}

const noPrograms32 = "gcc -m32 makes no programs here: files of a C library for 32 bits are missing"

// links32 reports whether gcc makes programs of 32 bits, with its sanitizer, that run.
func links32(t *testing.T) bool {
	t.Helper()
	probe := filepath.Join(t.TempDir(), "probe.c")
	if err := os.WriteFile(probe, []byte("#include <stdlib.h>\nint main(void) { return 0; }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("gcc", "-m32", "-fsanitize=undefined", "-o", probe+".exe", probe).Run(); err != nil {
		return false
	}
	return exec.Command(probe+".exe").Run() == nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	testkit.NeedGCC(t)
	w := &world{object: filepath.Join(t.TempDir(), "world.o")}
	w.gcc(t, "-c", "-o", w.object, "testdata/world/world.c")
	return w
}

func (w *world) gcc(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("gcc", slices.Concat([]string{"-w"}, w.model, args)...).CombinedOutput(); err != nil {
		t.Fatalf("gcc %v: %v\n%.3000s", args, err, out)
	}
}

// runs counts how the runs of a program ended.
type runs struct{ failed, ended, discarded int }

var errorLabel = regexp.MustCompile(`\b(ERROR|SLIC_ERROR)[ \t]*:`)

// run compiles the C files and runs the program n times. Runs with undefined
// behaviour are discarded; reaching a label ERROR is a failure.
func (w *world) run(t *testing.T, n int, entry string, files ...string) (r runs) {
	t.Helper()
	dir := t.TempDir()
	exe := filepath.Join(dir, "program")
	args := []string{"-O0", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-fno-builtin", "-std=gnu17",
		"-Dmain=c2bp_other", "-U" + entry, "-D" + entry + "=c2bp_main", "-include", "testdata/world/world.h", "-o", exe}
	for i, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(dir, fmt.Sprintf("%d.c", i))
		text = errorLabel.ReplaceAll(text, []byte("$1: c2bp_failed();"))
		if err := os.WriteFile(copied, text, 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, copied)
	}
	w.gcc(t, append(args, w.object)...)
	out, err := exec.Command(exe, "0", fmt.Sprint(n)).Output()
	if err != nil {
		t.Fatalf("%v: %v", files, err)
	}
	r = runs{strings.Count(string(out), "failed"), strings.Count(string(out), "ended"), strings.Count(string(out), "discarded")}
	if r.failed+r.ended+r.discarded != n {
		t.Fatalf("%v: %d runs: %+v\n%s", files, n, r, out)
	}
	return r
}

// The claims of the cases are true. They change only when cases are written, so
// ordinary runs check one of each topic.
func TestEndToEndClaims(t *testing.T) {
	t.Parallel()
	w, w32 := newWorld(t), newWorld32(t)
	paths, archives := e2eArchives(t)
	all := *update || testkit.Long()
	checked, not := 0, 0
	for i, path := range paths {
		for j, c := range e2eCases(t, path, archives[i]) {
			if j > 1 && !all {
				break
			}
			if strings.Contains(c.claim, "not for gcc: ") || c.kind() == "refused" {
				not++
				continue
			}
			checked++
			t.Run(c.name, func(t *testing.T) { c.checkClaim(t, w, w32) })
		}
	}
	t.Logf("%d claims checked, %d are not for gcc", checked, not)
}

func (c *e2eCase) checkClaim(t *testing.T, w, w32 *world) {
	dir := t.TempDir()
	files := c.unpack(t, dir)
	if _, ok := c.section("world.c"); ok {
		files = append(files, filepath.Join(dir, "world.c"))
	}
	flags, _ := c.section("flags")
	list := strings.Fields(flags)
	if slices.Contains(list, "--32") {
		if w = w32; w == nil {
			t.Skip(noPrograms32)
		}
	}
	entry := "main"
	if i := slices.Index(list, "--entry"); i >= 0 {
		entry = list[i+1]
	}
	r := w.run(t, 40, entry, files...)
	if c.kind() == "fails" && r.failed == 0 {
		r = w.run(t, 2000, entry, files...)
	}
	switch c.kind() {
	case "fails":
		if r.failed == 0 {
			t.Errorf("said to fail, but no run of it fails: %+v", r)
		}
	default:
		if r.failed > 0 || r.ended == 0 {
			t.Errorf("said not to fail: %+v", r)
		}
	}
}
