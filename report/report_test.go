package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

var update = testkit.Update

func at(line int) source.Pos { return source.Pos{File: "lock.c", Line: line, Col: 5} }

func vals(pairs ...string) []verdict.Value {
	var out []verdict.Value
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, verdict.Value{Name: pairs[i], Val: pairs[i+1]})
	}
	return out
}

// heap is a list of objects: the name, the field {done & !x} and the field next of each.
func heap(list ...string) []verdict.Object {
	var out []verdict.Object
	for i := 0; i < len(list); i += 3 {
		out = append(out, verdict.Object{Name: list[i], Class: "Request", Fields: vals("{done & !x}", list[i+1], "next", list[i+2])})
	}
	return out
}

// results are one of each shape that a check can give.
var results = map[string]*verdict.Result{
	"true": {
		Verdict: verdict.True,
		Sites:   []verdict.Site{{Kind: verdict.Assertion, Proc: "main", Node: "main:4", Pos: at(23), Text: "assert(locked == 0);"}},
		Stats:   []verdict.Stat{{Name: "path edges", Value: 12}},
	},
	"ledger": {
		Verdict: verdict.True,
		Sites: []verdict.Site{
			{Kind: verdict.Assertion, Proc: "main", Node: "main:4", Pos: at(23)},
			{Kind: verdict.Label, Name: "ERROR", Proc: "acquire", Node: "acquire:7", Pos: at(9)},
		},
		Ledger: []string{"integers: signed overflow does not occur", "asm at lock.c:12\nhavocked"},
	},
	"false": {
		Verdict: verdict.False,
		Sites: []verdict.Site{
			{Kind: verdict.Label, Name: "ERROR", Proc: "acquire", Node: "acquire:7", Pos: at(9)},
			{Kind: verdict.Assertion, Proc: "main", Node: "main:4", Pos: at(23), Text: "assert(locked == 0 && n < 1);", Failed: true},
		},
		Failed: 1,
		Trace: &verdict.Trace{Steps: []verdict.Step{
			{Node: "main:0", Proc: "main", Pos: at(3), Stmt: "skip"},
			{Node: "main:1", Proc: "main", Pos: at(21), Text: "n = 0;", Stmt: "{n == 0} := 1;", Values: vals("{locked == 1}", "*", "{n == 0}", "*")},
			{Node: "main:2", Proc: "main", Pos: at(22), Text: "log();", Stmt: "log();", Origin: "call", Collapsed: true, Values: vals("{locked == 1}", "*", "{n == 0}", "1")},
			{Node: "main:3", Proc: "main", Pos: at(22), Text: "acquire();", Stmt: "prm1 := {n == 0}", Values: vals("{locked == 1}", "0", "{n == 0}", "1", "prm1", "*")},
			{Node: "main:3", Proc: "main", Pos: at(22), Text: "acquire();", Stmt: "acquire(prm1);", Origin: "call", Values: vals("{locked == 1}", "0", "{n == 0}", "1", "prm1", "1")},
			{Node: "acquire:0", Proc: "acquire", Depth: 1, Pos: at(8), Text: "locked == 1", Stmt: "assume(!{locked == 1});", Origin: "branch-false", Values: vals("{locked == 1}", "0", "{m == 2}", "*")},
			{Node: "acquire:2", Proc: "acquire", Depth: 1, Pos: at(10), Text: "locked\t= 1;", Stmt: "{locked == 1} := 1;", Values: vals("{locked == 1}", "0", "{m == 2}", "*")},
			{Node: "acquire:5", Proc: "acquire", Depth: 1, Pos: at(11), Text: "}", Stmt: "return;", Origin: "return", Values: vals("{locked == 1}", "1", "{m == 2}", "*")},
			{Node: "main:3", Proc: "main", Pos: at(22), Text: "acquire();", Stmt: "{n == 0} := *", Origin: "return", Values: vals("{locked == 1}", "1", "{n == 0}", "1", "prm1", "1")},
			{Node: "main:4", Proc: "main", Pos: at(23), Text: "assert(locked == 0);", Stmt: "if (*)", Values: vals("{locked == 1}", "1", "{n == 0}", "*")},
			{Node: "main:4", Proc: "main", Pos: at(23), Text: "assert(locked == 0);", Stmt: "assume({locked == 1});", Values: vals("{locked == 1}", "1", "{n == 0}", "*")},
			{Node: "main:4", Proc: "main", Pos: at(23), Text: "assert(locked == 0);", Stmt: "assert(0);", Origin: "assert", Values: vals("{locked == 1}", "1", "{n == 0}", "*")},
		}},
		Stats: []verdict.Stat{{Name: "path edges", Value: 12}, {Name: "BDD nodes", Value: 40}},
	},
	// No annotations: the places are those of the Boolean program. A loop over one
	// statement shows every round, and a recursive call starts a frame of its own.
	"plain": {
		Verdict: verdict.False,
		Sites:   []verdict.Site{{Kind: verdict.Label, Name: "R", Proc: "f", Pos: source.Pos{File: "r.bp", Line: 7, Col: 3}, Failed: true}},
		Trace: &verdict.Trace{Steps: []verdict.Step{
			{Proc: "main", Pos: source.Pos{File: "r.bp", Line: 3}, Stmt: "f(1);", Values: vals("g", "1")},
			{Proc: "f", Depth: 1, Pos: source.Pos{File: "r.bp", Line: 6}, Stmt: "f(!a);", Values: vals("g", "1", "a", "1")},
			{Proc: "f", Depth: 2, Pos: source.Pos{File: "r.bp", Line: 5}, Stmt: "skip;", Values: vals("g", "1", "a", "0")},
			{Proc: "f", Depth: 2, Pos: source.Pos{File: "r.bp", Line: 5}, Stmt: "skip;", Values: vals("g", "1", "a", "0")},
			{Proc: "f", Depth: 2, Pos: source.Pos{File: "r.bp", Line: 7}, Stmt: "skip;", Values: vals("g", "1", "a", "0")},
		}},
	},
	"wide": {
		Verdict: verdict.False,
		Sites:   []verdict.Site{{Kind: verdict.Assertion, Proc: "main", Failed: true}},
		Trace: &verdict.Trace{Steps: []verdict.Step{
			{Proc: "main", Stmt: "assert(0);", Values: vals(
				"{device->state == DEVICE_STARTED}", "1", "{device->pending == 'device->pending + 1}", "0",
				"{irp->status == 259}", "1", "{ö == 1}", "0", "x", "*")},
		}},
	},
	"unknown": {
		Verdict: verdict.Unknown,
		Reason:  "time limit of 2s",
		Sites: []verdict.Site{
			{Kind: verdict.Assertion, Proc: "main", Pos: at(23), Open: true},
			{Kind: verdict.Assertion, Proc: "main", Pos: at(24), Open: true, Reason: "a failing run could not be replayed: an odd address"},
			{Kind: verdict.Assertion, Proc: "main", Pos: at(25)},
		},
		Ledger: []string{"integers: signed overflow does not occur"},
	},
	// Objects: those that a variable leads to are shown by what changed of them, also when
	// no variable in scope leads there any more, and again in the frame of another call.
	"heap": {
		Verdict: verdict.False,
		Sites: []verdict.Site{
			{Kind: verdict.Dereference, Proc: "put", Node: "put:1", Pos: at(9), Text: "r.next := queue"},
			{Kind: verdict.Dereference, Proc: "main", Node: "main:3", Pos: at(21), Text: "queue.done := 1", Failed: true},
		},
		Failed: 1,
		Trace: &verdict.Trace{Steps: []verdict.Step{
			{Proc: "main", Pos: at(18), Stmt: "put();", Values: vals("queue", "null", "{n < 1}", "*")},
			{Proc: "put", Depth: 1, Pos: at(8), Stmt: "r := new Request;", Values: vals("queue", "null", "{n < 1}", "*", "r", "null")},
			{Proc: "put", Depth: 1, Pos: at(9), Stmt: "r.next := queue;", Values: vals("queue", "null", "{n < 1}", "*", "r", "A0"), Heap: heap("A0", "0", "null")},
			{Proc: "put", Depth: 1, Pos: at(10), Stmt: "queue := r;", Values: vals("queue", "null", "{n < 1}", "*", "r", "A0"), Heap: heap("A0", "0", "null")},
			{Proc: "main", Pos: at(19), Stmt: "put();", Collapsed: true, Values: vals("queue", "A0", "{n < 1}", "*"), Heap: heap("A0", "0", "null")},
			{Proc: "main", Pos: at(20), Stmt: "queue := null;", Values: vals("queue", "A1", "{n < 1}", "*"), Heap: heap("A1", "*", "A0", "A0", "0", "null")},
			{Proc: "main", Pos: at(21), Stmt: "queue.done := 1;", Values: vals("queue", "null", "{n < 1}", "*")},
		}},
	},
	"several": several,
	"driver":  {Verdict: verdict.True, Sites: []verdict.Site{{Kind: verdict.Assertion, Proc: "main", Node: "main:1", Pos: at(21)}}, Ledger: longLedger()},
	"vacuous": {Verdict: verdict.Unknown, Reason: "vacuous: no assertion or error label"},
}

// longLedger returns a ledger as a driver has it.
func longLedger() (list []string) {
	list = []string{"harness: two devices", "integers: signed overflow is absent"}
	for i := range 9 {
		list = append(list, fmt.Sprintf("harness: op%d may be called before it is registered", i), fmt.Sprintf("extern f%d: its result is arbitrary", i))
	}
	for i := range 7 {
		list = append(list, fmt.Sprintf("calls of probe: a%d != 0", i))
	}
	return append(list, "compiler flag -fwrapv: signed overflow wraps around", "extern g: its result is arbitrary")
}

// several is a result with more than one failing property.
var several = &verdict.Result{
	Verdict: verdict.False,
	Predicates: []verdict.Predicate{
		{Text: "locked != 0", Iteration: 2, Node: "take:0", Pos: at(7), Condition: "!locked", Rule: "carried back"},
		{Proc: "main", Text: "n == 'n"},
	},
	Sites: []verdict.Site{
		{Kind: verdict.Assertion, Proc: "main", Node: "main:1", Pos: at(21), Failed: true},
		{Kind: verdict.Assertion, Proc: "main", Node: "main:2", Pos: at(22)},
		{Kind: verdict.Assertion, Proc: "main", Node: "main:3", Pos: at(23), Failed: true},
		{Kind: verdict.Label, Name: "ERROR", Proc: "main", Node: "main:4", Pos: at(24), Failed: true},
		{Kind: verdict.Assertion, Proc: "main", Node: "main:5", Pos: at(25), Open: true, Reason: "no predicates were found"},
	},
	Failed: 2,
	Trace:  shortTrace("main:3", 23),
	Failures: []verdict.Failure{
		{Site: 2, Trace: shortTrace("main:3", 23), Compiled: "reproduced by the compiled program",
			Inputs:  []verdict.Input{{Func: "__VERIFIER_nondet_int", Value: "42", Pos: at(19)}, {Func: "read", Pos: at(20)}},
			RestsOn: []verdict.Choice{{Kind: verdict.NullChoice, Text: "find() returns null", Pos: at(18)}, {Kind: verdict.NegativeChoice, Text: "read() returns a negative number", Pos: at(20)}}},
		{Site: 0, Trace: shortTrace("main:1", 21), Harness: "h-2.c", Inputs: []verdict.Input{{Func: "__VERIFIER_nondet_int", Value: "-1", Pos: at(19)}}},
		{Site: 3, Trace: shortTrace("main:4", 24)},
	},
	Ledger: []string{"integers: signed overflow does not occur"},
}

func shortTrace(node string, line int) *verdict.Trace {
	return &verdict.Trace{Steps: []verdict.Step{{Node: node, Proc: "main", Pos: at(line), Text: "assert(n);"}}}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", file, got)
	}
}

func TestGolden(t *testing.T) {
	for name, r := range results {
		t.Run(name, func(t *testing.T) {
			var text, doc bytes.Buffer
			if err := Text(&text, r); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".txt", text.Bytes())
			if err := JSON(&doc, r); err != nil {
				t.Fatal(err)
			}
			golden(t, name+".json", doc.Bytes())
		})
	}
}

// A drawing of a run has a box for each step, and an arrow for each reference.
func TestDot(t *testing.T) {
	var b bytes.Buffer
	if err := Dot(&b, results["heap"].Trace); err != nil {
		t.Fatal(err)
	}
	golden(t, "heap.dot", b.Bytes())
	boxes, arrows := strings.Count(b.String(), "subgraph cluster"), strings.Count(b.String(), ":f")
	if boxes != 7 || arrows != 5 {
		t.Errorf("%d boxes and %d arrows, want 7 and 5", boxes, arrows)
	}
}

// Scripts read the last line.
func TestLastLine(t *testing.T) {
	want := map[string]string{
		"true": "TRUE", "ledger": "TRUE", "false": "FALSE (assertion, lock.c:23)", "plain": "FALSE (label R, r.bp:7)",
		"wide": "FALSE (assertion, main)", "driver": "TRUE", "heap": "FALSE (null dereference, lock.c:21)", "unknown": "UNKNOWN (time limit of 2s)", "several": "FALSE (assertion, lock.c:23)", "vacuous": "UNKNOWN (vacuous: no assertion or error label)",
	}
	for name, r := range results {
		var b bytes.Buffer
		if err := Text(&b, r); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if got := lines[len(lines)-1]; got != ResultPrefix+want[name] {
			t.Errorf("%s: last line is %q", name, got)
		}
	}
}

// A ledger of any length fits on a screen, counts all of its lines, and is whole in the full form.
func TestLedgerOnOneScreen(t *testing.T) {
	for _, n := range []int{1, 20, 400} {
		var ledger []string
		for i := range n {
			ledger = append(ledger, longLedger()...)
			for j := range ledger {
				ledger[j] += fmt.Sprint(i % 7)
			}
		}
		r := *results["driver"]
		r.Ledger = ledger
		var short, full bytes.Buffer
		if err := Text(&short, &r); err != nil {
			t.Fatal(err)
		}
		if err := FullTextFrom(&full, &r, ""); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(short.String(), "\n"); lines > 40 {
			t.Errorf("%d assumptions have %d lines", len(ledger), lines)
		}
		sum := 0
		for _, m := range regexp.MustCompile(`(?m)^  [a-z ]+ \((\d+)\)$`).FindAllStringSubmatch(short.String(), -1) {
			k, _ := strconv.Atoi(m[1])
			sum += k
		}
		if sum != len(ledger) || !strings.Contains(short.String(), fmt.Sprintf("(%d; ", len(ledger))) {
			t.Errorf("%d of %d assumptions are counted", sum, len(ledger))
		}
		if got := strings.Count(full.String(), "\n  - "); got != len(ledger) {
			t.Errorf("%d of %d assumptions are in the full form", got, len(ledger))
		}
	}
}

// The package comment shows real output.
func TestDocExample(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Text(&b, results["false"]); err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, line := range strings.SplitAfter(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if line == "\n" {
			want += "//\n"
		} else {
			want += "//\t" + line
		}
	}
	if !strings.Contains(string(doc), want) {
		t.Errorf("doc.go does not show:\n%s", want)
	}
}

// A run that was replayed in C must not carry the remark that it was not.
func TestConfirmed(t *testing.T) {
	for _, confirmed := range []bool{false, true} {
		var b bytes.Buffer
		r := *results["false"]
		if confirmed {
			r.Failures = []verdict.Failure{{Site: r.Failed, Trace: r.Trace}}
		}
		if err := Text(&b, &r); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), abstractOnly) == confirmed {
			t.Errorf("confirmed %v:\n%s", confirmed, b.String())
		}
		if d := NewDocument(&r); *d.Confirmed != confirmed {
			t.Errorf("JSON says %v, want %v", *d.Confirmed, confirmed)
		}
	}
}

// The JSON form reads back into the documented schema, with no field unknown to it.
func TestJSONSchema(t *testing.T) {
	for name, r := range results {
		var b bytes.Buffer
		if err := JSON(&b, r); err != nil {
			t.Fatal(err)
		}
		dec := json.NewDecoder(&b)
		dec.DisallowUnknownFields()
		var d Document
		if err := dec.Decode(&d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d.Summary != r.Summary() || len(d.Properties) != len(r.Sites) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteError(t *testing.T) {
	r := results["false"]
	if Text(full{}, r) == nil || JSON(full{}, r) == nil || Dot(full{}, r.Trace) == nil || (&Statistics{Engine: "x"}).Text(full{}) == nil {
		t.Error("a failing writer went unnoticed")
	}
}
