package frontend

import (
	"c2bp/source"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file handles the attributes and assembler names of declarations that change the behaviour of a
// program. Most attributes are hints; of the others
//
//	constructor     is called before main, see wrap
//	destructor      is called at the end, see ending.go
//	alias, weakref, asm("…") of a function is another function, if the program defines it and a compiler emits that
//	weak            of a name that is not defined: it may be missing, see outside.go
//	register … asm  at file scope is a register: any code may change it
//	section         may be one of functions to be called: in the ledger
//	cleanup         calls a function at the end of a block, see cleanups.go
//	mode            is rewritten before parsing, see ccfix/modeattr.go; the rest is refused

// checkAttributes refuses the attributes below n that are not supported; bodies are checked elsewhere.
func (l *program) checkAttributes(n cc.Node) {
	ctree.Walk(n, func(n cc.Node) bool {
		if a, ok := n.(*cc.AttributeValue); ok {
			l.checkAttribute(a)
		}
		_, body := n.(*cc.CompoundStatement) // has its own check
		return !body
	})
}

// checkAttribute refuses a if it is not supported.
func (l *program) checkAttribute(a *cc.AttributeValue) {
	switch ctree.AttributeName(a.Token.SrcStr()) {
	// cleanupsOf has marked those that are supported.
	case "cleanup":
		if !l.understood[a] {
			l.error(ccfix.At(a.Position()), "the attribute cleanup is not supported here: it calls a function at the end of the block")
		}
	case "section":
		l.checkSection(a)
	case "ifunc":
		l.error(ccfix.At(a.Position()), "the attribute ifunc is not supported: it calls a function when the program starts")
	case "mode":
		if isFloatMode(a) {
			return
		}
		l.error(ccfix.At(a.Position()), "the attribute mode is not supported in this declaration; write the type that it makes")
	}
}

// checkSection warns if a puts an object into a section of pointers to functions that run at the start
// or the end of a program: they are not called.
func (l *sources) checkSection(a *cc.AttributeValue) {
	if a.ArgumentExpressionList == nil {
		return
	}
	// Names such as .init_array.00100 have a priority after the prefix.
	text, _, ok := l.StringBytes(a.ArgumentExpressionList.AssignmentExpression)
	name := strings.TrimRight(string(text), "\x00")
	for _, prefix := range []string{".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors"} {
		if ok && strings.HasPrefix(name, prefix) {
			l.note(source.Warning, ccfix.At(a.Position()), "the functions in section %s are not called", name)
			l.ledger.add("the functions in section %s are not called", name)
		}
	}
}

// isFloatMode reports whether a is mode(SF), mode(TC) or another mode of floating-point types, whose
// widths do not matter.
func isFloatMode(a *cc.AttributeValue) bool {
	if a.ArgumentExpressionList == nil {
		return false
	}
	id, ok := ctree.Strip(a.ArgumentExpressionList.AssignmentExpression).(*cc.PrimaryExpression)
	if !ok {
		return false
	}
	switch ctree.AttributeName(id.Token.SrcStr()) {
	case "HF", "SF", "DF", "XF", "TF", "KF", "HC", "SC", "DC", "XC", "TC", "KC":
		return true
	}
	return false
}

// functionAttributes adds the attributes a of a declarator to those of f. Attributes add up over
// all declarations; the first alias counts.
func (f *function) functionAttributes(a *cc.Attributes) {
	f.noreturn = f.noreturn || ctree.HasAttribute(a, "noreturn")
	f.used = f.used || ctree.HasAttribute(a, "used")
	if is, priority := attributePriority(a, "constructor"); is {
		f.constructor, f.priority = true, priority
	}
	if is, priority := attributePriority(a, "destructor"); is {
		f.destructor, f.lastPriority = true, priority
	}
	if a != nil && f.alias == "" {
		f.alias = a.Alias()
	}
	// cc knows alias, and not weakref.
	for _, name := range []string{"weakref", "__weakref__"} {
		if a == nil || f.alias != "" {
			break
		}
		if v := a.AttrValue(name); len(v) == 1 {
			if text, ok := v[0].(cc.StringValue); ok {
				f.alias = strings.TrimRight(string(text), "\x00")
			}
		}
	}
}

// findNoreturn notes the declarators of n if it has _Noreturn.
func (l *program) findNoreturn(n *cc.Declaration) {
	for s := n.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersFunc && s.FunctionSpecifier.Case == cc.FunctionSpecifierNoreturn {
			for _, id := range initDeclarators(n) {
				l.noreturns[id.Declarator] = true
			}
		}
	}
}

// noPriority is the priority of constructors without one: after all that have one.
const noPriority = 1 << 32

// attributePriority reports whether the attribute name is set, and its argument. The priority is
// meaningless if the attribute is not set.
func attributePriority(a *cc.Attributes, name string) (is bool, priority int64) {
	for _, name := range []string{name, "__" + name + "__"} {
		if a == nil || !a.IsAttrSet(name) {
			continue
		}
		is, priority = true, noPriority
		if v := a.AttrValue(name); len(v) == 1 && ctree.Integer(v[0]) != nil {
			priority = ctree.Integer(v[0]).Int64()
		}
	}
	return is, priority
}

// assemblerName handles asm("name") after a declarator: another name of a function, or a register.
//
//	int get(void) asm("read_it");          another name of the function read_it
//	register long sp asm("rsp");           a register, which any code may change
//	extern int x asm("y");                 refused
func (l *sharing) assemblerName(id *cc.InitDeclarator) {
	d := id.Declarator
	if id.Asm == nil || d.Type() == nil || d.IsTypename() {
		return
	}
	name, err := strconv.Unquote(id.Asm.Token3.SrcStr())
	f, v := l.funcs[d], l.vars[d]
	if v != nil {
		l.touchable[v] = true // assembly may change it
	}
	// Another name of a function, a register, or another name of a variable.
	switch {
	case f != nil && err == nil && name != f.name && f.alias == "":
		f.alias = name
	case v != nil && d.IsRegister():
		v.Volatile = v.Volatile || v.Kind == core.Global
	case v != nil && (err != nil || name != d.Name()):
		l.error(ccfix.At(id.Asm.Position()), "the assembler name of %s is not supported: it may be the name of another variable", d.Name())
	}
}

// aliasTarget returns the function of which f, without a body, is another name; nil if there is none.
// If the program does not define the target, f stays a function of its own. So it does if the definition
// is only for calls by its C name: the assembler name is that of a definition elsewhere then.
//
//	extern long real_copy(char *, long) asm("copy");
//	extern inline __attribute__((gnu_inline)) long copy(char *p, long n) { check(p, n); return real_copy(p, n); }
func (l *program) aliasTarget(f *function) *function {
	if f.def != nil {
		return nil
	}
	if s := l.standInOf(f); s != nil {
		return s
	}
	if f.alias == "" {
		return nil
	}
	t := l.byKey[l.functionKey(f.tu, f.alias)]
	if t != nil && t.def != nil && !t.emitted() {
		return nil
	}
	return t
}

// markAliases marks the functions that are called, or whose address is taken, under other names.
func (l *program) markAliases() {
	for _, f := range l.order {
		if t := l.aliasTarget(f); t != nil {
			t.addrTaken = t.addrTaken || f.addrTaken
			t.called = t.called || f.called
		}
	}
}

// constructors returns the functions to be called before the entry, in their order. A lower number
// comes first; gcc calls those without a number last.
func (l *program) constructors() (list []*function) {
	for _, f := range l.defined {
		if f.constructor {
			list = append(list, f)
		}
	}
	// By priority, then in the order of definition.
	slices.SortStableFunc(list, func(f, g *function) int { return cmp.Compare(f.priority, g.priority) })
	return list
}
