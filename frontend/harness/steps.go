package harness

import (
	"slices"
	"strings"
)

// This file makes the calls in the loop of a harness.

// addSteps adds the calls of an entry: one for each choice of the objects that it may be called with. A sequence is
// called with those of the function that begins it.
func (p *plan) addSteps(m *mention) {
	if m.sequence != nil {
		if m == m.sequence.begin {
			p.arguments(&step{m: m, success: anyResult}, nil, -1, 0)
		}
		return
	}
	if len(m.roles) == 0 {
		p.addStepsAs(m, nil)
	}
	for _, r := range m.roles {
		p.addStepsAs(m, r)
	}
}

// addStepsAs adds those in which m has the role r, which is nil if it has none.
func (p *plan) addStepsAs(m *mention, r *role) {
	s := &step{m: m, success: zero, role: r}
	// 1. What it begins and ends.
	skip := -1 // the argument that begins
	if row := p.table.begins(m.record, m.member); row != nil {
		s.success = row.success
		if row.phase {
			f := p.phase(m.variable, row)
			if s.begins = f.of; s.begins == nil {
				s.enters = f
				if p.hasExit(f) {
					s.needs = append(s.needs, "!"+f.flag)
				}
			}
		} else {
			s.begins = p.own(m, row)
		}
		if s.begins != nil {
			skip = row.argument
		}
	}
	for i := range p.table.rows {
		row := &p.table.rows[i]
		if row.record != m.record {
			continue
		}
		isEnd, within := slices.Contains(row.ends, m.member), slices.Contains(row.during, m.member)
		if f := p.phase(m.variable, row); row.phase && f != nil && (isEnd || within) {
			if f.of == nil {
				s.needs = append(s.needs, f.flag)
			}
			if isEnd {
				s.exits, s.ends = f, f.of
			}
		} else if o := p.ownOf(m, row); !row.phase && isEnd && o != nil && s.ends == nil {
			s.ends = o
		}
	}
	if r != nil && r.ends {
		s.ends = r.of
	} else if r != nil {
		s.begins, s.success = r.of, begun(m.fn.typ.Result())
		s.made = r.argument < 0 || r.left
	}
	// 2. Handlers wait until they are registered.
	h := p.handlerOf(m)
	if h != nil {
		s.needs = append(s.needs, h.on)
		s.handler = h
	}
	// 3. The arguments.
	p.arguments(s, h, skip, 0)
}

// ownOf returns the object that another member of m's table begins by row.
func (p *plan) ownOf(m *mention, row *lifetime) *object {
	for _, e := range p.entries {
		if e.record == m.record && e.variable == m.variable && slices.Contains(row.begins, e.member) {
			return p.own(e, row)
		}
	}
	return nil
}

// arguments completes the step s from argument i on, and adds it, once for each choice. skip is the
// argument that s begins; h has the pointers that were registered with the function, or is nil.
func (p *plan) arguments(s *step, h *handler, skip, i int) {
	params := s.m.fn.parameters()
	if i == len(params) {
		p.finish(s)
		return
	}
	add := func(arg string, need string) {
		next := *s
		next.args = append(slices.Clip(s.args), arg)
		if need != "" && !slices.Contains(s.needs, need) {
			next.needs = append([]string{need}, s.needs...)
		}
		p.arguments(&next, h, skip, i+1)
	}
	record, _ := s.m.fn.pointee(i)
	r := s.role
	made := p.madePlaces(s, params[i])
	switch {
	case r != nil && r.argument == i && r.left:
		add("&"+r.of.name, "")
	case r != nil && r.argument == i && r.member != "":
		add("&"+r.of.name+"->"+r.member, "")
	case r != nil && r.argument == i:
		add(r.of.name, "")
	case i == skip:
		add(s.begins.name, "")
	case h != nil && h.data[i] != "":
		add(h.data[i], "")
		if h.other[i] {
			any, _ := p.getters.value(params[i])
			add(any, "")
		}
	case p.handedTo(s.m, i) != nil:
		o := p.handedTo(s.m, i)
		add(o.name, o.name)
	case len(made) > 0 || record != "" && len(p.candidates(s.m, record)) > 0:
		list := made
		if record != "" {
			list = append(list, p.candidates(s.m, record)...)
		}
		// What was made, or anything else.
		if len(list) == len(made) {
			list = append(list, place{})
		}
		for _, c := range list {
			switch {
			case c.of == nil:
				any, _ := p.getters.value(params[i])
				add(any, "")
			case c.of.init:
				add(c.expr, "")
			default:
				add(c.expr, c.of.name)
			}
		}
	default:
		arg, ok := p.getters.value(params[i])
		if !ok {
			p.assume("%s is not called: the type of its argument %d has no name", s.m.fn.name, i+1)
			return
		}
		add(arg, "")
	}
}

// finish adds s, whose arguments are complete. An object does not end in a phase of it.
func (p *plan) finish(s *step) {
	if s.ends != nil && s.exits == nil {
		for _, f := range p.phases {
			if f.flag != "" && p.hasExit(f) && p.about(f) == s.ends {
				s.needs = append(s.needs, "!"+f.flag)
				p.assume("%s is not called between %s and %s", s.m.fn.name, strings.Join(f.row.begins, " or "), strings.Join(f.row.ends, " or "))
			}
		}
	}
	if s.ends != nil && !slices.Contains(s.needs, s.ends.name) {
		s.needs = append([]string{s.ends.name}, s.needs...)
	}
	p.steps = append(p.steps, s)
}

// hasExit reports whether an entry ends the phase f. If none does, it may have ended at any time.
func (p *plan) hasExit(f *phase) bool {
	return slices.ContainsFunc(p.entries, func(m *mention) bool {
		return m.variable == f.table && m.record == f.row.record && slices.Contains(f.row.ends, m.member)
	})
}

// about returns the object whose phase f is; nil if that is chosen anew for each call.
func (p *plan) about(f *phase) *object {
	for _, m := range p.entries {
		if m.variable != f.table || p.table.begins(m.record, m.member) != f.row {
			continue
		}
		record, _ := m.fn.pointee(f.row.argument)
		if list := p.candidates(m, record); record != "" && len(list) == 1 {
			return list[0].of
		}
	}
	return nil
}
