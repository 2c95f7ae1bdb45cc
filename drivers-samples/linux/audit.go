package main

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file runs c2bp on drivers.

//go:embed locks.rule.h
var rule string

// held is the check of the rule after each call of an entry.
const held = "c2bp_entry_returns();"

var (
	verdictLine = regexp.MustCompile(`(?m)^Verification result: (.*)$`)
	lockCall    = regexp.MustCompile(`\b(spin_lock|spin_lock_irq|spin_lock_irqsave|spin_lock_bh|mutex_lock|mutex_lock_interruptible|mutex_trylock|raw_spin_lock\w*)\s*\(`)
	release     = regexp.MustCompile(`(?m)^\t.*\b(?:raw_)?(?:spin_unlock\w*|mutex_unlock)\s*\([^;]*;`)
)

// accept prints for each driver whether c2bp reads it, and how many places are arbitrary.
//
//	driver	accepted	seconds	MB	arbitrary places	why not
//	drivers/x/lamp.c	yes	1.2	96	14
func accept(ctx context.Context, s *settings) error {
	list := drivers()
	fmt.Println("driver\taccepted\tseconds\tMB\tarbitrary places\twhy not")
	each(len(list), func(i int) string {
		text, err := os.ReadFile(filepath.Join(s.source, list[i]))
		if err != nil {
			return list[i] + "\t" + err.Error()
		}
		main, _, err := s.withHarness(ctx, list[i], filepath.Join(s.source, list[i]), string(text), "", "")
		if err != nil {
			return list[i] + "\t" + err.Error()
		}
		// The core program is printed if the front end accepts every function.
		whole := s.call(ctx, "--dump", "core", "--whole", main)
		if whole.code != 0 {
			first, _, _ := strings.Cut(whole.err[max(0, strings.Index(whole.err, "error: ")):], "\n")
			return fmt.Sprintf("%s\tno\t%.1f\t%d\t\t%s", list[i], whole.seconds, whole.megabyte, first)
		}
		arbitrary := strings.Count(s.call(ctx, "--explain-unsupported", main).out, "arbitrary")
		return fmt.Sprintf("%s\tyes\t%.1f\t%d\t%d\t", list[i], whole.seconds, whole.megabyte, arbitrary)
	})
	return nil
}

// withHarness writes the driver in a file, whose text is given, after preprocessing, with a rule
// and a harness. Entries that gcc does not allow main to call are left out; list has the others.
func (s *settings) withHarness(ctx context.Context, driver, in, text, rule, check string) (file string, list []function, err error) {
	p := plain(text)
	list = entries(p, functionsOf(p))
	var incomplete []string
	// Write the harness; as long as gcc rejects it, drop the calls and complete the types that it
	// names.
	for {
		text := harness(p, list, check, incomplete)
		more := "\n# 1 \"harness.c\"\n" + rule + text
		if file, err = s.preprocessed(ctx, driver, in, more); err != nil {
			return "", nil, err
		}
		out, err := s.compiler(ctx, driver, file, "-fpreprocessed", "-fsyntax-only", "-w").CombinedOutput()
		if err == nil {
			return file, list, nil
		}
		// Something must change in each round.
		n := len(list) + len(incomplete)
		incomplete = append(incomplete, unknownTypes(string(out), text)...)
		list = slices.DeleteFunc(list, func(f function) bool { return wrongCall(string(out), f.name) })
		if n == len(list)+len(incomplete) {
			return "", nil, fmt.Errorf("the harness is not accepted: %.200s", out)
		}
	}
}

// wrongCall reports whether gcc found an error in a call of the function name, or in a type of its
// arguments.
func wrongCall(errors, name string) bool {
	return regexp.MustCompile(`harness\.c.*error:[^\n]*\n[^\n]*\b` + name + `\b`).MatchString(errors)
}

var unknownSize = regexp.MustCompile(`storage size of .(c2bp_object\d+). isn`)

// unknownTypes returns the types of objects in a harness that gcc reports as incomplete.
func unknownTypes(errors, harness string) (list []string) {
	for _, m := range unknownSize.FindAllStringSubmatch(errors, -1) {
		// The declaration of the object in the harness has the type.
		if d := regexp.MustCompile(`static (.*) ` + m[1] + `;`).FindStringSubmatch(harness); d != nil && !slices.Contains(list, d[1]) {
			list = append(list, d[1])
		}
	}
	return list
}

// locking returns the drivers on standard input that take a lock, in an order drawn by the seed.
func (s *settings) locking() (list []string) {
	for _, d := range drivers() {
		if text, err := os.ReadFile(filepath.Join(s.source, d)); err == nil && lockCall.MatchString(plain(string(text))) {
			list = append(list, d)
		}
	}
	rng := rand.New(rand.NewPCG(s.seed, 1))
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// locks audits drivers with the rule for locks.
//
//	driver	verdict	lock sites	reached	seconds	MB
//	drivers/x/lamp.c	TRUE	6	5	12.4	310
func locks(ctx context.Context, s *settings) error {
	list := s.locking()
	if len(list) > s.n {
		list = list[:s.n]
	}
	fmt.Println("driver\tverdict\tlock sites\treached\tseconds\tMB")
	each(len(list), func(i int) string {
		text, err := os.ReadFile(filepath.Join(s.source, list[i]))
		if err != nil {
			return list[i] + "\t" + err.Error()
		}
		return s.audit(ctx, list[i], filepath.Join(s.source, list[i]), string(text))
	})
	return nil
}

// audit returns the line for one driver in a file, whose text is given.
// The rule is checked after each call of an entry; nothing is compiled or run.
func (s *settings) audit(ctx context.Context, driver, in, text string) string {
	file, entries, err := s.withHarness(ctx, driver, in, text, rule, held)
	if err != nil {
		return driver + "\t" + err.Error()
	}
	// How many of the lock sites the entries reach tells how much a TRUE says.
	// Count the lock sites, and those in functions that the entries reach.
	functions := functionsOf(plain(text))
	names := reached(entries, functions)
	sites, called := 0, 0
	for _, f := range functions {
		n := len(lockCall.FindAllString(f.body, -1))
		sites += n
		if names[f.name] {
			called += n
		}
	}
	r := s.call(ctx, "audit", "--no-run", "--assume", "callbacks=later", "--timeout", s.timeout.String(), "--memory", "4G", file)
	verdict := fmt.Sprintf("exit code %d", r.code)
	if m := verdictLine.FindStringSubmatch(r.out); m != nil {
		verdict = m[1]
	}
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%.1f\t%d", driver, verdict, sites, called, r.seconds, r.megabyte)
}

// planted writes a driver, whose text is given, with one release of a lock removed into file, and
// returns the new text. The release is drawn by rng from those that are not dead code in the driver
// with its harness: without a dead one the compiler produces the same code. It returns the line,
// too, 0 if there is none.
func (s *settings) planted(ctx context.Context, driver, file, text string, rng *rand.Rand) (broken string, line int, err error) {
	whole, err := s.code(ctx, driver, file, text)
	if err != nil {
		return "", 0, err
	}
	for at := release.FindAllStringIndex(text, -1); len(at) > 0; {
		i := rng.IntN(len(at))
		m := at[i]
		// The line stays, so that lines of the report are those of the driver.
		broken = text[:m[0]] + "\t;" + text[m[1]:]
		// The same code means that the release was dead.
		if code, err := s.code(ctx, driver, file, broken); err != nil || code != whole {
			return broken, 1 + strings.Count(text[:m[0]], "\n"), err
		}
		at = slices.Delete(at, i, i+1)
	}
	return "", 0, nil
}

// code returns the assembly that gcc produces for a driver with its harness, after writing the text
// to file.
func (s *settings) code(ctx context.Context, driver, file, text string) (string, error) {
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return "", err
	}
	in, _, err := s.withHarness(ctx, driver, file, text, rule, held)
	if err != nil {
		return "", err
	}
	out, err := s.compiler(ctx, driver, in, "-fpreprocessed", "-w", "-g0", "-S", "-o", "-").Output()
	return string(out), err
}

// plant audits drivers from which one release of a lock is removed: the first ones that are safe
// with it.
func plant(ctx context.Context, s *settings) error {
	list := s.locking()
	fmt.Println("driver\tverdict\tlock sites\treached\tseconds\tMB\ttaken out")
	for first, done := 0, 0; done < s.n && first < len(list); {
		// 1. Audit as many drivers as are missing.
		some := list[first:min(first+s.n-done, len(list))]
		texts := make([]string, len(some)) // of those that keep the rule
		for i := range some {
			text, err := os.ReadFile(filepath.Join(s.source, some[i]))
			if err != nil {
				return err
			}
			texts[i] = string(text)
		}
		intact := make([]bool, len(some))
		each(len(some), func(i int) string {
			line := s.audit(ctx, some[i], filepath.Join(s.source, some[i]), texts[i])
			intact[i] = strings.HasPrefix(line, some[i]+"\tTRUE\t")
			return ""
		})
		// 2. Drop those that are not TRUE.
		for i, d := range some {
			if !intact[i] {
				fmt.Fprintf(os.Stderr, "%s: not TRUE as it is\n", d)
			}
		}
		var keep []int
		for i := range some {
			if intact[i] {
				keep = append(keep, i)
			}
		}
		done += len(keep)
		// 3. Remove a release from the others, and audit again.
		each(len(keep), func(k int) string {
			i := keep[k]
			planted := filepath.Join(s.work, strings.ReplaceAll(some[i], "/", "_"))
			broken, line, err := s.planted(ctx, some[i], planted, texts[i], rand.New(rand.NewPCG(s.seed, uint64(first+i))))
			switch {
			case err != nil:
				return some[i] + "\t" + err.Error()
			case line == 0:
				return some[i] + "\tno release of a lock that is compiled"
			}
			return s.audit(ctx, some[i], planted, broken) + fmt.Sprintf("\tline %d", line)
		})
		first += len(some)
	}
	return nil
}
