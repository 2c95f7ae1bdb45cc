package checker

import (
	"context"
	"runtime"
	"testing"
	"time"

	"c2bp/boolprog/bpgen"
)

// This file tests checks that are stopped. The engines ask their context whether to stop after a
// bounded amount of work, so the tests count these questions and need no clock.

// stopping is a context that ends when it is asked for the n-th time.
type stopping struct {
	context.Context
	end   func() // ends the context
	after int    // questions before the end
	late  int    // questions after it
}

func (c *stopping) Err() error {
	if c.after--; c.after == 0 {
		c.end()
	}
	err := c.Context.Err()
	if err != nil {
		c.late++
	}
	return err
}

// expired is a context whose deadline passes when it is told so.
type expired struct {
	context.Context
	passed bool
}

func (c *expired) Err() error {
	if c.passed {
		return context.DeadlineExceeded
	}
	return nil
}

// A check that is stopped notices at the first question after the end, tells what it had done, and
// leaves neither goroutines nor memory behind.
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
	cancelled, cancel := context.WithCancel(context.Background())
	late := &expired{Context: context.Background()}
	for _, c := range []struct {
		name string
		ctx  *stopping
		opts Options
		want string
	}{
		{"cancelled", &stopping{Context: cancelled, end: cancel, after: 30}, Options{}, "UNKNOWN (interrupted)"},
		{"time", &stopping{Context: late, end: func() { late.passed = true }, after: 30}, Options{}, "UNKNOWN (time limit reached)"},
		{"nodes", &stopping{Context: context.Background()}, Options{NodeLimit: 200_000}, "UNKNOWN (limit of 200000 BDD nodes reached)"},
	} {
		r, err := Check(c.ctx, p, c.opts)
		if err != nil || r.Summary() != c.want {
			t.Fatal(c.name, r, err)
		}
		if c.ctx.late > 1 {
			t.Errorf("%s: noticed at question %d after the end", c.name, c.ctx.late)
		}
		if len(r.Stats) == 0 || r.Stats[0].Value == 0 {
			t.Errorf("%s: no statistics: %v", c.name, r.Stats)
		}
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
