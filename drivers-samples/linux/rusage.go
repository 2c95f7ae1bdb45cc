package main

import (
	"os"
	"syscall"
)

// This file reads the resource usage of processes.

// peak returns the maximum resident size of a process in megabytes.
func peak(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss >> 10
	}
	return 0
}
