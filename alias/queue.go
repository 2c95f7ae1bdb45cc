package alias

// This file defines the worklist of a round: vertices in topological order, as the cycles were when
// they were merged last. Edges that were made since may lead back; what they bring waits for the next
// round.

// queue is a binary heap of vertices, the one that is first in the order of propagation on top.
type queue []queued

// queued is a vertex with its position in the order of propagation.
type queued struct {
	order, vertex int32
}

// empty reports whether there are no vertices.
func (q queue) empty() bool { return len(q) == 0 }

// push adds x.
func (q *queue) push(x queued) {
	h := append(*q, x)
	i := len(h) - 1
	// Sift up.
	for i > 0 && h[i].order < h[(i-1)/2].order {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	*q = h
}

// pop removes and returns the first vertex; the queue must not be empty.
func (q *queue) pop() queued {
	h := *q
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	// Sift the last one down from the top.
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
