package harness

import (
	"cmp"
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file chooses the objects that functions are called with.

// parameters returns the types of the parameters of fn.
func (fn *function) parameters() (list []cc.Type) {
	for _, q := range fn.typ.Parameters() {
		if q.Type() != nil && q.Type().Kind() != cc.Void {
			list = append(list, q.Type())
		}
	}
	return list
}

// pointee returns the struct or union to which parameter i of fn points, by its name and type; "" if
// it does not.
func (fn *function) pointee(i int) (record string, t cc.Type) {
	list := fn.parameters()
	if i >= len(list) {
		return "", nil
	}
	t = ctree.Pointee(list[i])
	return recordName(t), t
}

// makeObjects makes the objects that init is given, those that members of tables begin, and phases.
func (p *plan) makeObjects() {
	// 1. The arguments of init.
	for _, m := range p.inits {
		for i := range m.fn.parameters() {
			if record, t := m.fn.pointee(i); record != "" {
				p.newObject(&object{record: record, typ: t, init: true}, "")
			}
		}
	}
	// 2. What tables begin.
	for _, m := range p.entries {
		row := p.table.begins(m.record, m.member)
		if row == nil || row.phase || m.sequence != nil || p.own(m, row) != nil {
			continue
		}
		if record, t := m.fn.pointee(row.argument); record != "" {
			p.newObject(&object{record: record, typ: t, table: m.variable, of: m.record}, m.variable)
		}
	}
	// 3. Phases, of such objects or of others, which only the members of the phase are given.
	for _, m := range p.entries {
		row := p.table.begins(m.record, m.member)
		if row == nil || !row.phase || m.sequence != nil || p.phase(m.variable, row) != nil {
			continue
		}
		record, t := m.fn.pointee(row.argument)
		ph := &phase{row: row, table: m.variable}
		if record != "" && len(p.candidates(m, record)) != 1 {
			ph.of = p.newObject(&object{record: record, typ: t, table: m.variable, of: m.record, only: slices.Concat(row.begins, row.ends, row.during)}, m.variable)
		} else {
			ph.flag = p.unused("c2bp_" + m.member + "_of_" + cmp.Or(m.variable, m.record))
			ph.whole = row.argument >= len(m.fn.parameters())
		}
		p.phases = append(p.phases, ph)
	}
}

// newObject adds o, and gives it a name: that of its type, and of its table where there are several.
func (p *plan) newObject(o *object, table string) *object {
	for _, q := range p.objects {
		if o.init && q.init && q.record == o.record {
			return q
		}
	}
	o.name = "c2bp_" + cmp.Or(o.record, "made")
	if p.isUsed(o.name) && table != "" {
		o.name += "_of_" + table
	}
	o.name = p.unused(o.name)
	p.objects = append(p.objects, o)
	return o
}

// isUsed reports whether a variable or a sequence of the harness is called name.
func (p *plan) isUsed(name string) bool {
	return slices.ContainsFunc(p.objects, func(o *object) bool { return o.name == name }) ||
		slices.ContainsFunc(p.phases, func(f *phase) bool { return f.flag == name }) ||
		slices.ContainsFunc(p.handlers, func(h *handler) bool { return h.on == name }) ||
		slices.ContainsFunc(p.sequences, func(s *sequence) bool { return s.name == name })
}

// unused returns name, with a number after it if it is used.
func (p *plan) unused(name string) string {
	unique := name
	for i := 2; p.isUsed(unique); i++ {
		unique = fmt.Sprintf("%s_%d", name, i)
	}
	return unique
}

// own returns the object that the table of m begins by row; nil if there is none yet.
func (p *plan) own(m *mention, row *lifetime) *object {
	for _, o := range p.objects {
		if o.of == m.record && o.table == m.variable && !o.init && (o.only == nil || slices.Contains(o.only, m.member)) {
			if record, _ := m.fn.pointee(row.argument); record == o.record {
				return o
			}
		}
	}
	return nil
}

// phase returns the phase of the row in a table; nil if nothing begins it.
func (p *plan) phase(table string, row *lifetime) *phase {
	for _, f := range p.phases {
		if f.row == row && f.table == table {
			return f
		}
	}
	return nil
}

// place is an object, or a part of one; or any pointer, of is nil then.
type place struct {
	of   *object
	expr string // a pointer to it
}

// candidates returns the places of the given type that m may be called with; none if that is an object
// that nothing in the driver begins.
//
//	struct platform_device    c2bp_platform_device
//	struct device             &c2bp_platform_device->dev
func (p *plan) candidates(m *mention, record string) (list []place) {
	// 1. An object of its own table. Where another table of this type has one, this one has not.
	foreign := false
	for _, o := range p.objects {
		if o.init || o.of != m.record || m.record == "" || o.record != record || o.only != nil && !slices.Contains(o.only, m.member) {
			continue
		}
		if o.table == m.variable {
			return []place{{o, o.name}}
		}
		foreign = true
	}
	// Nor has a function that is stored in the object itself.
	if foreign || m.record == record {
		return nil
	}
	// 2. Others of the type.
	for _, o := range p.objects {
		if o.record == record && o.only == nil {
			list = append(list, place{o, o.name})
			if !o.init {
				p.assume("a struct %s that %s is given is one that a function in %s has begun", record, m.fn.name, cmp.Or(o.table, o.of))
			}
		}
	}
	if len(list) > 0 {
		return list
	}
	// 3. Members of others: certainly, if the table of the object leads to that of m; else perhaps.
	var perhaps []place
	for _, o := range p.objects {
		members, ok := part(o.typ, record)
		switch at := (place{o, "&" + o.name + "->" + members}); {
		case !ok || o.only != nil:
		case m.variable != "" && m.fn.unit.leads(o.table, m.variable):
			list = append(list, at)
			p.assume("a struct %s that %s is given is in one that a function in %s has begun", record, m.fn.name, o.table)
		default:
			perhaps = append(perhaps, at)
		}
	}
	if len(list) > 0 || len(perhaps) == 0 {
		return list
	}
	return append(perhaps, place{})
}

// leads reports whether the initialiser of the variable from has the address of the variable to, or of
// one that leads there.
func (f *finder) leads(from, to string) bool {
	a := addresses{map[variable]bool{from: true}, f.addresses.in}
	return from != "" && a.leaves(to)
}
