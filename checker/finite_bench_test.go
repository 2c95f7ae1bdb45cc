package checker

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"
)

// This file measures the finite engine beside the explicit one.

// devicesLimit is the time that we allow an engine; more devices than it could do in that are not tried.
const devicesLimit = 10 * time.Second

// BenchmarkDevices prints what programs with devices from outside take, by their number and that of their fields.
func BenchmarkDevices(b *testing.B) {
	for b.Loop() {
	}
	fmt.Printf("| %-28s | %6s | %12s | %12s | %12s | %12s |\n", "devices from outside", "fields", "explicit", "states", "finite", "BDD nodes")
	for _, fields := range []int{5, 10, 20} {
		over := map[string]bool{} // engines that took too long
		for n := 1; n <= 8; n++ {
			text := devices(n, fields, false)
			explicit, states := devicesTime(b, text, "explicit", "whole states", over)
			finite, nodes := devicesTime(b, text, "finite", "BDD nodes, peak", over)
			fmt.Printf("| %28d | %6d | %12s | %12s | %12s | %12s |\n", n, fields, explicit, states, finite, nodes)
		}
	}
}

// devicesTime returns the time of an engine, and one of its counters.
func devicesTime(b *testing.B, text, engine, name string, over map[string]bool) (took, count string) {
	if over[engine] {
		return "", ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), devicesLimit)
	defer cancel()
	runtime.GC()
	p := parse(b, "t.bp", text)
	start := time.Now()
	a, err := Analyse(ctx, p, Options{Engine: engine})
	if err != nil {
		b.Fatal(err)
	}
	took = time.Since(start).Round(time.Millisecond).String()
	if over[engine] = a.Result.Reason != ""; over[engine] {
		took = "> " + devicesLimit.String()
	}
	return took, fmt.Sprint(counter(a, name))
}
