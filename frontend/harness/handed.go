package harness

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file binds the functions of tables to the objects that the driver has handed over with them, by the rows "hands"
// of lifetimes.txt:
//
//	nor->priv = priv;
//	nor->controller_ops = &lamp_ops;
//	err = spi_nor_scan(nor, NULL, &caps);      from now on, the functions of lamp_ops are called with nor
//	mtd_device_unregister(&nor->mtd);          from now on, they are not
//
// Without that, such a function is given any object from outside, in which nothing is known of the pointers that the
// driver keeps in it. The harness notes the last two objects. Where the driver hands over none by the functions of the
// rows, some other function may do it, and its objects are any.

// handed is an object that the driver hands over.
type handed struct {
	rows []handing // all are about one table
	of   *object
}

// findHanded finds the rows about functions that the driver calls, and makes the objects.
func (p *plan) findHanded() {
	main := p.mainUnit()
	for _, row := range p.table.handings {
		// 1. The driver calls the function, and the harness can define it.
		called := slices.ContainsFunc(p.units, func(u *finder) bool { return u.ownCalls()[row.function] })
		t := p.external(main, row.function)
		if !called || t == nil || row.argument >= len(t.Parameters()) || row.success != anyResult && !isSigned(t.Result()) {
			continue
		}
		to := ctree.Pointee(t.Parameters()[row.argument].Type())
		if recordName(to) == "" || !slices.ContainsFunc(p.entries, func(m *mention) bool { return m.record == row.record }) {
			continue
		}
		// 2. Several functions may hand over the objects of a table.
		h := p.handedWith(row.record)
		if h == nil {
			o := p.newObject(&object{record: recordName(to), typ: to, of: row.record, only: []string{}, gone: true}, row.record)
			h = &handed{of: o}
			p.handovers = append(p.handovers, h)
		}
		if h.of.record == recordName(to) {
			h.rows = append(h.rows, row)
		}
	}
}

// handedWith returns the object that the functions of tables of type record are given; nil if it is not known.
func (p *plan) handedWith(record string) *handed {
	for _, h := range p.handovers {
		if h.of.of == record {
			return h
		}
	}
	return nil
}

// handedTo returns the object that is argument i of m: the first one of its type. It is nil if there is none.
func (p *plan) handedTo(m *mention, i int) *object {
	h := p.handedWith(m.record)
	if h == nil || m.record == "" {
		return nil
	}
	is := func(k int) bool { record, _ := m.fn.pointee(k); return record == h.of.record }
	for k := range i {
		if is(k) {
			return nil
		}
	}
	if !is(i) {
		return nil
	}
	p.assume("a struct %s that %s is given is one of the last two that the driver has given to %s", h.of.record, m.fn.name, h.functions())
	return h.of
}

// functions returns the names of the functions that hand over h.
func (h *handed) functions() string {
	var names []string
	for _, row := range h.rows {
		names = append(names, row.function)
	}
	return strings.Join(names, " or ")
}

// handedNames returns the external functions that the harness has to define for objects that are handed over.
func (p *plan) handedNames(u *finder) (names []string) {
	if u != p.mainUnit() {
		return nil
	}
	for _, h := range p.handovers {
		for _, row := range h.rows {
			names = append(names, row.function)
			for _, end := range row.ends {
				if _, ok := p.takesBack(u, h, row, end); ok {
					names = append(names, end)
				}
			}
		}
	}
	return names
}

// takesBack reports whether the function called end is given the objects of h, or a member of them, which is "" for the
// object itself.
func (p *plan) takesBack(u *finder, h *handed, row handing, end string) (member string, ok bool) {
	t := p.external(u, end)
	if t == nil || !slices.Contains(row.ends, end) || row.endArgument >= len(t.Parameters()) {
		return "", false
	}
	return partFor(t.Parameters()[row.endArgument].Type(), h.of.typ)
}

// handedAfter writes, after a call of the function called name, that it has taken an object, or given it back.
func (p *plan) handedAfter(b *strings.Builder, u *finder, name string) {
	if u != p.mainUnit() {
		return
	}
	for _, h := range p.handovers {
		v := h.of.name
		for _, row := range h.rows {
			// 1. The object that was there before goes to the other device, unless it is the same.
			if row.function == name {
				began, given := "", fmt.Sprintf("p%d", row.argument+1)
				if c := row.success.began("result"); c != "" {
					began = c + " && "
				}
				fmt.Fprintf(b, "\tif (%s%s != %s) {\n", began, given, v)
				if !p.opts.OneDevice {
					fmt.Fprintf(b, "\t\t%s = %s;\n", other(v), v)
				}
				fmt.Fprintf(b, "\t\t%s = (%s)%s;\n\t}\n", v, strings.TrimSpace(h.of.declare("")), given)
			}
			// 2. A negative result means that the object stays.
			member, ok := p.takesBack(u, h, row, name)
			if !ok {
				continue
			}
			ended := ""
			if isSigned(p.external(u, name).Result()) {
				ended = "result >= 0 && "
			}
			for _, v := range []string{v, other(v)} {
				part := v
				if member != "" {
					part = "&" + v + "->" + member
				}
				if v == h.of.name || !p.opts.OneDevice {
					fmt.Fprintf(b, "\tif (%s%s && p%d == %s)\n\t\t%s = 0;\n", ended, v, row.endArgument+1, part, v)
				}
			}
		}
	}
}

// isSigned reports whether t is a type of signed numbers, so that results of it may say that a call has failed.
func isSigned(t cc.Type) bool {
	i, ok := ctree.IntType(t)
	return ok && i.Signed
}
