// Package collector tunes the garbage collector for short runs: most take a fraction of a second,
// and collecting some 10 MB again and again would be a good part of that. It would also make a run
// of twice the size three times as long if the first collection falls into it.
//
// There is no collection before 256 MB are allocated. After one, the next is due when the heap has
// grown to 256 MB or to four times its size, whichever is later. A
// memory limit ([debug.SetMemoryLimit]) is respected as always.
package collector

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	quiet   = 256 << 20 // bytes up to which nothing is collected
	usual   = 300       // per cent that the heap grows by before it is collected: a fifth faster than Go's default of 100
	percent = 6400      // with which the first collection is at quiet, as Go's default is at 4 MB
)

// Relax tunes the collector of this process, unless the user has set GOGC. The returned function
// restores the previous setting.
func Relax() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	t := &tuning{before: debug.SetGCPercent(percent)}
	t.afterCollection()
	return t.end
}

// tuning is the state from Relax to restore.
type tuning struct {
	before int // per cent
	lock   sync.Mutex
	over   bool
}

// end restores the setting; later finalizers do nothing.
func (t *tuning) end() {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.over = true
	debug.SetGCPercent(t.before)
}

// afterCollection sets the growth anew after each collection, in a finalizer of an object that
// nothing refers to.
func (t *tuning) afterCollection() {
	// An object that nothing refers to is finalised by the next collection.
	type sentinel struct{ _ [16]byte }
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		t.lock.Lock()
		defer t.lock.Unlock()
		if !t.over {
			debug.SetGCPercent(growth(liveHeap()))
			t.afterCollection()
		}
	})
}

// growth returns the percentage with which the next collection is due at quiet, or when the live
// heap has grown by so much.
func growth(live uint64) int {
	// Nothing is known before the first collection.
	if live == 0 {
		return percent
	}
	return min(max(usual, int(100*quiet/live)-100), percent)
}

// liveHeap returns the bytes that the last collection found in use.
func liveHeap() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
