package harness

import (
	"fmt"
	"strings"
)

// This file defines the outcomes of running a compiled program.

// Result is the outcome in one word.
type Result int

const (
	NotReproduced Result = iota // it ended, or failed elsewhere: see Outcome.Reason
	Reproduced                  // the property failed, at its place
	Undefined                   // it met undefined behaviour before: this says nothing
	Diverged                    // it asked for other inputs than the run
	TimedOut                    // it took longer than Options.Time, or printed or wrote too much
	NoCompiler                  // there is no gcc
	CompileError                // gcc does not accept the program: see Outcome.Output
	NotWatched                  // the label cannot be watched, or assembly not taken out: see Outcome.Reason
	NotConfined                 // the system does not confine processes, so nothing was compiled or run
	NotExecuted                 // the machine does not execute the program
)

// String returns the result in words: "not reproduced".
func (r Result) String() string {
	return [...]string{"not reproduced", "reproduced", "undefined behaviour", "diverged", "timed out", "no compiler", "compile error", "not watched", "not confined", "not executed"}[r]
}

// Outcome is the result of running a compiled program, with its reason.
type Outcome struct {
	Result    Result
	Reason    string // why, unless Reproduced: one line
	Output    string // of gcc or the program, both streams, no more than 64 KiB
	Sanitized bool   // undefined behaviour would have been noticed
	Gaps      []Gap  // what the run depends on and the harness does not supply
}

// String returns a sentence without a full stop for reports. Unless the failure was reproduced, it
// names the values that the run depends on and the harness could not supply.
//
//	reproduced by the compiled program
//	not reproduced by the compiled program: the program ends without a failure; the run
//	depends on the value of the uninitialised variable x at in.c:7
func (o Outcome) String() string {
	if o.Result == Reproduced {
		return "reproduced by the compiled program"
	}
	if o.Result == NotConfined {
		return o.Reason
	}
	s := "not reproduced by the compiled program: " + o.Reason
	// Name the first gaps, and count the others.
	const most = 3
	for i, g := range o.Gaps {
		switch {
		case i == 0:
			s += "; the run depends on "
		case i == most:
			return s + fmt.Sprintf(" and %d more", len(o.Gaps)-i)
		default:
			s += ", "
		}
		s += fmt.Sprintf("%s at %s:%d", g.What, g.Pos.File, g.Pos.Line)
	}
	return s
}

// lastLine returns the rest of the last line of text that starts with prefix.
func lastLine(text, prefix string) (rest string, ok bool) {
	for line := range strings.Lines(text) {
		if s, found := strings.CutPrefix(line, prefix); found {
			rest, ok = strings.TrimSpace(s), true
		}
	}
	return rest, ok
}

// firstLine returns the first line of text that contains part, trimmed.
func firstLine(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
