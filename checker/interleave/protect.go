package interleave

import (
	"slices"

	"c2bp/checker/movers"
	"c2bp/checker/zom"
)

// This file defines the table of locks and of the locations that they protect.
//
// The table holds for a whole run. It starts with what would be best: every location that a select waits for in
// the way of a lock is one, and every other location is protected by all of them. A use that does not fit makes
// it smaller, and the exploration begins anew with the smaller table, because steps may have been taken for
// movers that are none. A location is protected by the locks that were held at all of its uses.

// table is the table.
type table struct {
	facts  *movers.Facts
	places []protection // by location
	shrunk bool         // the present exploration has seen a use that does not fit
}

// protection is what is known of a location.
type protection struct {
	isLock bool
	taken  bool     // a process has taken the lock
	free   zom.Word // of a lock: the value at which it is free

	used bool
	by   []int32 // the locks that were held at all uses, as locations, sorted
	lost int32   // the node of the use that made by empty, or that was none of a lock; fits or different
	was  bool    // it was a lock at first
}

// Of a location without such a node: every use fits, or selects wait for different values.
const (
	fits      = -1
	different = -2
)

// newTable returns the table for a program of which nothing was explored.
func newTable(f *movers.Facts) *table {
	t := &table{facts: f, places: make([]protection, f.Locations())}
	for i := range t.places {
		t.places[i].lost = fits
	}
	for _, a := range f.Acquire {
		p := &t.places[a.Location]
		p.isLock, p.was, p.free = true, true, a.Free
	}
	// A location for whose values different selects wait is no lock.
	for _, a := range f.Acquire {
		if p := &t.places[a.Location]; p.free != a.Free {
			p.isLock, p.lost = false, different
		}
	}
	return t
}

// use notes a use of a location at a node while locks are held, and reports whether one of them protects it.
func (t *table) use(location int32, held []int32, node int32) bool {
	p := &t.places[location]
	switch {
	case !p.used:
		p.used, p.by = true, slices.Clone(held)
	case len(p.by) > 0:
		n := len(p.by)
		p.by = slices.DeleteFunc(p.by, func(lock int32) bool { return !slices.Contains(held, lock) })
		t.shrunk = t.shrunk || len(p.by) < n
	}
	if len(p.by) == 0 && p.lost == fits {
		p.lost = node
	}
	return len(p.by) > 0
}

// lose makes a location no lock, because of a use at a node.
func (t *table) lose(lock int32, node int32) {
	t.places[lock].isLock, t.places[lock].lost = false, node
	t.shrunk = true
	for i := range t.places {
		p := &t.places[i]
		if k := slices.Index(p.by, lock); k >= 0 {
			if p.by = slices.Delete(p.by, k, k+1); len(p.by) == 0 {
				p.lost = node
			}
		}
	}
}

// Protection is a line of the table of a reduction.
type Protection struct {
	Location string
	Lock     bool     // it is a lock
	WasLock  bool     // it looked like one at first
	By       []string // the locks that protect it
	Node     int32    // if none does: the node of a use without them, or that is not one of a lock; negative if there is none
	Written  bool     // a process may write it
}

// lines returns the table for people: the locations that were used, and the locks that were taken.
func (t *table) lines(roots []int, p *zom.Program) (list []Protection) {
	for i := range t.places {
		at := &t.places[i]
		if !at.used && !at.taken {
			continue
		}
		l := Protection{Location: t.facts.Name(int32(i)), Lock: at.isLock, WasLock: at.was, Node: at.lost}
		for _, lock := range at.by {
			l.By = append(l.By, t.facts.Name(lock))
		}
		for _, r := range roots {
			start := zom.Frame{Proc: int32(r), PC: p.Procs[r].Entry}
			for _, u := range []movers.Use{movers.Writes, movers.Sends, movers.Receives} {
				l.Written = l.Written || t.facts.May(&start, int32(i), u)
			}
		}
		list = append(list, l)
	}
	return list
}
