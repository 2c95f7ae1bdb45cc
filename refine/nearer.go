package refine

import (
	"context"

	"c2bp/abstract"
	"c2bp/frontend/core"
)

// This file prefers reasons within one round of a loop.

// nearer is a reason for the same failure that does not reach as many rounds back as r, if
// there is one; else r. What holds in a round whatever came before it is a reason in every
// round; that a counter was 0 two rounds ago, and cannot be 5 now, is one for this path.
func (a *audit) nearer(ctx context.Context, p *Path, f feasibility, r *reason) *reason {
	if r.turns(p) == 0 {
		return r
	}
	near := a.stretch(ctx, a.pr, p, upTo(f.exec.conds, r.to))
	if near.turns(p) < r.turns(p) && !a.isAboutLoops(p, near) {
		return near
	}
	return r
}

// upTo is those of conds before step to.
func upTo(conds []condition, to int) []condition {
	n := len(conds)
	for n > 0 && conds[n-1].step >= to {
		n--
	}
	return conds[:n]
}

// turns is how often the stretch of a reason comes to the head of a loop.
func (r *reason) turns(p *Path) int {
	n, heads := 0, map[*core.Proc]map[int]bool{}
	for _, s := range p.Steps[r.from:r.to] {
		q := s.Frame.Proc
		if heads[q] == nil {
			heads[q] = headsOf(q)
		}
		if heads[q][s.Node] {
			n++
		}
	}
	return n
}

// headsOf is the nodes at which the loops of p are entered.
func headsOf(p *core.Proc) map[int]bool {
	out := map[int]bool{}
	for _, body := range abstract.Loops(p) {
		out[0] = out[0] || body[0]
		for i, n := range p.Nodes {
			for _, next := range n.Succ {
				if body[next] && !body[i] {
					out[next] = true
				}
			}
		}
	}
	return out
}
