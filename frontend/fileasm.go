package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/source"
)

// This file over-approximates assembly outside of functions. Its text is not followed, only the names
// in it:
//
//	a variable of the program           may change at any time, as one that threads share
//	a function with a body              is reached; the functions that the text defines may call it
//	a function that is declared only    may be defined there: a call of it has the effects of an
//	                                    assembly statement whose inputs are the arguments
//
//	int get(int *);  asm ("get: call log; movl limit, %eax; ret");   int limit; void log(void) { … }

// fileAssembly is an assembly statement outside of functions.
type fileAssembly struct {
	tu        *translationUnit
	text      string // the literal
	pos       source.Pos
	objects   []*object   // that it names
	functions []*function // that it names, with a body
	defines   []*function // that it names, without a body
}

// findFileAssembly finds the variables and functions that assembly outside of functions names.
func (l *sharing) findFileAssembly() {
	for _, s := range l.fileAssembly {
		a := &assembly{template: textOfString(s.text)}
		s.objects, s.functions = l.namedBy(a, s.tu)
		l.takeNamed(s.objects, s.functions)
		// Nothing is known of when the code runs, so its variables may change at any time.
		for _, o := range s.objects {
			l.share(o.v)
		}
		for _, w := range ccfix.WordsOf(s.text) { // a name in front of a colon, too
			f := l.byKey[l.functionKey(s.tu, w)]
			if f != nil && f.def == nil && l.aliasTarget(f) == nil && !isIntrinsic(f.name) && !slices.Contains(s.defines, f) {
				s.defines = append(s.defines, f)
			}
		}
	}
}

// inFileAssembly reports whether assembly outside of functions has a name that begins with prefix: it may define it.
func (l *sharing) inFileAssembly(prefix string) bool {
	return slices.ContainsFunc(l.fileAssembly, func(s *fileAssembly) bool {
		return slices.ContainsFunc(ccfix.WordsOf(s.text), func(w string) bool { return strings.HasPrefix(w, prefix) })
	})
}

// takeNamed marks variables and functions whose address assembly takes by naming them.
func (l *program) takeNamed(objects []*object, functions []*function) {
	for _, o := range objects {
		o.v.AddrTaken = true
		l.named[o.v] = true
	}
	for _, f := range functions {
		f.called, f.addrTaken = true, true
	}
}

// isOpen reports whether the parameters of f are not all known.
func (f *function) isOpen() bool { return f.typ.IsVariadic() || len(f.typ.Parameters()) == 0 }

// definer returns the statement that may define the procedure p, and the function; nil if there is none.
func (r *reacher) definer(p *core.Proc) (*fileAssembly, *function) {
	f := r.functionOf(p)
	for _, s := range r.fileAssembly {
		if f != nil && slices.Contains(s.defines, f) {
			return s, f
		}
	}
	return nil, nil
}

// defineByAssembly gives f, which s may define, a body: a call of ?assembly with the formals and the
// named variables, calls of the named functions, and an arbitrary result.
//
//	int get(int *p) { ?assembly(p, &limit); (log())*; result := havoc from p; }
func (l *linker) defineByAssembly(s *fileAssembly, f *function) {
	b := &functionLowerer{frame: frame{linker: l, fn: f, proc: f.proc, used: map[string]bool{}}}
	b.pos, b.text = f.pos, f.name+"()"
	result := &core.Havoc{Why: core.AssemblyOutput}
	// 1. Values that the instructions get: the formals, and the variables that they name.
	var known []core.Expr
	for _, v := range f.proc.Formals {
		b.used[v.Name] = true
		switch v.Type.(type) {
		case core.Agg:
			known = append(known, b.addressOf(v))
		case core.Int, core.Ptr:
			known = append(known, v.Ref())
			result.From = append(result.From, core.Source{Value: v.Ref()})
		}
	}
	for _, o := range s.objects {
		known = append(known, b.addressOf(o.v))
	}
	// 2. The effects on memory, and calls of the functions that they name.
	b.emit(&core.Call{Callee: b.assemblyProc(), Extra: known})
	for _, g := range s.functions {
		before := &core.Call{Callee: b.assemblyProc(), Extra: known}
		b.callback(&function{name: "assembly", proc: b.assemblyProc()}, before, &core.FuncAddr{Proc: g.proc, Typ: b.pointer()}, g.typ)
	}
	// 3. An arbitrary result, which depends on the formals.
	if p := f.proc; p.RetType != core.Type(core.Void{}) {
		p.Result = &core.Var{Name: `\result`, Type: p.RetType, Kind: core.Local, Proc: p, Pos: f.pos}
		p.Locals = append(p.Locals, p.Result)
		if isScalarType(p.RetType) {
			result.Locs = []core.Loc{p.Result.Ref()}
			b.emit(result)
		} else {
			b.arbitraryVariable(p.Result, core.AssemblyOutput)
		}
	}
	exit := newLabel()
	b.jump(exit)
	f.proc.Nodes = b.finish(exit)
	l.ledger.add("asm at %s:%d: %s, which it may define, changes what its arguments lead to, what is known outside and what the text names, and nothing else%s",
		s.pos.File, s.pos.Line, f.name, mayCall(s.functions))
}

// mayCall returns a text that says which functions are called; "" if there are none.
func mayCall(list []*function) string {
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	if len(names) == 0 {
		return ""
	}
	return "; it may call " + strings.Join(names, ", ")
}

// addFileAssembly notes that d, in tu, is assembly outside of functions.
func (l *sharing) addFileAssembly(tu *translationUnit, d *cc.ExternalDeclaration) {
	l.fileAssembly = append(l.fileAssembly, &fileAssembly{tu: tu, text: d.AsmStatement.Asm.Token3.SrcStr(), pos: ccfix.At(d.Position())})
}

// assumeFileAssembly puts the other assumptions about assembly outside of functions into the ledger.
// Each statement is reported once, whether the code that it concerns is reached or not.
func (l *sharing) assumeFileAssembly() {
	for _, s := range l.fileAssembly {
		where := fmt.Sprintf("asm at %s:%d", s.pos.File, s.pos.Line)
		// Nothing of the program in it; only functions with a body; more.
		switch {
		case len(s.objects)+len(s.functions)+len(s.defines) == 0:
			l.note(source.Warning, s.pos, "assembly at file scope is ignored")
			l.ledger.add("%s is ignored", where)
		case len(s.functions) > 0 && len(s.defines) == 0:
			var names []string
			for _, f := range s.functions {
				names = append(names, f.name)
			}
			l.note(source.Warning, s.pos, "assembly at file scope names %s", strings.Join(names, ", "))
			l.ledger.add("%s: it gives %s no new name and calls nothing", where, strings.Join(names, ", "))
		default:
			for _, f := range s.defines {
				if f.isOpen() {
					l.ledger.add("%s: %s is taken for an external function, since its parameters are not declared", where, f.name)
				}
			}
			l.note(source.Warning, s.pos, "assembly at file scope: what it names may change at any time")
		}
	}
}
