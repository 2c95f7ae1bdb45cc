package checker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"c2bp/boolprog"
	"c2bp/checker/explicit"
	"c2bp/verdict"
)

// This file measures the explicit engine on programs of which most is left open.

// unconstrained are programs with 40 globals that start with any values, and a small heap.
var unconstrained = []struct {
	name string
	open bool // is not decided in the time that we allow
	main string
	each string // a line of main for each global, if there is a %[1]d in it
	more string // procedures
	call string // a procedure for each global
}{
	{name: "each read once in main", each: "if (g%[1]d) then a.x := !a.x; fi"},
	{name: "each read by a procedure that is called in a loop", main: "while (*) do %s od", each: "if (*) then p%[1]d(); fi", call: "void p%[1]d() begin if (g%[1]d) then b.x := 1; else b.x := 0; fi end"},
	{name: "each read by a procedure that is called once", each: "p%[1]d();", call: "void p%[1]d() begin if (g%[1]d) then b.x := 1; else b.x := 0; fi end"},
	{name: "each read twice, one after the other", each: "if (g%[1]d) then a.x := 1; else a.x := 0; fi assert(a.x = g%[1]d);"},
	{name: "all read, and all again", main: "%s %s", each: "if (g%[1]d) then a.x := 1; else a.x := 0; fi assert(a.x = g%[1]d);"},
	{name: "a lock, and few globals read", main: "g0 := 0; while (*) do lock(); if (*) then work(); fi unlock(); od", more: `
void lock() begin assert(!g0); g0 := 1; a.x := 1; end
void unlock() begin assert(g0 & a.x); g0 := 0; end
void work() begin if (g1) then g2 := g3; fi if (g4 & g5) then b.x := g6; fi end`},
}

// unconstrainedText is such a program.
func unconstrainedText(i int) string {
	const globals = 40
	x := unconstrained[i]
	var names, each, call []string
	for k := range globals {
		names = append(names, fmt.Sprintf("g%d", k))
		each = append(each, strings.ReplaceAll(x.each, "%[1]d", fmt.Sprint(k)))
		call = append(call, strings.ReplaceAll(x.call, "%[1]d", fmt.Sprint(k)))
	}
	body := x.main
	if body == "" {
		body = "%s"
	}
	body = strings.ReplaceAll(body, "%s", strings.Join(each, "\n  "))
	return fmt.Sprintf("class Box { bool x; ref Box next; }\nref Box a, b;\ndecl %s;\nvoid main() begin\n  a := new Box; b := new Box; a.next := b;\n  %s\n  assert(a != b & a.next = b);\nend%s\n%s\n",
		strings.Join(names, ", "), body, x.more, strings.Join(call, "\n"))
}

const unconstrainedLimit = 2 * time.Second

// BenchmarkUnconstrained prints what these programs take.
func BenchmarkUnconstrained(b *testing.B) {
	for b.Loop() {
	}
	fmt.Printf("| %-50s | %12s | %14s |\n", "40 unconstrained globals", "time", "visible states")
	for i, x := range unconstrained {
		g := boolprog.BuildGraph(parse(b, "t.bp", unconstrainedText(i)))
		ctx, cancel := context.WithTimeout(context.Background(), unconstrainedLimit)
		start := time.Now()
		s, err := explicit.Solve(ctx, g, explicit.Options{})
		shown := time.Since(start).Round(10 * time.Microsecond).String()
		cancel()
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			shown = "> " + unconstrainedLimit.String()
		case err != nil:
			b.Fatal(err)
		}
		fmt.Printf("| %-50s | %12s | %14d |\n", x.name, shown, s.Stats()[0].Value)
	}
}

// They are decided, and TRUE.
func TestUnconstrained(t *testing.T) {
	for i, x := range unconstrained {
		if _, a := timed(t, unconstrainedText(i), Options{}, 1); a.Result.Verdict != verdict.True {
			t.Errorf("%s: %s", x.name, a.Result.Summary())
		}
	}
}
