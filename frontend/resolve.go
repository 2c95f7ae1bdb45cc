package frontend

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
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
// So cc itself type-checks predicates, in a scope where the types of the body
// can be named. Names that C would not understand or would take for another variable
// have become $-names by then: x@12, quotes, \result; predtext.go does that. The
// others are looked up after the parse.

// Resolve implements core.Resolver.
func (u *Unit) Resolve(texts []core.PredicateText) ([]core.ResolvedPredicate, error) {
	defer u.linker.forgetting()()
	r := &resolver{linker: u.linker, unit: u, out: make([]core.ResolvedPredicate, len(texts))}
	var errs source.List
	byScope := map[*function][]*request{}
	var scopes []*function
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
	for _, list := range r.batches(scopes, byScope) {
		if err := r.resolve(list); err != nil {
			return nil, err
		}
	}
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

// forgetting replaces the memos that are keyed by what cc has parsed until the function
// that it returns is called; otherwise they would keep every second parse alive.
func (l *linker) forgetting() (end func()) {
	types, memo := l.types, l.layouts.memo
	l.types, l.layouts.memo = map[cc.ExpressionNode]integerType{}, map[cc.Type]*layout{}
	return func() { l.types, l.layouts.memo = types, memo }
}

// request is one predicate on its way.
type request struct {
	index int
	text  core.PredicateText
	fn    *function // nil for a global predicate
	tu    int       // the translation unit it is put into

	fragment        // the predicate in C
	names    []name // what $v0, $v1, … stand for
	errs     source.List
	done     bool
}

// fragment is C text made of a part of a predicate.
type fragment struct {
	code    string
	offsets []int // for each byte of code its offset in the text of the request
	end     int   // offset behind the part
}

// name is what a $-name stands for: a variable of the program or a symbolic constant.
type name struct {
	spelling string
	v        *core.Var // of a symbolic constant: found when its expression is lowered
	decl     string    // declares the $-name
	entry    *fragment // of a symbolic constant: the expression whose value on entry it is
	quote    int       // of a symbolic constant: offset of the quote
}

type resolver struct {
	*linker
	unit *Unit
	out  []core.ResolvedPredicate

	declarators map[*core.Var]*cc.Declarator // see declarator
}

// fail reports an error at a byte offset of q's text.
func (q *request) fail(offset int, format string, args ...any) bool {
	pos, line := q.text.Pos, ""
	offset = min(max(offset, 0), len(strings.TrimRight(q.text.Text, " \t\r\n")))
	before := q.text.Text[:offset]
	if n := strings.Count(before, "\n"); n > 0 {
		pos.Line += n
		pos.Col = offset - strings.LastIndexByte(before, '\n')
	} else {
		pos.Col += offset
	}
	if q.text.File != nil {
		line = q.text.File.Line(pos.Line)
	}
	q.errs.Add(&source.Diagnostic{Pos: pos, Severity: source.Error, Msg: fmt.Sprintf(format, args...), Quote: line})
	return false
}

// prepare finds the scope of q and makes C of its text.
func (r *resolver) prepare(q *request) bool {
	if s := q.text.Scope; s != "" && s != "global" {
		f, err := r.procedure(s)
		if err != "" {
			return q.fail(0, "%s", err)
		}
		q.fn, q.tu = f, f.tu.index
	}
	if q.fn != nil {
		return r.translateNames(q)
	}
	for !r.translateNames(q) {
		if q.tu++; q.tu == len(r.tus) { // no file knows the names: the first one's errors count
			q.tu, q.errs = 0, nil
			return r.translateNames(q)
		}
	}
	q.errs = nil
	return true
}

// procedure finds the function that a section names: by its C name, or as
// file.c::f.
func (r *resolver) procedure(scope string) (*function, string) {
	var found []*function
	for _, f := range r.order {
		if f.def != nil && (f.proc.Name == scope && f.proc != r.prog.Entry || f.name == scope) {
			found = append(found, f)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], ""
	case len(found) == 0:
		for _, f := range r.order {
			if f.name == scope {
				return nil, fmt.Sprintf("procedure %s has no body in the program", scope)
			}
		}
		return nil, fmt.Sprintf("the program has no procedure %s", scope)
	}
	for _, f := range found {
		if f.key == f.name {
			return f, ""
		}
	}
	return nil, fmt.Sprintf("there are several procedures %s; write %s for the first", scope, found[0].proc.Name)
}

// batches groups requests by translation unit.
func (r *resolver) batches(scopes []*function, byScope map[*function][]*request) [][]*request {
	groups := make([][]*request, len(r.tus))
	for _, f := range scopes {
		for _, q := range byScope[f] {
			groups[q.tu] = append(groups[q.tu], q)
		}
	}
	return groups
}

// resolve parses the requests of one translation unit. Requests with errors are
// taken out and the others parsed again, so that every error is found.
func (r *resolver) resolve(list []*request) error {
	for len(list) > 0 {
		before := len(list)
		if err := r.attempt(list); err != nil {
			return err
		}
		var rest []*request
		for _, q := range list {
			switch {
			case q.done:
			case q.fn == nil && len(q.errs) > 0 && q.tu+1 < len(r.tus):
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

// elsewhere tries a global predicate in the other files, whose macros and types
// may give it meaning. The errors of the first file are kept if none does.
func (r *resolver) elsewhere(q *request) error {
	for i := q.tu + 1; i < len(r.tus); i++ {
		again := &request{index: q.index, text: q.text, tu: i}
		if !r.translateNames(again) {
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
func (r *resolver) attempt(list []*request) error {
	tu := r.tus[list[0].tu]
	p, main, err := r.insert(tu, list)
	if err != nil {
		return nil // the requests have the errors
	}
	ast, err := p.parse(context.Background(), main)
	if err != nil {
		return r.blame(tu, list, p.diagnose(main, err))
	}
	blocks := predicateBlocks(ast)
	for i, q := range list {
		r.finish(q, predicateFile(i), blocks)
	}
	return nil
}

// predicateFile is the name under which request i is parsed.
func predicateFile(i int) string { return fmt.Sprintf("<predicate %d>", i) }

// entryFile is the name under which what $vj quotes is parsed.
func entryFile(predicate string, j int) string {
	return strings.TrimSuffix(predicate, ">") + fmt.Sprintf(".%d>", j)
}

// blame hands the parser's errors to the requests they are in.
func (r *resolver) blame(tu *translationUnit, list []*request, errs source.List) error {
	if len(errs) == 0 {
		return errors.New("internal error: the C parser failed without an error")
	}
	blamed := false
	for i, q := range list {
		if c, d := q.cause(i, errs); d != nil {
			q.fail(c.offset(d.Pos), "%s", q.explain(c, d))
			blamed = true
		}
	}
	if blamed {
		return nil
	}
	// The text around the predicates was parsed before, so the cause is one of
	// them: find it by trying each alone.
	if len(list) == 1 {
		msg, _, internal := strings.Cut(withoutMembers(errs[0].Msg), ": internal error")
		if internal {
			msg = "the C parser rejects it"
		}
		list[0].fail(0, "this predicate does not parse as a C expression: %s", msg)
		return nil
	}
	for _, q := range list {
		if err := r.attempt([]*request{q}); err != nil {
			return err
		}
	}
	return nil
}

// cause is the first error in q, the request of number i, and the fragment it is in.
// An error in what is quoted comes before its consequences in the predicate.
func (q *request) cause(i int, errs source.List) (*fragment, *source.Diagnostic) {
	file := predicateFile(i)
	for j := range q.names {
		if c := q.names[j].entry; c != nil {
			if d := firstIn(errs, entryFile(file, j)); d != nil {
				return c, d
			}
		}
	}
	return &q.fragment, firstIn(errs, file)
}

// firstIn is the first error in a file, of those at the code itself if there are any.
func firstIn(errs source.List, file string) (first *source.Diagnostic) {
	for _, d := range errs {
		if d.Pos.File == file && (first == nil || d.Pos.Line == codeLine && first.Pos.Line != codeLine) {
			first = d
		}
	}
	return first
}

// codeLine is the line of the code of a fragment in the file that it is parsed in, and
// againLine that of its copy behind it.
const (
	codeLine  = 2
	againLine = 12
)

// explain is the message of a parser error in c: what follows the predicate in the
// copy is the end of the predicate to the user.
func (q *request) explain(c *fragment, d *source.Diagnostic) string {
	_, expected, ok := strings.Cut(d.Msg, ", expected ")
	if ok && strings.HasPrefix(d.Msg, "unexpected ") && c.offset(d.Pos) >= c.end {
		if c == &q.fragment {
			return "unexpected end of the predicate, expected " + expected
		}
		return "unexpected end of what is quoted, expected " + expected
	}
	return q.rename(withoutMembers(d.Msg))
}

// withoutMembers drops the members that cc lists behind struct s.
func withoutMembers(msg string) string {
	var b strings.Builder
	depth := 0
	for i := range len(msg) {
		switch c := msg[i]; {
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case depth == 0 && !(c == ' ' && i+1 < len(msg) && msg[i+1] == '{'):
			b.WriteByte(c)
		}
	}
	return b.String()
}

// offset maps a position in the parsed code to an offset in the text of the request.
func (c *fragment) offset(pos source.Pos) int {
	i := pos.Col - 1
	switch {
	case len(c.offsets) == 0:
		return c.end
	case pos.Line < codeLine:
		return c.offsets[0]
	case pos.Line != codeLine && pos.Line != againLine || i >= len(c.offsets):
		return c.end
	}
	return c.offsets[max(i, 0)]
}

// rename puts the names that the user knows into a message.
func (q *request) rename(msg string) string {
	for i := len(q.names) - 1; i >= 0; i-- {
		msg = strings.ReplaceAll(msg, dollar(i), q.names[i].spelling)
	}
	return msg
}

func dollar(i int) string { return fmt.Sprintf("$v%d", i) }

// predicateBlocks finds the predicates in the parsed copy, by the file names that
// #line gave them.
func predicateBlocks(ast *cc.AST) map[string]cc.ExpressionNode {
	found := map[string]cc.ExpressionNode{}
	visit := func(n cc.Node) bool {
		s, ok := n.(*cc.ExpressionStatement)
		if !ok || isNil(s.ExpressionList) {
			return true
		}
		name := s.Token.Position().Filename
		if !strings.HasPrefix(name, "<predicate ") {
			return true
		}
		c, ok := strip(s.ExpressionList).(*cc.CastExpression)
		if ok && c.Case == cc.CastExpressionCast && found[name] == nil {
			found[name] = c.CastExpression
		}
		return false
	}
	for u := ast.TranslationUnit; u != nil; u = u.TranslationUnit {
		if d := u.ExternalDeclaration; d.Case == cc.ExternalDeclarationFuncDef {
			if last := lastItem(d.FunctionDefinition.CompoundStatement); last != nil {
				walk(last, visit)
			}
		}
	}
	return found
}

// lastItem is the last item of a block.
func lastItem(s *cc.CompoundStatement) (last *cc.BlockItem) {
	for l := s.BlockItemList; l != nil; l = l.BlockItemList {
		last = l.BlockItem
	}
	return last
}

// finish turns the parsed expressions of q into core expressions; blocks has them by
// file name.
func (r *resolver) finish(q *request, file string, blocks map[string]cc.ExpressionNode) {
	for j := range q.names {
		if n := &q.names[j]; n.entry != nil {
			if !r.finishEntry(q, n, blocks[entryFile(file, j)]) {
				return
			}
		}
	}
	e := blocks[file]
	if e == nil {
		q.fail(0, "a predicate must be one expression")
		return
	}
	x, err := r.pure(e, r.meaning(q))
	if err != nil {
		q.blameFor(&q.fragment, err)
		return
	}
	s := speller{q}
	r.out[q.index] = core.ResolvedPredicate{Expr: isTrue(x), Name: s.spell(strip(e))}
	if q.fn != nil {
		r.out[q.index].Proc = q.fn.proc
	}
	q.done = true
}

// blameFor reports an error that lowering c met.
func (q *request) blameFor(c *fragment, err error) {
	var bad *pureError
	if !errors.As(err, &bad) {
		panic(err)
	}
	q.fail(c.offset(at(bad.node.Position())), "%s", q.rename(bad.msg))
}

// meaning says what the identifiers in the code of q are.
func (r *resolver) meaning(q *request) func(*cc.PrimaryExpression) (core.Expr, error) {
	return func(n *cc.PrimaryExpression) (core.Expr, error) {
		s := n.Token.SrcStr()
		for i, name := range q.names {
			if s == dollar(i) {
				return name.v.Ref(), nil
			}
		}
		if f := r.namedFunction(q, s); f != nil {
			if !r.hasProc(f.proc) {
				return nil, impure(n, "function %s is not used in the program, so no pointer points to it", s)
			}
			return &core.FuncAddr{Proc: f.proc, Typ: r.pointer()}, nil
		}
		v, msg := r.lookup(q, s)
		if v == nil {
			return nil, impure(n, "%s", msg)
		}
		return v.Ref(), nil
	}
}

// namedFunction is the function that word means in q's scope, or nil.
func (r *resolver) namedFunction(q *request, word string) *function {
	for _, n := range r.scopeNodes(q, word) {
		switch n := n.(type) {
		case *cc.Declarator:
			if n.IsTypename() || n.Type() == nil || n.Type().Kind() != cc.Function {
				return nil
			}
			f := r.functionOf(n)
			if t := r.aliasTarget(f); t != nil {
				return t
			}
			return f
		case *cc.Parameter:
			return nil
		}
	}
	return nil
}

func (r *resolver) hasProc(p *core.Proc) bool {
	for _, q := range r.prog.Procs {
		if q == p {
			return true
		}
	}
	return false
}

// finishEntry finds the symbolic constant for the value of e on entry.
func (r *resolver) finishEntry(q *request, n *name, e cc.ExpressionNode) bool {
	if e == nil {
		return q.fail(n.quote, "what is quoted must be one expression")
	}
	init, err := r.pure(e, r.meaning(q))
	if err != nil {
		q.blameFor(n.entry, err)
		return false
	}
	n.spelling = entrySpelling(speller{q}.spell(strip(e)), init)
	n.v = r.unit.ghost(q.fn.proc, init, n.spelling)
	return true
}

// entrySpelling is how the value on entry of init, spelled s, is written: without
// parentheses if it is a variable or what one points to.
func entrySpelling(s string, init core.Expr) string {
	for {
		m, ok := init.(*core.Mem)
		if !ok {
			break
		}
		init = m.Addr
	}
	switch init.(type) {
	case *core.VarRef, *core.AddrOf:
		if isVariableName(strings.TrimLeft(s, "*")) {
			return "'" + s
		}
	}
	return "'(" + s + ")"
}

// isVariableName reports whether s is a name by its form: x, x@12 or file.c::x.
func isVariableName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isIdentByte(c) && c != '@' && (c != ':' && c != '.' || !strings.Contains(s, "::")) {
			return false
		}
	}
	return true
}
