package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"c2bp/checker"
)

// This file runs testdata/e2e: small C programs with predicates, from the text to the
// verdict. An archive is a topic, and holds cases:
//
//	-- narrow/in.c --          the program; several .c files are linked
//	-- narrow/preds --         its predicates
//	-- narrow/flags --         further arguments of c2bp, if there are any
//	-- narrow/check --         further arguments of c2bp check, likewise
//	-- narrow/world.c --       for gcc alone: what the program calls and does not define
//	-- narrow/claim --         the truth about the program in C, see below
//	-- narrow/out/verdict --   the verdict of c2bp; go test -update rewrites it
//
// The claim is made by whoever writes the case, from the C standard, and compared
// with gcc (e2e_gcc_test.go). It does not yield to -update:
//
//	fails        some execution violates a property: the verdict must not be TRUE
//	holds        none does, and the predicates prove it: the verdict must be TRUE
//	imprecise    none does, but c2bp cannot know; the line says why
//	refused      c2bp reports an error instead of a verdict
//
// A claim may go on with "not for gcc: reason".

// e2eCase is one case.
type e2eCase struct {
	name    string // topic/case
	archive *txtar.Archive
	prefix  string
	claim   string
}

func (c *e2eCase) section(name string) (text string, ok bool) {
	for _, f := range c.archive.Files {
		if f.Name == c.prefix+name {
			return string(f.Data), true
		}
	}
	return "", false
}

// kind is the first word of the claim.
func (c *e2eCase) kind() string {
	kind, _, _ := strings.Cut(c.claim, " ")
	return kind
}

// e2eArchives reads all topics.
func e2eArchives(t *testing.T) (paths []string, archives []*txtar.Archive) {
	t.Helper()
	paths, err := filepath.Glob("testdata/e2e/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, p := range paths {
		a, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		archives = append(archives, a)
	}
	return paths, archives
}

// e2eCases lists the cases of a topic in their order.
func e2eCases(t *testing.T, path string, a *txtar.Archive) []*e2eCase {
	t.Helper()
	return casesOf(t, path, a, "fails", "holds", "imprecise", "refused")
}

// casesOf lists the cases of a topic, with claims of the given kinds, in their order.
func casesOf(t *testing.T, path string, a *txtar.Archive, kinds ...string) (cases []*e2eCase) {
	t.Helper()
	topic := strings.TrimSuffix(filepath.Base(path), ".txtar")
	seen := map[string]bool{}
	for _, f := range a.Files {
		name, _, ok := strings.Cut(f.Name, "/")
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		c := &e2eCase{name: topic + "/" + name, archive: a, prefix: name + "/"}
		claim, _ := c.section("claim")
		c.claim = strings.TrimSpace(claim)
		if !slices.Contains(kinds, c.kind()) {
			t.Fatalf("%s: the claim is %q", c.name, c.claim)
		}
		cases = append(cases, c)
	}
	return cases
}

// unpack writes the C files and predicates into dir and returns the names of the C
// files.
func (c *e2eCase) unpack(t *testing.T, dir string) (files []string) {
	t.Helper()
	for _, f := range c.archive.Files {
		name, ok := strings.CutPrefix(f.Name, c.prefix)
		if !ok || strings.HasPrefix(name, "out/") {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".c") && name != "world.c" {
			files = append(files, filepath.Join(dir, name))
		}
	}
	return files
}

// verdict runs the two commands of the pipe and returns the verdict, or the first
// line of the error.
func (c *e2eCase) verdict(t *testing.T) string {
	dir := t.TempDir()
	files := c.unpack(t, dir)
	flags, _ := c.section("flags")
	args := append([]string{"-preds", filepath.Join(dir, "preds"), "--timeout", "60s"}, strings.Fields(flags)...)
	args = append(args, files...)
	code, program, errors := inProcess("", args...)
	if code != exitOK {
		line, _, _ := strings.Cut(errors, "\n")
		return fmt.Sprintf("exit code %d: %s", code, strings.ReplaceAll(line, dir+"/", ""))
	}
	flags, _ = c.section("check")
	code, out, errors := inProcess(program, append([]string{"check", "--timeout", "60s"}, strings.Fields(flags)...)...)
	if strings.Contains(errors, "error") || code == exitInput || code == exitInternal {
		return fmt.Sprintf("check: exit code %d: %s\n%s", code, errors, program)
	}
	last := out[strings.LastIndex(strings.TrimSuffix(out, "\n"), "\n")+1:]
	verdict := strings.TrimSuffix(strings.TrimPrefix(last, "Verification result: "), "\n")
	return strings.ReplaceAll(verdict, dir+"/", "")
}

// inProcess runs c2bp with args.
func inProcess(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	a := &app{stdin: strings.NewReader(stdin), stdout: &out, stderr: &err, grace: 2 * time.Second, check: checker.Analyse}
	code = a.run(context.Background(), args)
	return code, out.String(), err.String()
}

// contradicts reports whether a verdict is wrong, whatever the golden file says.
func contradicts(claim, verdict string) bool {
	switch claim {
	case "fails":
		return verdict == "TRUE" || strings.HasPrefix(verdict, "exit") || strings.HasPrefix(verdict, "check:")
	case "holds":
		return verdict != "TRUE"
	case "imprecise":
		return !strings.HasPrefix(verdict, "FALSE") && !strings.HasPrefix(verdict, "UNKNOWN")
	}
	return !strings.HasPrefix(verdict, "exit code 2: ")
}

func TestEndToEnd(t *testing.T) {
	t.Parallel()
	paths, archives := e2eArchives(t)
	var all []*e2eCase
	for i, path := range paths {
		all = append(all, e2eCases(t, path, archives[i])...)
	}
	got, count := make([]string, len(all)), map[string]int{}
	t.Cleanup(func() { // when all cases have ended
		t.Logf("%v", count)
		if *update {
			rewrite(t, paths, archives, all, got)
		}
	})
	for i, c := range all {
		count[c.kind()]++
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got[i] = c.verdict(t)
			if contradicts(c.kind(), got[i]) {
				t.Errorf("the claim is %q, the verdict %s", c.claim, got[i])
			}
			if want, _ := c.section("out/verdict"); !*update && strings.TrimSuffix(want, "\n") != got[i] {
				t.Errorf("the verdict is %s, want %s", got[i], want)
			}
		})
	}
}

// rewrite puts the verdicts that cases got into their archives.
func rewrite(t *testing.T, paths []string, archives []*txtar.Archive, cases []*e2eCase, got []string) {
	t.Helper()
	for i, c := range cases {
		if got[i] != "" { // else -run has left it out
			c.put(got[i])
		}
	}
	for i, path := range paths {
		if err := os.WriteFile(path, txtar.Format(archives[i]), 0o666); err != nil {
			t.Error(err)
		}
	}
}

// put makes got the section out/verdict.
func (c *e2eCase) put(got string) {
	last := 0
	for i, f := range c.archive.Files {
		if f.Name == c.prefix+"out/verdict" {
			c.archive.Files[i].Data = []byte(got + "\n")
			return
		}
		if strings.HasPrefix(f.Name, c.prefix) {
			last = i
		}
	}
	c.archive.Files = slices.Insert(c.archive.Files, last+1, txtar.File{Name: c.prefix + "out/verdict", Data: []byte(got + "\n")})
}

// A claim must contradict the verdicts that it excludes.
func TestContradicts(t *testing.T) {
	for _, c := range []struct {
		claim, verdict string
		want           bool
	}{
		{"fails", "TRUE", true}, {"fails", "FALSE (assertion, in.c:3)", false}, {"fails", "UNKNOWN (vacuous)", false},
		{"fails", "exit code 6: internal error", true}, {"holds", "TRUE", false}, {"holds", "FALSE (assertion, in.c:3)", true},
		{"imprecise", "TRUE", true}, {"imprecise", "FALSE (assertion, in.c:3)", false},
		{"refused", "TRUE", true}, {"refused", "exit code 2: in.c:3: error", false}, {"refused", "exit code 6: panic", true},
	} {
		if got := contradicts(c.claim, c.verdict); got != c.want {
			t.Errorf("claim %q, verdict %q: %v", c.claim, c.verdict, got)
		}
	}
}
