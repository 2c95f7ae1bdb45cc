package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/library"
	"c2bp/internal/testkit"
	"c2bp/refine/rules"
	"c2bp/verdict"
)

// This file decides rules of the library for the drivers of Windows in wdm.

// planted is a line of wdm/rows: a driver, with a defect or without, and the row of a rule that is true of it.
type planted struct {
	driver, defect, rule, row string
	ordinary                  bool // an ordinary test looks at it
}

// plantedDefects reads wdm/rows.
func plantedDefects(t *testing.T) (list []planted) {
	t.Helper()
	text, err := os.ReadFile("wdm/rows")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		rest, ordinary := strings.CutPrefix(strings.TrimSpace(line), "+ ")
		words := strings.Fields(rest)
		if len(words) != 4 {
			t.Fatalf("wdm/rows: %q; expected a driver, a defect, a rule and a row", line)
		}
		list = append(list, planted{words[0], words[1], words[2], words[3], ordinary})
	}
	return list
}

// decide decides the rule for the driver with its harness, and returns the row.
func (p planted) decide(t *testing.T, l *library.Library) (row string, r *verdict.Result) {
	t.Helper()
	// 1. The driver, with a harness of one device.
	name := filepath.Join("wdm", p.driver, p.driver+".c")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	fo := frontend.Options{}
	if p.defect != "-" {
		fo.Defines = []string{"BUG_" + p.defect}
	}
	// 2. The rule.
	set, err := l.Rule(p.rule)
	if err != nil {
		t.Fatal(err)
	}
	r = auditDriver(t, name, string(text), fo, harness.Options{OneDevice: true}, rules.Options{}, set)
	switch s := r.Sites[0]; {
	case s.Failed:
		return s.Key, r
	case s.Open:
		return "undecided", r
	case s.Absent:
		return "absent", r
	}
	return "holds", r
}

// TestWindowsDrivers: each rule has the row that is true of the driver; one that nothing decides yet says so.
func TestWindowsDrivers(t *testing.T) {
	l := library.Builtin()
	for _, p := range plantedDefects(t) {
		// To find out that nothing decides a row takes long.
		if !testkit.Long() && !p.ordinary || p.row == "undecided" {
			continue
		}
		t.Run(strings.Join([]string{p.driver, p.defect, p.rule}, "/"), func(t *testing.T) {
			if row, r := p.decide(t, l); row != p.row {
				t.Errorf("%s, want %s: %s", row, p.row, r.Summary())
			}
		})
	}
}

// TestPlantedDefects: each defect in the drivers stands in wdm/rows, with a rule, and each line has a driver
// with that defect.
func TestPlantedDefects(t *testing.T) {
	macro := regexp.MustCompile(`\bBUG_(\w+)`)
	listed := map[string]bool{}
	for _, p := range plantedDefects(t) {
		listed[p.driver+" "+p.defect] = true
	}
	found := map[string]bool{}
	drivers, err := filepath.Glob("wdm/*/*.c")
	if err != nil || len(drivers) == 0 {
		t.Fatal("no drivers", err)
	}
	for _, name := range drivers {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		driver := strings.TrimSuffix(filepath.Base(name), ".c")
		found[driver+" -"] = true
		for _, m := range macro.FindAllStringSubmatch(string(text), -1) {
			found[driver+" "+m[1]] = true
		}
	}
	if a, b := fmt.Sprint(listed), fmt.Sprint(found); a != b {
		t.Errorf("wdm/rows has\n%s\nthe drivers have\n%s", a, b)
	}
}
