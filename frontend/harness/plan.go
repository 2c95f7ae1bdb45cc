package harness

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file chooses the entries of a driver, and the objects that they are called with.

// plan is a harness before it is text.
type plan struct {
	opts  Options
	table *lifetimes
	units []*finder

	inits, exits []*mention
	initSuccess  map[*mention]success
	entries      []*mention
	note         string

	objects  []*object
	phases   []*phase
	handlers []*handler
	steps    []*step
	assumed  []string
	getters  getters
}

// object is a place for an object that several calls are given.
type object struct {
	record string  // its type: the tag or typedef
	typ    cc.Type // likewise
	name   string  // of the variable that points to it
	// It is for the functions in this table; "" for the whole driver.
	table string
	of    string   // the type of the table
	only  []string // members that it is for; nil for all
	init  bool     // it is an argument of init, and there is one for all devices
}

// phase is the time between a member that begins it and one that ends it.
type phase struct {
	row   *lifetime
	table string
	// Either an object that exists only in it, or the variable that is 1 in it.
	of   *object
	flag string
}

// step is a call in the loop of the harness.
type step struct {
	m             *mention
	args          []string
	needs         []string // conditions
	begins, ends  *object
	enters, exits *phase
	success       success
}

// assume adds a line to the ledger, once.
func (p *plan) assume(format string, args ...any) {
	if line := "harness: " + fmt.Sprintf(format, args...); !slices.Contains(p.assumed, line) {
		p.assumed = append(p.assumed, line)
	}
}

// boundaries finds the functions with which the driver starts and ends.
func (p *plan) boundaries() {
	p.initSuccess = map[*mention]success{}
	for _, u := range p.units {
		// 1. By name, or by another name of the same function.
		named := func(rows []boundary) (list []*mention) {
			for _, b := range rows {
				name := b.name
				if u.aliases[name] != "" {
					name = u.aliases[name]
				}
				if fn := u.own[name]; fn != nil && (u.aliases[b.name] != "" || !fn.static) {
					m := &mention{fn: fn, how: b.name, pos: fn.pos}
					if p.initSuccess[m] = b.success; name != b.name {
						m.how = "alias " + b.name
					}
					list = append(list, m)
				}
			}
			return list
		}
		p.inits, p.exits = append(p.inits, named(p.table.inits)...), append(p.exits, named(p.table.exits)...)
		// 2. By a section of the linker.
		for _, fn := range u.functions {
			m := &mention{fn: fn, how: "in a section of functions to start", pos: fn.pos}
			switch u.started[fn.name] {
			case "init":
				p.initSuccess[m] = zero
				p.inits = append(p.inits, m)
			case "exit":
				m.how = "in a section of functions to end"
				p.exits = append(p.exits, m)
			}
		}
		// 3. By a member in which it is stored.
		for _, m := range u.mentions {
			if slices.ContainsFunc(p.table.exits, func(b boundary) bool { return m.record != "" && b.name == m.record+"."+m.member }) {
				p.exits = append(p.exits, m)
			}
		}
	}
	p.inits, p.exits = once(p.inits), once(p.exits)
}

// once keeps the first mention of each function.
func once(list []*mention) (kept []*mention) {
	for _, m := range list {
		if !mentions(kept, m.fn) {
			kept = append(kept, m)
		}
	}
	return kept
}

// mentions reports whether fn is in list.
func mentions(list []*mention, fn *function) bool {
	return slices.ContainsFunc(list, func(m *mention) bool { return m.fn == fn })
}

// choose chooses the entries: those that the user names, or those whose addresses leave the driver and
// those that other files may call. An error says that there are none.
func (p *plan) choose() error {
	var all []*mention
	for _, u := range p.units {
		for _, m := range u.mentions {
			if !mentions(p.inits, m.fn) && !mentions(p.exits, m.fn) {
				all = merged(all, m)
			}
		}
	}
	if len(p.opts.Entries) > 0 {
		return p.chooseNamed(all)
	}
	p.entries = all
	// Functions for other files: nothing in these calls them.
	fallback := len(all) == 0 && len(p.inits) == 0
	called := map[string]bool{}
	for _, u := range p.units {
		for name := range u.called() {
			called[name] = true
		}
	}
	for _, u := range p.units {
		for _, fn := range u.functions {
			if !fn.static && (fallback || !called[fn.name]) && !mentions(all, fn) && !mentions(p.inits, fn) && !mentions(p.exits, fn) {
				p.entries = append(p.entries, &mention{fn: fn, how: "for other files", pos: fn.pos})
			}
		}
	}
	if fallback && len(p.entries) > 0 {
		p.note = "no function main, and no address of a function that leaves the file: every function that is not static is called in any order; --entry names others"
	}
	if len(p.entries)+len(p.inits) == 0 {
		return source.List{{Pos: p.file(), Severity: source.Error, Msg: "there is nothing to start at: no function main; no function whose address is in a table, stored in memory or passed to another file; no init_module or DriverEntry; no function that is not static. --entry names functions to call"}}
	}
	return nil
}

// chooseNamed chooses the functions that the user names, as what is known of them in all.
func (p *plan) chooseNamed(all []*mention) error {
	var errs source.List
	inits, exits := p.inits, p.exits
	p.inits, p.exits = nil, nil
	for _, name := range p.opts.Entries {
		// 1. The function.
		var fn *function
		for _, u := range p.units {
			if f := u.own[name]; f != nil && (fn == nil || fn.static && !f.static) {
				fn = f
			}
		}
		if fn == nil {
			errs.Add(p.missing(name))
			continue
		}
		// 2. The ways in which it is called; in any order if there are none.
		keep := func(to *[]*mention, from []*mention) (found bool) {
			for _, m := range from {
				if m.fn == fn && !slices.Contains(*to, m) {
					*to, found = append(*to, m), true
				}
			}
			return found
		}
		a, b, c := keep(&p.inits, inits), keep(&p.exits, exits), keep(&p.entries, all)
		if !a && !b && !c && !mentions(p.entries, fn) {
			p.entries = append(p.entries, &mention{fn: fn, how: "--entry", pos: fn.pos})
		}
	}
	return errs.Err()
}

// called returns the names of the functions that a function of f calls.
func (f *finder) called() map[string]bool {
	names := map[string]bool{}
	f.each(func(d *cc.ExternalDeclaration) {
		ctree.Walk(d, func(n cc.Node) bool {
			if e, ok := n.(*cc.PostfixExpression); ok && e.Case == cc.PostfixExpressionCall && ctree.CalleeName(e) != "" {
				names[ctree.CalleeName(e)] = true
			}
			return true
		})
	})
	return names
}

// merged adds m to list, unless it is there: a function may be in one place of a table for several
// reasons, and is passed to all external functions together.
func merged(list []*mention, m *mention) []*mention {
	for _, o := range list {
		if o.fn != m.fn || o.record != m.record || o.member != m.member || o.variable != m.variable {
			continue
		}
		if len(o.passed) == 0 || len(m.passed) == 0 {
			o.passed = nil
		} else {
			o.passed = append(o.passed, m.passed...)
		}
		return list
	}
	return append(list, m)
}

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
		if row == nil || row.phase || p.own(m, row) != nil {
			continue
		}
		if record, t := m.fn.pointee(row.argument); record != "" {
			p.newObject(&object{record: record, typ: t, table: m.variable, of: m.record}, m.variable)
		}
	}
	// 3. Phases, of such objects or of others, which only the members of the phase are given.
	for _, m := range p.entries {
		row := p.table.begins(m.record, m.member)
		if row == nil || !row.phase || p.phase(m.variable, row) != nil {
			continue
		}
		record, t := m.fn.pointee(row.argument)
		ph := &phase{row: row, table: m.variable}
		if record != "" && len(p.candidates(m, record)) != 1 {
			ph.of = p.newObject(&object{record: record, typ: t, table: m.variable, of: m.record, only: slices.Concat(row.begins, row.ends, row.during)}, m.variable)
		} else {
			ph.flag = p.unused("c2bp_" + m.member + "_of_" + cmp.Or(m.variable, m.record))
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
	o.name = "c2bp_" + o.record
	if p.isUsed(o.name) && table != "" {
		o.name += "_of_" + table
	}
	o.name = p.unused(o.name)
	p.objects = append(p.objects, o)
	return o
}

// isUsed reports whether a variable of the harness is called name.
func (p *plan) isUsed(name string) bool {
	return slices.ContainsFunc(p.objects, func(o *object) bool { return o.name == name }) ||
		slices.ContainsFunc(p.phases, func(f *phase) bool { return f.flag == name }) ||
		slices.ContainsFunc(p.handlers, func(h *handler) bool { return h.on == name })
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

// addSteps adds the calls of an entry: one for each choice of the objects that it may be called with.
func (p *plan) addSteps(m *mention) {
	s := &step{m: m, success: zero}
	// 1. What it begins and ends.
	skip := -1 // the argument that begins
	if row := p.table.begins(m.record, m.member); row != nil {
		s.success = row.success
		if row.phase {
			f := p.phase(m.variable, row)
			if s.begins = f.of; s.begins == nil {
				s.enters, s.needs = f, append(s.needs, "!"+f.flag)
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
	// 2. Handlers wait until they are registered.
	h := p.handlerOf(m)
	if h != nil {
		s.needs = append(s.needs, h.on)
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
// argument that s begins; h has what was registered with the function, or is nil.
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
	switch {
	case i == skip:
		add(s.begins.name, "")
	case h != nil && h.data[i] != "":
		add(h.data[i], "")
	case record != "" && len(p.candidates(s.m, record)) > 0:
		for _, c := range p.candidates(s.m, record) {
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
			if f.flag != "" && p.about(f) == s.ends {
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
