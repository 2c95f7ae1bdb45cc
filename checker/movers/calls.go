package movers

import "c2bp/checker/zom"

// This file finds facts about procedures that tell whether their calls can be summarised.

// Calls are facts about the procedures of a program, by procedure.
type Calls struct {
	// Recursive procedures may call themselves.
	Recursive []bool
	// Creates holds the procedures in which a process may be created, calls included.
	Creates []bool
	// Asks holds the procedures in which the number of the process may be asked for, calls included.
	Asks []bool
	// Returns holds, by pc of a start, whether a step that begins there may leave the frame.
	Returns [][]bool
}

// Calls returns the facts about procedures.
func (f *Facts) Calls() *Calls {
	n := len(f.prog.Procs)
	c := &Calls{Recursive: make([]bool, n), Creates: make([]bool, n), Asks: make([]bool, n)}
	for i, p := range f.prog.Procs {
		c.Recursive[i] = f.recursive(int32(i))
		returns := make([]bool, len(p.Code))
		for pc := range p.Code {
			returns[pc] = p.Starts[pc] && f.mayReturn(i, int32(pc), map[int32]bool{})
		}
		c.Returns = append(c.Returns, returns)
	}
	// Of the procedures alone, and then of those that they run.
	for grew := true; grew; {
		grew = false
		for i, p := range f.prog.Procs {
			for pc := range p.Code {
				in := &p.Code[pc]
				creates, asks := in.Op == zom.Spawn || in.Op == zom.SpawnVirtual, in.Op == zom.Self
				if !creates {
					for _, callee := range f.callees(nil, in) {
						creates, asks = creates || c.Creates[callee], asks || c.Asks[callee]
					}
				}
				grew = grew || creates && !c.Creates[i] || asks && !c.Asks[i]
				c.Creates[i], c.Asks[i] = c.Creates[i] || creates, c.Asks[i] || asks
			}
		}
	}
	return c
}

// mayReturn reports whether a step may run from the block at a start to a return of the same frame.
func (f *Facts) mayReturn(proc int, start int32, seen map[int32]bool) bool {
	p := f.prog.Procs[proc]
	seen[start] = true
	// 1. The block itself.
	b := &p.Blocks[start]
	if b.Flags&zom.Returns != 0 {
		return true
	}
	// 2. The blocks after it, if the step goes on.
	if b.Level == 0 && !f.glued(b) {
		return false
	}
	for _, t := range f.blocksAfter(proc, start) {
		if !seen[t] && f.mayReturn(proc, t, seen) {
			return true
		}
	}
	return false
}
