package harness

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file makes functions without a body, from which a harness gets numbers and pointers.

// getters are the functions without a body that give the harness its values.
type getters struct {
	names        []string
	declarations map[string]string // by name
}

// add notes a function called name with the result type t, and returns a call of it.
func (g *getters) add(name string, t cc.Type) (call string, ok bool) {
	// Of a type like const char *, the qualifiers are of no use.
	text, ok := declaration(t, name+"(void)")
	if !ok {
		return "", false
	}
	text = unqualified(text)
	for i := 2; g.declarations[name] != "" && g.declarations[name] != text; i++ {
		name = fmt.Sprintf("%s_%d", strings.TrimRight(name, "_0123456789"), i)
		text, _ = declaration(t, name+"(void)")
		text = unqualified(text)
	}
	if g.declarations == nil {
		g.declarations = map[string]string{}
	}
	if g.declarations[name] == "" {
		g.declarations[name] = text
		g.names = append(g.names, name)
	}
	return name + "()", true
}

// numbers are the names of arbitrary numbers by their types.
var numbers = map[cc.Kind]string{
	cc.Bool: "bool", cc.Char: "char", cc.SChar: "schar", cc.UChar: "uchar", cc.Short: "short", cc.UShort: "ushort",
	cc.Int: "int", cc.UInt: "uint", cc.Long: "long", cc.ULong: "ulong", cc.LongLong: "longlong", cc.ULongLong: "ulonglong",
	cc.Float: "float", cc.Double: "double", cc.LongDouble: "longdouble",
}

// getter begins the names of the functions without a body that give pointers and structs.
const getter = "c2bp_get_"

// IsGetter reports whether name is that of a function by which a harness gets arguments that are pointers or structs. Such
// a function has no body, and stands for a choice, not for code that knows the types.
func IsGetter(name string) bool { return strings.HasPrefix(name, getter) }

// value returns an expression for any value of type t; ok is false if there is none.
//
//	int                __VERIFIER_nondet_int()
//	struct file *      c2bp_get_file()
//	const char *       c2bp_get_char_pointer()
//	pm_message_t       c2bp_get_value_pm_message()
func (g *getters) value(t cc.Type) (text string, ok bool) {
	if e, isEnum := t.(*cc.EnumType); isEnum {
		t = e.UnderlyingType()
	}
	if name := numbers[t.Kind()]; name != "" && t.VectorSize() <= 0 {
		return g.add("__VERIFIER_nondet_"+name, t)
	}
	if to := ctree.Pointee(t); to != nil {
		name := recordName(to)
		if name == "" {
			// By the words of the type: char_pointer, void_pointer_pointer; a function has none.
			base, _ := declaration(t, "")
			name = "function"
			if ctree.GivenFunction(t) == nil && !strings.ContainsAny(base, "([") {
				name = strings.Join(strings.Fields(strings.ReplaceAll(unqualified(base), "*", " pointer ")), "_")
			}
		}
		if text, ok = g.add(getter+name, t); ok {
			return text, true
		}
		// Any pointer becomes one to void, and back.
		return g.raw(getter+"pointer", "void *"+getter+"pointer(void)"), true
	}
	return g.add(getter+"value_"+recordName(t), t)
}

// raw notes a function with a declaration, and returns a call of it.
func (g *getters) raw(name, declaration string) (call string) {
	if g.declarations == nil {
		g.declarations = map[string]string{}
	}
	if g.declarations[name] == "" {
		g.declarations[name] = declaration
		g.names = append(g.names, name)
	}
	return name + "()"
}
