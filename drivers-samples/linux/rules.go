package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"c2bp/report"
)

// This file decides the rules for drivers.

// row is the result for one rule of a driver.
type row struct {
	rule, status string
	detail       string // of a failure the key and the place, of an undecided rule the reason
	seconds      float64
	trace        []report.TraceStep // of a failure
	inputs       []report.Input
}

// audit decides the rules for a driver, whose text is in a file. The error says why there is no result.
func (s *settings) audit(ctx context.Context, driver, file, rules string) (rows []row, used called, err error) {
	// 1. Each rule has its time; the limit for all stops an audit that does not keep to that.
	all := time.Duration(3+strings.Count(rules, ","))*s.timeout + 2*time.Minute
	args := []string{
		"audit", "--no-run", "--jobs", "1", "--rule", rules, "--rule-timeout", s.timeout.String(), "--timeout", all.String(),
		"--memory", "4G", "--format", "json", "--stats=json", file,
	}
	used = s.call(ctx, append(args, s.reading(driver)...)...)
	var doc report.Document
	if json.Unmarshal([]byte(used.out), &doc) != nil {
		return nil, used, fmt.Errorf("exit code %d: %s", used.code, firstError(used.err))
	}
	// 2. The times of the rules are on standard error, after the messages.
	var stats struct {
		Phases []struct {
			Name    string
			Seconds float64
		}
	}
	if at := strings.LastIndex(used.err, "\n{"); at >= 0 {
		_ = json.Unmarshal([]byte(used.err[at:]), &stats) // else there are no times
	}
	// 3. A row for each rule.
	for i, p := range doc.Properties {
		r := row{rule: p.Name, status: p.Status, detail: cmp.Or(p.Reason, doc.Reason)}
		for _, phase := range stats.Phases {
			if phase.Name == "rule "+p.Name {
				r.seconds = phase.Seconds
			}
		}
		switch p.Status {
		case "fails":
			r.detail = fmt.Sprintf("%s, %s:%d", p.Key, filepath.Base(p.File), p.Line)
			if doc.Failed != nil && *doc.Failed == i {
				r.trace, r.inputs = doc.Trace, doc.Inputs
			}
			for _, f := range doc.Further {
				if f.Property == i {
					r.trace, r.inputs = f.Trace, f.Inputs
				}
			}
		case "undecided":
		default:
			r.detail = ""
		}
		rows = append(rows, r)
	}
	return rows, used, nil
}

// rules decides the rules for the drivers on standard input. Rules that do not apply to a driver have no line.
//
//	driver	rule	status	seconds	MB	why
//	drivers/x/lamp.c	spinlock	holds	12.4	310
//	drivers/x/lamp.c	clk	fails	20.1	310	enabled-at-end, lamp.c:97
//	# rule	applies	holds	fails	undecided
//	# spinlock	1	1	0	0
func rules(ctx context.Context, s *settings) error {
	list := drivers()
	list = list[:min(len(list), s.n)]
	counts := make([][]row, len(list))
	fmt.Println("driver\trule\tstatus\tseconds\tMB\twhy")
	s.each(len(list), func(i int) string {
		rows, used, err := s.audit(ctx, list[i], filepath.Join(s.source, list[i]), s.rules)
		if err != nil {
			return list[i] + "\t\terror\t\t\t" + err.Error()
		}
		counts[i] = rows
		return s.lines(list[i], "", rows, used)
	})
	for _, line := range table(counts) {
		fmt.Println("# " + line)
	}
	return nil
}

// lines returns a line for each rule that applies to a driver, and writes the failing runs: to a file with at in its name, where
// several are of one rule.
func (s *settings) lines(driver, at string, rows []row, used called) string {
	var b strings.Builder
	for _, r := range rows {
		if r.status == "does not apply" {
			continue
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%.1f\t%d\t%s\n", driver, r.rule, r.status, r.seconds, used.megabyte, r.detail)
		if r.status == "fails" && s.traces != "" {
			name := strings.ReplaceAll(strings.TrimSuffix(driver, ".c"), "/", "_") + at + "." + r.rule + ".txt"
			if err := os.WriteFile(filepath.Join(s.traces, name), []byte(failingRun(r)), 0o666); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
	if b.Len() == 0 {
		fmt.Fprintf(&b, "%s\t\tnone applies\t%.1f\t%d\t\n", driver, used.seconds, used.megabyte)
	}
	return b.String()
}

// failingRun returns a failing run for people to read: its statements with the places, and the changes before each.
//
//	lamp.c:31        lamp_on(&l);
//	lamp.c:20          if (l->on)   | l->on = 0
func failingRun(r row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.rule, r.detail)
	last := map[string]string{}
	for _, t := range r.trace {
		// The values that are not as in the step before.
		var changed []string
		for _, v := range t.Values {
			if key := t.Procedure + " " + v.Name; last[key] != v.Value {
				last[key] = v.Value
				changed = append(changed, v.Name+" = "+v.Value)
			}
		}
		text := t.Text
		if t.Origin != "" {
			text += "  [" + t.Origin + "]"
		}
		if len(changed) > 0 {
			text += "   | " + strings.Join(changed, ", ")
		}
		fmt.Fprintf(&b, "%-24s %s%s\n", fmt.Sprintf("%s:%d", filepath.Base(t.File), t.Line), strings.Repeat("  ", t.Depth), text)
	}
	b.WriteString("\ninputs\n")
	for _, in := range r.inputs {
		fmt.Fprintf(&b, "%-24s %s%s = %s\n", fmt.Sprintf("%s:%d", filepath.Base(in.File), in.Line), in.Function, in.Memory, in.Value)
	}
	return b.String()
}

// table returns the lines of a table that counts the results for each rule.
func table(drivers [][]row) []string {
	var names []string
	counts := map[string]int{}
	for _, rows := range drivers {
		for _, r := range rows {
			if !slices.Contains(names, r.rule) {
				names = append(names, r.rule)
			}
			counts[r.rule+" "+r.status]++
			counts["all "+r.status]++
		}
	}
	list := []string{"rule\tapplies\tholds\tfails\tundecided"}
	for _, n := range append(names, "all") {
		holds, fails, undecided := counts[n+" holds"], counts[n+" fails"], counts[n+" undecided"]
		list = append(list, fmt.Sprintf("%s\t%d\t%d\t%d\t%d", n, holds+fails+undecided, holds, fails, undecided))
	}
	return list
}
