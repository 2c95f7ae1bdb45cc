package harness

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file looks after functions that are passed to external functions: they become entries when the
// call has succeeded, with the pointers that were passed along. The harness defines these external
// functions; each calls another one without a body, so that nothing is assumed of its effect.

// handler is a function that external functions are given.
type handler struct {
	m      *mention
	passed []passed // without doubles
	on     string   // the variable that is 1 while it may be called
	// For its parameters, the variable with the pointer that was passed along; "" for others.
	data  []string
	types []cc.Type // of data
	// other says of a parameter in data that it may be any other pointer, too.
	other []bool
	late  bool // it may be called only after another call ("starts")
	once  bool // it is called once for each registration
	owed  bool // and before the driver ends
	// further are more registrations for the same device.
	further []slot
	// before has what is called before it.
	before []preparation
}

// registrations makes the handlers. A function that is given to a function by pointer, or to one that
// cannot be defined here, may be called from the start.
func (p *plan) registrations() {
	main := p.mainUnit()
	for _, m := range p.entries {
		// A function that is stored is registered by calls, if there is a row about it.
		given := m.passed
		if call := p.packet(main, m); call != "" {
			given = []passed{{call, always}}
		}
		// A function that ends registrations by function makes none.
		if made := slices.DeleteFunc(slices.Clone(given), func(a passed) bool { return p.isEnd(a.external) }); len(made) > 0 {
			given = made
		}
		switch {
		case len(given) > len(m.passed):
		case m.record != "" || m.static || m.how == forOthers || m.how == "--entry":
			if m.record != "" && !m.static {
				p.assume("%s may be called before it is stored in .%s", m.fn.name, m.member)
			}
			continue
		case m.fn.unit != main || len(m.passed) == 0 || slices.ContainsFunc(given, func(a passed) bool { return p.external(m.fn.unit, a.external) == nil }):
			p.assume("%s may be called before it is registered", m.fn.name)
			continue
		}
		h := &handler{m: m, on: p.unused("c2bp_" + m.fn.name + "_on")}
		for _, a := range given {
			if !slices.Contains(h.passed, a) {
				h.passed = append(h.passed, a)
			}
			h.once = h.once || slices.Contains(p.table.once, a.external)
			h.owed = h.owed || slices.Contains(p.table.owed, a.external)
			for _, b := range p.table.before {
				if b.call == a.external {
					h.before = append(h.before, b)
				}
			}
			h.late = h.late || slices.ContainsFunc(p.table.turns, func(t turn) bool {
				return t.starts && slices.Contains(t.calls, a.external) && p.external(m.fn.unit, t.function) != nil
			})
		}
		p.passAlong(h)
		p.addSlots(h)
		p.handlers = append(p.handlers, h)
		p.assume("a call that registers %s and fails has not done so; %s", m.fn.name, h.count())
	}
}

// isEnd reports whether an external function ends registrations of others.
func (p *plan) isEnd(name string) bool {
	return slices.ContainsFunc(p.table.turns, func(t turn) bool {
		return t.function == name && !t.starts && !slices.Contains(t.calls, name)
	})
}

// passAlong chooses the parameters of h that have a pointer that was passed along. A function that no row is
// about may call its argument for each of several objects, such as the children of a device:
//
//	int device_for_each_child(struct device *parent, void *data, int (*f)(struct device *child, void *data));
//	void sort(void *base, size_t n, size_t size, int (*compare)(const void *a, const void *b));
//
// So only a pointer to void is then taken to be the one that was passed along, if it is the only one. One to something else
// may be that or another; and none of several is known.
func (p *plan) passAlong(h *handler) {
	fn := h.m.fn
	known := !slices.ContainsFunc(h.passed, func(a passed) bool { return !p.table.isKnown(a.external) })
	list := fn.parameters()
	for i, t := range list {
		alike := func(e cc.Type) bool {
			return ctree.Pointee(e) != nil && ctree.Pointee(t) != nil && plainPointee(e) == plainPointee(t)
		}
		// 1. Of several parameters of one type the first has the pointer, if any; others may lead anywhere.
		among := list[:i]
		if !known {
			among = slices.Concat(list[:i], list[i+1:])
		}
		name, other := "", false
		if !slices.ContainsFunc(among, alike) && slices.ContainsFunc(h.passed, func(a passed) bool { return p.along(fn.unit, a, t) >= 0 }) {
			name = fmt.Sprintf("c2bp_%s_data", fn.name)
			if slices.Contains(h.data, name) {
				name += fmt.Sprint(i + 1)
			}
			// 2. The pointer, or another one.
			if other = !known && ctree.Pointee(t).Kind() != cc.Void; !known && !other {
				p.assume("%s is given the pointer that the call was given by which it is registered", fn.name)
			}
		}
		h.data, h.types, h.other = append(h.data, name), append(h.types, t), append(h.other, other)
	}
}

// packet returns the external function by whose calls m is called; "" if there is none, or the harness cannot
// define it.
func (p *plan) packet(main *finder, m *mention) string {
	for _, k := range p.table.packets {
		if m.record == k.record && m.member == k.member && m.fn.unit == main && p.external(main, k.call) != nil {
			return k.call
		}
	}
	return ""
}

// handlerOf returns the handler that m is, nil if it is none.
func (p *plan) handlerOf(m *mention) *handler {
	for _, h := range p.handlers {
		if h.m == m {
			return h
		}
	}
	return nil
}

// external returns the type of an external function if the harness can define it; nil otherwise.
func (p *plan) external(u *finder, name string) *cc.FunctionType {
	d := u.declared[name]
	if d == nil || u.own[name] != nil || u.headers[name] != nil || strings.HasPrefix(name, "__builtin") || strings.HasPrefix(name, "__VERIFIER") {
		return nil
	}
	for _, other := range p.units {
		if other.own[name] != nil {
			return nil
		}
	}
	t := ctree.FunctionType(d.Type())
	if t == nil || t.IsVariadic() || len(t.Parameters()) == 0 || ctree.HasAttribute(d.Type().Attributes(), "noreturn") {
		return nil
	}
	if _, ok := header(t, name); !ok {
		return nil
	}
	return t
}

// along returns the argument of the external function in a that its handler may be given, as an
// argument of type t: the only one that points to the same type. It returns -1 if there is none, or
// more than one.
func (p *plan) along(u *finder, a passed, t cc.Type) (found int) {
	found = -1
	if ctree.Pointee(t) == nil || ctree.GivenFunction(t) != nil {
		return -1
	}
	want := plainPointee(t)
	for i, q := range ctree.FunctionType(u.declared[a.external].Type()).Parameters() {
		if ctree.Pointee(q.Type()) == nil || plainPointee(q.Type()) != want || i == a.argument {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// plainPointee returns the type to which t points, without qualifiers.
func plainPointee(t cc.Type) string {
	text, _ := declaration(ctree.Pointee(t), "")
	return strings.TrimSpace(unqualified(text))
}

// unqualified returns a declaration without the qualifiers in front of it.
func unqualified(text string) string {
	for _, q := range []string{"const ", "volatile "} {
		text = strings.TrimPrefix(text, q)
	}
	return text
}

// header returns the head of a definition of name with type t, and parameters p1, p2, ….
func header(t *cc.FunctionType, name string) (text string, ok bool) {
	var names []string
	for i := range t.Parameters() {
		names = append(names, fmt.Sprintf("p%d", i+1))
	}
	if list := t.Parameters(); len(list) == 1 && list[0].Type().Kind() == cc.Void {
		return declaration(t.Result(), name+"(void)")
	}
	params, ok := speller.Parameters(t, names)
	if !ok {
		return "", false
	}
	return declaration(t.Result(), name+"("+params+")")
}

// definition is the text of an external function that the harness defines.
func (p *plan) definition(u *finder, name string, t *cc.FunctionType) string {
	var b strings.Builder
	head, _ := header(t, name)
	inner, _ := header(t, "c2bp_external_"+name)
	var args []string
	for i, q := range t.Parameters() {
		if q.Type().Kind() == cc.Void {
			continue // (void)
		}
		arg := fmt.Sprintf("p%d", i+1)
		if p.isData(u, name, i) {
			arg = "0"
			p.assume("%s does not change what its argument %d leads to", name, i+1)
		}
		args = append(args, arg)
	}
	call := fmt.Sprintf("c2bp_external_%s(%s)", name, strings.Join(args, ", "))
	fmt.Fprintf(&b, "\nextern %s;\n%s\n{\n", inner, head)
	// 1. Whatever the function does; a negative result means that nothing was registered.
	failed := ""
	p.freshBefore(&b, u, name)
	p.lookupBefore(&b, u, name)
	if t.Result().Kind() == cc.Void {
		fmt.Fprintf(&b, "\t%s;\n", call)
	} else {
		result, _ := declaration(t.Result(), "result")
		fmt.Fprintf(&b, "\t%s = %s;\n", result, call)
		if i, ok := ctree.IntType(t.Result()); ok && i.Signed || p.table.calls[name] != "" {
			failed = cmp.Or(p.table.calls[name], nonnegative).failed("result")
		}
	}
	p.freshAfter(&b, u, name)
	p.lookupAfter(&b, u, name)
	p.handedAfter(&b, u, name)
	end := "\treturn;\n"
	if t.Result().Kind() != cc.Void {
		end = "\treturn result;\n"
	}
	// 2. Handlers that are turned off by the function that registers them.
	if failed == "" {
		if ended := p.ended(name); slices.Contains(p.table.old, name) && ended != "" && t.Result().Kind() == cc.Ptr {
			fmt.Fprintf(&b, "\t__VERIFIER_assume((result != 0) == (%s));\n", ended)
			p.assume("%s returns null if no function that it was given before ends", name)
		}
		p.turns(&b, name, true)
	}
	// 3. Handlers begin: what was there before goes to the other device.
	var registers strings.Builder
	for _, h := range p.handlers {
		for _, a := range h.passed {
			if a.external == name && h.m.fn.unit == u {
				p.register(&registers, h, a)
			}
		}
	}
	if failed != "" && registers.Len() > 0 {
		fmt.Fprintf(&b, "\tif (%s)\n\t%s", failed, end)
	}
	b.WriteString(registers.String())
	// 4. Handlers that are turned on and off.
	p.turns(&b, name, false)
	if end != "\treturn;\n" {
		b.WriteString(end)
	}
	b.WriteString("}\n")
	return b.String()
}

// isData reports whether argument i of the external function called name is a pointer that it passes to
// handlers, or knows them by, and that it is known not to follow, as there is a row about it.
func (p *plan) isData(u *finder, name string, i int) bool {
	if slices.ContainsFunc(p.table.turns, func(t turn) bool { return t.function == name && t.argument == i }) {
		return true
	}
	for _, h := range p.handlers {
		for _, a := range h.passed {
			for k, d := range h.data {
				if p.table.calls[name] != "" && a.external == name && d != "" && p.along(u, a, h.types[k]) == i {
					return true
				}
			}
		}
	}
	return false
}

// register writes that the function in a has been given h.
func (p *plan) register(b *strings.Builder, h *handler, a passed) {
	if a.argument == always {
		b.WriteString("\t{\n")
	} else {
		fmt.Fprintf(b, "\tif (p%d == %s) {\n", a.argument+1, h.m.fn.name)
	}
	p.makeRoom(b, h)
	on := "1"
	if h.late {
		on = "0"
	}
	fmt.Fprintf(b, "\t\t%s = %s;\n", h.on, on)
	for i, d := range h.data {
		if d == "" {
			continue
		}
		from := "0"
		if k := p.along(h.m.fn.unit, a, h.types[i]); k >= 0 {
			from = fmt.Sprintf("p%d", k+1)
			if declared, _ := declaration(h.types[i], ""); strings.HasPrefix(mustDeclare(h.m.fn.unit.parameter(a.external, k)), "const ") && !strings.HasPrefix(declared, "const ") {
				from = "(" + strings.TrimSpace(declared) + ")" + from
			}
		} else {
			from, _ = p.getters.value(h.types[i])
		}
		fmt.Fprintf(b, "\t\t%s = %s;\n", d, from)
	}
	b.WriteString("\t}\n")
}

// parameter returns the type of a parameter of an external function.
func (f *finder) parameter(name string, i int) cc.Type {
	return ctree.FunctionType(f.declared[name].Type()).Parameters()[i].Type()
}

// mustDeclare returns t in C, "" if it has no name.
func mustDeclare(t cc.Type) string {
	text, _ := declaration(t, "")
	return text
}

// turn writes that t turns handlers on or off: those that were registered with the same pointer.
func (p *plan) turn(b *strings.Builder, t turn) {
	value := 0
	if t.starts {
		value = 1
	}
	for _, h := range p.handlers {
		i := p.turned(h, t)
		if i < 0 {
			continue
		}
		// An end is that of one registration, as there may be two with one pointer.
		not, next := "!", "if"
		if !t.starts {
			not = ""
		}
		for _, s := range p.places(h) {
			fmt.Fprintf(b, "\t%s (%sp%d == %s && %s%s)\n\t\t%s = %d;\n", next, p.handed(h, t), t.argument+1, s.data[i], not, s.on, s.on, value)
			if !t.starts {
				next = "else if"
			}
		}
	}
}

// handed returns the condition that the function of t is given h, if it is given those that it ends; with "&&" after it.
func (p *plan) handed(h *handler, t turn) string {
	if slices.Contains(t.calls, t.function) {
		return "" // those that it registers
	}
	for k, q := range p.external(h.m.fn.unit, t.function).Parameters() {
		if ctree.GivenFunction(q.Type()) != nil {
			return fmt.Sprintf("p%d == %s && ", k+1, h.m.fn.name)
		}
	}
	return ""
}

// turns writes the rows about the function called name: those that end handlers of this function, or all others.
func (p *plan) turns(b *strings.Builder, name string, own bool) {
	for _, t := range p.table.turns {
		if t.function == name && (!t.starts && slices.Contains(t.calls, name)) == own {
			p.turn(b, t)
		}
	}
}

// ended returns the condition that a call of the function called name ends a handler that it was given before; ""
// if it ends none.
func (p *plan) ended(name string) string {
	var list []string
	for _, t := range p.table.turns {
		for _, h := range p.handlers {
			if t.function != name || t.starts || !slices.Contains(t.calls, name) {
				continue
			}
			i := p.turned(h, t)
			if i < 0 {
				continue
			}
			for _, s := range p.places(h) {
				list = append(list, fmt.Sprintf("(%sp%d == %s && %s)", p.handed(h, t), t.argument+1, s.data[i], s.on))
			}
		}
	}
	return strings.Join(list, " || ")
}

// turned returns the parameter of h with the pointer by which t finds it; -1 if t does not concern h.
func (p *plan) turned(h *handler, t turn) int {
	u := h.m.fn.unit
	typ := p.external(u, t.function)
	if typ == nil || t.argument >= len(typ.Parameters()) {
		return -1
	}
	for _, a := range h.passed {
		if !slices.Contains(t.calls, a.external) {
			continue
		}
		for i, d := range h.data {
			if d != "" && plainPointee(h.types[i]) == plainPointee(typ.Parameters()[t.argument].Type()) {
				return i
			}
		}
	}
	return -1
}

// defined returns the external functions that the part of u has to define, in alphabetical order.
func (p *plan) defined(u *finder) (names []string) {
	for _, h := range p.handlers {
		for _, a := range h.passed {
			if h.m.fn.unit == u {
				names = append(names, a.external)
			}
		}
		for _, t := range p.table.turns {
			if h.m.fn.unit == u && p.turned(h, t) >= 0 {
				names = append(names, t.function)
			}
		}
	}
	names = slices.Concat(names, p.freshNames(u), p.lookupNames(u), p.handedNames(u))
	slices.Sort(names)
	return slices.Compact(names)
}
