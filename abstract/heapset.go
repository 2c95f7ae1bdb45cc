package abstract

import (
	"slices"

	"c2bp/frontend/core"
)

// This file finds the pointers that are certain to have been set before a node. Others are null in the Boolean
// program and anything in C, so that nothing is concluded from them.

// setBefore returns, for each node of a procedure, the kept pointers among its locals that are set on all ways
// there. All other variables always are.
func (h *heap) setBefore(p *core.Proc) []map[*core.Var]bool {
	// 1. In the beginning none is. Nodes that were not reached are not in the list yet.
	before := make([]map[*core.Var]bool, len(p.Nodes))
	if len(p.Nodes) == 0 {
		return before
	}
	before[0] = map[*core.Var]bool{}
	// 2. Those set on all ways to a node get fewer, until nothing changes.
	for work := []int{0}; len(work) > 0; {
		n := work[0]
		work = work[1:]
		after := h.setAfter(before[n], p.Nodes[n].Stmt)
		for _, to := range p.Nodes[n].Succ {
			common := map[*core.Var]bool{}
			for v := range after {
				if before[to] == nil || before[to][v] {
					common[v] = true
				}
			}
			if before[to] == nil || len(common) < len(before[to]) {
				before[to] = common
				work = append(work, to)
			}
		}
	}
	return before
}

// setAfter returns the kept pointers that are set after a statement, if those of set were before it.
func (h *heap) setAfter(set map[*core.Var]bool, st core.Stmt) map[*core.Var]bool {
	havoc, begins := st.(*core.Havoc)
	begins = begins && havoc.Begin
	after := set
	for _, l := range core.Destinations(st) {
		v := variable(l)
		if v == nil || len(h.plan.Var(v)) == 0 || after[v] != begins {
			continue
		}
		next := map[*core.Var]bool{}
		for w := range after {
			next[w] = true
		}
		if begins {
			delete(next, v)
		} else {
			next[v] = true
		}
		after = next
	}
	return after
}

// isSet reports whether a variable is certain to have been set before a node of p.
func (h *heap) isSet(p *core.Proc, node int, v *core.Var) bool {
	if !slices.Contains(p.Locals, v) {
		return true
	}
	return node >= 0 && h.set[p][node][v]
}
