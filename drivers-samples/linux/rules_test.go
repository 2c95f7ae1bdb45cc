package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/report"
)

// TestTable: the results are counted for each rule, and for all.
func TestTable(t *testing.T) {
	got := table([][]row{
		{{rule: "clk", status: "holds"}, {rule: "mutex", status: "does not apply"}},
		{{rule: "clk", status: "fails"}, {rule: "mutex", status: "undecided"}},
	})
	want := []string{"rule\tapplies\tholds\tfails\tundecided", "clk\t2\t1\t1\t0", "mutex\t1\t0\t0\t1", "all\t3\t1\t1\t1"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
}

// TestFailingRun: a step shows its place, its depth, and the values that are not as before.
func TestFailingRun(t *testing.T) {
	step := func(line, depth int, text, value string) report.TraceStep {
		return report.TraceStep{Procedure: "f", Place: report.Place{File: "x/lamp.c", Line: line}, Depth: depth, Text: text, Values: []report.Value{{Name: "on", Value: value}}}
	}
	got := failingRun(row{rule: "clk", detail: "left", trace: []report.TraceStep{step(1, 0, "a();", "0"), step(2, 1, "b();", "0"), step(3, 0, "c();", "1")}})
	want := "clk: left\nlamp.c:1                 a();   | on = 0\nlamp.c:2                   b();\nlamp.c:3                 c();   | on = 1\n\ninputs\n"
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

// planting is a driver with a site for each of some bugs.
const planting = `int f(void)
{
	spin_lock_irqsave(&d->lock,
			  flags);
	if (x)
		spin_unlock(&d->lock);
	clk_disable_unprepare(d->clk);
	y = mutex_lock(&d->m);
	free_irq(d->irq,
		 d);
	mutex_unlock(&d->m);
}
`

// TestSites: bugs are planted at statements, and lines keep their numbers.
func TestSites(t *testing.T) {
	want := map[string]string{
		"unlock dropped":          "\t; | \t;",
		"double unlock":           "\t\tspin_unlock(&d->lock); spin_unlock(&d->lock); | \tmutex_unlock(&d->m); mutex_unlock(&d->m);",
		"sleep under a spin lock": "\tspin_lock_irqsave(&d->lock,\n\t\t\t  flags); msleep(1);",
		"clock left on":           "\t;",
		"irq not freed":           "\t;\n",
	}
	for _, b := range bugs {
		var got []string
		for _, m := range b.site.FindAllString(planting, -1) {
			got = append(got, b.put(m))
		}
		if text := strings.Join(got, " | "); text != want[b.name] {
			t.Errorf("%s: %q, expected %q", b.name, text, want[b.name])
		}
	}
}

// TestDeadSite: an error label takes the place of a statement, and lines keep their numbers.
func TestDeadSite(t *testing.T) {
	b := bug{how: failed}
	if got, want := b.put("\tfree_irq(d->irq,\n\t\t d);"), "\t{ extern void reach_error(void); reach_error(); }\n"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
}

// TestFolder: each rule that a bug is for is in a folder that is given by default.
func TestFolder(t *testing.T) {
	s := &settings{rules: defaultRules}
	for rule, want := range map[string]string{"rcu_read_bh": "rcu-read", "gfp_atomic": "gfp-atomic", "irqs": "probe", "mutex": "mutex"} {
		if got := s.folder(rule); got != want {
			t.Errorf("%s: %s", rule, got)
		}
	}
	for _, f := range strings.Split(defaultRules, ",") {
		if _, err := os.Stat(filepath.Join("..", "..", "frontend", "slic", "library", "rules", f)); err != nil {
			t.Error(err)
		}
	}
}
