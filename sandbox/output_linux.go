package sandbox

import (
	"bytes"
	"sync/atomic"
)

// This file keeps the output of a command.

// maxOutput bounds the part of a command's output that is kept: its beginning and its end.
const maxOutput = 64 << 10

const (
	maxHead = maxOutput / 2
	maxTail = maxOutput/2 - len(cut)
	cut     = "\n...\n"
)

// extract keeps the beginning and the end of the text that is written to it, and calls full once
// when the text exceeds the limit.
type extract struct {
	head, tail bytes.Buffer
	dropped    bool
	total      int64
	limit      int64
	over       atomic.Bool
	full       func()
}

// Write implements [io.Writer]. It never fails.
func (x *extract) Write(p []byte) (int, error) {
	if x.total += int64(len(p)); x.total > x.limit && !x.over.Swap(true) {
		x.full()
	}
	n := min(len(p), maxHead-x.head.Len())
	x.head.Write(p[:n])
	x.tail.Write(p[n:])
	if more := x.tail.Len() - maxTail; more > 0 {
		x.tail.Next(more)
		x.dropped = true
	}
	return len(p), nil
}

// String returns the text that is kept, with a mark where a part is missing.
func (x *extract) String() string {
	if x.dropped {
		return x.head.String() + cut + x.tail.String()
	}
	return x.head.String() + x.tail.String()
}
