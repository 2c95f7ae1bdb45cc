package frontend

import (
	"fmt"
	"sort"
	"strings"
	"testing"
)

// This file makes the table of a survey.

// tally counts one class of messages.
type tally struct {
	class   string
	count   int    // of messages
	files   int    // with one
	example string // a file with one
}

// tallies counts the classes that each result has; the most frequent first.
func tallies(results []surveyResult, classes func(*surveyResult) map[string]int) (list []*tally) {
	byClass := map[string]*tally{}
	for i := range results {
		o := &results[i]
		found := classes(o)
		for _, class := range sortedKeys(found) {
			t := byClass[class]
			if t == nil {
				t = &tally{class: class, example: o.Name}
				byClass[class] = t
				list = append(list, t)
			}
			t.count += found[class]
			t.files++
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.count != b.count {
			return a.count > b.count
		}
		return a.class < b.class
	})
	return list
}

func rejection(o *surveyResult) map[string]int {
	if o.Error == "" {
		return nil
	}
	return map[string]int{o.Error: 1}
}

// tabulate is the report on results. What gcc rejects does not count.
func tabulate(all []surveyResult) string {
	var b strings.Builder
	var results []surveyResult
	for _, o := range all {
		if !o.NotC {
			results = append(results, o)
		}
	}
	var accepted, lines, read, nodes int
	var seconds float64
	var largest, slowest surveyResult
	for _, o := range results {
		lines += o.Lines
		read += o.Read
		seconds += o.Seconds
		nodes += o.Nodes
		if o.Error == "" {
			accepted++
		}
		if o.Peak > largest.Peak {
			largest = o
		}
		if o.Seconds > slowest.Seconds {
			slowest = o
		}
	}
	fmt.Fprintf(&b, "accepted %d of %d files (%.2f %%)\n", accepted, len(results), 100*float64(accepted)/float64(max(len(results), 1)))
	if n := len(all) - len(results); n > 0 {
		fmt.Fprintf(&b, "and gcc rejects %d others\n", n)
	}
	fmt.Fprintf(&b, "%d lines, %d with what they include; %d core nodes\n", lines, read, nodes)
	fmt.Fprintf(&b, "%.1f s of processor time, %.0f lines/s, %.0f lines/s with what they include\n", seconds, float64(lines)/seconds, float64(read)/seconds)
	fmt.Fprintf(&b, "peak memory %d MiB (%s), longest %.1f s (%s)\n", largest.Peak/1024, largest.Name, slowest.Seconds, slowest.Name)
	b.WriteString("\nrejected, by the first error\n")
	for _, t := range tallies(results, rejection) {
		fmt.Fprintf(&b, "%6d  %s  (%s)\n", t.count, t.class, t.example)
	}
	b.WriteString("\nover-approximated: places, files\n")
	for _, t := range tallies(results, func(o *surveyResult) map[string]int { return o.Havocs }) {
		fmt.Fprintf(&b, "%6d %5d  %s  (%s)\n", t.count, t.files, t.class, t.example)
	}
	b.WriteString("\nevery rejection\n")
	for _, o := range results {
		if o.Error != "" {
			fmt.Fprintf(&b, "%s\n\t%s\n", o.Name, strings.ReplaceAll(strings.TrimSpace(o.Message), "\n", "\n\t"))
		}
	}
	return b.String()
}

// TestTabulate: everything is counted, in an order of its own.
func TestTabulate(t *testing.T) {
	results := []surveyResult{
		{Name: "a.c", Lines: 10, Read: 20, Seconds: 1, Peak: 2048, Havocs: map[string]int{"note: x": 2, "note: y": 1}},
		{Name: "b.c", Lines: 20, Read: 20, Seconds: 2, Error: "unexpected …", Message: "b.c:1:1: error: unexpected x\n  x\n  ^\n"},
		{Name: "d.c", NotC: true},
		{Name: "c.c", Lines: 30, Read: 30, Seconds: 1, Nodes: 7, Havocs: map[string]int{"note: y": 1}},
	}
	const want = `accepted 2 of 3 files (66.67 %)
and gcc rejects 1 others
60 lines, 70 with what they include; 7 core nodes
4.0 s of processor time, 15 lines/s, 18 lines/s with what they include
peak memory 2 MiB (a.c), longest 2.0 s (b.c)

rejected, by the first error
     1  unexpected …  (b.c)

over-approximated: places, files
     2     1  note: x  (a.c)
     2     2  note: y  (a.c)

every rejection
b.c
	b.c:1:1: error: unexpected x
	  x
	  ^
`
	if got := tabulate(results); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
