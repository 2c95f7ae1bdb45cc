package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file finds the members of private structs that are known outside since objects of other types lie over them
// (overlay.go): who knows a member of the other struct knows the bytes of it.
//
//	struct mux { long id; struct hw hw; lock_t *lock; };  struct gate { long id; struct hw hw; char *count; };    private
//	h = get();  container_of(h, struct mux, hw)->id;  container_of(h, struct gate, hw)->id    one over the other
//	give(&g->count)                  mux->lock is known outside as well
//
// Of a struct that others define all members are known, and so all bytes of a private one that it may lie over. What
// gets bytes from the start of a struct all of which is known may write past its end, to what it is laid over there.

// showLaid shows the bytes of private structs that other types lie over, until nothing changes: each may be laid over
// another one.
func (h *hidden) showLaid() {
	for changed := true; changed; {
		changed = false
		for _, m := range h.follows.shapes.merged {
			for _, d := range m.at {
				changed = h.showUnder(overlay{m.a, m.b, d}) || changed
				changed = h.showUnder(overlay{m.b, m.a, address{}.from(d)}) || changed
			}
		}
	}
}

// showUnder shows the bytes of private structs in x.a that are known as parts of x.b, and reports whether any are new.
func (h *hidden) showUnder(x overlay) (changed bool) {
	known := h.knownIn(x.b)
	if x.a.Record == nil || len(known) == 0 {
		return false
	}
	for _, t := range h.private {
		for _, p := range h.follows.shapes.placements(x.a.Record, t) {
			laid := overlay{shapeOf(t), x.b, x.at.from(p)}
			if t.Forced || !laid.mayOverlap() {
				continue
			}
			// At one place, or at any.
			shown := h.shown[t]
			for _, b := range known {
				if laid.at.stride != 0 {
					b = core.Range{Off: 0, End: t.Size}
				} else {
					b = core.Range{Off: max(laid.at.off+b.Off, 0), End: min(laid.at.off+b.End, t.Size)}
				}
				shown = shown.With(b)
			}
			changed = changed || !slices.Equal(shown, h.shown[t])
			h.shown[t] = shown
		}
	}
	return changed
}

// knownIn returns the bytes of an object of shape x that are known outside, and those after it if all are.
func (h *hidden) knownIn(x core.Shape) core.Ranges {
	known := core.Ranges{{Off: 0, End: x.Size}}
	if x.Record != nil {
		known = known.Without(h.hiddenIn(follow{shape: x}, x.Size))
	}
	if x.Record != nil && len(known) == 1 && known[0].Off == 0 && known[0].End == x.Size {
		known[0].End = core.Far
	}
	return known
}
