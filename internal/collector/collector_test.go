package collector

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

var sink []byte

// collections is how many there are while total bytes are allocated and dropped.
func collections(total int) uint32 {
	var before, after runtime.MemStats
	runtime.GC()
	time.Sleep(10 * time.Millisecond) // for the finalizer
	runtime.ReadMemStats(&before)
	for range total >> 16 {
		sink = make([]byte, 1<<16)
	}
	runtime.ReadMemStats(&after)
	return after.NumGC - before.NumGC
}

// asUsual is a test that runs as if the user had set nothing.
func asUsual(t *testing.T) {
	t.Helper()
	t.Setenv("GOGC", "")
	before := debug.SetGCPercent(usual)
	t.Cleanup(func() { debug.SetGCPercent(before) })
}

// Short runs are not collected, long ones are.
func TestRelax(t *testing.T) {
	asUsual(t)
	if n := collections(40 << 20); n == 0 {
		t.Error("no collection before Relax: the test cannot fail")
	}
	restore := Relax()
	if n := collections(160 << 20); n > 0 {
		t.Errorf("%d collections in 160 MB", n)
	}
	if n := collections(1600 << 20); n == 0 {
		t.Error("no collection in 1.6 GB")
	}
	restore()
	if n := collections(40 << 20); n == 0 {
		t.Error("no collection after restore")
	}
}

// With much in use, the heap doubles between collections, as usual.
func TestRelaxMuchInUse(t *testing.T) {
	asUsual(t)
	defer Relax()()
	live := make([]byte, 400<<20)
	for range 100 {
		runtime.GC()
		time.Sleep(time.Millisecond)
		now := debug.SetGCPercent(usual)
		debug.SetGCPercent(now)
		if now == usual {
			runtime.KeepAlive(live)
			return
		}
	}
	t.Error("the heap may still grow more than usual with 400 MB in use")
}

func TestGrowth(t *testing.T) {
	for live, want := range map[uint64]int{0: percent, 1 << 20: percent, 64 << 20: 300, 128 << 20: usual, 1 << 40: usual} {
		if got := growth(live); got != want {
			t.Errorf("%d bytes in use: %d %%, want %d", live, got, want)
		}
	}
}

// What the user sets stays.
func TestRelaxGOGC(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "77")
	Relax()
	if now := debug.SetGCPercent(77); now != 77 {
		t.Errorf("%d %%", now)
	}
}
