package zingcheck

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"c2bp/frontend/zing/zingtest"
	"c2bp/verdict"
)

// This file measures how the cost of comparing models grows with the implementation.

// clock is a specification of about a hundred states: it shows 20 numbers round and round.
const clock = `class Clock { static int n; activate static void show() {
    while (true) { event(1, n, true); n = n + 1; if (n == 20) n = 0; } } };`

// workers is an implementation: the same numbers are shown, while others count hidden numbers up to n.
func workers(n int) string {
	return fmt.Sprintf(`class Clock {
    static int n; static int x; static int y;
    activate static void show() { while (true) { event(1, n, true); n = n + 1; if (n == 20) n = 0; } }
    activate static void count() { atomic { x = 0; } while (true) { atomic { x = x + 1; if (x == %[1]d) x = 0; } } }
    activate static void follow() { while (true) { atomic { select { wait(y != x) -> y = x; } } } } };`, n)
}

// BenchmarkConformGrowth prints time and memory for larger and larger implementations.
func BenchmarkConformGrowth(b *testing.B) {
	for b.Loop() {
	}
	fmt.Printf("| %-15s | %9s | %9s | %9s | %8s | %12s | %11s |\n", "implementation", "steps", "spec.", "pairs", "seconds", "us per state", "bytes/state")
	spec, err := zingtest.Load("spec.zing", clock)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{5, 18, 59} {
		impl, err := zingtest.Load("impl.zing", workers(n))
		if err != nil {
			b.Fatal(err)
		}
		before, start := live(), time.Now()
		c := Compare(b.Context(), impl, spec, CompareOptions{})
		took := time.Since(start).Seconds()
		rel := c.Relation
		bytes := float64(live()-before) / float64(rel.States[0])
		if c.Result.Verdict != verdict.True {
			b.Fatal(c.Result.Summary())
		}
		fmt.Printf("| %-15d | %9d | %9d | %9d | %8.2f | %12.2f | %11.0f |\n", rel.States[0], rel.Steps, rel.States[1], rel.Pairs, took, took*1e6/float64(rel.States[0]), bytes)
		runtime.KeepAlive(c)
	}
}

// live returns the bytes of live objects.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
