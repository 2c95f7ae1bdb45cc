package predicate

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file resolves predicates. Each is put into a block at the end of its
// procedure's body, in a copy of the source text, and the copy is parsed again:
//
//	int inc(int x) { …
//	    { __typeof__(x) $v0;     // 'x
//	      (void)(x == $v0 + 1);
//	    }}
//
// So cc itself type-checks predicates, in a scope where the types of the body can be
// named; where the type of a variable has no name there, in the variable's own block.
// Names that C would not understand or would take for another variable have become
// $-names by then: x@12, quotes, \result; scan.go does that. The others are looked
// up after the parse.

// Program gives the resolution of predicates access to a program that has been lowered.
type Program interface {
	// Parser is what has read the files.
	Parser() *ccfix.Parser
	// Units are the translation units in order.
	Units() []Unit
	// Functions are the functions of the C program, in the order of their first appearance.
	Functions() iter.Seq[*Function]
	// Core is the core program.
	Core() *core.Program

	// Globals are the objects with static storage duration that are part of the core program, in
	// the order of their declarations.
	Globals() iter.Seq[*core.Var]
	// Variables are the variables of declarators.
	Variables() map[*cc.Declarator]*core.Var
	// InProgram reports whether a global is part of the core program.
	InProgram(v *core.Var) bool
	// Defines reports whether the C program defines an object of external linkage called name.
	Defines(name string) bool
	// Procedure is the procedure of the function that d declares.
	Procedure(d *cc.Declarator) *core.Proc

	// Pure lowers an expression without side effects; ident gives the meaning of identifiers that
	// are not enumeration constants. Errors are of type *ctree.Error.
	Pure(e cc.ExpressionNode, ident func(*cc.PrimaryExpression) (core.Expr, error)) (core.Expr, error)
	// Truth is x as a condition.
	Truth(x core.Expr) core.Expr

	// Record is the struct or union t as variables of the core program have it; nil if its layout is
	// not known.
	Record(t cc.Type) *core.Record
}

// Unit is a translation unit.
type Unit struct {
	File    *source.File
	AST     *cc.AST
	Options ccfix.Options // that it was read with
}

// Function is a function of the C program.
type Function struct {
	Name string                 // as C calls it
	Key  string                 // identifies it in the program: the name, for a static also the file
	Unit int                    // the index of the translation unit of its definition
	Def  *cc.FunctionDefinition // nil without a body
	Type *cc.FunctionType
	Proc *core.Proc
}

// Resolver resolves the predicates of one program.
type Resolver struct {
	program Program
	ghosts  map[ghostKey]*core.Var     // symbolic constants
	objects map[*core.Record]*core.Var // see this
	used    map[*core.Record]bool      // see usedRecords
}

// New makes a resolver for p.
func New(p Program) *Resolver {
	return &Resolver{program: p, ghosts: map[ghostKey]*core.Var{}, objects: map[*core.Record]*core.Var{}}
}

// Resolve makes core expressions of predicates, or returns all errors in them. Element i of the
// result is for texts[i].
func (u *Resolver) Resolve(texts []core.PredicateText) ([]core.ResolvedPredicate, error) {
	r := &resolution{Program: u.program, whole: u, out: make([]core.ResolvedPredicate, len(texts)), units: u.program.Units()}
	// 1. Find the scope of each, and its text in C.
	var errs source.List
	byScope := map[*Function][]*request{}
	var scopes []*Function
	for i, t := range texts {
		q := &request{index: i, text: t}
		if !r.prepare(q) {
			errs = append(errs, q.errs...)
			continue
		}
		if byScope[q.fn] == nil {
			scopes = append(scopes, q.fn)
		}
		byScope[q.fn] = append(byScope[q.fn], q)
	}
	// 2. Parse those of one translation unit together.
	for _, list := range r.batches(scopes, byScope) {
		if err := r.resolve(list); err != nil {
			return nil, err
		}
	}
	// 3. Report all errors, or none.
	for _, f := range scopes {
		for _, q := range byScope[f] {
			errs = append(errs, q.errs...)
		}
	}
	if err := errs.Err(); err != nil {
		errs.Sort()
		return nil, errs
	}
	return r.out, nil
}

// request is one predicate on its way.
type request struct {
	index int
	text  core.PredicateText
	fn    *Function             // nil for a global predicate or object predicate
	block *cc.CompoundStatement // in fn, at whose end it is put
	tu    int                   // the translation unit it is put into

	object *object // that its section is about, else nil

	fragment        // the predicate in C
	names    []name // what $v0, $v1, … stand for
	errs     source.List
	done     bool

	// A name among the arguments of a macro may be a member, as in offsetof. It is
	// tried as a variable first, if there is one that C does not see.
	inMacro bool // there is such a name
	plain   bool // it is no variable
}

// fragment is C text made of a part of a predicate.
type fragment struct {
	code    string
	offsets []int // for each byte of code its offset in the text of the request
	end     int   // offset after the part
}

// name is the meaning of a $-name: a variable of the program or a symbolic constant.
type name struct {
	spelling string
	v        *core.Var // of a symbolic constant: found when its expression is lowered
	decl     string    // declares the $-name
	entry    *fragment // of a symbolic constant: the expression whose value on entry it is
	quote    int       // of a symbolic constant: offset of the quote
}

// resolution resolves some predicates.
type resolution struct {
	Program
	whole *Resolver
	units []Unit
	out   []core.ResolvedPredicate

	declarators map[*core.Var]*cc.Declarator // see declarator
}

// prepare finds the scope of q and makes C of its text. It returns false if q has errors.
func (r *resolution) prepare(q *request) bool {
	if msg := r.enterSection(q); msg != "" {
		return q.fail(0, "%s", msg)
	}
	// One in the scope of a procedure belongs to its file.
	if q.fn != nil {
		return r.translateNames(q)
	}
	// A global predicate belongs to the first file that knows its names, and an object predicate to
	// the first that knows the type, too.
	first := q.tu
	for ; q.tu < len(r.units); q.tu++ {
		if q.fits() && r.translateNames(q) {
			q.errs = nil
			return true
		}
	}
	// No file knows the names: the first one's errors count.
	q.tu, q.errs = first, nil
	return r.translateNames(q)
}

// enterSection finds the procedure or object that q's section is about, and the first translation
// unit that q may belong to. Without one the text says why.
func (r *resolution) enterSection(q *request) (msg string) {
	s := q.text.Scope
	switch {
	case s == "" || s == "global":
	// A name alone may be that of a typedef.
	case strings.HasPrefix(s, "struct "), strings.HasPrefix(s, "union "), r.isType(s) && !r.isFunction(s):
		if q.object, msg = r.object(s); q.object != nil {
			q.tu = q.object.first
		}
	default:
		if q.fn, msg = r.procedure(s); q.fn != nil {
			q.block, q.tu = q.fn.Def.CompoundStatement, q.fn.Unit
		}
	}
	return msg
}

// fits reports whether the type of q's objects, if it is about some, is known in its translation
// unit.
func (q *request) fits() bool { return q.object == nil || q.objectType().typ != nil }

// procedure finds the function that a section names: by its C name, or as file.c::f. Without one
// the text says why.
func (r *resolution) procedure(scope string) (*Function, string) {
	// 1. By the name of the procedure or of the function.
	var found []*Function
	for f := range r.Functions() {
		if f.Def != nil && (f.Proc.Name == scope && f.Proc != r.Core().Entry || f.Name == scope) {
			found = append(found, f)
		}
	}
	for _, f := range found {
		if !f.Proc.HasBody() {
			return nil, fmt.Sprintf("nothing that the program calls reaches procedure %s: it is no part of it", scope)
		}
	}
	// 2. There should be one; else say why there is none, or take the one of external linkage.
	switch {
	case len(found) == 1:
		return found[0], ""
	case len(found) == 0:
		for f := range r.Functions() {
			if f.Name == scope {
				return nil, fmt.Sprintf("procedure %s has no body in the program", scope)
			}
		}
		if r.Parser().Unreached[scope] != nil {
			return nil, fmt.Sprintf("nothing reaches procedure %s of a header: it is no part of the program", scope)
		}
		hint := ""
		if ccfix.IsIdentifier(scope) {
			hint = r.otherObject(scope)
		}
		return nil, fmt.Sprintf("the program has no procedure %s%s", scope, hint)
	}
	for _, f := range found {
		// That of external linkage.
		if f.Key == f.Name {
			return f, ""
		}
	}
	return nil, fmt.Sprintf("there are several procedures %s; write %s for the first", scope, found[0].Proc.Name)
}

// batches groups requests by translation unit: element i has those of unit i, perhaps none.
func (r *resolution) batches(scopes []*Function, byScope map[*Function][]*request) [][]*request {
	groups := make([][]*request, len(r.units))
	for _, f := range scopes {
		for _, q := range byScope[f] {
			groups[q.tu] = append(groups[q.tu], q)
		}
	}
	return groups
}

// resolve parses the requests of one translation unit. Requests with errors are
// taken out and the others parsed again, so that every error is found.
func (r *resolution) resolve(list []*request) error {
	for len(list) > 0 {
		before := len(list)
		if err := r.attempt(list); err != nil {
			return err
		}
		// Those without an answer are tried again: with a name in a macro as a variable, in another
		// file, or without those that have errors now.
		var rest []*request
		for _, q := range list {
			switch {
			case q.done:
			case len(q.errs) > 0 && q.inMacro && !q.plain:
				q.plain, q.errs = true, nil
				// It may be tried once more, so the list need not become shorter.
				if before++; r.translateNames(q) {
					rest = append(rest, q)
				}
			// One without a procedure, if it has errors, leaves the list, with or without an answer.
			case q.fn == nil && len(q.errs) > 0 && q.tu+1 < len(r.units):
				if err := r.elsewhere(q); err != nil {
					return err
				}
			case len(q.errs) == 0:
				rest = append(rest, q)
			}
		}
		if len(rest) == before {
			return fmt.Errorf("internal error: predicate %q was neither resolved nor refused", rest[0].text.Text)
		}
		list = rest
	}
	return nil
}

// elsewhere tries a global predicate or object predicate in the other files, whose macros and types
// may give it meaning. The errors of the first file are kept if none does.
func (r *resolution) elsewhere(q *request) error {
	for i := q.tu + 1; i < len(r.units); i++ {
		again := &request{index: q.index, text: q.text, tu: i, object: q.object}
		if !again.fits() || !r.translateNames(again) {
			continue
		}
		if err := r.attempt([]*request{again}); err != nil {
			return err
		}
		if again.done {
			q.errs, q.done = nil, true
			return nil
		}
	}
	return nil
}

// attempt parses the translation unit with all requests of list in it. A request
// is done or has errors afterwards, or the parser stopped before it.
func (r *resolution) attempt(list []*request) error {
	tu := r.units[list[0].tu]
	// Without a place for one of the predicates none is parsed: the next attempt is without it.
	p, main, err := r.insert(tu, list)
	if err != nil {
		return nil // the requests have the errors
	}
	ast, err := p.Parse(context.Background(), main, tu.Options)
	if err != nil {
		return r.blame(tu, list, p.Diagnose(main, err))
	}
	blocks := predicateBlocks(ast, list)
	for i, q := range list {
		r.finish(q, predicateFile(i), blocks)
	}
	return nil
}

// predicateFile returns the name under which request i is parsed: #line gives it to the code, and
// so errors and statements are found by it.
func predicateFile(i int) string { return fmt.Sprintf("<predicate %d>", i) }

// entryFile returns the name under which the expression that $vj quotes is parsed.
func entryFile(predicate string, j int) string {
	return strings.TrimSuffix(predicate, ">") + fmt.Sprintf(".%d>", j)
}

// codeLine is the line of the code of a fragment in the file that it is parsed in, and
// againLine that of its copy after it.
const (
	codeLine  = 2
	againLine = 12
)

// dollar returns the $-name of number i.
func dollar(i int) string { return fmt.Sprintf("$v%d", i) }

// predicateBlocks finds the predicates in the parsed copy, by the file names that #line gave them.
// Each is (void)(e), and the result has e; so have the quoted expressions.
func predicateBlocks(ast *cc.AST, list []*request) map[string]cc.ExpressionNode {
	whole := map[source.Pos]bool{} // functions where one is not at the end
	for _, q := range list {
		if q.fn != nil && q.block != q.fn.Def.CompoundStatement {
			whole[ccfix.RawAt(q.fn.Def.Declarator.NameTok().Position())] = true
		}
	}
	found := map[string]cc.ExpressionNode{}
	// visit finds the statements with the name of a predicate as that of their file.
	visit := func(n cc.Node) bool {
		s, ok := n.(*cc.ExpressionStatement)
		if !ok || ctree.IsNil(s.ExpressionList) {
			return true
		}
		// insert has put a #line with this name before the statement.
		name := s.Token.Position().Filename
		if !strings.HasPrefix(name, "<predicate ") {
			return true
		}
		c, ok := ctree.Strip(s.ExpressionList).(*cc.CastExpression)
		if ok && c.Case == cc.CastExpressionCast && found[name] == nil {
			found[name] = c.CastExpression
		}
		return false
	}
	// Most are in the last item of a body: the rest of it is not looked at.
	for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
		if d := u.ExternalDeclaration; d.Case == cc.ExternalDeclarationFuncDef {
			body := d.FunctionDefinition.CompoundStatement
			if whole[ccfix.RawAt(d.FunctionDefinition.Declarator.NameTok().Position())] {
				ctree.Walk(body, visit)
			} else if last := ctree.LastItem(body); last != nil {
				ctree.Walk(last, visit)
			}
		}
	}
	return found
}
