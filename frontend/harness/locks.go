package harness

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file finds the functions for other files that take a lock of the driver and release it, by their names and the
// rows "locks" of lifetimes.txt:
//
//	void bus_lock(struct bus *b) { mutex_lock(&b->lock); }       lock
//	void bus_unlock(struct bus *b) { mutex_unlock(&b->lock); }   unlock
//
//	void acquire_list_lock(void), release_list_lock(void);       acquire, release, and "lock" in the names
//
// To release what nobody holds, and to return with what nobody releases, are faults of these other files. In between,
// they call what they like, but every other function of the driver that takes the lock waits. So the two are a
// sequence, as a table may have one (sequence.go), with nothing in between.

// findLocks finds these functions, and makes a sequence of each two. Those that take a lock are entries then, though
// the driver may also call them itself.
func (p *plan) findLocks() {
	for _, end := range slices.Clone(p.entries) {
		if end.how != forOthers {
			continue
		}
		for _, name := range p.table.lockers(end.fn.name) {
			begin := p.forOther(name)
			if begin == nil || begin.sequence != nil || end.sequence != nil || !locks(begin.fn, end.fn) {
				continue
			}
			if p.addSequence(&sequence{row: &lifetime{success: begun(begin.fn.typ.Result())}, begin: begin, end: end, args: map[*mention][]string{}}); begin.sequence != nil && !slices.Contains(p.entries, begin) {
				p.entries = append(p.entries, begin)
			}
		}
	}
}

// lockers returns the names of the functions that take the lock which the function called name releases.
func (t *lifetimes) lockers(name string) (list []string) {
	words := strings.Split(name, "_")
	for i, w := range words {
		others := slices.Delete(slices.Clone(words), i, i+1)
		for _, k := range t.locks {
			if !slices.Contains(k.ends, w) || len(k.among) > 0 && !slices.ContainsFunc(others, func(o string) bool { return slices.Contains(k.among, o) }) {
				continue
			}
			list = append(list, withWord(words, i, k.begin))
		}
	}
	return list
}

// locks reports whether begin may take the lock that end releases: both have the same parameters, and the result of
// begin says at most whether it has.
func locks(begin, end *function) bool {
	if r := begin.typ.Result(); r.Kind() != cc.Void && r.Kind() != cc.Bool && r.Kind() != cc.Int {
		return false
	}
	return slices.EqualFunc(begin.parameters(), end.parameters(), same)
}
