package alias

// This file defines the worklist of a round.

// queue is a binary heap of vertices, the one that is first in the order of propagation on top.
type queue []queued

type queued struct {
	order, vertex int32
}

func (q queue) empty() bool { return len(q) == 0 }

func (q *queue) push(x queued) {
	h := append(*q, x)
	i := len(h) - 1
	for i > 0 && h[i].order < h[(i-1)/2].order {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	*q = h
}

func (q *queue) pop() queued {
	h := *q
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && h[c+1].order < h[c].order {
			c++
		}
		if h[i].order <= h[c].order {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	*q = h
	return top
}
