package harness

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file finds members of tables that the kernel calls in one go, so that nothing comes in between: a file that
// is read as a sequence is
//
//	item = start(m, pos);
//	while (item && !IS_ERR(item) && …)
//		show(m, item), or item = next(m, item, pos)
//	stop(m, item);
//
// and start may return with a lock that stop releases. Rows "sequence" of lifetimes.txt have these members. The
// harness has a function for each sequence; for rules, that is the entry point, and not its parts.

// sequence is a row "sequence" in a table of the driver.
type sequence struct {
	row        *lifetime
	name       string // of the function that makes the calls
	begin, end *mention
	members    []*mention // those of the row that the table has
	also       int        // so many of them, the last ones, are called elsewhere, too
	args       map[*mention][]string
}

// item is the variable for the result of the function that begins a sequence, if that is a pointer.
const item = "item"

// findSequences finds the tables whose members the kernel calls in one go. The mentions of these members are marked.
// Of functions that statements store, nothing tells which are in one table: they are called one by one.
func (p *plan) findSequences() {
	for i := range p.table.sequences {
		row := &p.table.sequences[i]
		for _, begin := range p.entries {
			if begin.record != row.record || begin.variable == "" || begin.sequence != nil || !slices.Contains(row.begins, begin.member) {
				continue
			}
			s := &sequence{row: row, begin: begin, end: p.inTable(begin, row.ends...), args: map[*mention][]string{}}
			if s.end == nil || p.inTable(begin, begin.member) == nil {
				continue
			}
			for i, name := range slices.Concat(row.during, row.also) {
				if m := p.inTable(begin, name); m != nil {
					s.members = append(s.members, m)
					if i >= len(row.during) {
						s.also++
					}
				}
			}
			p.addSequence(s)
		}
	}
}

// inTable returns the only entry in one of the given members of the table of m; nil if there is none, or several, as
// in an array of tables.
func (p *plan) inTable(m *mention, members ...string) (found *mention) {
	for _, e := range p.entries {
		if e.record != m.record || e.variable != m.variable || e.pos.File != m.pos.File || e.sequence != nil || !slices.Contains(members, e.member) {
			continue
		}
		if found != nil {
			return nil
		}
		found = e
	}
	return found
}

// addSequence adds s, if C can name the types of the function that makes its calls and of all arguments.
func (p *plan) addSequence(s *sequence) {
	s.name = p.unused("c2bp_sequence_" + cmp.Or(s.begin.variable, s.begin.fn.name))
	if _, ok := header(s.begin.fn.typ, s.name); !ok {
		return
	}
	for _, m := range append(slices.Clip(s.members), s.end) {
		for i := range m.fn.parameters() {
			arg, ok := p.shared(s.begin.fn, m.fn, i)
			if !ok {
				return
			}
			s.args[m] = append(s.args[m], arg)
		}
	}
	only := s.members[:len(s.members)-s.also]
	for _, m := range append(slices.Clip(only), s.begin, s.end) {
		m.sequence = s
	}
	p.sequences = append(p.sequences, s)
	if len(s.members) == 0 {
		p.assume("nothing is called between %s and %s", s.begin.fn.name, s.end.fn.name)
		return
	}
	var names []string
	for _, m := range s.members {
		names = append(names, m.fn.name)
	}
	if s.also == 0 {
		p.assume("between %s and %s only %s may be called, and nowhere else", s.begin.fn.name, s.end.fn.name, strings.Join(names, ", "))
	} else {
		p.assume("between %s and %s only %s may be called, and elsewhere of these only %s", s.begin.fn.name, s.end.fn.name, strings.Join(names, ", "), strings.Join(names[len(only):], ", "))
	}
}

// shared returns argument i of fn in a sequence that begin begins: the item, if it is of that type; the pointer that
// begin was given, if its types are the same; else any value. ok is false if its type has no name.
func (p *plan) shared(begin, fn *function, i int) (arg string, ok bool) {
	params := fn.parameters()
	if isItem(begin) && same(params[i], begin.typ.Result()) {
		return item, true
	}
	// The nth parameter of a type is the nth one of begin.
	n := 0
	for _, t := range params[:i] {
		if same(t, params[i]) {
			n++
		}
	}
	for k, t := range begin.parameters() {
		if !same(t, params[i]) {
			continue
		}
		if n == 0 {
			return fmt.Sprintf("p%d", k+1), true
		}
		n--
	}
	return p.getters.value(params[i])
}

// isItem reports whether the result of begin is an item, which a sequence is about.
func isItem(begin *function) bool { return ctree.Pointee(begin.typ.Result()) != nil }

// same reports whether C names a and b in the same way, but for qualifiers.
func same(a, b cc.Type) bool {
	x, named := declaration(a, "x")
	y, _ := declaration(b, "x")
	return named && unqualified(x) == unqualified(y)
}

// sequenceTexts returns the functions that make the calls of sequences.
func (p *plan) sequenceTexts(main *finder) string {
	var b strings.Builder
	for _, s := range p.sequences {
		p.sequenceText(&b, main, s)
	}
	return b.String()
}

// sequenceText writes the function that makes the calls of s.
func (p *plan) sequenceText(b *strings.Builder, main *finder, s *sequence) {
	line := func(format string, args ...any) { fmt.Fprintf(b, "\t"+format+"\n", args...) }
	call := func(m *mention) string {
		return fmt.Sprintf("%s(%s)", p.callee(main, m.fn), strings.Join(s.args[m], ", "))
	}
	begin := s.begin.fn
	// 1. The head: the parameters are those of the function that begins the sequence.
	params := "void"
	if names := parameterNames(begin); len(names) > 0 {
		params, _ = speller.Parameters(begin.typ, names)
	}
	end := "." + s.end.member
	if s.end.member == "" {
		end = s.end.fn.name
	}
	fmt.Fprintf(b, "\n/* %s to %s, %s */\nstatic void %s(%s)\n{\n", s.begin.how, end, shown(s.begin), s.name, params)
	if isItem(begin) {
		decl, _ := declaration(begin.typ.Result(), item)
		line("%s;", unqualified(decl))
	}
	if record, _ := begin.pointee(s.row.argument); record != "" && s.begin.record != "" {
		line("__VERIFIER_assume(p%d != 0);", s.row.argument+1)
	}
	// 2. It begins.
	first := fmt.Sprintf("%s(%s)", p.callee(main, begin), strings.Join(parameterNames(begin), ", "))
	if isItem(begin) {
		line("%s = %s;", item, first)
		first = item
	}
	failed := s.row.success.failed(first)
	switch hasResult := begin.typ.Result().Kind() != cc.Void; {
	case hasResult && failed != "":
		line("if (%s)\n\t\treturn;", failed)
	case !isItem(begin):
		line("%s;", first)
	}
	// 3. What comes in between, as long as there is an item. The last 4,095 numbers are errors.
	if len(s.members) > 0 {
		while := "__VERIFIER_nondet_int()"
		if isItem(begin) {
			while = fmt.Sprintf("%s && (unsigned long)%s < (unsigned long)-4095 && %s", item, item, while)
		}
		line("while (%s) {\n\t\tswitch (__VERIFIER_nondet_int()) {", while)
		for i, m := range s.members {
			next := ""
			if isItem(begin) && same(m.fn.typ.Result(), begin.typ.Result()) {
				next = item + " = "
			}
			line("\tcase %d: /* %s, %s */\n\t\t\t%s%s;\n\t\t\tbreak;", i, m.how, shown(m), next, call(m))
		}
		line("\t}\n\t}")
	}
	// 4. The end.
	line("%s;", call(s.end))
	b.WriteString("}\n")
}

// parameterNames returns the names of the parameters of fn in the harness: p1, p2 and so on.
func parameterNames(fn *function) (list []string) {
	for i := range fn.parameters() {
		list = append(list, fmt.Sprintf("p%d", i+1))
	}
	return list
}
