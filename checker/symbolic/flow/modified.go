package flow

import "c2bp/boolprog"

// This file computes which globals a call may modify.

// Modified returns, by procedure, the set of globals that it or a direct or indirect callee may
// modify: the MOD sets of Ball–Rajamani 2000, §3.3.
func Modified(g *boolprog.Graph, calls *CallGraph, lay *Numbering, f *Flows) []Set {
	// 1. Each procedure modifies the globals that its nodes store in.
	mods := make([]Set, len(g.Procs))
	words := (lay.Groups() + 63) / 64
	sets := make(Set, words*len(g.Procs))
	var work []int
	queued := make([]bool, len(g.Procs))
	id := 0
	for i, p := range g.Procs {
		mods[i] = sets[i*words : (i+1)*words]
		for range p.Nodes {
			for _, x := range f.At(id) {
				if t := Group(x.Target); x.Kind == Stored && t != NoGroup && lay.IsGlobal(t) {
					mods[i].Add(int(t))
				}
			}
			id++
		}
		work, queued[i] = append(work, i), true
	}
	// 2. Propagate the sets from callees to callers until they are stable.
	for len(work) > 0 {
		i := work[len(work)-1]
		work, queued[i] = work[:len(work)-1], false
		for _, c := range calls.Callers.Of(i) {
			if mods[c].Union(mods[i]) && !queued[c] {
				work, queued[c] = append(work, int(c)), true
			}
		}
	}
	return mods
}
