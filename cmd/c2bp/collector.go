package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// This file tunes the garbage collector for short runs: most take a fraction of a
// second, and collecting 20 MB again and again would be a third of that.

const (
	relaxedPercent = 400      // while little is in use
	relaxedHeap    = 32 << 20 // bytes in use beyond which the default is right
)

// relaxCollector collects less while little memory is in use, unless the user has set
// GOGC.
func relaxCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(relaxedPercent)
	afterCollection()
}

// afterCollection looks at what is in use after each collection, by a finalizer of an
// object that nothing refers to, and goes back to the default once that is much.
func afterCollection() {
	type sentinel struct{ _ [16]byte }
	runtime.SetFinalizer(&sentinel{}, func(*sentinel) {
		if liveHeap() > relaxedHeap {
			debug.SetGCPercent(100)
			return
		}
		afterCollection()
	})
}

// liveHeap is the bytes that the last collection found in use.
func liveHeap() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
