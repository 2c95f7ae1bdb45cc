package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file is for those who observe calls: which functions can be observed, how they are declared,
// and where the text of the program mentions them.

// observes reports whether calls of f are to be observed, see Options.Observed. Checks of leaks look at the end of the
// program.
func (l *sources) observes(f *function) bool {
	return slices.Contains(l.opts.Observed, f.name) || f.name == "exit" && l.opts.Checks.Has(checks.Leak)
}

// Observable reports whether Options.Observed has an effect for a function of that name, without a
// body: its calls stay calls, or nodes with their ModelCall. A function with a body is observed in it.
func Observable(name string) bool {
	if _, computed := mathFunctions[name]; computed {
		return false
	}
	switch kindOf(name) {
	case notIntrinsic, library, replaced:
		return true
	case end:
		return endsNormally(name)
	}
	return false
}

// IsFailure reports whether a function of that name means a failure, such as reach_error.
func IsFailure(name string) bool { return intrinsics[name] == failure }

// endsNormally reports whether the function ends the program in an orderly way, which abort does not.
func endsNormally(name string) bool {
	switch name {
	case "exit", "_exit", "_Exit", "quick_exit":
		return true
	}
	return false
}

// endCall lowers a call of a function that ends the program, and is observed: to a call that does not
// return.
func (b *functionLowerer) endCall(e *cc.PostfixExpression, f *function) {
	args, extra := b.actuals(e, f)
	b.emit(&core.Call{Callee: f.proc, Args: args, Extra: extra})
	b.emit(&core.Assume{Cond: truth(false)}).Ends = ends(f.name)
}

// Function is a function of the program as C declares it.
type Function struct {
	Name     string // in C
	Proc     string // in the core program, if it is part of that
	Unit     int    // index of the C file whose declarations are meant
	Pos      source.Pos
	Defined  bool // it has a body
	Params   int  // number of parameters
	Variadic bool
	Declared bool // these are declared: f(void), not f()

	f    *function
	unit *Unit
}

// Functions returns the functions of that name which the C files declare: one, or a static one in each
// of several files. One that only calls declare has no known parameters.
func (u *Unit) Functions(name string) (list []*Function) {
	for _, f := range u.linker.order {
		if f.name != name {
			continue
		}
		// A second name of a function means that function.
		g := u.linker.resolveAlias(f)
		x := &Function{Name: name, Proc: g.proc.Name, Pos: f.pos, Defined: g.def != nil, f: f, unit: u}
		if f.tu != nil {
			x.Unit = f.tu.index
		}
		if f.typ != nil {
			p := parameters(f.typ)
			x.Params, x.Variadic = len(p), f.typ.IsVariadic()
			x.Declared = f.tu != nil && (len(p) > 0 || f.typ.MaxArgs() == 0 || f.def != nil)
		}
		list = append(list, x)
	}
	return list
}

// typeOf returns the type of parameter i, or that of the result if i is -1; nil if it is not known.
func (f *Function) typeOf(i int) cc.Type {
	switch {
	case f.f.typ == nil:
		return nil
	case i < 0:
		return f.f.typ.Result()
	}
	return parameters(f.f.typ)[i].Type()
}

// Declare returns the C declaration of a variable called name with the type of parameter i, or with that
// of the result if i is -1. ok is false if this type has no name at the end of the file, or is void.
func (f *Function) Declare(i int, name string) (decl string, ok bool) {
	t := f.typeOf(i)
	if t == nil || t.Kind() == cc.Void {
		return "", false
	}
	defer f.unit.linker.forgetting()()
	return f.unit.predicates.Spell(f.Unit, t, name)
}

// Is reports whether parameter i, or the result if i is -1, is of the type that words mean at the end of the
// function's file, and stars after it. Pointers lead to the same types, whatever names these have; qualifiers of
// that type do not count.
func (f *Function) Is(i int, words []string, stars int) bool {
	t := f.typeOf(i)
	for ; stars > 0 && t != nil; stars-- {
		if t.Kind() != cc.Ptr && t.Kind() != cc.Array {
			return false
		}
		t = ctree.Pointee(t)
	}
	if t == nil {
		return false
	}
	// 1. The type of a typedef.
	var want cc.Type
	for _, n := range f.unit.linker.tus[f.Unit].ast.Scope.Nodes[words[0]] {
		if d, is := n.(*cc.Declarator); is && d.IsTypename() && len(words) == 1 {
			want = d.Type()
		}
	}
	defer f.unit.linker.forgetting()()
	spell := func(t cc.Type) (string, bool) {
		if t.Kind() == cc.Void {
			return "void", true
		}
		text, ok := f.unit.predicates.Spell(f.Unit, t, "")
		for ok && (strings.HasPrefix(text, "const ") || strings.HasPrefix(text, "volatile ")) {
			_, text, _ = strings.Cut(text, " ")
		}
		return strings.TrimSpace(text), ok
	}
	got, named := spell(t)
	if want == nil {
		return named && got == canonical(words)
	}
	// 2. By their names; one without any has its typedef only in some declarations.
	if text, ok := spell(want); ok && named {
		return got == text
	}
	return t.Kind() == want.Kind() && t.IsCompatible(want)
}

// canonical returns the name of a type of numbers in the words that package predicate has for it; other words stay
// as they are.
//
//	int unsigned long  ->  unsigned long
//	long int           ->  long
//	short              ->  signed short
func canonical(words []string) string {
	count := map[string]int{}
	for _, w := range words {
		switch w {
		case "char", "short", "int", "long", "signed", "unsigned":
			count[w]++
		default:
			return strings.Join(words, " ")
		}
	}
	sign := "signed "
	if count["unsigned"] > 0 {
		sign = "unsigned "
	}
	switch {
	case count["char"] > 0 && count["signed"]+count["unsigned"] == 0:
		return "char"
	case count["char"] > 0:
		return sign + "char"
	case count["short"] > 0:
		return sign + "short"
	case count["long"] > 1:
		return sign + "long long"
	case count["long"] == 1:
		return strings.TrimPrefix(sign, "signed ") + "long"
	}
	return sign + "int"
}

// IsVoid reports whether the function returns nothing.
func (f *Function) IsVoid() bool {
	t := f.typeOf(-1)
	return t != nil && t.Kind() == cc.Void
}

// IsScalar reports whether parameter i, or the result if i is -1, is a number or a pointer.
func (f *Function) IsScalar(i int) bool {
	t := f.typeOf(i)
	switch {
	case t == nil:
		return false
	case i < 0:
		return isScalarType(f.unit.linker.coreType(t))
	}
	return isScalarType(f.unit.linker.parameterType(t))
}

// IsPointer reports whether parameter i, or the result if i is -1, is a pointer.
func (f *Function) IsPointer(i int) bool {
	t := f.typeOf(i)
	return t != nil && (t.Kind() == cc.Ptr || t.Kind() == cc.Array)
}

// Concurrent reports whether the program starts threads or installs handlers of signals, so that the order of
// calls in a run is not that of the core program.
func (u *Unit) Concurrent() bool { return u.linker.concurrent || u.linker.interrupted }

// Mention is a place where the text of the program mentions a function.
type Mention struct {
	Of   string // the function that is mentioned, in C
	Proc string // the procedure of the function whose text it is; "" in the initialiser of a global variable
	In   string // its name in C, or that of the variable
	Home core.Home
	Pos  source.Pos
}

// Mentions returns the places where functions with a body and initialisers of global variables, whether they
// are part of the core program or not, mention a function with one of the names. Bodies of static functions
// in headers that nothing reaches are not looked at.
func (u *Unit) Mentions(names []string) (list []Mention) {
	l := u.linker
	// in adds the places in a text, which are like m otherwise.
	in := func(text cc.Node, m Mention) {
		ctree.Walk(text, func(n cc.Node) bool {
			id, ok := n.(*cc.PrimaryExpression)
			if !ok || id.Case != cc.PrimaryExpressionIdent {
				return true
			}
			d, ok := id.ResolvedTo().(*cc.Declarator)
			if g := l.funcs[d]; ok && g != nil && slices.Contains(names, g.name) {
				m.Of, m.Pos = g.name, ccfix.At(id.Position())
				list = append(list, m)
			}
			return true
		})
	}
	for _, f := range l.defined {
		if !l.isEnding(f) {
			in(f.def.CompoundStatement, Mention{Proc: f.proc.Name, In: f.name, Home: l.home(f)})
		}
	}
	for _, o := range l.ordered {
		if o.init != nil {
			in(o.init, Mention{In: o.v.Name})
		}
	}
	return list
}

// Knows reports whether a name means something at the end of a C file, a macro included, and whether that is
// a type.
func (u *Unit) Knows(unit int, name string) (known, isType bool) {
	tu := u.linker.tus[unit]
	for _, n := range tu.ast.Scope.Nodes[name] {
		switch n := n.(type) {
		case *cc.Declarator:
			return true, n.IsTypename()
		case *cc.Enumerator:
			return true, false
		}
	}
	return tu.ast.Macros[name] != nil, tu.ast.Macros[name] != nil
}
