package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// This file plants bugs into drivers: a change of one statement that violates a rule wherever that statement
// is executed.

// bug is a kind of bug.
type bug struct {
	name  string
	rules []string       // any of which may find it
	site  *regexp.Regexp // a statement on lines of its own
	how   change
}

// change is what becomes of a statement.
type change int

const (
	dropped change = iota
	doubled
	sleeps // a call that sleeps follows
	failed // no run may come there
)

// put returns the text in the place of a statement, with as many lines.
func (b bug) put(old string) string {
	switch b.how {
	case doubled:
		return old + " " + strings.Join(strings.Fields(old), " ")
	case sleeps:
		return old + " msleep(1);"
	case failed:
		return "\t{ extern void reach_error(void); reach_error(); }" + strings.Repeat("\n", strings.Count(old, "\n"))
	}
	return "\t;" + strings.Repeat("\n", strings.Count(old, "\n"))
}

// statement returns a pattern for calls of functions, each a statement of its own.
func statement(functions string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\t+(?:` + functions + `)\s*\([^;{}]*\);`)
}

const (
	unlocks = `(?:raw_)?spin_unlock\w*|mutex_unlock`
	locks   = `(?:raw_)?spin_lock(?:_irq|_irqsave|_bh)?`
)

// bugs are those that are planted. The lines of a driver keep their numbers.
var bugs = []bug{
	{"unlock dropped", []string{"spinlock", "mutex"}, statement(unlocks), dropped},
	{"double unlock", []string{"spinlock", "mutex"}, statement(unlocks), doubled},
	{"sleep under a spin lock", []string{"gfp_atomic"}, statement(locks), sleeps},
	{"clock left on", []string{"clk"}, statement(`clk_disable_unprepare|clk_disable|clk_unprepare`), dropped},
	{"reference kept", []string{"module_refs"}, statement(`module_put`), dropped},
	{"section left open", []string{"rcu_read", "rcu_read_bh", "rcu_read_sched"}, statement(`rcu_read_unlock\w*`), dropped},
	{"irq not freed", []string{"irqs"}, statement(`free_irq`), dropped},
	{"memory left mapped", []string{"mappings"}, statement(`iounmap`), dropped},
	{"region kept", []string{"regions"}, statement(`release_region|release_mem_region`), dropped},
}

// site is a place for a bug.
type site struct {
	driver string
	bug    bug
	rule   string
	at     [2]int // bytes of the driver's text
}

// plant puts bugs into drivers, one at a time, and decides the rule that is to find it. Standard input is the
// output of the command rules: in a driver of which a rule holds, all functions that mention its events are called.
// The first n sites are drawn by the seed, as many of each kind as there are. One that no run comes to, as c2bp proves when the rule
// holds, is dead: it does not count.
//
//	driver	rule	status	seconds	MB	why	bug
//	drivers/x/lamp.c	clk	fails	20.1	310	enabled-at-end, lamp.c:97	clock left on, line 90
func plant(ctx context.Context, s *settings) error {
	// 1. The sites, by kind.
	kinds := make([][]site, len(bugs))
	for _, line := range lines(os.Stdin) {
		f := strings.Split(line, "\t")
		if len(f) < 3 || f[2] != "holds" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(s.source, f[0]))
		if err != nil {
			return err
		}
		for i, b := range bugs {
			if !slices.Contains(b.rules, f[1]) {
				continue
			}
			for _, m := range b.site.FindAllIndex(text, -1) {
				if strings.Contains(string(text[m[0]:m[1]]), "mutex") == (f[1] == "mutex") {
					kinds[i] = append(kinds[i], site{f[0], b, f[1], [2]int{m[0], m[1]}})
				}
			}
		}
	}
	// 2. Draw them, a kind after the other; one for each driver and kind.
	rng := rand.New(rand.NewPCG(s.seed, 2))
	for _, list := range kinds {
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	var drawn []site
	for more := true; more; {
		more = false
		for i := range kinds {
			if len(kinds[i]) > 0 {
				more = true
				drawn = append(drawn, kinds[i][0])
				driver := kinds[i][0].driver
				kinds[i] = slices.DeleteFunc(kinds[i], func(x site) bool { return x.driver == driver })
			}
		}
	}
	// 3. Plant those that change what the compiler makes of the driver, and decide.
	fmt.Println("driver\trule\tstatus\tseconds\tMB\twhy\tbug")
	for done := 0; len(drawn) > 0 && done < s.n; drawn = drawn[1:] {
		x := drawn[0]
		file, line, err := s.planted(ctx, x)
		if err != nil {
			return err
		}
		if file == "" {
			continue
		}
		done++
		folder := s.folder(x.rule)
		rows, used, err := s.audit(ctx, x.driver, file, folder)
		if err != nil {
			fmt.Printf("%s\t%s\terror\t\t\t%v\t%s, line %d\n", x.driver, x.rule, err, x.bug.name, line)
			continue
		}
		for _, r := range rows {
			if r.rule == x.rule {
				if r.status == "holds" && s.isDead(ctx, x) {
					r.status = "dead"
					done--
				}
				fmt.Printf("%s\t%s, line %d\n", strings.TrimSuffix(s.lines(x.driver, fmt.Sprintf("-%d", line), []row{r}, used), "\n"), x.bug.name, line)
			}
		}
	}
	return nil
}

// isDead reports whether no run comes to site x: c2bp proves that an error label there is not reached.
func (s *settings) isDead(ctx context.Context, x site) bool {
	x.bug.how, x.rule = failed, "reached"
	file, _, err := s.planted(ctx, x)
	if err != nil || file == "" {
		return false
	}
	args := []string{"audit", "--no-run", "--jobs", "1", "--timeout", (s.timeout + 2*time.Minute).String(), "--memory", "4G", "--format", "json", file}
	return s.call(ctx, append(args, s.reading(x.driver)...)...).code == 0
}

// folder returns the name of the folder of a rule.
func (s *settings) folder(rule string) string {
	for _, f := range strings.Split(s.rules, ",") {
		name := strings.ReplaceAll(f, "-", "_")
		if rule == name || name == "rcu_read" && strings.HasPrefix(rule, name) {
			return f
		}
	}
	return "probe"
}

// planted writes the driver with the bug at site x, and returns the name of the file and the line. There is no
// file if the compiler rejects it, or makes the same of it: then the statement is never executed.
func (s *settings) planted(ctx context.Context, x site) (file string, line int, err error) {
	text, err := os.ReadFile(filepath.Join(s.source, x.driver))
	if err != nil {
		return "", 0, err
	}
	// 1. The text with the bug.
	broken := string(text[:x.at[0]]) + x.bug.put(string(text[x.at[0]:x.at[1]])) + string(text[x.at[1]:])
	line = 1 + strings.Count(string(text[:x.at[0]]), "\n")
	// 2. The name of the file is that of the driver: a directory for each site.
	dir := filepath.Join(s.work, "planted", fmt.Sprintf("%s-%d-%s", strings.ReplaceAll(x.driver, "/", "_"), line, x.rule))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", 0, err
	}
	file = filepath.Join(dir, filepath.Base(x.driver))
	if err := os.WriteFile(file, []byte(broken), 0o666); err != nil {
		return "", 0, err
	}
	// 3. Compare the code.
	whole, err := s.code(ctx, x.driver, filepath.Join(s.source, x.driver))
	if err != nil {
		return "", 0, err
	}
	if code, err := s.code(ctx, x.driver, file); err != nil || code == whole {
		return "", 0, nil
	}
	return file, line, nil
}

// code returns the assembly that gcc produces for a driver, whose text is in file.
func (s *settings) code(ctx context.Context, driver, file string) (string, error) {
	out, err := s.compiler(ctx, driver, file, "-w", "-g0", "-S", "-o", "-").Output()
	if err != nil {
		return "", err
	}
	// The name of the file is part of the code.
	return strings.ReplaceAll(string(out), file, driver), nil
}
