package frontend

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/frontend/layout"
	"c2bp/frontend/stubs"
	"c2bp/source"
)

// This file links translation units (C23 6.2.2): it finds every object and function of the
// program and gives each one core variable or procedure.

// translationUnit is one parsed C file.
type translationUnit struct {
	// Number among the files, from 0: it is a part of the keys of static names.
	index int
	file  *source.File
	opts  Options // with which it was read
	ast   *cc.AST
}

// function is a C function of the program, defined or not. All declarations of one name with
// external linkage, in all files, are one function; a static one belongs to its file.
type function struct {
	name string // as C calls it
	key  string // identifies it in the program: the name, for a static also the file
	// Of the definition, else of the first declaration; nil if only a call declares it.
	tu  *translationUnit
	def *cc.FunctionDefinition // nil without a body
	typ *cc.FunctionType
	pos source.Pos
	// Made by nameGlobals, after all files are declared; later for functions that only a body
	// declares.
	proc      *core.Proc
	addrTaken bool
	called    bool // referred to by any function
	noreturn  bool
	model     *model    // stands for it if it has no body; nil without one
	nameVar   *core.Var // __func__
	weak      bool      // the definition gives way to another
	used      bool      // __attribute__((used)): the compiler keeps it
	missing   bool      // it may be: declared weak
	gnuInline bool      // __attribute__((gnu_inline))
	notInline bool      // a declaration is not inline, or extern
	alias     string    // __attribute__((alias("…"))) or asm("…"), or ""
	effects   *effects  // memory that a call of it may read and write; see effects.go

	constructor, destructor bool
	priority, lastPriority  int64 // of the constructor, and of the destructor
}

// object is a C object with static storage duration.
type object struct {
	v       *core.Var
	tu      *translationUnit
	init    *cc.Initializer // nil if it has none
	defined bool            // in the program, not only declared
	isConst bool
	visible bool // of external linkage
	placed  bool // in a section of its own, or at a fixed address
	used    bool // __attribute__((used)): the compiler keeps it
	// The declarator with the initialiser, for traces.
	text string
	pos  source.Pos
	// The C type of the declaration that gives the size.
	typ    cc.Type
	within *function // the function that declares it; nil at file scope
}

// linker builds the program. What it knows is in layers, each the receiver of what needs no more
// than it, see facts.go.
type linker struct {
	*sharing

	declaring *translationUnit // the file whose declarations are being read
	misled    []choice         // choices of cc that are wrong, see generic.go
	builtin   *source.File     // what was read of the built-in models; nil if nothing was

	isModels   bool                   // it reads a file of models
	explaining bool                   // errors do not stop it, see explain.go
	assumes    map[*function][]string // lines for the ledger, in a file of models
}

// newLinker makes a linker with all its layers. It works for one program and is not used again.
func newLinker(opts Options) *linker {
	l := &linker{sharing: newSharing(newProgram(newTyping(&sources{Parser: ccfix.New(), opts: opts})))}
	l.Memory = opts.Memory
	l.layouts = layout.New(l.Parser, opts.Bits32, forLayout{l})
	return l
}

// forLayout gives the layouts what they need of the linker.
type forLayout struct{ l *linker }

// Pure returns the value of n, if that has no side effects.
func (f forLayout) Pure(n cc.ExpressionNode) (core.Expr, error) { return f.l.pure(n, nil) }

// IntegerType returns the type of n if that is an integer type.
func (f forLayout) IntegerType(n cc.ExpressionNode) (core.Int, bool) { return f.l.typeOf(n) }

// CheckGeneric checks that cc has chosen the right association of n.
func (f forLayout) CheckGeneric(n *cc.GenericSelection) { f.l.checkGeneric(n) }

// Error reports an error.
func (f forLayout) Error(pos source.Pos, format string, args ...any) { f.l.error(pos, format, args...) }

// note records a diagnostic about an over-approximation. It does not stop the work.
func (l *sources) note(severity source.Severity, pos source.Pos, format string, args ...any) {
	d := l.Errorf(pos, format, args...)
	d.Severity = severity
	l.diags.Add(d)
}

// error records an error at pos.
func (l *sources) error(pos source.Pos, format string, args ...any) {
	l.errs.Add(l.Errorf(pos, format, args...))
}

// lower turns the parsed files into a core program.
func (l *linker) lower(ctx context.Context) (*core.Program, error) {
	l.prog.Files = l.Files
	for _, line := range l.opts.Assumed {
		l.ledger.add("%s", line)
	}
	// 1. Declare all objects, functions and locals: nothing is lowered before.
	bodies, err := l.declare(ctx)
	if err != nil {
		return nil, err
	}
	// 2. Compute the effects of every function; lowering asks for them.
	l.examine(bodies)
	// 3. Find the entry, and lower the functions and initialisers that it reaches.
	l.callDestructors()
	entry := l.makeEntry()
	if entry == nil && !l.explaining {
		return nil, l.errs.Err()
	}
	r, err := l.reach(ctx, bodies, entry, l.roots(entry))
	if err != nil {
		return nil, err
	}
	if err := l.errs.Err(); err != nil {
		return nil, err
	}
	// 4. Put the initialisers in front of the entry, and collect the reached parts.
	l.start(r)
	l.findChanges()
	r.collect()
	if err := l.errs.Err(); err != nil {
		return nil, err
	}
	markEscaping(l.prog)
	l.findPrivate()
	l.stateKept()
	l.diags.Sort()
	return l.prog, l.errs.Err()
}

// declare declares all objects and functions of the program with the locals of their bodies, and
// finds models for functions that are not defined. It returns the bodies.
func (l *linker) declare(ctx context.Context) (bodies []*functionLowerer, err error) {
	for _, pos := range l.WeakAliases {
		l.error(pos, "this #pragma weak is not supported: it gives something a second name")
	}
	l.findRounding()
	// 1. File scope, one file after the other. If cc chose wrong associations of _Generic, the
	// files are parsed again (settle).
	for _, tu := range l.tus {
		l.checkMembers(tu)
		l.declareFile(tu)
	}
	if len(l.misled) > 0 {
		return nil, errMisled
	}
	l.dropModelledBodies()
	// 2. Initialisers: the names that they mention, and the addresses that they take.
	for _, o := range l.ordered {
		if o.init != nil {
			l.checkIdentifiers(o.tu, o.init, nil)
			l.findAddressTaken(o.tu, o.init)
		}
	}
	l.markForeign()
	// 3. Bodies, after all names of globals are known.
	l.nameGlobals()
	for _, f := range l.defined {
		bodies = append(bodies, l.declareBody(f))
	}
	l.markForeign() // those that blocks declare
	if err := l.errs.Err(); err != nil && !l.explaining {
		return nil, err
	}
	// 4. Code besides the bodies: assembly, threads, signal handlers, the end of the program.
	l.findFileAssembly()
	l.assumeFileAssembly()
	l.findThreads()
	l.findInstallers()
	bodies = append(bodies, l.declareEnding(ctx)...)
	l.shareAll(bodies)
	// 5. Models for the functions that are still without a body.
	l.findModels(ctx)
	l.markForeign()
	l.markAliases()
	l.foldConstants()
	if err := l.errs.Err(); err != nil && !l.explaining {
		return nil, err
	}
	return bodies, nil
}

// markForeign marks the objects that are only declared, at file scope or in a block: functions without a body may change
// them.
func (l *linker) markForeign() {
	for _, o := range l.ordered {
		o.v.AddrTaken, o.v.Foreign = o.v.AddrTaken || !o.defined, !o.defined
	}
}

// examine computes the facts about all functions that lowering any of them needs. The order
// matters: shareWritten needs the effects, and keepVolatile the shared variables.
func (l *sharing) examine(bodies []*functionLowerer) {
	l.summarise(bodies)
	l.shareWritten(bodies)
	l.keepVolatile(bodies)
}

// declareFile declares the functions and objects of file scope of tu. Nothing is lowered. Bodies
// are declared by declareBody, after all files.
func (l *linker) declareFile(tu *translationUnit) {
	l.declaring = tu
	// Aliases of variables come last: the variable may be declared after its alias.
	var aliases []*cc.InitDeclarator
	defer func() {
		for _, id := range aliases {
			l.declareAtFileScope(tu, id)
		}
	}()
	for u := tu.ast.TranslationUnit; u != nil; u = u.TranslationUnit {
		d := u.ExternalDeclaration
		if isPrelude(d) {
			continue
		}
		// A function definition, a declaration, or assembly.
		switch d.Case {
		case cc.ExternalDeclarationFuncDef:
			if declarator := d.FunctionDefinition.Declarator; ctree.FunctionType(declarator.Type()) == nil {
				l.error(ccfix.At(declarator.Position()), "a body without a list of parameters in front of it")
				continue
			}
			l.checkAttributes(d)
			l.layouts.Note(d)
			l.findVolatileMembers(d)
			l.layouts.CountStrings(d)
			if f := d.FunctionDefinition; f.Declarator.Type() == nil || f.Declarator.Type().Kind() != cc.Function {
				l.error(ccfix.At(f.Declarator.Position()), "a body behind what is no function: %s", f.Declarator.Name())
			} else {
				l.declareFunction(tu, f.Declarator, f)
			}
		case cc.ExternalDeclarationDecl:
			l.checkAttributes(d)
			l.layouts.Note(d)
			l.findVolatileMembers(d)
			l.layouts.CountStrings(d)
			l.findNoreturn(d.Declaration)
			for _, id := range initDeclarators(d.Declaration) {
				if a := id.Declarator.Type().Attributes(); a != nil && a.Alias() != "" && id.Declarator.Type().Kind() != cc.Function {
					aliases = append(aliases, id)
				} else {
					l.declareAtFileScope(tu, id)
				}
				l.assemblerName(id)
			}
		case cc.ExternalDeclarationAsmStmt:
			l.addFileAssembly(tu, d)
		}
	}
}

// isPrelude reports whether n comes from the macros and prototypes that are put before the text
// of every file.
func isPrelude(n cc.Node) bool {
	name := n.Position().Filename
	return name == "<predefined>" || name == "<builtin>" || name == ccfix.EndName
}

// initDeclarators returns the declarators of a declaration in order. __auto_type x = e has no list:
// its one declarator is wrapped.
func initDeclarators(d *cc.Declaration) (list []*cc.InitDeclarator) {
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		list = append(list, l.InitDeclarator)
	}
	if d.Case == cc.DeclarationAuto {
		list = append(list, &cc.InitDeclarator{Case: cc.InitDeclaratorInit, Declarator: d.Declarator, Initializer: d.Initializer})
	}
	return list
}

// declareAtFileScope declares the function or object that id names; a typedef declares nothing.
func (l *program) declareAtFileScope(tu *translationUnit, id *cc.InitDeclarator) {
	d := id.Declarator
	switch {
	case d.IsTypename() || d.Type() == nil:
	case d.Type().Kind() == cc.Function:
		l.declareFunction(tu, d, nil)
	default:
		l.declareObject(tu, id, l.keyOf(tu, d), !d.IsExtern() || id.Initializer != nil)
	}
}

// keyOf returns the key of the file-scope name d in the maps of the program: its name, for a
// static "FILE:NAME" with the number of the file.
func (l *sources) keyOf(tu *translationUnit, d *cc.Declarator) string {
	// A static name belongs to its file.
	if d.IsStatic() || d.Linkage() == cc.Internal {
		return fmt.Sprintf("%d:%s", tu.index, d.Name())
	}
	return d.Name()
}

// declareFunction declares the function d; def is its definition, or nil if d only declares it.
//
//	static int f(void);  int f(void) { … }     one function, key "0:f" (C11 6.2.2p5)
//	int f();             int f(int x) { … }    the type of the definition counts
func (l *program) declareFunction(tu *translationUnit, d *cc.Declarator, def *cc.FunctionDefinition) *function {
	typ := ctree.FunctionType(d.Type())
	// 1. Find the function by its key. A declaration without static names a static function that
	// is declared before.
	key := l.keyOf(tu, d)
	if !d.IsStatic() {
		key = l.functionKey(tu, d.Name())
	}
	f := l.byKey[key]
	if f == nil {
		f = &function{name: d.Name(), key: key, tu: tu, typ: typ, pos: ccfix.At(d.NameTok().Position())}
		l.byKey[key] = f
		l.order = append(l.order, f)
	}
	l.funcs[d] = f
	l.checkType(ccfix.At(d.NameTok().Position()), d.Name(), d.Type())
	// 2. Merge the declaration with the known ones. A strong definition replaces a weak one; a
	// further one that is weak or external inline gives way to the known one.
	switch {
	case def == nil:
		l.sameFunction(f, d, typ)
		if f.def == nil && len(typ.Parameters()) > len(f.typ.Parameters()) {
			f.typ = typ
		}
	case f.def != nil && (isExternalInline(d) || l.isWeak(d)):
		l.inlineBeside(f, d)
	case f.def != nil && !f.weak:
		l.error(ccfix.At(d.NameTok().Position()), "function %s is defined twice, first at %s", f.name, f.pos)
	default:
		l.sameFunction(f, d, typ)
		if f.def == nil {
			l.defined = append(l.defined, f)
		}
		f.def, f.typ, f.tu, f.pos, f.weak = def, typ, tu, ccfix.At(d.NameTok().Position()), l.isWeak(d)
	}
	// 3. Attributes of any declaration hold for the function.
	f.functionAttributes(d.Type().Attributes())
	f.missing = f.missing || l.isWeak(d)
	f.noreturn = f.noreturn || l.noreturns[d]
	f.gnuInline = f.gnuInline || ctree.HasAttribute(d.Type().Attributes(), "gnu_inline")
	f.notInline = f.notInline || !d.IsInline() || d.IsExtern()
	return f
}

// functionKey returns the key of the function that name denotes in tu: that of a static function
// of tu if there is one. tu may be nil.
func (l *program) functionKey(tu *translationUnit, name string) string {
	if tu != nil {
		if key := fmt.Sprintf("%d:%s", tu.index, name); l.byKey[key] != nil {
			return key
		}
	}
	return name
}

// sameFunction reports an error if a further declaration d of f conflicts with the known one. Only
// differences that change the meaning of calls count: integer types, and the number of parameters.
// Pointers of all types have one core type, so a difference between them is no conflict here.
func (l *typing) sameFunction(f *function, d *cc.Declarator, typ *cc.FunctionType) {
	if typ == nil || f.typ == nil || typ == f.typ {
		return
	}
	conflict := l.coreType(typ.Result()) != l.coreType(f.typ.Result()) && comparable(typ.Result(), f.typ.Result())
	// Parameters count only if both declarations list them, or the known one is a definition.
	p, q := parameters(typ), parameters(f.typ)
	if len(p) > 0 && len(q) > 0 || f.def != nil && len(p) > 0 {
		conflict = conflict || len(p) != len(q)
		for i := 0; i < len(p) && i < len(q); i++ {
			conflict = conflict || l.parameterType(p[i].Type()) != l.parameterType(q[i].Type()) && comparable(p[i].Type(), q[i].Type())
		}
	}
	if conflict {
		l.error(ccfix.At(d.NameTok().Position()), "conflicting types for function %s, declared at %s", f.name, f.pos)
	}
}

// comparable reports whether one of two types is an integer type, so that a
// difference of their core types matters.
func comparable(t, u cc.Type) bool {
	_, a := ctree.IntType(t)
	_, b := ctree.IntType(u)
	return a || b
}

// parameters returns the parameters of a function; f(void) has none. The list is empty also for
// f(), which does not say anything about them.
func parameters(t *cc.FunctionType) []*cc.Parameter {
	p := t.Parameters()
	if len(p) == 1 && p[0].Type() != nil && p[0].Type().Kind() == cc.Void {
		return nil
	}
	return p
}

// declareObject declares a file-scope or static object. key is its key in the map of objects;
// defined says that id is a definition, perhaps a tentative one. A declaration without extern and
// without initialiser is a tentative definition (C11 6.9.2p2): of several in one program all are
// the same object.
func (l *program) declareObject(tu *translationUnit, id *cc.InitDeclarator, key string, defined bool) *object {
	d := id.Declarator
	pos := ccfix.At(d.NameTok().Position())
	// 1. Find the object, or make it. extern after static means the static object.
	if s := l.objects[fmt.Sprintf("%d:%s", tu.index, d.Name())]; s != nil && d.IsExtern() {
		key = fmt.Sprintf("%d:%s", tu.index, d.Name())
	}
	o := l.objects[key]
	if o == nil && id.Initializer == nil {
		if o = l.aliased(tu, d); o != nil { // a second name of one object
			l.objects[key] = o
		}
	}
	if o == nil {
		v := &core.Var{Name: d.Name(), Type: l.objectType(d.Type()), Kind: core.Global, Pos: pos}
		l.declareAs(v, d.Type())
		o = &object{v: v, tu: tu, pos: pos, typ: d.Type()}
		l.objects[key] = o
		l.ordered = append(l.ordered, o)
	}
	l.vars[d] = o.v
	// 2. Merge the types: an array may get its size from a later declaration.
	if t := l.objectType(d.Type()); t != o.v.Type {
		if comparable(d.Type(), o.typ) {
			l.error(pos, "conflicting types for %s, declared at %s", d.Name(), o.pos)
		} else if core.Bytes(t) > core.Bytes(o.v.Type) {
			o.v.Type, o.typ = t, d.Type()
			l.declareAs(o.v, d.Type())
		}
	}
	// 3. Note the one initialiser, and the properties that any declaration gives.
	if id.Initializer != nil {
		if o.init != nil {
			l.error(pos, "%s is initialised twice, first at %s", d.Name(), o.pos)
		}
		o.init, o.pos, o.text = id.Initializer, pos, l.TextOf(id)
	}
	if defined && !o.defined {
		o.defined, o.v.Pos = true, pos
	}
	o.isConst = o.isConst || isConst(d)
	o.visible = o.visible || d.Linkage() == cc.External
	o.placed = o.placed || isPlaced(d.Type().Attributes())
	o.used = o.used || ctree.HasAttribute(d.Type().Attributes(), "used")
	if a := d.Type().Attributes(); a != nil && a.Alias() != "" && l.aliased(tu, d) != o {
		l.error(pos, "%s is an alias of %s: aliases of variables are not supported", d.Name(), a.Alias())
	}
	l.weakVars[o.v] = l.weakVars[o.v] || l.isWeak(d)
	l.merge(o.v, d)
	return o
}

// aliased returns the object of which d is a second name by the attribute alias; nil without the
// attribute, or if that object is not defined before in the same file with the same type. The two
// names get one variable, so a write through one is seen through the other.
func (l *program) aliased(tu *translationUnit, d *cc.Declarator) *object {
	a := d.Type().Attributes()
	if a == nil || a.Alias() == "" || l.isWeak(d) {
		return nil
	}
	// A static of the file comes before an external variable.
	o := l.objects[fmt.Sprintf("%d:%s", tu.index, a.Alias())]
	if o == nil {
		o = l.objects[a.Alias()]
	}
	if o == nil || o.tu != tu || !o.defined || o.v.Type != l.objectType(d.Type()) {
		return nil
	}
	return o
}

// merge adds to v the qualifiers and checks of a further declarator d of it. A qualifier in any
// declaration counts.
func (l *program) merge(v *core.Var, d *cc.Declarator) {
	l.layouts.RefusePackedEnum(v.Pos, d.Type())
	l.checkObject(ccfix.At(d.NameTok().Position()), d)
	// core.Var.Volatile is for numbers; volatile pointers are noted here.
	if _, isPtr := v.Type.(core.Ptr); isPtr {
		l.volatiles[v] = l.volatiles[v] || isVolatile(d)
	} else {
		v.Volatile = v.Volatile || isVolatile(d)
	}
	l.consts[v] = l.consts[v] || isConst(d)
	v.Const = v.Const || isConst(d) || isConstType(d.Type())
}

// nameGlobals gives file-scope objects and functions their names in the core program: x, or
// file.c::x for a static whose name is taken. Numbers are added where names are still equal: x,
// x#2.
func (l *program) nameGlobals() {
	// 1. Objects, in the order of their keys.
	count := map[string]int{}
	for _, o := range l.ordered {
		count[o.v.Name]++
	}
	used := map[string]bool{}
	for _, key := range sortedKeys(l.objects) {
		o := l.objects[key]
		if count[o.v.Name] > 1 && key != o.v.Name {
			o.v.Name = l.unitName(o.tu) + "::" + o.v.Name
		}
		for i, base := 2, o.v.Name; used[o.v.Name]; i++ {
			o.v.Name = fmt.Sprintf("%s#%d", base, i)
		}
		used[o.v.Name] = true
	}
	// 2. Functions, in the order of first appearance; each gets its procedure.
	count = map[string]int{}
	for _, f := range l.order {
		count[f.name]++
	}
	names := map[string]bool{}
	for _, f := range l.order {
		f.proc = &core.Proc{Name: f.name, CName: f.name, Pos: f.pos}
		if count[f.name] > 1 && f.key != f.name {
			f.proc.Name = l.unitName(f.tu) + "::" + f.name
		}
		for i, base := 2, f.proc.Name; names[f.proc.Name]; i++ {
			f.proc.Name = fmt.Sprintf("%s#%d", base, i)
		}
		names[f.proc.Name] = true
		l.signature(f)
	}
}

// unitName returns the name of a translation unit in the names of statics: the name of its file,
// without the directory if no other file has the same; "?" for nil.
func (l *sources) unitName(tu *translationUnit) string {
	if tu == nil {
		return "?"
	}
	base := filepath.Base(tu.file.Name)
	for _, other := range l.tus {
		if other != tu && filepath.Base(other.file.Name) == base {
			return tu.file.Name
		}
	}
	return base
}

// signature gives f's procedure its return type and, if it has no body, its
// formals. The formals of a body are declared with the body.
func (l *typing) signature(f *function) {
	f.proc.RetType, f.proc.RetTo = l.coreType(f.typ.Result()), l.pointee(f.typ.Result())
	f.proc.Pointees = l.pointeesOf(f.typ)
	f.proc.Quiet = f.def == nil && isLibraryFunction(f.name, f.typ)
	// Drivers have functions of these names from their kernel, and it is up to their environment what these do.
	f.proc.Computes = f.proc.Quiet && stubs.Computes(f.name) && !l.opts.Assume.CallbacksLater
	f.proc.Fixed = len(parameters(f.typ)) > 0 && !f.typ.IsVariadic()
	l.layouts.RefusePackedEnum(f.pos, f.typ.Result())
	if f.def != nil {
		return
	}
	// Formals have no names in declarations: #1, #2 and so on.
	for i, p := range parameters(f.typ) {
		f.proc.Formals = append(f.proc.Formals, &core.Var{
			Name: fmt.Sprintf("#%d", i+1), Type: l.parameterType(p.Type()), Kind: core.Formal, Proc: f.proc, Pos: f.pos,
			To: l.pointee(p.Type()),
		})
	}
}

// isLibraryFunction reports whether a function called name, of type t, may be the one of the C
// library: none of those takes a pointer to a struct or union that no header mentions. A driver may
// have a function open(struct dev *) of its own, which is not the one of the library.
func isLibraryFunction(name string, t *cc.FunctionType) bool {
	// foreign reports whether p is a pointer to a struct or union that no header mentions.
	foreign := func(p *cc.Parameter) bool {
		to, ok := p.Type().(*cc.PointerType)
		if !ok {
			return false
		}
		var tag cc.Token
		t := elementType(to.Elem())
		switch x := t.(type) {
		case *cc.StructType:
			tag = x.Tag()
		case *cc.UnionType:
			tag = x.Tag()
		default:
			return false
		}
		if d := t.Typedef(); d != nil && stubs.Names()[d.Name()] {
			return false
		}
		return !stubs.Names()[tag.SrcStr()]
	}
	return stubs.Functions()[name] && !slices.ContainsFunc(parameters(t), foreign)
}

// present reports whether o is part of the program, and not only declared by a header. Before the
// reached parts are known, an object that is only declared counts if an expression mentions it.
func (l *program) present(o *object) bool {
	if l.reached != nil {
		return l.reached[o.v]
	}
	return o.defined || l.named[o.v]
}

// externEffect holds the assumptions about the effects of functions without a body, for the ledger.
var externEffect = [...]string{
	core.ExternArgs: "it changes no memory but what its arguments reach",
	core.ExternPure: "it changes nothing",
	core.ExternAll:  "it may change every global variable and all memory that has an address",
}

// sortedKeys returns the keys of m in ascending order.
func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// ledger collects the assumptions under which a verdict holds, each once, in the order of first
// use. The zero value is an empty ledger.
type ledger struct {
	lines []string
	seen  map[string]bool
}

// add puts an assumption into the ledger unless it is there.
func (g *ledger) add(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if g.seen == nil {
		g.seen = map[string]bool{}
	}
	if !g.seen[line] {
		g.seen[line] = true
		g.lines = append(g.lines, line)
	}
}
