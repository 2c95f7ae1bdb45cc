package harness

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file writes a harness in C.

// other returns the variable for the other device.
func other(name string) string { return "c2bp_other_" + strings.TrimPrefix(name, "c2bp_") }

// print returns the harness: main in the part of the first file that has something to call, and
// functions with external linkage for those of other files that main calls.
func (p *plan) print() *Harness {
	main := p.mainUnit()
	loop := p.loop(main)
	start, end := p.start(main), p.end(main)
	var b strings.Builder
	// 1. The head.
	fmt.Fprintf(&b, "/*\n * What the environment of a driver may do. This is compiled at the end of the file that is named\n * above, so it may use the static functions and the types there. To change it:\n *\n *     c2bp audit --print-harness %s > harness.c\n *     c2bp audit %s harness.c\n */\n", p.names(), p.names())
	definitions := ""
	for _, name := range p.defined(main) {
		definitions += p.definition(main, name, p.external(main, name))
	}
	// 2. Declarations.
	b.WriteString(p.declarations(main))
	// 3. External functions that register others, the other device, main.
	b.WriteString(definitions)
	b.WriteString(p.swap())
	b.WriteString(p.sequenceTexts(main))
	b.WriteString(start)
	b.WriteString(loop)
	b.WriteString(end)
	h := &Harness{Note: p.note, Assumed: append([]string{serial}, p.assumed...)}
	if len(p.variables()) > 0 {
		h.Assumed = append(h.Assumed, map[bool]string{false: "harness: two devices", true: "harness: one device"}[p.opts.OneDevice])
	}
	h.Parts = append(h.Parts, Part{main.File.Name, b.String()})
	for _, u := range p.units {
		if text := p.further(u); u != main && text != "" {
			h.Parts = append(h.Parts, Part{u.File.Name, text})
		}
	}
	return h
}

// names returns the names of the C files.
func (p *plan) names() string {
	var list []string
	for _, u := range p.units {
		list = append(list, u.File.Name)
	}
	return strings.Join(list, " ")
}

// mainUnit returns the file with most of the functions that are called.
func (p *plan) mainUnit() *finder {
	count := map[*finder]int{}
	for _, m := range slices.Concat(p.inits, p.entries) {
		count[m.fn.unit]++
	}
	return slices.MaxFunc(p.units, func(a, b *finder) int {
		return cmp.Or(count[a]-count[b], slices.Index(p.units, b)-slices.Index(p.units, a))
	})
}

// callee returns the name by which main calls fn: a static function of another file has a second one.
func (p *plan) callee(main *finder, fn *function) string {
	if fn.unit != main && fn.static {
		return fmt.Sprintf("c2bp_entry%d_%s", slices.Index(p.units, fn.unit)+1, fn.name)
	}
	return fn.name
}

// outside returns the functions of u that main calls from another file.
func (p *plan) outside(u *finder) (list []*function) {
	for _, m := range slices.Concat(p.inits, p.entries, p.exits) {
		if m.fn.unit == u && !slices.Contains(list, m.fn) {
			list = append(list, m.fn)
		}
	}
	return list
}

// further returns the part of the harness for a file without main.
func (p *plan) further(u *finder) string {
	var b strings.Builder
	for _, fn := range p.outside(u) {
		name := p.callee(nil, fn)
		head, ok := header(fn.typ, name)
		if !ok || !fn.static {
			continue
		}
		var args []string
		for i := range fn.parameters() {
			args = append(args, fmt.Sprintf("p%d", i+1))
		}
		if len(args) == 0 {
			head, _ = declaration(fn.typ.Result(), name+"(void)")
		}
		result := "return "
		if fn.typ.Result().Kind() == cc.Void {
			result = ""
		}
		fmt.Fprintf(&b, "\n%s;\n%s\n{\n\t%s%s(%s);\n}\n", head, head, result, fn.name, strings.Join(args, ", "))
	}
	return b.String()
}

// stateVariable is a variable of the harness, one of two for the two devices.
type stateVariable struct{ name, declaration, other string }

// variables returns those that are exchanged between devices.
func (p *plan) variables() (list []stateVariable) {
	add := func(name string, declare func(name string) string) {
		list = append(list, stateVariable{name, declare(name), declare(other(name))})
	}
	for _, o := range p.objects {
		if !o.init {
			add(o.name, o.declare)
		}
	}
	flag := func(name string) string { return "int " + name }
	for _, f := range p.phases {
		if f.flag != "" && !f.whole {
			add(f.flag, flag)
		}
	}
	for _, h := range p.handlers {
		for _, s := range h.slots() {
			add(s.on, flag)
			for i, d := range s.data {
				if d != "" {
					add(d, func(name string) string { text, _ := declaration(h.types[i], name); return text })
				}
			}
		}
	}
	return list
}

// declare returns the declaration of a pointer to o.
func (o *object) declare(name string) string {
	text, _ := declaration(o.typ, "*"+name)
	return unqualified(text)
}

// declarations returns those of functions without a body, and of variables.
func (p *plan) declarations(main *finder) string {
	var b strings.Builder
	b.WriteString("\nextern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\n")
	for _, name := range p.getters.names {
		if name != "__VERIFIER_nondet_int" {
			fmt.Fprintf(&b, "extern %s;\n", p.getters.declarations[name])
		}
	}
	// Functions of other files.
	for _, u := range p.units {
		for _, fn := range p.outside(u) {
			if u == main || main.declared[fn.name] != nil && !fn.static {
				continue
			}
			if head, ok := declaration(fn.typ, p.callee(main, fn)); ok {
				fmt.Fprintf(&b, "extern %s;\n", head)
			}
		}
	}
	b.WriteString("\n")
	for _, o := range p.objects {
		if o.init {
			fmt.Fprintf(&b, "static %s;\n", o.declare(o.name))
		}
	}
	for _, f := range p.phases {
		if f.whole {
			fmt.Fprintf(&b, "static int %s;\n", f.flag)
		}
	}
	if list := p.variables(); len(list) > 0 {
		b.WriteString("/* Objects and states: null and 0 as long as there is none. */\n")
		for _, v := range list {
			fmt.Fprintf(&b, "static %s;\n", v.declaration)
			if !p.opts.OneDevice {
				fmt.Fprintf(&b, "static %s;\n", v.other)
			}
		}
	}
	p.declareLive(&b)
	p.declareLookups(&b)
	return b.String()
}

// swap returns the function that goes on with the other device; "" if there is no state.
func (p *plan) swap() string {
	list := p.variables()
	if len(list) == 0 || p.opts.OneDevice {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n/* Goes on with the other device. */\nstatic void c2bp_swap_devices(void)\n{\n")
	for _, v := range list {
		exchange(&b, "\t", v.name, other(v.name))
	}
	b.WriteString("}\n")
	return b.String()
}

// start returns main up to the loop.
func (p *plan) start(main *finder) string {
	var b strings.Builder
	b.WriteString("\nint main(void)\n{\n")
	for _, o := range p.objects {
		if o.init {
			call, _ := p.getters.add(getter+o.record, o.typ.Pointer())
			fmt.Fprintf(&b, "\t%s = %s;\n\t__VERIFIER_assume(%s != 0);\n", o.name, call, o.name)
		}
	}
	for _, m := range p.inits {
		fmt.Fprintf(&b, "\t/* %s, %s */\n", m.how, shown(m))
		call := fmt.Sprintf("%s(%s)", p.callee(main, m.fn), strings.Join(p.plain(m), ", "))
		failed := p.initSuccess[m].failed(call)
		if failed == "" || m.fn.typ.Result().Kind() == cc.Void {
			fmt.Fprintf(&b, "\t%s;\n", call)
		} else {
			fmt.Fprintf(&b, "\tif (%s)\n\t\treturn 0;\n", failed)
		}
	}
	return b.String()
}

// plain returns the arguments of a function that is called once, at the start or at the end.
func (p *plan) plain(m *mention) (args []string) {
	for i, t := range m.fn.parameters() {
		arg := ""
		if record, _ := m.fn.pointee(i); record != "" {
			for _, o := range p.objects {
				if o.init && o.record == record {
					arg = o.name
				}
			}
		}
		if arg == "" {
			arg, _ = p.getters.value(t)
		}
		args = append(args, arg)
	}
	return args
}

// shown returns the file and line of m.
func shown(m *mention) string {
	return fmt.Sprintf("%s:%d", filepath.Base(m.pos.File), m.pos.Line)
}

// loop returns the loop over all entries.
func (p *plan) loop(main *finder) string {
	if len(p.steps) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\twhile (__VERIFIER_nondet_int()) {\n")
	if len(p.variables()) > 0 && !p.opts.OneDevice {
		b.WriteString("\t\tif (__VERIFIER_nondet_int())\n\t\t\tc2bp_swap_devices();\n")
	}
	b.WriteString("\t\tswitch (__VERIFIER_nondet_int()) {\n")
	for i, s := range p.steps {
		fmt.Fprintf(&b, "\t\tcase %d: /* %s, %s */\n", i, s.m.how, shown(s.m))
		p.step(&b, main, s)
		b.WriteString("\t\t\tbreak;\n")
	}
	b.WriteString("\t\t}\n\t}\n")
	return b.String()
}

// step writes one call with its conditions and consequences.
func (p *plan) step(b *strings.Builder, main *finder, s *step) {
	indent := "\t\t\t"
	line := func(format string, args ...any) { fmt.Fprintf(b, indent+format+"\n", args...) }
	// 1. The conditions, of any of several registrations.
	if s.handler != nil {
		s.handler.chooseSlot(b, indent)
	}
	needs := slices.Clone(s.needs)
	if s.begins != nil && p.hasEnd(s.begins) {
		needs = append(needs, "!"+s.begins.name)
	}
	if len(needs) > 0 {
		var not []string
		for _, n := range needs {
			if rest, ok := strings.CutPrefix(n, "!"); ok {
				not = append(not, rest)
			} else {
				not = append(not, "!"+n)
			}
		}
		line("if (%s)\n\t\t\t\tbreak;", strings.Join(not, " || "))
	}
	// 2. A new object is another one than that of the other device. Where no function of the driver ends objects, the
	// last one has ended silently.
	if s.begins != nil && !s.made {
		call, _ := p.getters.add(getter+s.begins.record, s.begins.typ.Pointer())
		line("%s = %s;", s.begins.name, call)
		distinct := ""
		if !p.opts.OneDevice {
			distinct = fmt.Sprintf(" && %s != %s", s.begins.name, other(s.begins.name))
		}
		line("__VERIFIER_assume(%s != 0%s);", s.begins.name, distinct)
	}
	// 3. What the kernel does before it calls a handler.
	if h := s.handler; h != nil {
		if h.once {
			line("%s = 0;", h.on)
		}
		for _, b := range h.before {
			if p.prepares(main, s, b) {
				// The value goes through a variable, so that it is plain where the function has stored it.
				to := s.args[b.argument] + "->" + b.member
				line("{\n\t\t\t\t__typeof__(%s) value;\n\t\t\t\t%s(&value);\n\t\t\t\t%s = value;\n\t\t\t}", to, b.function, to)
			}
		}
	}
	// 4. The call. It may be one for the number of the function in a table.
	s, numbered := p.numbered(s)
	for _, text := range numbered {
		line("%s", text)
	}
	if len(numbered) > 0 {
		indent += "\t"
	}
	callee := p.callee(main, s.m.fn)
	if s.m.sequence != nil {
		callee = s.m.sequence.name
	}
	call := fmt.Sprintf("%s(%s)", callee, strings.Join(s.args, ", "))
	failed := s.success.failed(call)
	hasResult := s.m.fn.typ.Result().Kind() != cc.Void && failed != ""
	switch {
	case s.made && s.role.argument < 0:
		// The last 4,095 numbers are errors.
		line("%s = %s;", s.begins.name, call)
		line("if ((unsigned long)%s >= (unsigned long)-4095)\n\t\t\t\t%s = 0;", s.begins.name, s.begins.name)
	case s.begins != nil && hasResult:
		line("if (%s)\n\t\t\t\t%s = 0;", failed, s.begins.name)
	case s.enters != nil && hasResult:
		line("if (%s)\n\t\t\t\t%s = 1;", s.success.began(call), s.enters.flag)
	default:
		line("%s;", call)
		if s.enters != nil {
			line("%s = 1;", s.enters.flag)
		}
	}
	if len(numbered) > 0 {
		indent = "\t\t\t"
		line("}")
	}
	// 5. The consequences.
	if s.exits != nil && s.exits.flag != "" {
		line("%s = 0;", s.exits.flag)
	}
	if s.ends != nil {
		line("%s = 0;", s.ends.name)
	}
}

// end returns main after the loop. The driver ends when it has no device.
func (p *plan) end(main *finder) string {
	var b strings.Builder
	var none []string
	for _, o := range p.objects {
		if !o.init && p.hasEnd(o) {
			none = append(none, "!"+o.name)
			if !p.opts.OneDevice {
				none = append(none, "!"+other(o.name))
			}
		}
	}
	if len(none) > 0 {
		p.assume("the driver ends only when all its objects have ended")
	}
	for _, f := range p.phases {
		// A phase without an object has ended, too.
		if f.whole && p.hasExit(f) {
			none = append(none, "!"+f.flag)
			p.assume("the functions in .%s and .%s are called alternately, and the driver does not end between them", strings.Join(f.row.begins, ", ."), strings.Join(f.row.ends, ", ."))
		}
	}
	for _, h := range p.handlers {
		if h.owed {
			for _, s := range p.places(h) {
				none = append(none, "!"+s.on)
			}
			p.assume("the driver ends only when %s has been called for each call that was given it", h.m.fn.name)
		}
	}
	if len(none) > 0 {
		fmt.Fprintf(&b, "\t__VERIFIER_assume(%s);\n", strings.Join(none, " && "))
	}
	for _, m := range p.exits {
		fmt.Fprintf(&b, "\t/* %s, %s */\n\t%s(%s);\n", m.how, shown(m), p.callee(main, m.fn), strings.Join(p.plain(m), ", "))
	}
	b.WriteString("\treturn 0;\n}\n")
	return b.String()
}

// hasEnd reports whether an entry ends o.
func (p *plan) hasEnd(o *object) bool {
	return slices.ContainsFunc(p.steps, func(s *step) bool { return s.ends == o })
}
