package report

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"c2bp/verdict"
)

func TestStatistics(t *testing.T) {
	s := &Statistics{
		Engine:   "symbolic (no references)",
		Counters: []verdict.Stat{{Name: "path edges", Value: 12}, {Name: "BDD nodes", Value: 40100}},
		Iterations: []Iteration{
			{Number: 1, Predicates: 2, New: 2, Abstraction: 17, Paths: 3, Nodes: 40, Steps: 120, Seconds: 0.25, Learned: []Learned{
				{Property: 0, Where: "src/lock.c:7", Result: "predicates", Conditions: 2, Predicates: 3},
				{Property: 1, Where: "lock.c:9", Result: "exactness", Conditions: 1},
				{Property: 2, Where: "lock.c:11", Result: "undecided"},
				{Property: 3, Where: "lock.c:13", Result: "fails"}, {Property: 4, Where: "lock.c:15", Result: "fails"},
			}},
			{Number: 2, Predicates: 5, New: 3, Abstraction: 170, Nodes: 4000, Steps: 130, Seconds: 1.5, Learned: []Learned{}},
			{Number: 3, Seconds: 0.5, Learned: []Learned{}, Unfinished: true},
		},
		Phases:     []Phase{{"parse", 1500 * time.Microsecond}, {"check", 2 * time.Second}},
		PeakMemory: 12_345_678,
	}
	var text, doc bytes.Buffer
	if err := errors.Join(s.Text(&text), s.JSON(&doc)); err != nil {
		t.Fatal(err)
	}
	golden(t, "stats.txt", text.Bytes())
	golden(t, "stats.json", doc.Bytes())
}

// The text form shows the first iterations and the last, the JSON form all.
func TestIterations(t *testing.T) {
	for _, c := range []struct{ n, rows int }{{1, 1}, {40, 40}, {41, 31}, {200, 31}} {
		s := &Statistics{}
		for i := range c.n {
			s.Iterations = append(s.Iterations, Iteration{Number: i + 1, Predicates: 3 * i})
		}
		var text, doc bytes.Buffer
		if err := errors.Join(s.Text(&text), s.JSON(&doc)); err != nil {
			t.Fatal(err)
		}
		rows := strings.Split(strings.TrimSpace(text.String()), "\n")[1:]
		last := strings.Fields(rows[len(rows)-1])
		if len(rows) != c.rows || last[0] != strconv.Itoa(c.n) || last[1] != strconv.Itoa(3*c.n-3) {
			t.Errorf("%d iterations: %d rows:\n%s", c.n, len(rows), text.String())
		}
		if got := strings.Contains(text.String(), fmt.Sprintf("…          %d more", c.n-30)); got != (c.n > 40) {
			t.Errorf("%d iterations:\n%s", c.n, text.String())
		}
		if got := strings.Count(doc.String(), `"number":`); got != c.n {
			t.Errorf("%d iterations: %d in JSON", c.n, got)
		}
	}
}
