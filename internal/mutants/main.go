// Command mutants checks that the tests notice defects: it puts each into the program, one at a
// time, and runs the test that must fail then.
//
//	go run ./internal/mutants                  all of them, a line each (make test-mutants)
//	go run ./internal/mutants -run '^alias/'   those whose names match
//	go run ./internal/mutants -share 3/8       every eighth, from the third on
//	go run ./internal/mutants -list            their names, and what each breaks
//
// A mutant is a file testdata/mutants/NAME.patch of the package that it breaks:
//
//	# Destinations of calls do not count as written.
//	# test: TestRuns
//	--- alias/effects.go
//	@@
//	 	case *core.Call:
//	-		if s.Lhs != nil {
//	+		if false {
//
// The first line says which rule is broken. The test is one of that package, or of another one
// named before it (# test: ./refine TestPairs). A randomised test may need more programs than it
// ordinarily runs: "# counts: 10x" for ten times as many (testkit.Count), or "# counts: long".
//
// Lines that begin with a space or a minus must stand in the file, in one place only; those with a
// plus take the place of the latter. Numbers of lines play no part, so a patch keeps fitting while
// the code around it changes; when it does not any more, an ordinary test of this package says so.
//
// Nothing is copied and no source file is written: the compiler is told to read the changed text in
// place of the file (go test -overlay). A mutant counts as caught only if the test passes without
// it, and fails with it by itself: one that does not compile is an error.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run finds the mutants and tries those that the flags select. It fails if one is missed or cannot
// be tried.
func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("mutants", flag.ExitOnError)
	only := fs.String("run", "", "only mutants whose names match this regular expression")
	share := fs.String("share", "1/1", "only a share of them, such as 3/8: the third of each eight")
	listing := fs.Bool("list", false, "print them and run nothing")
	limit := fs.Duration("timeout", 20*time.Minute, "a test that takes longer counts as failing")
	fs.Parse(args)
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	// 1. The share: mutants are counted among those whose names match.
	var nth, of int
	if _, err := fmt.Sscanf(*share, "%d/%d", &nth, &of); err != nil || nth < 1 || nth > of {
		return fmt.Errorf("-share is %q, and should be like 3/8", *share)
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	all, err := find(root)
	if err != nil {
		return err
	}
	// 2. Try the mutants one by one.
	r := &runner{root: root, limit: *limit, sound: map[string]error{}}
	n := 0
	for _, m := range all {
		if !pattern.MatchString(m.name) {
			continue
		}
		if n++; (n-nth)%of != 0 {
			continue
		}
		if *listing {
			fmt.Printf("%-44s %-30s %s\n", m.name, m.pkg+" "+m.test, m.title)
			continue
		}
		r.judge(ctx, m)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	// 3. Sum up.
	if *listing {
		return nil
	}
	fmt.Printf("%d caught, %d missed, %d in error\n", r.caught, r.missed, r.broken)
	if r.missed+r.broken > 0 {
		return fmt.Errorf("not every mutant is caught")
	}
	return nil
}

// moduleRoot is the directory of go.mod.
func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	return filepath.Dir(strings.TrimSpace(string(out))), nil
}

// runner runs tests and counts what comes of mutants.
type runner struct {
	root                   string           // of the module
	limit                  time.Duration    // of a test
	sound                  map[string]error // tests that were run without a mutant
	caught, missed, broken int
}

// judge prints a line about m.
func (r *runner) judge(ctx context.Context, m *mutant) {
	start := time.Now()
	said := "caught"
	failed, err := r.try(ctx, m)
	switch {
	case err != nil:
		said = "ERROR: " + err.Error()
		r.broken++
	case !failed:
		said = "MISSED"
		r.missed++
	default:
		r.caught++
	}
	fmt.Printf("%-44s %-30s %6.1fs  %s\n", m.name, m.pkg+" "+m.test, time.Since(start).Seconds(), said)
}

// try reports whether the test of m fails with it. The error says that it fails without, too, or
// that m cannot be tried.
func (r *runner) try(ctx context.Context, m *mutant) (failed bool, err error) {
	files, err := m.apply(r.root)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	// 1. Write the changed files, and the overlay that puts them in the place of the files of
	// the module.
	replace := map[string]string{}
	// The names of the changed files keep those of their directories apart.
	for file, text := range files {
		changed := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(changed, text, 0o666); err != nil {
			return false, err
		}
		replace[filepath.Join(r.root, filepath.FromSlash(file))] = changed
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return false, err
	}
	if err := os.WriteFile(overlay, text, 0o666); err != nil {
		return false, err
	}
	// 2. The test must pass without the mutant; it is run once for all mutants that it is to
	// notice.
	key := fmt.Sprint(m.pkg, m.test, m.times, m.long)
	if _, known := r.sound[key]; !known {
		failed, err := r.test(ctx, m)
		if err == nil && failed {
			err = fmt.Errorf("%s of %s fails without any mutant", m.test, m.pkg)
		}
		r.sound[key] = err
	}
	if err := r.sound[key]; err != nil {
		return false, err
	}
	// 3. Run it with the mutant.
	return r.test(ctx, m, "-overlay", overlay)
}

// pattern returns the pattern for go test of a test's name, or of several with | between them; of a subtest it has a part for
// each part of the name.
//
//	TestCorners/scans       ^(TestCorners)$/^(scans)$
func pattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^(" + p + ")$"
	}
	return strings.Join(parts, "/")
}

// test runs the test of m and reports whether it fails. The error is that it cannot be run.
func (r *runner) test(ctx context.Context, m *mutant, options ...string) (failed bool, err error) {
	// -v, so that the output says whether a test was run or skipped.
	args := append([]string{"test", "-count=1", "-failfast", "-timeout", r.limit.String(), "-run", pattern(m.test), "-v"}, options...)
	cmd := exec.CommandContext(ctx, "go", append(args, m.pkg)...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), fmt.Sprintf("C2BP_TIMES=%d", m.times))
	if m.long {
		cmd.Env = append(cmd.Env, "C2BP_LONG=1")
	}
	// A test that fails and a command that cannot run both give an error: the output tells them
	// apart.
	out, err := cmd.CombinedOutput()
	text := string(out)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	// A failure to compile is no failure of the test; nor is a name that matches none, with
	// which go test passes.
	case strings.Contains(text, "[build failed]"), strings.Contains(text, "[setup failed]"):
		return false, fmt.Errorf("it does not compile: %s", text)
	case !strings.Contains(text, "=== RUN"):
		return false, fmt.Errorf("no test of %s is called %s", m.pkg, m.test)
	case strings.Contains(text, "--- SKIP"):
		return false, fmt.Errorf("%s is skipped here", m.test)
	}
	return err != nil, nil
}
