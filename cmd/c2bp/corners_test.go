package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/internal/testkit"
)

// This file audits testdata/corners: small programs at the edges of C, where a verdict is
// wrong if a rule of the language is forgotten. An archive is a topic, as in testdata/e2e:
//
//	-- wide/in.c --          the program
//	-- wide/flags --         further arguments of c2bp audit, if there are any
//	-- wide/claim --         the truth about it, see below
//	-- wide/out/verdict --   the verdict of c2bp; go test -update rewrites it
//
// The claim is made by whoever writes the case, from the C standard, and compared with gcc.
// It does not yield to -update:
//
//	fails           some execution violates the assertion: the verdict must not be TRUE
//	holds           none does: the verdict must be TRUE
//	undecided       none need be known: the verdict may be any, but c2bp must not break
//	assumed: LINE   none does under this line of the ledger: TRUE is said with it
//
// "fails" may go on with "not for gcc: reason".

func cornerCases(t *testing.T) (paths []string, archives []*txtar.Archive, all []*e2eCase) {
	t.Helper()
	paths, err := filepath.Glob("testdata/corners/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		archives = append(archives, a)
		all = append(all, casesOf(t, p, a, "fails", "holds", "undecided", "assumed:")...)
	}
	return paths, archives, all
}

func TestCorners(t *testing.T) {
	t.Parallel()
	paths, archives, all := cornerCases(t)
	got := make([]string, len(all))
	t.Cleanup(func() {
		if *update {
			rewrite(t, paths, archives, all, got)
		}
	})
	for i, c := range all {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files := c.unpack(t, dir)
			flags, _ := c.section("flags")
			args := append([]string{"audit", "--no-run", "--timeout", "60s"}, strings.Fields(flags)...)
			code, out, errors := inProcess("", append(args, files...)...)
			if code == exitInternal || code == exitUsage || code == exitInput {
				t.Fatalf("exit code %d: %s", code, errors)
			}
			lines := strings.Split(strings.TrimSuffix(strings.NewReplacer(dir+"/", "", "…/", "").Replace(out), "\n"), "\n")
			got[i] = strings.TrimPrefix(lines[len(lines)-1], "Verification result: ")
			if problem := cornerProblem(c.claim, got[i], lines); problem != "" {
				t.Errorf("the claim is %q, the verdict %s: %s\n%s", c.claim, got[i], problem, out)
			}
			if want, _ := c.section("out/verdict"); !*update && strings.TrimSuffix(want, "\n") != got[i] {
				t.Errorf("the verdict is %s, want %s", got[i], want)
			}
		})
	}
}

// cornerProblem describes an error in a verdict, whatever the golden file says.
func cornerProblem(claim, verdict string, output []string) string {
	line, assumed := strings.CutPrefix(claim, "assumed: ")
	switch {
	case strings.HasPrefix(claim, "fails") && verdict == "TRUE":
		return "a wrong TRUE"
	case strings.HasPrefix(claim, "holds") && verdict != "TRUE":
		return "want TRUE"
	case assumed && verdict != "TRUE":
		return "want TRUE"
	case assumed && !slices.Contains(output, "  - "+line):
		return fmt.Sprintf("the ledger lacks %q", line)
	}
	return ""
}

// The claims of the cases are true of the programs that gcc makes of them. They change only when
// cases are written, so ordinary runs check one in ten.
func TestCornerClaims(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t)
	links := links32(t)
	_, _, all := cornerCases(t)
	every := *update || testkit.Long()
	for i, c := range all {
		kind := c.kind()
		if strings.Contains(c.claim, "not for gcc") || kind == "undecided" || kind == "assumed:" || i%10 != 0 && !every {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files := c.unpack(t, dir)
			model := "-m64"
			if flags, _ := c.section("flags"); slices.Contains(strings.Fields(flags), "--32") {
				if model = "-m32"; !links {
					t.Skip(noPrograms32)
				}
			}
			failed, err := failsForGCC(dir, model, files)
			if err != nil {
				t.Fatal(err)
			}
			if failed != (kind == "fails") {
				t.Errorf("the claim is %q; the compiled program fails: %v", c.claim, failed)
			}
		})
	}
}

// failsForGCC reports whether the program of files, compiled with and without optimisation,
// ends by an abort.
func failsForGCC(dir, model string, files []string) (failed bool, err error) {
	for _, level := range []string{"-O0", "-O2"} {
		exe := filepath.Join(dir, "program")
		if out, err := exec.Command("gcc", append([]string{"-w", model, level, "-fno-strict-aliasing", "-o", exe}, append(files, "-lm")...)...).CombinedOutput(); err != nil {
			return false, fmt.Errorf("gcc: %v\n%s", err, out)
		}
		err := exec.Command(exe).Run()
		failed = failed || err != nil && strings.Contains(err.Error(), "abort")
	}
	return failed, nil
}

// The corners are corners of the 32-bit data model, too: what they are about there is another
// program perhaps, but one that gcc makes fail is not TRUE, and what it finds to hold, without
// inputs or undefined behaviour, not FALSE.
func TestCorners32(t *testing.T) {
	t.Parallel()
	if !links32(t) {
		t.Skip(noPrograms32)
	}
	_, _, all := cornerCases(t)
	for i, c := range all {
		kind := c.kind()
		if kind == "assumed:" || strings.Contains(c.claim, "not for gcc") || i%10 != 0 && !testkit.Long() {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files := c.unpack(t, dir)
			failed, err := failsForGCC(dir, "-m32", files)
			if err != nil {
				t.Skip("no program of 32 bits: ", err)
			}
			flags, _ := c.section("flags")
			list := slices.DeleteFunc(strings.Fields(flags), func(f string) bool { return f == "--32" })
			args := append([]string{"audit", "--32", "--no-run", "--timeout", "60s"}, list...)
			code, out, errors := inProcess("", append(args, files...)...)
			if code == exitInternal || code == exitUsage {
				t.Fatalf("exit code %d: %s", code, errors)
			}
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			switch verdict := strings.TrimPrefix(lines[len(lines)-1], "Verification result: "); {
			case failed && verdict == "TRUE":
				t.Errorf("a wrong TRUE in 32 bits\n%s", out)
			case !failed && kind == "holds" && strings.HasPrefix(verdict, "FALSE"):
				t.Errorf("a false alarm in 32 bits: %s\n%s", verdict, out)
			}
		})
	}
}
