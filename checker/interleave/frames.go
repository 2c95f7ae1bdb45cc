package interleave

import (
	"fmt"
	"slices"
	"strings"
)

// This file ends a search whose stacks grow too deep.

// defaultFrames is the number of frames of a stack at which a search with summaries gives up.
const defaultFrames = 1000

// deep reports whether the stack of a process is too deep, which ends the search.
func (r *reducer) deep(process int) bool {
	limit := r.opts.MaxFrames
	if limit == 0 {
		limit = defaultFrames
	}
	frames := r.s.Procs[process].Frames
	if len(frames) <= limit {
		return false
	}
	// The chain of calls that comes again and again ends at the top.
	var chain []string
	top := frames[len(frames)-1].Proc
	for i := len(frames) - 1; i >= 0; i-- {
		chain = append(chain, r.model.Prog.Procs[frames[i].Proc].Name)
		if i < len(frames)-1 && frames[i].Proc == top {
			break
		}
	}
	slices.Reverse(chain)
	r.r.Open = fmt.Sprintf("recursion of %s: a stack has more than %s (%s)", r.model.Prog.Procs[top].Name, plural(limit, "frame"), strings.Join(chain, " calls "))
	return true
}
