package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/layout"
)

// This file finds how little functions without a body change, where more is known of them than that they may change all
// that their arguments lead to. There are two reasons:
//
//	rb_erase(&e->node, &d->tree);        a row "changes" of lifetimes.txt: structs rb_node and rb_root, and nothing else
//	divider_get_val(rate, d->table);     const struct clk_div_table *: two numbers, which it does not change
//
// A pointer to const leads to an object that the function does not change, but what that leads to is another matter. So
// only those count that lead to numbers, or to further pointers of this kind. A struct with a member of type long is left
// out: in the tables of Linux it may be an address (driver_info of struct usb_device_id).
//
// Both are assumptions about the kernel, the default for drivers to which a harness belongs, as private structs are.

// findChanges notes what the functions without a body change, where that is known.
func (l *program) findChanges() {
	if !l.keepsPrivate() {
		return
	}
	rows := l.opts.conventions().Changes
	for _, f := range l.order {
		if f.def != nil || f.model != nil || f.proc.HasBody() || f.proc.Assembly {
			continue
		}
		// 1. By a row.
		if tags, known := rows[f.name]; known {
			f.proc.Limited, f.proc.Quiet, f.proc.Changes = true, true, l.tagged(tags)
			f.proc.ChangesChars = slices.Contains(tags, "char")
			continue
		}
		// 2. By the types of its parameters.
		for i, p := range parameters(f.typ) {
			if q := l.levelsOf(p.Declarator); len(q) > 1 && l.leadsToConstants(p.Type(), q, nil) {
				if f.proc.ReadOnly == nil {
					f.proc.ReadOnly = make([]bool, len(parameters(f.typ)))
				}
				f.proc.ReadOnly[i] = true
			}
		}
	}
}

// tagged returns the records of the structs with these tags, as far as the program has such.
func (l *program) tagged(tags []string) (list []*core.Record) {
	for t, r := range l.records.memo {
		if r != nil && slices.Contains(tags, tagOf(t)) && !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *core.Record) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// limitOf says what f changes at most, for the ledger.
func limitOf(p *core.Proc) string {
	var names []string
	if p.ChangesChars {
		names = append(names, "characters")
	}
	for _, r := range p.Changes {
		if !slices.Contains(names, r.Name) {
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		return "it changes nothing"
	}
	return "it changes nothing but " + strings.Join(names, " and ") + " that its arguments reach"
}

// leadsToConstants reports whether t, of which q has the qualifiers, is a pointer to const by which nothing can be reached
// that is no constant. around has the structs around it.
func (l *program) leadsToConstants(t cc.Type, q levels, around []cc.Type) bool {
	var to cc.Type
	switch t := t.(type) {
	case *cc.PointerType:
		to = t.Elem()
	case *cc.ArrayType: // of a parameter
		to = t.Elem()
	default:
		return false
	}
	q = q.inner()
	// Of an array the elements are const.
	for a, isArray := to.(*cc.ArrayType); isArray; a, isArray = to.(*cc.ArrayType) {
		to, q = a.Elem(), q.inner()
	}
	if len(q) == 0 || q[0]&constant == 0 {
		return false
	}
	return l.isNumbers(to, false, around) || l.leadsToConstants(to, q, around)
}

// isNumbers reports whether t is a number, or a struct or union of numbers and of pointers to constants. inside says that
// it is a member of one.
func (l *program) isNumbers(t cc.Type, inside bool, around []cc.Type) bool {
	switch t := elementType(t).(type) {
	case *cc.StructType, *cc.UnionType:
		members := layout.AllMembers(t)
		if slices.Contains(around, cc.Type(t)) || len(members) == 0 || !l.layouts.Of(t).Known {
			return false
		}
		return !slices.ContainsFunc(members, func(f *cc.Field) bool {
			if l.isNumbers(f.Type(), true, append(slices.Clip(around), t)) {
				return false
			}
			q := l.levelsOf(f.Declarator())
			return !l.leadsToConstants(f.Type(), q, append(slices.Clip(around), t))
		})
	default:
		switch t.Kind() {
		case cc.Long, cc.ULong:
			return !inside
		}
		return cc.IsArithmeticType(t) || t.Kind() == cc.Enum
	}
}
