package harness

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file finds the functions of a file whose addresses leave the driver, and how they do.

// function is a function with a body in a file of the driver itself, not in a header.
type function struct {
	unit   *finder
	name   string
	def    *cc.FunctionDefinition
	typ    *cc.FunctionType
	static bool
	pos    source.Pos
}

// mention is a way in which the address of a function leaves the driver.
type mention struct {
	fn       *function
	record   string // the struct in which it is stored; "" if it is passed to a function
	member   string // of the struct
	variable string // the table, if it is one with a name
	how      string // ".probe of lamp_driver"
	pos      source.Pos
	static   bool      // stored before the driver starts
	in       *function // with the call that is given it; nil if it is none
	passed   []passed  // external functions that are given it; none if that cannot be told
	indexes  []int64   // in an array; nil if they cannot be told
	roles    []*role   // in pairs of functions, one for each object
	sequence *sequence // of calls that it is in; nil if it is called alone
}

// passed is an argument of an external function.
type passed struct {
	external string
	argument int // from 0; always if each call gives the function
}

// always stands for no argument: each call of the function counts.
const always = -1

// finder has what is known of one file.
type finder struct {
	*Unit
	table     *lifetimes
	own       map[string]*function
	shared    map[string]*function // of all files, those that are not static
	functions []*function          // in the order of the file
	headers   map[string]*cc.FunctionDefinition
	declared  map[string]*cc.Declarator // functions without a body
	addresses addresses
	initial   map[variable]*cc.Initializer // of variables of file scope
	aliases   map[string]string            // names by the attribute alias
	started   map[string]string            // functions in sections of the linker: "init" or "exit"
	mentions  []*mention
	inside    *function // that is searched; nil outside of functions
}

// newFinder notes the functions of a file; those that are not static are added to shared.
func newFinder(u *Unit, table *lifetimes, shared map[string]*function) *finder {
	f := &finder{
		Unit: u, table: table, shared: shared, own: map[string]*function{}, headers: map[string]*cc.FunctionDefinition{}, declared: map[string]*cc.Declarator{},
		addresses: addresses{map[variable]bool{}, map[variable][]variable{}}, aliases: map[string]string{}, started: map[string]string{},
		initial: map[variable]*cc.Initializer{},
	}
	f.each(func(d *cc.ExternalDeclaration) {
		switch d.Case {
		case cc.ExternalDeclarationFuncDef:
			f.define(d.FunctionDefinition)
		case cc.ExternalDeclarationDecl:
			for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				f.declare(l.InitDeclarator.Declarator)
			}
		}
	})
	return f
}

// look finds the mentions in a file, after the functions of all files are known.
func (f *finder) look() {
	// 1. Addresses of variables that are taken.
	f.each(func(d *cc.ExternalDeclaration) {
		switch {
		case !f.isOwn(d):
		case d.Case == cc.ExternalDeclarationFuncDef:
			f.addresses.note(d.FunctionDefinition.CompoundStatement, nil)
		case d.Case == cc.ExternalDeclarationDecl:
			for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				f.variable(l.InitDeclarator)
			}
		case d.Case == cc.ExternalDeclarationAsmStmt:
			f.assembly(d)
		}
	})
	// 2. Mentions of functions.
	f.each(func(d *cc.ExternalDeclaration) {
		if f.isOwn(d) {
			f.search(d)
		}
	})
}

// each calls do for every declaration of the file and its headers.
func (f *finder) each(do func(*cc.ExternalDeclaration)) {
	for u := f.AST.TranslationUnit; u != nil; u = u.TranslationUnit {
		do(u.ExternalDeclaration)
	}
}

// isOwn reports whether n stands in the file itself, not in a header.
func (f *finder) isOwn(n cc.Node) bool { return f.Own(ccfix.At(n.Position()).File) }

// define notes a function with a body.
func (f *finder) define(def *cc.FunctionDefinition) {
	d := def.Declarator
	typ := ctree.FunctionType(d.Type())
	if typ == nil {
		return
	}
	if !f.isOwn(d) {
		f.headers[d.Name()] = def
		return
	}
	fn := &function{unit: f, name: d.Name(), def: def, typ: typ, static: d.Linkage() == cc.Internal, pos: ccfix.At(d.NameTok().Position())}
	f.own[fn.name] = fn
	f.functions = append(f.functions, fn)
	if !fn.static {
		f.shared[fn.name] = fn
	}
}

// declare notes a function that is only declared, and names of other functions.
func (f *finder) declare(d *cc.Declarator) {
	if d == nil || d.IsTypename() || d.Type() == nil || d.Type().Kind() != cc.Function {
		return
	}
	if a := d.Type().Attributes(); a != nil && a.Alias() != "" {
		f.aliases[d.Name()] = a.Alias()
		return
	}
	f.declared[d.Name()] = d
}

// variable notes the addresses in the initialiser of a variable of file scope, and whether its own
// address leaves the driver: other files see it, or the linker.
func (f *finder) variable(id *cc.InitDeclarator) {
	d := id.Declarator
	if d.IsTypename() || d.Type() == nil || d.Type().Kind() == cc.Function {
		return
	}
	v := variableOf(d)
	section := sectionOf(d)
	if d.Linkage() == cc.External || section != "" {
		f.addresses.taken[v] = true
	}
	if id.Initializer == nil {
		return
	}
	f.addresses.note(id.Initializer, v)
	f.initial[v] = id.Initializer
	// Pointers in sections like .initcall6.init and .exitcall.exit.
	for _, kind := range []string{"init", "exit"} {
		if strings.HasPrefix(section, "."+kind+"call") {
			for _, name := range identifiers(id.Initializer) {
				f.started[name] = kind
			}
		}
	}
}

// sectionOf returns the section in which d is placed by an attribute; "" for none, "?" if the name is
// not known. A variable that is marked as used counts as placed in some section.
func sectionOf(d *cc.Declarator) string {
	a := d.Type().Attributes()
	for _, name := range []string{"section", "__section__"} {
		if a == nil || !a.IsAttrSet(name) {
			continue
		}
		for _, v := range a.AttrValue(name) {
			if s, ok := v.(cc.StringValue); ok {
				return strings.TrimRight(string(s), "\x00")
			}
		}
		return "?"
	}
	if ctree.HasAttribute(a, "used") {
		return "?"
	}
	return ""
}

// identifiers returns the names in n.
func identifiers(n cc.Node) (list []string) {
	ctree.Walk(n, func(n cc.Node) bool {
		if id, ok := n.(*cc.PrimaryExpression); ok && id.Case == cc.PrimaryExpressionIdent {
			list = append(list, id.Token.SrcStr())
		}
		return true
	})
	return list
}

// assembly notes the functions that assembly at file scope puts into the sections for starting and
// ending.
func (f *finder) assembly(d *cc.ExternalDeclaration) {
	text := cc.NodeSource(d)
	for _, kind := range []string{"init", "exit"} {
		if strings.Contains(text, "."+kind+"call") {
			for _, name := range ccfix.WordsOf(text) {
				f.started[name] = kind
			}
		}
	}
}

// function returns the function of the driver that id denotes; nil for all else.
func (f *finder) function(id *cc.PrimaryExpression) *function {
	d, ok := id.ResolvedTo().(*cc.Declarator)
	if !ok || d.Type() == nil || d.Type().Kind() != cc.Function {
		return nil
	}
	name := d.Name()
	if f.own[name] == nil && f.aliases[name] != "" {
		name = f.aliases[name]
	}
	if fn := f.own[name]; fn != nil || d.Linkage() == cc.Internal {
		return fn
	}
	return f.shared[name]
}

// given returns the functions of the driver that the value of e may be.
func (f *finder) given(e cc.ExpressionNode) (list []*function) {
	for _, id := range values(e) {
		if fn := f.function(id); fn != nil {
			list = append(list, fn)
		}
	}
	return list
}

// search notes the mentions in d. Whatever is done with an address that is not understood, the function
// is an entry.
func (f *finder) search(d *cc.ExternalDeclaration) {
	f.inside = nil
	if d.Case == cc.ExternalDeclarationFuncDef {
		f.inside = f.own[d.FunctionDefinition.Declarator.Name()]
	}
	seen := map[*cc.PrimaryExpression]bool{} // identifiers whose use is understood
	understood := func(e cc.ExpressionNode) {
		for _, id := range values(e) {
			seen[id] = true
		}
	}
	// 1. What is understood.
	ctree.Walk(d, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.InitDeclarator:
			if n.Initializer != nil {
				f.initialised(n.Declarator, n.Initializer, understood)
			}
		case *cc.AssignmentExpression:
			if n.Case == cc.AssignmentExpressionAssign && f.stored(n) {
				understood(n.AssignmentExpression)
			}
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionCall {
				understood(n.PostfixExpression)
				for _, a := range ctree.Arguments(n) {
					understood(a)
				}
				f.call(n)
			}
		case *cc.EqualityExpression:
			understood(n.EqualityExpression)
			understood(n.RelationalExpression)
		}
		return true
	})
	// 2. All else.
	ctree.Walk(d, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.UnaryExpression:
			return n.Case != cc.UnaryExpressionSizeofExpr && n.Case != cc.UnaryExpressionAlignofExpr
		case *cc.TypeSpecifier:
			return false
		case *cc.AttributeValue:
			return false // the compiler calls the function of an attribute cleanup where the variable ends
		case *cc.PrimaryExpression:
			if n.Case != cc.PrimaryExpressionIdent || seen[n] {
				return true
			}
			if fn := f.function(n); fn != nil {
				f.mentions = append(f.mentions, &mention{fn: fn, how: "address taken", pos: ccfix.At(n.Position())})
			}
		}
		return true
	})
}

// initialised notes the functions in the initialiser of d, if the address of d leaves the driver, and
// calls understood for their expressions.
func (f *finder) initialised(d *cc.Declarator, init *cc.Initializer, understood func(cc.ExpressionNode)) {
	leaves := d.Type() == nil || f.addresses.leaves(variableOf(d))
	ctree.Walk(init, func(n cc.Node) bool {
		if _, isLiteral := n.(*cc.PostfixExpression); isLiteral {
			return false // another object, or a call
		}
		i, ok := n.(*cc.Initializer)
		if !ok || i.Case != cc.InitializerExpr {
			return true
		}
		understood(i.AssignmentExpression)
		if !leaves {
			return true
		}
		for _, fn := range f.given(i.AssignmentExpression) {
			m := &mention{fn: fn, variable: d.Name(), how: "in " + d.Name(), pos: ccfix.At(i.Position()), static: d.StorageDuration() == cc.Static}
			if field := i.Field(); field != nil && field.Name() != "" {
				m.member, m.record = field.Name(), recordName(field.ParentType())
				m.how = "." + m.member + " of " + m.variable
			}
			f.mentions = append(f.mentions, m)
		}
		return true
	})
}

// stored notes the functions that an assignment stores into a member, or through a pointer. It reports
// whether that is all that is done with them: the value of the assignment may be used, too, but then an
// outer one stores it.
func (f *finder) stored(n *cc.AssignmentExpression) bool {
	list := f.given(n.AssignmentExpression)
	if len(list) == 0 {
		return false
	}
	m := mention{pos: ccfix.At(n.Position())}
	if x, is := ctree.Strip(n.UnaryExpression).(*cc.PostfixExpression); is && x.Case == cc.PostfixExpressionIndex {
		if i := ctree.Integer(x.ExpressionList.Value()); i != nil && i.IsInt64() {
			m.indexes = []int64{i.Int64()}
		}
	}
	to := root(n.UnaryExpression)
	switch field := member(n.UnaryExpression); {
	case to != nil && !f.leavesFrom(to):
		return true // a variable of the driver, which calls through it itself
	case field != nil:
		m.record, m.member, m.how = recordName(field.ParentType()), field.Name(), "stored into ."+field.Name()
		if to != nil {
			m.variable = to.Token.SrcStr()
			m.how += " of " + m.variable
		}
	case to != nil:
		m.variable, m.how = to.Token.SrcStr(), "stored into "+to.Token.SrcStr()
	default:
		m.how = "stored through a pointer"
	}
	for _, fn := range list {
		one := m
		one.fn = fn
		f.mentions = append(f.mentions, &one)
	}
	return true
}

// leavesFrom reports whether the address of the variable that id denotes leaves the driver.
func (f *finder) leavesFrom(id *cc.PrimaryExpression) bool {
	d, ok := id.ResolvedTo().(*cc.Declarator)
	return !ok || d.Linkage() == cc.External || f.addresses.leaves(variableOf(d))
}
