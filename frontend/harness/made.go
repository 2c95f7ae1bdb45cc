package harness

import (
	"cmp"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file finds the members of tables that make objects, and those that get them back, by the rows "makes" of
// lifetimes.txt:
//
//	struct config_group *(*make_group)(struct config_group *, const char *);        returns an object
//	void (*drop_item)(struct config_group *, struct config_item *);                 gets a part of it back
//
// The second is called only for what the first has made. All others may be given it, too, or anything else.

// findMade gives roles to the entries that make objects and get them back.
func (p *plan) findMade() {
	for _, row := range p.table.makings {
		for _, begin := range p.entries {
			if begin.record != row.record || !slices.Contains(row.begins, begin.member) || begin.role() != nil {
				continue
			}
			t := begin.fn.makes(row.from)
			if t == nil {
				continue
			}
			// 1. What gets it back.
			var o *object
			for _, end := range p.entries {
				member, ok := end.fn.getsBack(row.argument, t)
				if !ok || !p.isCounterpart(begin, end, row) {
					continue
				}
				// 2. The object.
				if o == nil {
					o = p.newObject(&object{record: recordName(t), typ: t, table: begin.variable, of: begin.record, only: []string{}, made: true}, cmp.Or(begin.variable, begin.fn.name))
					begin.roles = []*role{{of: o, argument: row.from, left: row.from >= 0}}
				}
				end.roles = append(end.roles, &role{of: o, ends: true, argument: row.argument, member: member})
				p.assumePair(begin, end)
			}
		}
	}
}

// isCounterpart reports whether the function of end gets back the objects of begin, by row: both are in one
// table, or in the only ones of their types.
func (p *plan) isCounterpart(begin, end *mention, row making) bool {
	if !slices.Contains(row.ends, [2]string{end.record, end.member}) || len(end.roles) > 0 && !end.roles[0].ends {
		return false
	}
	if end.record == begin.record {
		return end.variable == begin.variable
	}
	return !slices.ContainsFunc(p.entries, func(m *mention) bool {
		return m.record == begin.record && m.variable != begin.variable || m.record == end.record && m.variable != end.variable
	})
}

// makes returns the type of the objects that fn makes: it returns a pointer to one, or leaves that where its argument
// from points to; nil if it cannot.
func (fn *function) makes(from int) cc.Type {
	if from < 0 {
		return ctree.Pointee(fn.typ.Result())
	}
	if list := fn.parameters(); from < len(list) {
		if to := ctree.Pointee(list[from]); to != nil {
			return ctree.Pointee(to)
		}
	}
	return nil
}

// getsBack reports whether argument i of fn can be an object of type t, or a member of it, which is "" for the object.
func (fn *function) getsBack(i int, t cc.Type) (member string, ok bool) {
	list := fn.parameters()
	if i >= len(list) {
		return "", false
	}
	return partFor(list[i], t)
}

// partFor reports whether a parameter of type q can be given an object of type t, or a member of it, which is "" for the
// object.
func partFor(q, t cc.Type) (member string, ok bool) {
	to := ctree.Pointee(q)
	switch {
	case to == nil:
		return "", false
	case recordName(to) == "":
		return "", to.Kind() == cc.Void && t.Kind() == cc.Void
	case recordName(to) == recordName(t):
		return "", true
	}
	return part(t, recordName(to))
}

// madePlaces returns the objects that members of tables make, and parts of them, that a parameter of type q of m may be
// given; a pointer to void only those of its own table.
func (p *plan) madePlaces(s *step, q cc.Type) (list []place) {
	for _, o := range p.objects {
		if !o.made || o == s.begins || o == s.ends {
			continue
		}
		switch member, ok := partFor(q, o.typ); {
		case !ok || o.record == "" && (o.of != s.m.record || o.table != s.m.variable):
		case member == "":
			list = append(list, place{o, o.name})
		default:
			list = append(list, place{o, "&" + o.name + "->" + member})
		}
	}
	return list
}
