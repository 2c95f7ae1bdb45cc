package sandbox

import (
	"bytes"
	"sync/atomic"
)

// This file keeps what a command prints.

// maxOutput bounds what is kept of a command's output: its beginning and its end.
const maxOutput = 64 << 10

const (
	maxHead = maxOutput / 2
	maxTail = maxOutput/2 - len(cut)
	cut     = "\n...\n"
)

// extract keeps the beginning and the end of what is written to it, and calls full once
// when there is more than limit.
type extract struct {
	head, tail bytes.Buffer
	dropped    bool
	total      int64
	limit      int64
	over       atomic.Bool
	full       func()
}

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

func (x *extract) String() string {
	if x.dropped {
		return x.head.String() + cut + x.tail.String()
	}
	return x.head.String() + x.tail.String()
}
