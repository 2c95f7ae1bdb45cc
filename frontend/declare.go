package frontend

import (
	"fmt"
	"sort"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file declares the variables of function bodies, and checks the declarations that their
// identifiers refer to, before anything is lowered.

// functionLowerer lowers one function body. Its own fields are about control flow.
type functionLowerer struct {
	frame

	// All labels of the body, case and default too; findJumps makes them.
	labels  map[*cc.LabeledStatement]*label
	targets []target // named labels in source order
	taken   []target // labels whose address is taken
	// In front of the Return, where all return statements lead.
	exit  *label
	loops []loop // enclosing loops and switches, innermost last

	cleanups map[*cc.Declarator]*cleanup
	owed     []*cleanup // what is called where control leaves the enclosing blocks
}

// frame has the nodes and variables of the procedure that is being lowered. It is the receiver of what
// needs no labels, loops and cleanups, which are the function's.
type frame struct {
	*linker
	builder
	fn   *function
	proc *core.Proc

	used   map[string]bool         // names of variables taken in this procedure
	inits  map[*cc.Declarator]bool // locals that need no havoc at their declaration
	locals []*cc.InitDeclarator
	// Temporaries made so far: the next one is $(temps+1).
	temps  int
	blocks int              // numbered so far
	memo   map[cc.Node]bool // hasEffects

	lengths  map[cc.ExpressionNode]*core.Var     // sizes of arrays of variable length
	complits map[*cc.PostfixExpression]*core.Var // compound literals
	// addressed is the lvalue whose address is computed, if that is what is being lowered.
	addressed cc.ExpressionNode
	within    *function // of the initialiser of a static variable: the function that declares it
}

// loop holds the destinations of break and continue in a loop or switch.
type loop struct {
	brk, cont *label // cont is nil for a switch
	owed      int    // number of cleanups owed outside of it
}

// declareBody returns the lowerer of f's body, with the variables of the body declared. It emits no
// nodes: lowerBody does, if the function is reached.
func (l *linker) declareBody(f *function) *functionLowerer {
	b := &functionLowerer{
		frame: frame{
			linker: l, fn: f, proc: f.proc,
			used: map[string]bool{}, inits: map[*cc.Declarator]bool{}, memo: map[cc.Node]bool{},
			lengths: map[cc.ExpressionNode]*core.Var{}, complits: map[*cc.PostfixExpression]*core.Var{},
		},
		labels: map[*cc.LabeledStatement]*label{}, exit: newLabel(), cleanups: map[*cc.Declarator]*cleanup{},
	}
	// 1. Names of globals are taken.
	for _, o := range l.ordered {
		b.used[o.v.Name] = true
	}
	// 2. Declare formals and locals in source order.
	own := map[cc.Node]bool{} // declarators and parameters of this function
	for i, p := range parameters(f.typ) {
		own[p] = true
		b.declareFormal(i, p, own)
	}
	b.declareVariadic()
	b.locals = b.localDeclarators()
	for _, id := range b.locals {
		own[id.Declarator] = true
		b.declareLocal(id)
	}
	// 3. Look through the body for what lowering needs to know in advance.
	b.findCleanups()
	l.findErrno(f.def.CompoundStatement)
	l.checkIdentifiers(f.tu, f.def.CompoundStatement, own)
	l.findAddressTaken(f.tu, f.def.CompoundStatement)
	b.findJumps()
	return b
}

// declareFormal declares parameter number i; without a name it is called #1, #2 and so on. own gets
// the declarator, so that checkIdentifiers accepts its names.
func (b *frame) declareFormal(i int, p *cc.Parameter, own map[cc.Node]bool) {
	name, pos := "", b.fn.pos
	if p.Declarator != nil {
		own[p.Declarator] = true
		name, pos = p.Declarator.Name(), ccfix.At(p.Declarator.NameTok().Position())
	}
	if name == "" {
		name = fmt.Sprintf("#%d", i+1)
	}
	// A parameter without a declarator cannot be named.
	v := &core.Var{Name: b.fresh(name, pos), Type: b.parameterType(p.Type()), Kind: core.Formal, Proc: b.proc, Pos: pos}
	b.proc.Formals = append(b.proc.Formals, v)
	if p.Declarator != nil {
		b.vars[p.Declarator] = v
		b.declareAs(v, p.Type())
		b.layouts.NoteAlignment(v, p.Declarator.Type())
		b.merge(v, p.Declarator)
	}
}

// fresh returns a name for a local that is not taken, and takes it: x, or x@LINE where x is taken,
// or x@LINE:COL.
func (b *frame) fresh(name string, pos source.Pos) string {
	n := name
	if b.used[n] {
		n = fmt.Sprintf("%s@%d", name, pos.Line)
	}
	if b.used[n] {
		n = fmt.Sprintf("%s@%d:%d", name, pos.Line, pos.Col)
	}
	// A macro may declare several on one line and column.
	for i, base := 2, n; b.used[n]; i++ {
		n = fmt.Sprintf("%s#%d", base, i)
	}
	b.used[n] = true
	return n
}

// localDeclarators returns the declarators of objects and functions in the body in source order.
// Typedefs are among them; declareLocal skips them.
func (b *frame) localDeclarators() (list []*cc.InitDeclarator) {
	ctree.Walk(b.fn.def.CompoundStatement, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.BlockItem:
			if n.Case == cc.BlockItemFuncDef {
				b.error(ccfix.At(n.Position()), "nested functions are not supported")
				return false
			}
		case *cc.Declaration:
			b.findNoreturn(n)
			list = append(list, initDeclarators(n)...)
		}
		return true
	})
	// The walk does not always follow the order of the text.
	sort.SliceStable(list, func(i, j int) bool {
		p, q := list[i].Declarator.NameTok(), list[j].Declarator.NameTok()
		return p.Seq() < q.Seq()
	})
	return list
}

// declareLocal declares a function, or an object of external linkage, of static storage duration
// or an automatic one.
//
//	int x;                 a local x, or x@LINE if the name is taken
//	static int n;          a global f::n
//	extern int y;          the global y
//	int a[n];              a local a that holds the address
func (b *frame) declareLocal(id *cc.InitDeclarator) {
	d := id.Declarator
	pos := ccfix.At(d.NameTok().Position())
	// A type declares nothing; __func__ is declared at its first use, see functionName.
	switch {
	case d.IsTypename() || d.Type() == nil || d.Name() == "__func__":
	case d.Type().Kind() == cc.Function:
		// A function; one that no file declares gets its procedure here.
		b.declareFunction(b.fn.tu, d, nil)
		if f := b.funcs[d]; f.proc == nil {
			f.proc = &core.Proc{Name: f.name, CName: f.name, Pos: f.pos}
			b.signature(f)
		}
	case d.IsExtern():
		// An object of another block or file.
		b.declareObject(b.fn.tu, id, b.keyOf(b.fn.tu, d), false)
		b.used[b.vars[d].Name] = true
		b.assemblerName(id)
	case d.IsStatic():
		// A static object is a global called FUNCTION::NAME.
		o := b.declareObject(b.fn.tu, id, b.staticKey(d, pos), true)
		o.within = b.fn
		o.v.Name = b.fresh(b.fn.proc.Name+"::"+d.Name(), pos)
		b.assemblerName(id)
	default:
		// An automatic object.
		v := &core.Var{Name: b.fresh(d.Name(), pos), Type: b.objectType(d.Type()), Kind: core.Local, Proc: b.proc, Pos: pos}
		if isVariableArray(d.Type()) {
			v.Type = b.pointer() // its address
		} else {
			b.declareAs(v, d.Type())
		}
		b.proc.Locals = append(b.proc.Locals, v)
		b.vars[d] = v
		if !isVariableArray(d.Type()) {
			b.layouts.NoteAlignment(v, d.Type())
		}
		b.merge(v, d)
		b.touchable[v] = id.Asm != nil // a register, which assembly may change
	}
}

// checkIdentifiers visits every identifier of a function body or initialiser. It finds the functions
// whose address is taken, and refuses a body with an identifier that cc has resolved to a parameter
// of another declarator: see scrub. own holds the declarators and parameters of the body.
func (l *program) checkIdentifiers(tu *translationUnit, body cc.Node, own map[cc.Node]bool) {
	calls := map[cc.Node]bool{} // identifiers in the place of a callee
	ctree.Walk(body, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.BlockItem:
			return n.Case != cc.BlockItemFuncDef
		case *cc.TypeName:
			l.refuseEffects(n)
		case *cc.AttributeValue:
			// The function of a cleanup is called, and its address is not taken.
			l.checkAttribute(n)
			if l.understood[n] {
				calls[cleanupName(n)] = true
			}
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionCall {
				if id := identifier(n.PostfixExpression); id != nil {
					calls[id] = true
				}
			}
		case *cc.PrimaryExpression:
			if n.Case == cc.PrimaryExpressionIdent {
				l.checkIdentifier(tu, n, own, calls[n])
			}
		}
		return true
	})
}

// refuseEffects reports side effects in a type name: sizeof(int[n++]) evaluates
// n++, which is not supported.
func (l *sources) refuseEffects(t *cc.TypeName) {
	ctree.Walk(t, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.AssignmentExpression:
			// x = e, x op= e
			if e.Case != cc.AssignmentExpressionCond {
				l.error(ccfix.At(n.Position()), "a side effect inside a type is not supported")
			}
		case *cc.PostfixExpression:
			switch e.Case {
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
				l.error(ccfix.At(n.Position()), "a side effect inside a type is not supported")
			}
		case *cc.TypeSpecifier:
			return e.Case != cc.TypeSpecifierTypeofExpr // not evaluated
		}
		return true
	})
}

// checkIdentifier checks the declaration that n refers to, and notes its use. callee says that n is
// called.
func (l *program) checkIdentifier(tu *translationUnit, n *cc.PrimaryExpression, own map[cc.Node]bool, callee bool) {
	switch d := n.ResolvedTo().(type) {
	case *cc.Parameter:
		// Only parameters of the function itself may be named.
		if !own[d] {
			l.leaked(n)
		}
	case *cc.Declarator:
		l.named[l.vars[d]] = true
		switch {
		case l.funcs[d] == nil && isFunction(d) && l.byKey[fmt.Sprintf("%d:%s", tu.index, d.Name())] != nil:
			l.error(ccfix.At(n.Position()), "%s is used before it is declared, and then it is static: declare it first", d.Name())
		case isFunction(d):
			// Named elsewhere than as a callee, its address is taken.
			f := l.functionOf(d)
			f.called = true
			f.addrTaken = f.addrTaken || !callee
			l.errnoKept = l.errnoKept || !callee && errnoFunctions[f.name]
			if d.IsSynthetic() {
				l.checkBuiltin(n, d.Name())
			}
		case !own[d] && l.vars[d] == nil && !d.IsSynthetic(): // undeclared: in assembly only
			l.leaked(n)
		}
	}
}

// isFunction reports whether d declares a function, and not an object or parameter.
func isFunction(d *cc.Declarator) bool {
	return d.Type() != nil && d.Type().Kind() == cc.Function && !d.IsParam()
}

// leaked reports an error about an identifier that the parser has bound to a parameter of an
// abstract declarator, which is a defect of the parser.
func (l *sources) leaked(n *cc.PrimaryExpression) {
	l.error(ccfix.At(n.Position()), "internal error: the C parser took %s for a parameter of another declarator", n.Token.SrcStr())
}

// functionOf returns the function that declarator d names; its first use declares an undeclared
// function.
func (l *program) functionOf(d *cc.Declarator) *function {
	// Another declaration of the name is of a function without a body, and is no error.
	if l.Unreached[d.Name()] == d { // another declaration is known as one of a function without a body
		l.error(ccfix.At(d.Position()), "internal error: %s is used, and was left out since nothing seemed to reach it", d.Name())
	}
	if f := l.funcs[d]; f != nil {
		return f
	}
	// A function that only this declarator declares: it is external.
	f := l.byKey[d.Name()]
	if f == nil {
		f = &function{name: d.Name(), key: d.Name(), typ: ctree.FunctionType(d.Type()), pos: ccfix.At(d.Position())}
		f.proc = &core.Proc{Name: f.name, CName: f.name, Pos: f.pos}
		l.signature(f)
		l.byKey[f.key] = f
		l.order = append(l.order, f)
	}
	l.funcs[d] = f
	return f
}

// identifier returns the identifier that e consists of, parentheses and * before a function taken
// away; nil if e is another expression.
//
//	f, (f), *f, (**f)      f
//	p->f, f + 0            nil
func identifier(e cc.Node) *cc.PrimaryExpression {
	for {
		switch x := e.(type) {
		case *cc.PrimaryExpression:
			// x, (x)
			switch x.Case {
			case cc.PrimaryExpressionIdent:
				return x
			case cc.PrimaryExpressionExpr:
				e = x.ExpressionList
				continue
			}
			return nil
		case *cc.ExpressionList:
			if x.ExpressionList != nil {
				return nil
			}
			e = x.AssignmentExpression
		case *cc.UnaryExpression:
			// *f of a function f is f.
			if x.Case != cc.UnaryExpressionDeref || ctree.FunctionType(x.CastExpression.Type()) == nil {
				return nil
			}
			e = x.CastExpression
		default:
			return nil
		}
	}
}

// staticKey returns the key of d, a static local that is declared at pos. A macro may declare several of one name at
// one place, in blocks of their own:
//
//	#define ONCE(x) do { static int done; if (!done++) x; } while (0)
//	#define BOTH    ONCE(f()); ONCE(g())
func (b *frame) staticKey(d *cc.Declarator, pos source.Pos) string {
	key := fmt.Sprintf("%s::%s@%d:%d", b.fn.key, d.Name(), pos.Line, pos.Col)
	for n, first := 2, key; b.objects[key] != nil && b.vars[d] == nil; n++ {
		key = fmt.Sprintf("%s#%d", first, n)
	}
	return key
}
