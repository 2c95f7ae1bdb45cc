package sandbox

import (
	"os"
	"time"
)

// This file defines commands, their limits and their results.

// Command is a program to be run, and its rights.
type Command struct {
	Path string   // of the program, absolute
	Args []string // without the name of the program
	Dir  string   // where it starts, absolute; that alone gives no right to read it
	Env  []string // all of its environment

	Read    []string // files and directories with all that is in them; those that do not exist are ignored
	Execute []string // the same, to read and to execute
	Write   []string // directories in which it may do as it likes, but execute nothing

	Processes bool // it may start processes
	Bits32    bool // it is a program for i386
	Limits    Limits
}

// Limits bound the resources of a command. Zero means the default.
type Limits struct {
	Time   time.Duration // by the clock and of the processor, for each process; 10 s
	Memory int64         // bytes of address space of each process; 1 GiB
	File   int64         // bytes of each file; 2 MiB
	Files  int64         // bytes of all files in Command.Write; 64 MiB
	Output int64         // bytes on standard output and standard error; 16 MiB
}

// withDefaults returns l with defaults for zeros.
func (l Limits) withDefaults() Limits {
	if l.Time <= 0 {
		l.Time = 10 * time.Second
	}
	for _, x := range []struct {
		limit *int64
		value int64
	}{{&l.Memory, 1 << 30}, {&l.File, 2 << 20}, {&l.Files, 64 << 20}, {&l.Output, 16 << 20}} {
		if *x.limit <= 0 {
			*x.limit = x.value
		}
	}
	return l
}

// Limit is the limit for which a command was ended.
type Limit int

const (
	NoLimit     Limit = iota // it ended by itself, or the kernel ended it
	TimeLimit                // Limits.Time
	OutputLimit              // Limits.Output
	FilesLimit               // Limits.Files
)

// Result is the outcome of a command.
type Result struct {
	State    *os.ProcessState
	Output   string // standard output and standard error, their beginning and end if they are long
	Exceeded Limit
}
