package concretise

import (
	"fmt"
	"math/big"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/logic"
	"c2bp/refine/cex"
	"c2bp/verdict"
)

// This file finds elements of lists that do not point back. Where a struct has a list of others, and these have a pointer to
// such a struct, it nearly always leads to the one that has the list:
//
//	struct host { spinlock_t *lock; struct list_head devices; };
//	struct device { struct list_head siblings; struct host *host; };
//
//	spin_lock(h->lock);
//	list_for_each_entry(d, &h->devices, siblings)
//		if (!d->ready) {
//			spin_unlock(d->host->lock);      d->host is not h
//			return;
//		}
//
// A list is one of links, each of which is embedded in a struct: the head in that which has the list, the others in its
// elements.

// listed is a list that the path has come to an element of.
type listed struct {
	record *core.Record // the struct that has the list
	at     *logic.Term  // its address
}

// isLink reports whether m is a pointer of a link to such a link.
func isLink(m *core.Mem) bool {
	o := innermost(m)
	return m.To != nil && o != nil && o.Of == m.To
}

// list notes the elements of lists, and in the origin at of m, which is t at the address addr, whether it is a pointer back
// from one.
func (o *origins) list(x *cex.Execution, at *origin, m *core.Mem, t, addr *logic.Term) {
	var l listed
	inList := false
	for _, from := range atomsOf(addr) {
		if of, ok := o.lists[from]; ok {
			l, inList = of, true
		}
	}
	switch owner, off := core.Owner(m); {
	// 1. A link is in the list of the link before, or, if the path does not know that one, in a list of this struct.
	case isLink(m):
		if !inList && owner == m.To {
			break
		} else if !inList {
			l = listed{owner, x.Table.Sub(addr, x.Table.Int(off))}
		}
		for _, next := range atomsOf(t) {
			o.lists[next] = l
		}
	// 2. An element of another type has a pointer to what has the list.
	case inList && isBack(m, l.record):
		at.head, at.element = l.at, m
		for _, back := range atomsOf(t) {
			if o.backs[back] == nil {
				o.backs[back] = at
			}
		}
	}
}

// isBack reports whether m is a pointer from another struct to one that has a list.
func isBack(m *core.Mem, has *core.Record) bool {
	owner, _ := core.Owner(m)
	return owner != nil && m.To == has && owner != has
}

// innermost returns the address of the member of a struct or union that m is in, the innermost one that m shows; nil if it
// shows none.
func innermost(m *core.Mem) *core.Offset {
	for a := m.Addr; ; {
		o, ok := a.(*core.Offset)
		if !ok || o.Of != nil {
			return o
		}
		a = o.X
	}
}

// atomsOf returns the pointers that an address is at a fixed distance from: of several after writes that may have gone there.
func atomsOf(addr *logic.Term) (list []*logic.Term) {
	for atom := range addr.Leaves() {
		if atom.Op == logic.OpIte {
			list = append(list, atomsOf(atom)...)
		} else {
			list = append(list, atom)
		}
	}
	return list
}

// pointBack lets the pointers of elements lead back to the structs that have the lists.
func (g *grounds) pointBack(reads []*logic.Term, of map[*logic.Term]*origin) {
	for _, p := range reads {
		at := of[p]
		if at == nil || !g.Translator.Open(p) || inProgram(p.Args[0]) {
			continue
		}
		if g.away(taken{verdict.BackChoice, astray(at.noun, at.element), at, []*logic.Term{g.Table.Eq(at.value, at.head)}}) {
			g.back[p] = true
		}
	}
}

// astray is a sentence about a pointer of an element that does not lead back.
func astray(noun string, m *core.Mem) string {
	return fmt.Sprintf("%s does not lead to the %s that has the list", noun, m.To.Name)
}

// holder is a struct that has a list.
type holder struct {
	record *core.Record
	at     uint64 // its address in the run
}

// pointsBack reports whether v is a pointer of an element of a known list to a struct that may have that list. It notes the
// elements of lists, and counts pointers that lead to another such struct.
func (t *tally) pointsBack(q interp.Request, v *big.Int) bool {
	if t.machine == nil || !v.IsUint64() {
		return false
	}
	h, inList := t.lists[q.Object]
	for _, m := range membersOutside(q, func(m *core.Mem) bool { return m.To != nil }) {
		switch owner, off := core.Owner(m); {
		case isLink(m):
			if !inList && owner == m.To {
				break
			} else if !inList {
				h = holder{owner, q.Addr - uint64(off)}
			}
			if o := t.machine.Object(v.Uint64()); o != nil {
				t.lists[o] = h
			}
		case inList && isBack(m, h.record):
			if v.Uint64() == h.at {
				return true
			}
			t.count++
			t.astray = append(t.astray, verdict.Choice{Kind: verdict.BackChoice, Text: astray(core.CString(m), m), Pos: q.Proc.Nodes[q.Node].Pos})
			// It is counted once, wherever it leads.
			if o := t.machine.Object(v.Uint64()); o != nil {
				t.seen[o] = true
			}
			return true
		}
	}
	return false
}
