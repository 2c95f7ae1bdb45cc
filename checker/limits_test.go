package checker

import (
	"context"
	"runtime"
	"testing"
	"time"

	"c2bp/boolprog/bpgen"
)

// This file tests what happens when a check is stopped.

// A check that is stopped, by whatever it is, says so within a second, tells what it
// had done, and leaves neither goroutines nor memory behind.
func TestStopped(t *testing.T) {
	p := parse(t, "in.bp", bpgen.Multiplier(24))
	goroutines := runtime.NumGoroutine()
	heap := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	for _, c := range []struct {
		name string
		stop func(context.CancelFunc)
		opts Options
		want string
	}{
		{"cancelled", func(stop context.CancelFunc) { time.Sleep(300 * time.Millisecond); stop() }, Options{}, "UNKNOWN (interrupted)"},
		{"nodes", func(context.CancelFunc) {}, Options{NodeLimit: 200_000}, "UNKNOWN (limit of 200000 BDD nodes reached)"},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var stopped time.Time
		go func() {
			c.stop(func() { stopped = time.Now(); cancel() })
		}()
		r, err := Check(ctx, p, c.opts)
		if err != nil || r.Summary() != c.want {
			t.Fatal(c.name, r, err)
		}
		if !stopped.IsZero() && time.Since(stopped) > time.Second {
			t.Errorf("%s: noticed after %v", c.name, time.Since(stopped))
		}
		if len(r.Stats) == 0 || r.Stats[0].Value == 0 {
			t.Errorf("%s: no statistics: %v", c.name, r.Stats)
		}
		cancel()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	start := time.Now()
	r, err := Check(ctx, p, Options{})
	cancel()
	if err != nil || r.Summary() != "UNKNOWN (time limit reached)" || len(r.Stats) == 0 || time.Since(start) > 1300*time.Millisecond {
		t.Error("time", r, err, time.Since(start))
	}
	for range 100 {
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, %d before", n, goroutines)
	}
	if grown := heap() - before; grown > 4<<20 {
		t.Errorf("%d bytes are left", grown)
	}
}
