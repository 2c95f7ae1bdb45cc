package harness

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"c2bp/frontend"
)

// This file removes assembly from preprocessed C texts: there, nothing is hidden in macros, headers
// or _Pragma. The values that an assembly statement stores have been chosen by the run, and the
// harness supplies them:
//
//	asm volatile ("…" : "=r" (x) : "r" (y) : "memory");
//
// becomes
//
//	do { (void) (y); { __typeof__(x) c2bp_value; c2bp_assembly(1, 0, &c2bp_value, sizeof c2bp_value); (x) = c2bp_value; } } while (0);
//
// The branch that asm goto takes is supplied likewise. A statement without instructions stores only
// inputs that are tied to outputs; one that only moves an operand becomes an assignment, and one that
// is an operation on a word, exchanges one with a register or finds a one in it, becomes that operation. Assembly at file scope is removed. Names for the
// assembler, int f(void) asm ("g"), stay if they are names; a local register variable is an ordinary
// local variable where no assembly uses it.
//
// Other texts reach the assembler unchanged, names of sections for example. If one could be more than
// a name, that is an error, and so is everything that this file does not understand.

// assemblyName is the C function that supplies the values stored by assembly.
const assemblyName = "c2bp_assembly"

const assemblyDeclaration = "extern void " + assemblyName + "(int, int, void *, unsigned long);\n"

// assemblyError says why a text is not compiled.
type assemblyError struct{ why string }

func (e *assemblyError) Error() string { return e.why }

// disarmer rewrites one text, from its start to its end.
type disarmer struct {
	text  []byte
	list  []piece
	match []int // of a bracket, its partner; else -1
	depth []int // of braces, before each piece
	out   bytes.Buffer
	done  int // so much of text is in out
}

// withoutAssembly returns a preprocessed text with its assembly replaced. The error is an
// assemblyError.
func withoutAssembly(text []byte) ([]byte, error) {
	d := &disarmer{text: text}
	// 1. Split the text into tokens and directives, and match the brackets.
	var err error
	if d.list, err = pieces(text); err == nil {
		err = d.pair()
	}
	// 2. Rewrite from left to right; a rewritten range is skipped.
	for i := 0; err == nil && i < len(d.list); i++ {
		i, err = d.piece(i)
	}
	if err != nil {
		return nil, &assemblyError{err.Error()}
	}
	// 3. The declaration of the supplying function goes into the second line.
	d.out.Write(text[d.done:])
	// The compiler takes the name of the main file from the first line, and each line of
	// the preprocessor's own says which line of which file comes next.
	first, rest, _ := bytes.Cut(d.out.Bytes(), []byte("\n"))
	return slices.Concat(first, []byte("\n"+assemblyDeclaration), rest), nil
}

// pair finds the partners of brackets, and the depth of braces.
func (d *disarmer) pair() error {
	d.match, d.depth = make([]int, len(d.list)), make([]int, len(d.list))
	var open []int
	depth := 0
	for i := range d.list {
		d.match[i], d.depth[i] = -1, depth
		switch s := d.at(i); s {
		case "{":
			depth++
			open = append(open, i)
		case "(", "[":
			open = append(open, i)
		case "}", ")", "]":
			// Brackets nest, of all three kinds.
			n := len(open) - 1
			// A closing bracket must fit the innermost open one.
			if n < 0 || !strings.Contains("{} () []", d.at(open[n])+s) {
				return fmt.Errorf("its brackets do not match")
			}
			if s == "}" {
				depth--
			}
			d.match[i], d.match[open[n]] = open[n], i
			open = open[:n]
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("its brackets do not match")
	}
	return nil
}

// at returns the text of piece i, "" if there is none or it is a directive.
func (d *disarmer) at(i int) string {
	if i < 0 || i >= len(d.list) || d.list[i].kind == aDirective {
		return ""
	}
	return string(d.text[d.list[i].start:d.list[i].end])
}

// next returns the first token from i on, skipping directives.
func (d *disarmer) next(i int) int {
	for i < len(d.list) && d.list[i].kind == aDirective {
		i++
	}
	return i
}

// previous returns the last token up to i, skipping directives.
func (d *disarmer) previous(i int) int {
	for i >= 0 && d.list[i].kind == aDirective {
		i--
	}
	return i
}

// replace writes new in place of the pieces from i to j. Newlines and directives between them stay.
func (d *disarmer) replace(i, j int, new string) {
	start, end := d.list[i].start, d.list[j].end
	d.out.Write(d.text[d.done:start])
	d.out.WriteString(new)
	// Keep line numbers, and the directives inside of the range.
	for k := i; k <= j; k++ { // directives need lines of their own
		if d.list[k].kind == aDirective {
			d.out.WriteString("\n" + string(d.text[d.list[k].start:d.list[k].end]))
		}
		if k < j {
			d.out.Write(bytes.Repeat([]byte("\n"), bytes.Count(d.text[d.list[k].end:d.list[k+1].start], []byte("\n"))))
		}
	}
	d.done = end
}

// piece handles the construct that begins at piece i, and returns the last piece of it.
func (d *disarmer) piece(i int) (int, error) {
	switch s := d.at(i); {
	case d.list[i].kind == aDirective:
		return i, d.directive(i)
	case s == "asm" || s == "__asm" || s == "__asm__":
		return d.assembly(i)
	// Attributes may have strings that the compiler passes to the assembler.
	case s == "__attribute__" || s == "__attribute":
		end := d.match[d.after(i)]
		return i, d.attributes(i, end)
	case s == "[" && d.at(d.after(i)) == "[":
		return i, d.attributes(i, d.match[i])
	case s == "_Pragma" || s == "__pragma":
		return i, fmt.Errorf("it has %s after preprocessing", s)
	}
	return i, nil
}

// after returns the token after i, or i if it is the last.
func (d *disarmer) after(i int) int {
	if k := d.next(i + 1); k < len(d.list) {
		return k
	}
	return i
}

// kept matches directives that affect the meaning of the program and do nothing else.
var kept = regexp.MustCompile(`^#[ \t]*pragma[ \t]+(pack|weak|redefine_extname|scalar_storage_order|STDC|GCC[ \t]+visibility)\b`)

// directive removes directives of other kinds: some make the compiler read files, and some change
// how it compiles.
//
//	#pragma pack (1)          stays
//	#pragma GCC optimize 3    is removed
//	#include "x.h"            is an error
func (d *disarmer) directive(i int) error {
	line := d.text[d.list[i].start:d.list[i].end]
	switch {
	case isLineMarker(line), kept.Match(line):
	case regexp.MustCompile(`^(#|%:)[ \t]*(pragma|ident|sccs)\b`).Match(line):
		d.out.Write(d.text[d.done:d.list[i].start])
		d.done = d.list[i].end
	default:
		return fmt.Errorf("it has the directive %.20q after preprocessing", line)
	}
	return nil
}

// plainString matches literals that are written to the assembler and are names, including sections
// with their flags.
var plainString = regexp.MustCompile(`^"[-A-Za-z0-9_.$@+*/=, :()<>]*"$`)

// attributes checks an attribute list between pieces i and end.
//
//	__attribute__((section (".text\n.globl evil")))     refused
//	__attribute__((section (".init.text")))             accepted
//	__attribute__((deprecated ("use g(): it's new")))   accepted, since people read it
func (d *disarmer) attributes(i, end int) error {
	for k := i; k <= end; k++ {
		s := d.at(k)
		if d.list[k].kind == aLiteral && s[0] != '\'' && !plainString.MatchString(s) && !d.isMessage(k) {
			return fmt.Errorf("an attribute has the string %.40s, of which the assembler may make something else than a name", s)
		}
		if s == "naked" || s == "__naked__" {
			return fmt.Errorf("a function consists of assembly")
		}
	}
	return nil
}

// isMessage reports whether piece k is the argument of an attribute that is a text for people.
func (d *disarmer) isMessage(k int) bool {
	for k--; k > 0 && (d.list[k].kind == aLiteral || d.at(k) == "("); k-- {
	}
	switch strings.Trim(d.at(k), "_") {
	case "deprecated", "error", "warning", "unavailable", "nodiscard":
		return true
	}
	return false
}

// assembly handles the keyword asm at i, and returns the last piece of its construct.
func (d *disarmer) assembly(i int) (int, error) {
	// 1. Qualifiers.
	open, jumps := d.next(i+1), false
	for d.list[min(open, len(d.list)-1)].kind == aWord {
		switch q := strings.Trim(d.at(open), "_"); q {
		case "volatile", "inline", "const":
		case "goto":
			jumps = true
		default:
			return i, fmt.Errorf("it has %q after asm", q)
		}
		open = d.next(open + 1)
	}
	// 2. The parentheses.
	if d.at(open) != "(" {
		return i, fmt.Errorf("it has no parenthesis after asm")
	}
	end := d.match[open]
	// 3. A name of a declaration is checked; a statement is replaced, at file scope by nothing.
	switch kind, err := d.kindOf(i, open); {
	case err != nil:
		return i, err
	case kind == aName && d.isLocalRegister(i):
		d.replace(i, end, "")
	case kind == aName:
		if err := d.name(open, end); err != nil {
			return i, err
		}
	case d.depth[i] == 0:
		d.replace(i, end, "")
	default:
		text, err := d.statement(open, end, jumps)
		if err != nil {
			return i, err
		}
		d.replace(i, end, text)
	}
	return end, nil
}

// assemblyKind is the role of the keyword asm.
type assemblyKind int

const (
	aStatement assemblyKind = iota // or assembly at file scope
	aName                          // of a declaration
)

// kindOf distinguishes statements from names of declarations, by the token before asm at i.
func (d *disarmer) kindOf(i, open int) (assemblyKind, error) {
	k := d.previous(i - 1)
	s := d.at(k)
	switch {
	// 1. Between statements, or at file scope.
	case k < 0 || s == ";" || s == "{" || s == "}" || s == ":" || s == "else" || s == "do" || s == "__extension__":
		return aStatement, nil
	// 2. Qualifiers follow: no name, so a statement after if (…) and the like.
	case open != d.next(i+1): // a name has no qualifiers
		return aStatement, d.unless(s == ")", "it has assembly in an unknown place")
	// 3. After a parenthesis: that of a statement's head, or of a declarator.
	case s == ")":
		switch d.at(d.previous(d.match[k] - 1)) {
		case "if", "while", "for", "switch", "__attribute__", "__attribute":
			return aStatement, nil
		}
		return aName, nil
	// 4. After another end of a declarator; [[…]] is an attribute.
	case s == "]" && d.at(d.previous(k-1)) != "]":
		return aName, nil
	case s != "]" && d.list[k].kind == aWord:
		return aName, nil
	}
	return aStatement, fmt.Errorf("it has assembly in an unknown place")
}

// unless returns nil if ok, else an error.
func (d *disarmer) unless(ok bool, why string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s", why)
}

// isLocalRegister reports whether asm at i names the register of a local variable: whether the
// declaration has the word register.
//
//	register int x asm ("eax");
func (d *disarmer) isLocalRegister(i int) bool {
	if d.depth[i] == 0 {
		return false
	}
	// Go back to the start of the declaration, over brackets and initialisers.
	for k := i - 1; k >= 0; k-- {
		switch d.at(k) {
		case ")", "]", "}":
			if d.at(k) == "}" && d.at(d.previous(d.match[k]-1)) != "=" {
				return false
			}
			k = d.match[k]
		case ";", "{", "(":
			return false
		case "register":
			return true
		}
	}
	return false
}

// symbol matches names for the assembler.
var symbol = regexp.MustCompile(`^%?[A-Za-z_.$][A-Za-z0-9_.$@]*$`)

// name checks that the strings between open and end are a name for the assembler.
func (d *disarmer) name(open, end int) error {
	name := ""
	for k := open + 1; k < end; k++ {
		s := d.at(k)
		if d.list[k].kind != aDirective && (d.list[k].kind != aLiteral || s[0] != '"') {
			return fmt.Errorf("the assembler name of a declaration is no string")
		}
		name += strings.Trim(s, `"`)
	}
	return d.unless(symbol.MatchString(name), fmt.Sprintf("a declaration has %.40q for its assembler name", name))
}

// statement returns the C text for the assembly between the parentheses open and end.
func (d *disarmer) statement(open, end int, jumps bool) (string, error) {
	// 1. The sections: template, outputs, inputs, clobbers, and the labels of asm goto.
	sections := d.split(open+1, end, ":")
	var labels []string
	if n := len(sections); jumps && n == 5 {
		for _, part := range d.split(sections[4][0], sections[4][1], ",") {
			// A label is one word.
			label := d.at(d.next(part[0]))
			if label == "" || d.next(d.next(part[0])+1) < part[1] {
				return "", fmt.Errorf("it has asm goto with something else than labels")
			}
			labels = append(labels, label)
		}
		sections = sections[:4]
	}
	if len(sections) > 4 {
		return "", fmt.Errorf("it has assembly with %d sections", len(sections))
	}
	// 2. The operands.
	var b strings.Builder
	b.WriteString("do {")
	operands := func(section int) (list []operand, err error) {
		if section >= len(sections) || d.next(sections[section][0]) >= sections[section][1] {
			return nil, nil
		}
		for _, part := range d.split(sections[section][0], sections[section][1], ",") {
			o, err := d.operand(part[0], part[1])
			if err != nil {
				return nil, err
			}
			list = append(list, o)
		}
		return list, nil
	}
	outputs, err := operands(1)
	if err != nil {
		return "", err
	}
	inputs, err := operands(2)
	if err != nil {
		return "", err
	}
	// 3. Assembly with a known meaning becomes C: no instructions, a move, an operation on a word, or those below.
	if d.isEmpty(sections[0]) {
		outputs, inputs = passed(&b, outputs, inputs)
	}
	if dst, src, bits, ok := d.move(sections[0], outputs, inputs); ok && !jumps {
		all := append(outputs[:len(outputs):len(outputs)], inputs...)
		to, from := all[dst].expr, all[src].expr
		// The widths of operands are known to the compiler only; if they differ, the outputs are
		// supplied.
		fmt.Fprintf(&b, " if (sizeof (%s) == %d && sizeof (%s) == %d) { (%s) = (__typeof__(%s)) (%s); break; }", to, bits/8, from, bits/8, to, to, from)
	}
	if s := d.word(sections, outputs, inputs); s != "" && !jumps {
		b.WriteString(s)
	}
	if s := d.exchange(sections, outputs, inputs); s != "" && !jumps {
		b.WriteString(s)
	}
	if s := d.scan(sections[0], outputs, inputs); s != "" && !jumps {
		b.WriteString(s)
	}
	if s := d.test(sections[0], outputs, inputs, labels); s != "" && jumps {
		b.WriteString(s)
	}
	// 4. In all other cases, inputs are evaluated, and outputs get their values from the harness.
	for _, o := range inputs {
		fmt.Fprintf(&b, " (void) (%s);", o.expr)
	}
	for k, o := range outputs {
		// An operand in memory is written in place; others through a variable, since they may be
		// bit-fields or registers.
		if o.inMemory {
			fmt.Fprintf(&b, " %s(%d, %d, (void *) &(%s), sizeof (%s));", assemblyName, len(outputs), k, o.expr, o.expr)
		} else {
			fmt.Fprintf(&b, " { __typeof__(%s) c2bp_value; %s(%d, %d, (void *) &c2bp_value, sizeof c2bp_value); (%s) = c2bp_value; }",
				o.expr, assemblyName, len(outputs), k, o.expr)
		}
	}
	// 5. The harness supplies the number of the label, too.
	if len(labels) > 0 {
		fmt.Fprintf(&b, " int c2bp_way; %s(%d, 0, (void *) &c2bp_way, sizeof c2bp_way);", assemblyName, -len(labels))
		for k, l := range labels {
			fmt.Fprintf(&b, " if (c2bp_way == %d) goto %s;", k+1, l)
		}
	}
	b.WriteString(" } while (0)")
	return b.String(), nil
}

// move reports whether the assembly is an assignment; see frontend.AssemblyMove.
func (d *disarmer) move(template [2]int, outputs, inputs []operand) (dst, src, bits int, ok bool) {
	return frontend.AssemblyMove(d.source(template[0], template[1]), machineOperands(outputs), machineOperands(inputs))
}

// word returns C for assembly that is an operation on a word; see frontend.AssemblyWord. The C text
// leaves the loop around it if the operand has the width of the word. It is "" for other assembly.
func (d *disarmer) word(sections [][2]int, outputs, inputs []operand) string {
	memory := len(sections) > 3 && strings.Contains(d.source(sections[3][0], sections[3][1]), "memory")
	op, ok := frontend.AssemblyWord(d.source(sections[0][0], sections[0][1]), memory, machineOperands(outputs), machineOperands(inputs))
	if !ok {
		return ""
	}
	all := append(outputs[:len(outputs):len(outputs)], inputs...)
	// The second operand of the operation is a constant or an input.
	src, flag := strconv.FormatInt(op.Constant, 10), ""
	if op.Src >= 0 {
		src = all[op.Src].expr
	}
	// A flag is the output that tells whether the result is zero, and the like.
	if op.Flag >= 0 {
		flag = fmt.Sprintf("(%s) = %s; ", all[op.Flag].expr, op.FlagC("c2bp_word", "c2bp_old", "c2bp_by"))
	}
	return fmt.Sprintf(" if (sizeof (%[1]s) == %[2]d) { typedef __INT%[3]d_TYPE__ __attribute__((may_alias)) c2bp_int; typedef __UINT%[3]d_TYPE__ __attribute__((may_alias)) c2bp_uint;"+
		" c2bp_int c2bp_by = (c2bp_int) (%[4]s); c2bp_uint *c2bp_at = (c2bp_uint *) &(%[1]s)%[5]s, c2bp_old = *c2bp_at, c2bp_word = %[6]s; *c2bp_at = c2bp_word; %[7]sbreak; }",
		all[op.Dst].expr, op.Bits/8, op.Bits, src, op.StepC("c2bp_by"), op.ResultC("c2bp_old", "c2bp_by"), flag)
}

// exchange returns C for assembly that exchanges a word with a register, likewise; see frontend.AssemblyExchange.
func (d *disarmer) exchange(sections [][2]int, outputs, inputs []operand) string {
	memory := len(sections) > 3 && strings.Contains(d.source(sections[3][0], sections[3][1]), "memory")
	op, ok := frontend.AssemblyExchange(d.source(sections[0][0], sections[0][1]), memory, machineOperands(outputs), machineOperands(inputs))
	if !ok {
		return ""
	}
	return op.TextC(expressions(outputs, inputs))
}

// scan returns C for assembly that finds a one in a word, likewise; see frontend.AssemblyBitScan.
func (d *disarmer) scan(template [2]int, outputs, inputs []operand) string {
	op, ok := frontend.AssemblyBitScan(d.source(template[0], template[1]), machineOperands(outputs), machineOperands(inputs))
	if !ok {
		return ""
	}
	return op.TextC(expressions(outputs, inputs))
}

// test returns C for asm goto that tests a byte; see frontend.AssemblyByteTest. It is "" for other assembly.
func (d *disarmer) test(template [2]int, outputs, inputs []operand, labels []string) string {
	op, ok := frontend.AssemblyByteTest(d.source(template[0], template[1]), machineOperands(outputs), machineOperands(inputs), labels)
	if !ok {
		return ""
	}
	return op.TextC(expressions(outputs, inputs), labels)
}

// expressions returns the expressions of operands, outputs first.
func expressions(outputs, inputs []operand) (list []string) {
	for _, o := range slices.Concat(outputs, inputs) {
		list = append(list, o.expr)
	}
	return list
}

// machineOperands returns operands as package frontend takes them.
func machineOperands(list []operand) (out []frontend.AssemblyOperand) {
	for _, o := range list {
		out = append(out, frontend.AssemblyOperand{Name: o.name, Constraint: o.constraint})
	}
	return out
}

// isEmpty reports whether the template has no instructions, only white space.
func (d *disarmer) isEmpty(section [2]int) bool {
	for k := section[0]; k < section[1]; k++ {
		// Literals are concatenated, with escapes for white space in them.
		text := strings.NewReplacer(`\n`, "", `\t`, "", `\v`, "", `\f`, "", `\r`, "", `"`, "").Replace(d.at(k))
		if strings.TrimSpace(text) != "" {
			return false
		}
	}
	return true
}

// passed writes assignments of the inputs that are tied to outputs, which a statement without
// instructions stores there. It returns the remaining outputs, whose values are arbitrary, and the
// remaining inputs.
//
//	asm ("" : "=r" (x) : "0" (y));
//
// becomes
//
//	__typeof__(y) c2bp_passed0 = (y); (x) = (__typeof__(x)) c2bp_passed0;
func passed(b *strings.Builder, outputs, inputs []operand) (left, others []operand) {
	var assign strings.Builder
	tied := map[int]bool{}
	for _, o := range inputs {
		// The constraint of a tied input is the name or the number of the output.
		n := slices.IndexFunc(outputs, func(x operand) bool { return x.name != "" && o.constraint == "["+x.name+"]" })
		if k, err := strconv.Atoi(strings.Trim(o.constraint, "%& ")); err == nil && k >= 0 && k < len(outputs) {
			n = k
		}
		if n < 0 {
			others = append(others, o)
			continue
		}
		tied[n] = true
		// All inputs are read before any output is written.
		fmt.Fprintf(b, " __typeof__(%s) c2bp_passed%d = (%s);", o.expr, n, o.expr)
		fmt.Fprintf(&assign, " (%s) = (__typeof__(%s)) c2bp_passed%d;", outputs[n].expr, outputs[n].expr, n)
	}
	b.WriteString(assign.String())
	// An output that is an input, too, keeps its value.
	for n, o := range outputs {
		if !tied[n] && !strings.Contains(o.constraint, "+") {
			left = append(left, o)
		}
	}
	return left, others
}

// split cuts the pieces from … to-1 at separators outside of brackets.
func (d *disarmer) split(from, to int, separator string) (parts [][2]int) {
	start := from
	for k := from; k < to; k++ {
		switch s := d.at(k); {
		case d.match[k] > k:
			k = d.match[k]
		case s == separator:
			parts = append(parts, [2]int{start, k})
			start = k + 1
		}
	}
	return append(parts, [2]int{start, to})
}

// operand is an operand of an assembly statement: [name] "constraint" (expression).
// The name is optional.
type operand struct {
	name             string
	expr, constraint string
	inMemory         bool // it can only be memory
}

// special has the words that the method piece looks for.
var special = []string{"asm", "__asm", "__asm__", "__attribute__", "__attribute", "_Pragma", "__pragma"}

// operand parses the operand in the pieces from … to-1.
func (d *disarmer) operand(from, to int) (o operand, err error) {
	// 1. The name in brackets.
	k := d.next(from)
	if d.at(k) == "[" {
		o.name = d.at(d.next(k + 1))
		k = d.next(d.match[k] + 1)
	}
	// 2. The constraint, string literals that are concatenated.
	constraint := ""
	for k < to && d.list[k].kind == aLiteral {
		constraint += strings.Trim(d.at(k), `"`)
		k = d.next(k + 1)
	}
	if constraint == "" || k >= to || d.at(k) != "(" || d.next(d.match[k]+1) < to {
		return o, fmt.Errorf("it has assembly with an unknown operand")
	}
	// 3. The expression. It must not contain what this file would have to rewrite.
	var words []string
	for m := k + 1; m < d.match[k]; m++ {
		if s := d.at(m); s != "" {
			if slices.Contains(special, s) || s == "[" && d.at(d.after(m)) == "[" {
				return o, fmt.Errorf("it has %q in an operand of assembly", s)
			}
			words = append(words, s)
		}
	}
	o.expr, o.constraint = d.source(k+1, d.match[k]), constraint
	o.inMemory = strings.Trim(constraint, "=+&%,moVQ") == ""
	return o, d.unless(len(words) > 0, "it has assembly with an empty operand")
}

// source returns the text of pieces from … to-1 on one line.
func (d *disarmer) source(from, to int) string {
	var b strings.Builder
	for k := from; k < to; k++ {
		if d.list[k].kind == aDirective {
			continue
		}
		if k > from && d.list[k].start > d.list[k-1].end {
			b.WriteByte(' ')
		}
		b.WriteString(d.at(k))
	}
	return b.String()
}
