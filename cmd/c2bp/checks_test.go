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

	"golang.org/x/tools/txtar"

	"c2bp/frontend/checks"
	"c2bp/internal/testkit"
)

// This file audits testdata/checks with --check. An archive is named as the kind of check; each file in it is a
// program whose name says whether it is safe. The line of an unsafe one that fails ends with the name of the
// property in a comment. The first line has inputs for gcc's sanitizers, which find nothing in a safe program,
// and the same at that line in an unsafe one:
//
//	// inputs: 3 0
//	int __VERIFIER_nondet_int(void);
//	int main(void) { return 7 / __VERIFIER_nondet_int(); } // division by zero

// checkedProgram is a program of an archive.
type checkedProgram struct {
	kind, name, text string
	line             int    // that fails, 0 for a safe one
	property         string // that fails there
}

var failingLine = regexp.MustCompile(`// (division by zero|quotient out of range|shift amount out of range|signed left shift out of range|signed overflow|null dereference|index out of bounds|access out of bounds|pointer out of bounds|double free|invalid free|use after free|use after end of lifetime|memory leak|uninitialised variable)$`)

func checkedPrograms(t *testing.T) (list []checkedProgram) {
	t.Helper()
	paths, err := filepath.Glob("testdata/checks/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			c := checkedProgram{kind: strings.TrimSuffix(filepath.Base(p), ".txtar"), name: f.Name, text: string(f.Data)}
			for i, line := range strings.Split(c.text, "\n") {
				if m := failingLine.FindStringSubmatch(line); m != nil {
					c.line, c.property = i+1, m[1]
				}
			}
			if (c.line > 0) != strings.HasSuffix(f.Name, "-unsafe.c") {
				t.Fatalf("%s: the name says another thing than the comments", f.Name)
			}
			list = append(list, c)
		}
	}
	return list
}

// TestChecks: the verdict, the name and the line of the property that fails, and the ledger.
func TestChecks(t *testing.T) {
	t.Parallel()
	for _, c := range checkedPrograms(t) {
		t.Run(c.kind+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), c.name)
			if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			_, out, errors := inProcess("", "audit", "--no-run", "--max-refinements", "30", "--check", c.kind, file)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			verdict := strings.TrimPrefix(lines[len(lines)-1], "Verification result: ")
			want := "TRUE"
			if c.line > 0 {
				want = fmt.Sprintf("FALSE (%s, %s:%d)", c.property, shownPath(file), c.line)
			}
			if verdict != want {
				t.Errorf("%s, want %s\n%s%s", verdict, want, out, errors)
			}
			if c.line == 0 && strings.Contains(out, "- integers:") {
				for _, line := range assumedLines[c.kind] {
					if strings.Contains(out, line) {
						t.Errorf("the ledger still has %q", line)
					}
				}
			}
		})
	}
}

// assumedLines are the lines of the ledger that a kind of check covers.
var assumedLines = map[string][]string{
	"division": {"no division by zero"}, "shift": {"shift amounts"}, "overflow": {"signed overflow is absent"},
}

// shownPath returns a path as results show it.
func shownPath(path string) string { return path }

// messages are parts of the sanitizers' messages about a property.
var sanitizerMessages = map[string]string{
	"division by zero":               "division by zero",
	"quotient out of range":          "division of .* cannot be represented",
	"shift amount out of range":      "shift exponent",
	"signed left shift out of range": "left shift of",
	"signed overflow":                "signed integer overflow|negation of",
	"null dereference":               "null pointer",
	"index out of bounds":            "out of bounds",
	"access out of bounds":           "(heap|stack|global|dynamic-stack)-buffer-(over|under)flow",
	"pointer out of bounds":          "(heap|stack|global|dynamic-stack)-buffer-(over|under)flow",
	"double free":                    "attempting double-free",
	"use after free":                 "heap-use-after-free",
	"use after end of lifetime":      "stack-use-after-(scope|return)",
	"memory leak":                    "detected memory leaks",
	"invalid free":                   "attempting free on address which was not malloc",
}

// sanitizerReport returns a regular expression for the report of a failure at a line of p.c. Of one about the heap, the first
// place in the program is the one that counts.
func sanitizerReport(line int, property string) *regexp.Regexp {
	if property == checks.MemoryLeak {
		return regexp.MustCompile(fmt.Sprintf(`(?s)LeakSanitizer: detected memory leaks.* allocated from:\n[^\n]*/libsanitizer/[^\n]*\n[^\n]*p\.c:%d\b`, line))
	}
	address := fmt.Sprintf(`AddressSanitizer: (%s)(.*\n)((READ|WRITE) of .*\n)?(    #.*(/libsanitizer/|\+0x).*\n)*    #\d+ .*p\.c:%d\b`, sanitizerMessages[property], line)
	switch {
	case property != "" && checks.OfHeap.Has(kindOf(property)):
		return regexp.MustCompile(address)
	// Either sanitizer may be the first to see it.
	case property == checks.AccessOutOfBounds || property == checks.PointerOutOfBounds:
		return regexp.MustCompile(fmt.Sprintf(`%s|p\.c:%d(:\d+)?: runtime error: .*insufficient space`, address, line))
	}
	return regexp.MustCompile(fmt.Sprintf(`p\.c:%d(:\d+)?: runtime error: .*(%s)`, line, sanitizerMessages[property]))
}

// depends reports whether a program does different things if its variables are zero at first, and if they have
// other values.
func depends(t *testing.T, exe, file, inputs string) bool {
	t.Helper()
	var codes [2]int
	for i, values := range []string{"zero", "pattern"} {
		if out, err := exec.Command("gcc", "-w", "-O0", "-ftrivial-auto-var-init="+values, "-o", exe, file, inputs).CombinedOutput(); err != nil {
			t.Fatalf("gcc: %v\n%s", err, out)
		}
		run := exec.Command(exe)
		_ = run.Run()
		codes[i] = run.ProcessState.ExitCode()
	}
	return codes[0] != codes[1]
}

// leavesObjects reports whether a program ends with objects that it has allocated and not freed.
func leavesObjects(t *testing.T, dir, file, inputs string) bool {
	t.Helper()
	const counter = `extern int printf(const char *, ...);
static int left;
void *__real_malloc(unsigned long);
void __real_free(void *);
void *__wrap_malloc(unsigned long n) { void *p = __real_malloc(n); left += p != 0; return p; }
void __wrap_free(void *p) { left -= p != 0; __real_free(p); }
__attribute__((destructor)) static void end(void) { printf("left: %d\n", left); }
`
	source, exe := filepath.Join(dir, "counter.c"), filepath.Join(dir, "counted")
	if err := os.WriteFile(source, []byte(counter), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-Wl,--wrap=malloc", "-Wl,--wrap=free", "-o", exe, file, inputs, source).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out, _ := exec.Command(exe).Output()
	return strings.Contains(string(out), "left: 1")
}

// kindOf returns the kind of check that has a property.
func kindOf(property string) checks.Kind {
	for _, k := range checks.All.Kinds() {
		if slices.Contains(k.Properties(), property) {
			return k
		}
	}
	panic("no check has the property " + property)
}

// TestCheckedBySanitizers: gcc's sanitizers find in each unsafe program, given its inputs, the failure at its
// line, and nothing in a safe one. Ordinarily a few programs are compiled.
func TestCheckedBySanitizers(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t)
	for i, c := range checkedPrograms(t) {
		if i%7 != 0 && !testkit.Long() {
			continue
		}
		t.Run(c.kind+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			// 1. The inputs, in order, as functions that return them.
			first, _, _ := strings.Cut(c.text, "\n")
			inputs := strings.Fields(strings.TrimPrefix(first, "// inputs:"))
			var b strings.Builder
			fmt.Fprintf(&b, "static const long given[] = { %s, 0 };\nstatic int at;\n", strings.NewReplacer("-9223372036854775808", "-9223372036854775807 - 1").Replace(strings.Join(inputs, ", ")))
			for _, n := range []string{"signed char schar", "unsigned char uchar", "short short", "unsigned short ushort", "int int", "unsigned uint", "long long", "void* pointer"} {
				i := strings.LastIndexByte(n, ' ')
				fmt.Fprintf(&b, "%s __VERIFIER_nondet_%s(void) { return (%s)given[at++]; }\n", n[:i], n[i+1:], n[:i])
			}
			// 2. The program, with both sanitizers. None of gcc's is about variables that were not set.
			dir := t.TempDir()
			file, more, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "inputs.c"), filepath.Join(dir, "p")
			for name, text := range map[string]string{file: c.text, more: b.String()} {
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if c.kind == "uninitialised" {
				if depends(t, exe, file, more) != (c.line > 0) {
					t.Error("what variables hold at first matters in an unsafe program only")
				}
				return
			}
			if out, err := exec.Command("gcc", "-w", "-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o", exe, file, more).CombinedOutput(); err != nil {
				t.Fatalf("gcc: %v\n%s", err, out)
			}
			run := exec.Command(exe)
			run.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1")
			if c.kind == "leak" {
				run.Env = nil
			}
			out, _ := run.CombinedOutput()
			// An object that can still be reached is none that the sanitizer reports: count those that are left.
			if strings.Contains(c.text, "\n// reachable") {
				if strings.Contains(string(out), "LeakSanitizer") || !leavesObjects(t, dir, file, more) {
					t.Errorf("the sanitizers say\n%s", out)
				}
				return
			}
			// 3. Compare.
			found := strings.Contains(string(out), "runtime error") || regexp.MustCompile("ERROR: (Address|Leak)Sanitizer").Match(out)
			there := sanitizerReport(c.line, c.property)
			if found != (c.line > 0) || found && !there.Match(out) {
				t.Errorf("the sanitizers say\n%s", out)
			}
		})
	}
}
