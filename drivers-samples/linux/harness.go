package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// This file writes a main function for a driver, derived from its text.

// function is a function that a driver defines.
type function struct {
	name       string
	parameters []string
	body       string
}

var (
	definition = regexp.MustCompile(`(?m)^[a-zA-Z_][\w \t*]*?[ \t*\n](\w+)[ \t]*\(([^;{}]*?)\)\s*\n\{`)
	closing    = regexp.MustCompile(`(?m)^\}[ \t]*$`) // not that of a macro within the function: "} while (0)"
	comment    = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	literal    = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	annotation = regexp.MustCompile(`\b(const|volatile|__(user|iomem|force|percpu|rcu|(maybe_|always_)?unused|kernel|private|restrict)|register|restrict)\b`)
	number     = regexp.MustCompile(`^(enum \w+|(__)?[us](8|16|32|64)|__[bl]e(16|32|64)|u?int(8|16|32|64)_t|bool|\w*(size|off|addr|irqreturn|gfp|mode|dev|features|netdev_tx)_t|(unsigned |signed )?(char|short|int|long|long long)|unsigned)$`)
	word       = regexp.MustCompile(`\b[a-zA-Z_]\w*\b`)
)

// plain returns text without comments and the contents of literals.
func plain(text string) string {
	return literal.ReplaceAllString(comment.ReplaceAllString(text, " "), `""`)
}

// functionsOf returns the functions that a driver defines; text is plain.
func functionsOf(text string) (list []function) {
	for _, m := range definition.FindAllStringSubmatchIndex(text, -1) {
		// A definition starts and ends at the margin.
		f := function{name: text[m[2]:m[3]]}
		if params := strings.TrimSpace(text[m[4]:m[5]]); params != "" && params != "void" {
			f.parameters = split(params)
		}
		rest := text[m[1]:]
		if end := closing.FindStringIndex(rest); end != nil {
			rest = rest[:end[0]]
		}
		f.body = rest
		list = append(list, f)
	}
	return list
}

// split cuts a list of parameters at its commas, outside of brackets.
//
//	struct lamp *l, void (*done)(int, int)   becomes   struct lamp *l   and   void (*done)(int, int)
func split(text string) (list []string) {
	depth, start := 0, 0
	for i, c := range text {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return append(list, strings.TrimSpace(text[start:]))
}

// entries returns the functions that others may call. Either the driver takes their address, that
// is, names them without calling them; or it does not name them again, so that a macro builds their
// names or other files call them.
//
//	static int lamp_enable(struct clk_hw *hw) { … }
//	static const struct clk_ops lamp_ops = { .enable = lamp_enable };
func entries(text string, functions []function) (list []function) {
	for _, f := range functions {
		name := regexp.MustCompile(`\b` + f.name + `\b\s*(\(?)`)
		taken, called := false, 0
		for _, m := range name.FindAllStringSubmatchIndex(text, -1) {
			taken = taken || m[2] == m[3] // without parentheses after it
			called++
		}
		if (taken || called <= 1+len(prototype(f.name).FindAllString(text, -1))) && !slices.ContainsFunc(f.parameters, func(p string) bool { return p == "..." }) {
			list = append(list, f)
		}
	}
	return list
}

// prototype returns a pattern for declarations of the function name.
func prototype(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[a-zA-Z_][\w \t*]*[ \t*\n]` + name + `[ \t]*\([^;{}]*\);`)
}

// reached returns the names of functions that roots mention, transitively.
// Bodies are texts, so a name in another meaning counts, too.
func reached(roots, functions []function) map[string]bool {
	// A function is reached if its name occurs in the body of one that is.
	bodies := map[string]string{}
	for _, f := range functions {
		bodies[f.name] = f.body
	}
	seen := map[string]bool{}
	for work := slices.Clone(roots); len(work) > 0; {
		// Breadth first, by names in bodies.
		f := work[0]
		work = work[1:]
		if seen[f.name] {
			continue
		}
		seen[f.name] = true
		for _, w := range word.FindAllString(f.body, -1) {
			if body, ok := bodies[w]; ok && !seen[w] {
				work = append(work, function{name: w, body: body})
			}
		}
	}
	return seen
}

// dataOf maps types of objects that the kernel passes to a driver to the member with the driver's
// data.
var dataOf = map[string]string{
	"struct device": "driver_data", "struct platform_device": "dev.driver_data", "struct i2c_client": "dev.driver_data",
	"struct spi_device": "dev.driver_data", "struct pci_dev": "dev.driver_data", "struct usb_interface": "dev.driver_data",
	"struct serio": "drvdata", "struct file": "private_data", "struct watchdog_device": "driver_data",
}

var (
	contained  = regexp.MustCompile(`container_of\(\s*(\w+)[^,]*,\s*(struct \w+),\s*(\w+)\s*\)`)
	definedFor = regexp.MustCompile(`(?s)(struct \w+) \{\n(.*?)\n\}`)
)

// embedded returns the types of objects from which the driver computes the enclosing object, with
// the type of that and the member: struct clk_hw is in struct lamp, its member hw.
//
//	container_of(hw, struct lamp, hw)     struct clk_hw: struct lamp, hw
func embedded(text string, functions []function) map[string][2]string {
	found := map[string][2]string{}
	members := map[string]string{} // of the structs that the driver defines
	for _, m := range definedFor.FindAllStringSubmatch(text, -1) {
		members[m[1]] = m[2]
	}
	for _, m := range contained.FindAllStringSubmatch(text, -1) {
		around, member := m[2], m[3]
		// 1. The type of the member, if the driver defines the enclosing struct.
		// Only the first struct around a type counts.
		inner := regexp.MustCompile(`(struct \w+)\s+` + member + `;`).FindStringSubmatch(members[around])
		if inner == nil { // the parameter of the function may say it
			// 2. Otherwise the type of the parameter from which it is computed.
			for _, f := range functions {
				if !strings.Contains(f.body, m[0]) {
					continue
				}
				for _, p := range f.parameters {
					if q := regexp.MustCompile(`(struct \w+) \*` + m[1] + `$`).FindStringSubmatch(p); q != nil {
						inner = q
					}
				}
			}
		}
		if inner != nil && found[inner[1]] == [2]string{} {
			found[inner[1]] = [2]string{around, member}
		}
	}
	return found
}

var untyped = regexp.MustCompile(`^void \*\s*(\w+)$`)

// typed returns the parameter p of f with the type to which f converts it, if p is a pointer to
// void and f begins with struct lamp *l = data;
//
//	void *data with "struct lamp *l = data;"   becomes   struct lamp *data
func (f function) typed(p string) string {
	m := untyped.FindStringSubmatch(p)
	if m == nil {
		return p
	}
	as := regexp.MustCompile(`(struct \w+ \*)\s*\w+\s*=\s*(?:\([^()]*\)\s*)?` + m[1] + `;`).FindStringSubmatch(f.body)
	if as == nil {
		return p
	}
	return as[1] + m[1]
}

var fetched = regexp.MustCompile(`struct (\w+) \*\s*\w+\s*=\s*(?:\w*get_(?:drv|client|intf|driver_?|)data|\w+->private_data)\b`)

// harness returns a main function that calls the entries in any order, with objects from outside.
// check is the statement after each call; incomplete are types that the driver does not define.
//
//	static struct lamp *c2bp_object0;
//	struct lamp *c2bp_get_c2bp_object0(void);
//	…
//	int main(void)
//	{
//		if (!(c2bp_object0 = c2bp_get_c2bp_object0()))
//			return 0;
//		…
//		while (__VERIFIER_nondet_int()) {
//			switch (__VERIFIER_nondet_int()) {
//			case 0:
//				lamp_enable(&(*c2bp_object0).hw);
//				c2bp_entry_returns();
//				break;
//			case 1:
//				lamp_irq((int)__VERIFIER_nondet_long(), &(*c2bp_object0));
//				c2bp_entry_returns();
//				break;
//			}
//		}
//		return 0;
//	}
func harness(text string, list []function, check string, incomplete []string) string {
	var objects, given, calls strings.Builder
	seen := map[string]string{} // objects by type
	inside := embedded(text, functionsOf(text))
	var object func(typ string) string
	// 1. An object for each type, inside of another one if the driver computes that from it.
	object = func(typ string) string {
		// A type that only has a name gets a piece of memory.
		if slices.Contains(incomplete, typ) {
			return "*(" + typ + " *)c2bp_memory"
		}
		if at, ok := inside[typ]; ok && at[0] != typ && inside[at[0]] == [2]string{} {
			return object(at[0]) + "." + at[1]
		}
		if seen[typ] == "" {
			name := fmt.Sprintf("c2bp_object%d", len(seen))
			seen[typ] = "(*" + name + ")"
			fmt.Fprintf(&objects, "static %s *%s;\n%s *c2bp_get_%s(void);\n", typ, name, typ, name)
			fmt.Fprintf(&given, "\tif (!(%s = c2bp_get_%s()))\n\t\treturn 0;\n", name, name)
		}
		return seen[typ]
	}
	// 2. A call of each entry.
	for i, f := range list {
		var args []string
		for _, p := range f.parameters {
			args = append(args, argument(f.typed(p), object))
		}
		fmt.Fprintf(&calls, "\t\tcase %d:\n\t\t\t%s(%s);\n\t\t\t%s\n\t\t\tbreak;\n", i, f.name, strings.Join(args, ", "), check)
	}
	var connected strings.Builder
	// 3. The driver's data, which most entries read from their argument.
	if m := fetched.FindStringSubmatch(text); m != nil { // what most entries want
		data := object("struct " + m[1])
		for typ, name := range seen {
			if member := dataOf[typ]; member != "" {
				fmt.Fprintf(&connected, "\t%s.%s = &%s;\n", name, member, data)
			}
		}
	}
	return fmt.Sprintf(`
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assert(int);
static unsigned long c2bp_memory[512];
%sint main(void)
{
%s%s	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
%s		}
	}
	return 0;
}
`, &objects, &given, sortedLines(connected.String()), &calls)
}

// sortedLines returns text with its lines sorted.
func sortedLines(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// argument returns the argument of the harness for a parameter.
//
//	int irq              (int)__VERIFIER_nondet_long()
//	struct lamp *l       &(*c2bp_object0)
//	char *buf            (void *)c2bp_memory
//	pm_message_t state   *(pm_message_t *)c2bp_memory
//	void (*done)(int)    0
func argument(p string, object func(string) string) string {
	// 1. The type, without qualifiers and the name.
	p = strings.Join(strings.Fields(annotation.ReplaceAllString(p, "")), " ")
	if strings.Contains(p, "(") { // a function
		return "0"
	}
	p = strings.ReplaceAll(p, " []", "[]")
	typ := strings.TrimSpace(p)
	if i := strings.LastIndexAny(strings.TrimSuffix(p, "[]"), " *"); i >= 0 && !strings.HasSuffix(p, "*") {
		typ = strings.TrimSpace(p[:i+1])
	}
	if strings.HasSuffix(p, "[]") {
		typ += " *"
	}
	to, isPointer := strings.CutSuffix(typ, "*")
	to = strings.TrimSpace(to)
	// 2. Numbers are inputs, structs are bytes, pointers to structs lead to objects.
	switch {
	case !isPointer && number.MatchString(typ):
		return "(" + typ + ")__VERIFIER_nondet_long()"
	case !isPointer:
		return "*(" + typ + " *)c2bp_memory"
	case strings.HasSuffix(to, "*") || to == "void" || to == "char" || to == "u8" || to == "unsigned char":
		return "(void *)c2bp_memory"
	}
	return "&" + object(to)
}
