package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file reads the text of a predicate. Names that C does not know or would take for
// something else become $-names: x@12, file.c::x, \result, and the symbolic constants
// 'x, '**p and '(p->f). Names of other variables stay as they are.

// nameScanner reads one predicate, or what a quote in it stands on.
type nameScanner struct {
	*resolver
	q    *request
	text string
	i    int
	fragment
	out strings.Builder

	previous string         // the last token, for what follows . or struct
	known    map[string]int // index in q.names by spelling
	depth    []bracket      // open brackets
	macro    bool           // the last token is the name of a macro
	entry    bool           // this is what a quote stands on
	quoted   int            // offset of that quote
	ok       bool
}

// bracket is an open bracket.
type bracket struct {
	closing byte
	macro   bool // around the arguments of a macro, or inside of such
}

// translateNames fills in the code of q and q.names.
func (r *resolver) translateNames(q *request) bool {
	s := &nameScanner{resolver: r, q: q, text: q.text.Text, known: map[string]int{}, ok: true}
	q.names = nil
	for s.ok && s.i < len(s.text) {
		s.token()
	}
	if s.ok && len(s.depth) > 0 {
		s.unclosed()
	}
	if s.ok && strings.TrimSpace(s.out.String()) == "" {
		s.fail(0, "expected a predicate")
	}
	q.fragment = s.finished()
	q.end = len(s.text)
	return s.ok
}

func (s *nameScanner) unclosed() {
	s.fail(len(s.text), "expected %c before the end of the predicate", s.depth[len(s.depth)-1].closing)
}

// finished is the code that was written.
func (s *nameScanner) finished() fragment {
	s.code, s.end = s.out.String(), s.i
	return s.fragment
}

func (s *nameScanner) fail(offset int, format string, args ...any) {
	s.q.fail(offset, format, args...)
	s.ok = false
}

// copy writes n bytes of the text.
func (s *nameScanner) copy(n int) {
	for j := s.i; j < s.i+n; j++ {
		s.offsets = append(s.offsets, j)
		c := s.text[j]
		if c == '\n' || c == '\r' || c == '\v' || c == '\f' {
			c = ' '
		}
		s.out.WriteByte(c)
	}
	s.i += n
}

// put writes code for the text up to offset end.
func (s *nameScanner) put(code string, end int) {
	for range len(code) {
		s.offsets = append(s.offsets, s.i)
	}
	s.out.WriteString(code)
	s.i = end
}

func (s *nameScanner) token() {
	rest := s.text[s.i:]
	c := rest[0]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f':
		s.copy(1)
		return
	case c < ' ' || c == 0x7f:
		s.fail(s.i, "a control character in a predicate")
		return
	case c == '/' && commentLength([]byte(rest)) > 0:
		n := commentLength([]byte(rest))
		s.put(strings.Repeat(" ", n), s.i+n)
		return
	case c == '"':
		n := literalLength([]byte(rest))
		s.previous = `"`
		s.copy(n)
	case c == '\'':
		s.quote()
	case strings.HasPrefix(rest, `\result`) && !continues(rest, len(`\result`)):
		s.result()
	case isIdentByte(c) && !(c >= '0' && c <= '9'):
		s.identifier()
	case c >= '0' && c <= '9' || c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		s.number(rest)
	default:
		s.punctuator(rest)
	}
	s.macro = s.ok && s.previous == macroName
}

// macroName is what s.previous is behind the name of a macro.
const macroName = "#"

// continues reports whether s goes on with identifier bytes at i.
func continues(s string, i int) bool { return i < len(s) && isIdentByte(s[i]) }

func (s *nameScanner) number(rest string) {
	if n, v := s.qualified(rest); n > 0 {
		s.variable(rest[:n], v, n)
		return
	}
	n := 1
	for n < len(rest) && (isIdentByte(rest[n]) || rest[n] == '.' || (rest[n] == '+' || rest[n] == '-') && strings.IndexByte("eEpP", rest[n-1]) >= 0 && !strings.HasPrefix(rest, "0x")) {
		n++
	}
	s.previous = "0"
	s.copy(n)
}

func (s *nameScanner) punctuator(rest string) {
	c := rest[0]
	switch c {
	case ';', '{', '}', '#', '\\', '@', '`':
		s.fail(s.i, "unexpected %q in a predicate; expected one C expression", string(c))
		return
	case '(', '[':
		inside := s.macro && c == '(' || len(s.depth) > 0 && s.depth[len(s.depth)-1].macro
		s.depth = append(s.depth, bracket{map[byte]byte{'(': ')', '[': ']'}[c], inside})
	case ')', ']':
		if len(s.depth) == 0 || s.depth[len(s.depth)-1].closing != c {
			s.fail(s.i, "unbalanced %q", string(c))
			return
		}
		s.depth = s.depth[:len(s.depth)-1]
	case ',':
		if len(s.depth) == 0 {
			s.fail(s.i, "unexpected comma in a predicate")
			return
		}
	}
	if strings.HasPrefix(rest, "->") {
		s.previous = "->"
		s.copy(2)
		return
	}
	s.previous = string(c)
	s.copy(1)
}

// quote reads a character constant or a quoted name: the value on entry.
func (s *nameScanner) quote() {
	rest := s.text[s.i:]
	if n := charConstant(rest); n > 0 {
		s.previous = "'"
		s.copy(n)
		return
	}
	if s.entry {
		s.fail(s.i, "a quote inside of a quoted expression")
		return
	}
	j := blanks(rest, 1)
	stars := 0
	for j < len(rest) && rest[j] == '*' {
		stars++
		j = blanks(rest, j+1)
	}
	inner := &nameScanner{resolver: s.resolver, q: s.q, text: s.text, i: s.i + 1, known: s.known, entry: true, quoted: s.i, ok: true}
	switch {
	case stars == 0 && j < len(rest) && rest[j] == '(':
		inner.copy(j - 1)
		inner.parenthesised()
	case j == len(rest) || !isIdentByte(rest[j]):
		s.fail(s.i, nothingQuoted)
		return
	default:
		inner.copy(j - 1)
		inner.quotedName()
	}
	if s.ok = inner.ok; s.ok {
		s.bindEntry(inner)
	}
}

// blanks is the offset of what follows the blanks at i.
func blanks(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n') {
		i++
	}
	return i
}

// parenthesised reads an expression in parentheses.
func (s *nameScanner) parenthesised() {
	for s.token(); s.ok && len(s.depth) > 0 && s.i < len(s.text); {
		s.token()
	}
	if s.ok && len(s.depth) > 0 {
		s.unclosed()
	}
}

// quotedName reads the name of a variable.
func (s *nameScanner) quotedName() {
	rest := s.text[s.i:]
	n, v, msg := s.name(rest)
	switch {
	case v != nil:
		s.variable(rest[:n], v, n)
	case rest[0] >= '0' && rest[0] <= '9':
		s.fail(s.quoted, nothingQuoted)
	default:
		s.fail(s.i, "%s", msg)
	}
}

const nothingQuoted = "expected the name of a formal or a global after the quote, or an expression in parentheses: 'x, '*p, '(p->f)"

// hasEntry reports whether v has a value on entry; if not, that is reported at the
// quote or, in a longer expression, at v.
func (s *nameScanner) hasEntry(spelling string, v *core.Var) bool {
	offset := s.i
	if len(s.depth) == 0 {
		offset = s.quoted
	}
	switch {
	case s.q.fn == nil:
		s.fail(offset, "'%s names a value on entry of a procedure, which has no meaning in the section global", spelling)
	case v.Kind != core.Formal && v.Kind != core.Global:
		s.fail(offset, "%s is a local variable and has no value on entry; 'x needs a formal or a global", v.Name)
	default:
		return true
	}
	return false
}

// bindEntry writes the $-name for the value on entry of what inner has read.
func (s *nameScanner) bindEntry(inner *nameScanner) {
	spelling := s.text[s.i:inner.i]
	if s.q.fn == nil { // without any name in it
		s.fail(s.i, "%s names a value on entry of a procedure, which has no meaning in the section global", spelling)
		return
	}
	i, ok := s.known[spelling]
	if !ok {
		i = len(s.q.names)
		s.known[spelling] = i
		c := inner.finished()
		s.q.names = append(s.q.names, name{spelling: spelling, entry: &c, quote: s.i})
	}
	s.previous = "x"
	s.put(dollar(i), inner.i)
}

// charConstant is the length of the character constant that text starts with, or
// 0: a quote that closes after one character or escape.
func charConstant(text string) int {
	switch {
	case len(text) > 3 && text[1] == '\\':
		for j := 3; j < len(text) && j < 12 && text[j] != '\n'; j++ {
			if text[j] == '\'' {
				return j + 1
			}
		}
	case len(text) > 2 && text[2] == '\'' && text[1] != '\'' && text[1] != '\n':
		return 3
	}
	return 0
}

// ghost is the symbolic constant for the value of init on entry of proc. Equal ones are
// one variable; the first spelling is its name.
func (u *Unit) ghost(proc *core.Proc, init core.Expr, spelling string) *core.Var {
	key := ghostKey{proc, exprKey(init)}
	g := u.ghosts[key]
	if g == nil {
		g = &core.Var{Name: spelling, Type: init.Type(), Kind: core.Ghost, Proc: proc, Pos: proc.Pos, Init: init}
		if r, ok := init.(*core.VarRef); ok {
			g.Name, g.Pos = "'"+r.Var.Name, r.Var.Pos
		}
		if u.ghosts == nil {
			u.ghosts = map[ghostKey]*core.Var{}
		}
		u.ghosts[key] = g
	}
	return g
}

type ghostKey struct {
	proc *core.Proc
	init string // see exprKey
}

// exprKey tells apart the expressions of one procedure: the core form shows types,
// but not the offsets of members and the sizes of elements.
func exprKey(e core.Expr) string {
	key := core.ExprString(e)
	core.Walk(e, func(x core.Expr) bool {
		switch x := x.(type) {
		case *core.Offset:
			key += fmt.Sprintf(" %d", x.Off)
		case *core.Index:
			key += fmt.Sprintf(" *%d", x.Size)
		case *core.Diff:
			key += fmt.Sprintf(" /%d", x.Size)
		}
		return true
	})
	return key
}

func (s *nameScanner) result() {
	f := s.q.fn
	switch {
	case f == nil:
		s.fail(s.i, `\result has no meaning in the section global`)
	case f.proc.RetType == core.Type(core.Void{}):
		s.fail(s.i, `procedure %s returns nothing: it has no \result`, f.name)
	case s.entry:
		s.fail(s.i, `\result has no value on entry`)
	case f.proc.Result == nil:
		s.fail(s.i, `procedure %s returns a value of a type that is not supported: it has no \result`, f.name)
	default:
		s.bind(`\result`, f.proc.Result, s.i+len(`\result`))
	}
}

// identifier reads a name that starts with a letter.
func (s *nameScanner) identifier() {
	rest := s.text[s.i:]
	n := 0
	for continues(rest, n) {
		n++
	}
	switch s.previous {
	case ".", "->", "struct", "union", "enum": // a member or a tag
		s.previous = rest[:n]
		s.copy(n)
		return
	}
	if strings.HasPrefix(rest, "$") {
		s.fail(s.i, "a name that starts with $ is not a name of the program")
		return
	}
	if m, v := s.qualified(rest); m > 0 {
		s.variable(rest[:m], v, m)
		return
	}
	word := rest[:n]
	if isKeyword(word) || s.isTypeOrConstant(word) {
		s.previous = word
		if s.tus[s.q.tu].ast.Macros[word] != nil {
			s.previous = macroName
		}
		s.copy(n)
		return
	}
	m, v, msg := s.name(rest)
	if v == nil {
		if len(s.depth) > 0 && s.depth[len(s.depth)-1].macro { // it may be a member, as in offsetof
			s.previous = word
			s.copy(n)
			return
		}
		s.fail(s.i, "%s", msg)
		return
	}
	s.variable(rest[:m], v, m)
}

// variable writes a name of v: as it is where C knows v under it.
func (s *nameScanner) variable(spelling string, v *core.Var, n int) {
	if s.entry && !s.hasEntry(spelling, v) {
		return
	}
	if isIdentifier(spelling) && s.visible(s.q, spelling) == v {
		s.previous = "x"
		s.copy(n)
		return
	}
	s.bind(spelling, v, s.i+n)
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		if !isIdentByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// bind writes the $-name for v.
func (s *nameScanner) bind(spelling string, v *core.Var, end int) {
	i, ok := s.known[spelling]
	if !ok {
		i = len(s.q.names)
		decl, ok := s.declare(s.q, v, dollar(i))
		if !ok {
			s.fail(s.i, "the type of %s has no name where the predicate is read, at the end of the procedure", spelling)
			return
		}
		s.known[spelling] = i
		s.q.names = append(s.q.names, name{spelling: spelling, v: v, decl: decl})
	}
	s.previous = "x"
	s.put(dollar(i), end)
}

// qualified matches a name with :: in it, a static object, at the start of rest.
func (s *nameScanner) qualified(rest string) (n int, v *core.Var) {
	for _, o := range s.ordered {
		name := o.v.Name
		if len(name) > n && s.present(o) && strings.Contains(name, "::") && strings.HasPrefix(rest, name) && !continues(rest, len(name)) {
			n, v = len(name), o.v
		}
	}
	return n, v
}

// name reads x, x@LINE or x@LINE:COL at the start of rest.
func (s *nameScanner) name(rest string) (n int, v *core.Var, msg string) {
	if n, v := s.qualified(rest); n > 0 {
		return n, v, ""
	}
	for continues(rest, n) {
		n++
	}
	word := rest[:n]
	if n < len(rest) && rest[n] == '@' {
		m := n + 1
		for m < len(rest) && (rest[m] >= '0' && rest[m] <= '9' || rest[m] == ':' && m+1 < len(rest) && rest[m+1] >= '0' && rest[m+1] <= '9') {
			m++
		}
		if v := s.exact(s.q, rest[:m]); v != nil {
			return m, v, ""
		}
		if v, ok := s.declaredAt(word, rest[n+1:m]); ok {
			return m, v, ""
		}
		return m, nil, fmt.Sprintf("no variable %s is declared at line %s", word, rest[n+1:m])
	}
	v, msg = s.lookup(s.q, word)
	return n, v, msg
}

// declaredAt finds a local by the line of its declaration, also where its name
// would do without.
func (s *nameScanner) declaredAt(word, line string) (*core.Var, bool) {
	if s.q.fn == nil {
		return nil, false
	}
	var found *core.Var
	count := 0
	for _, list := range [][]*core.Var{s.q.fn.proc.Formals, s.q.fn.proc.Locals} {
		for _, v := range list {
			base, _, _ := strings.Cut(v.Name, "@")
			if base == word && v.Kind != core.Temp && fmt.Sprint(v.Pos.Line) == line {
				found = v
				count++
			}
		}
	}
	return found, count == 1
}

// exact is the variable that the core program calls word.
func (r *resolver) exact(q *request, word string) *core.Var {
	if q.fn != nil {
		for _, list := range [][]*core.Var{q.fn.proc.Formals, q.fn.proc.Locals} {
			for _, v := range list {
				if v.Name == word && v.Kind != core.Temp && word != `\result` {
					return v
				}
			}
		}
	}
	for _, o := range r.ordered {
		if o.v.Name == word && r.present(o) {
			return o.v
		}
	}
	return nil
}

// lookup is the variable that word means in q's scope. C's scoping at the end of
// the body and the names of the core program must agree.
func (r *resolver) lookup(q *request, word string) (*core.Var, string) {
	v := r.exact(q, word)
	c := r.visible(q, word)
	switch {
	case v == nil && c == nil && q.fn == nil:
		return nil, fmt.Sprintf("unknown global variable %s", word)
	case v == nil && c == nil:
		return nil, fmt.Sprintf("unknown name %s in procedure %s", word, q.fn.name)
	case v == nil:
		return c, ""
	case c != nil && c != v:
		return nil, fmt.Sprintf("%s is ambiguous: a variable hides another of that name; write %s for the one declared at line %d", word, atLine(c), c.Pos.Line)
	}
	return v, ""
}

func atLine(v *core.Var) string {
	base, _, _ := strings.Cut(v.Name, "@")
	return fmt.Sprintf("%s@%d", base, v.Pos.Line)
}

// visible is the variable that C's scoping gives word at the end of the body.
func (r *resolver) visible(q *request, word string) *core.Var {
	for _, n := range r.scopeNodes(q, word) {
		switch n := n.(type) {
		case *cc.Declarator:
			if !n.IsTypename() {
				if v := r.vars[n]; v != nil && (v.Kind != core.Global || r.inProgram(v)) {
					return v
				}
			}
		case *cc.Parameter:
			if v := r.vars[n.Declarator]; v != nil {
				return v
			}
		}
	}
	return nil
}

func (r *resolver) inProgram(v *core.Var) bool {
	for _, g := range r.prog.Globals {
		if g == v {
			return true
		}
	}
	return false
}

// scopeNodes is what word is declared as at the end of the body, innermost scope
// first.
func (r *resolver) scopeNodes(q *request, word string) (nodes []cc.Node) {
	scope := r.tus[q.tu].ast.Scope
	if q.fn != nil {
		scope = q.fn.def.CompoundStatement.LexicalScope()
	}
	for ; scope != nil; scope = scope.Parent {
		nodes = append(nodes, scope.Nodes[word]...)
	}
	return nodes
}

// isTypeOrConstant reports whether word is a type, an enumeration constant, a
// function or a macro in q's scope.
func (s *nameScanner) isTypeOrConstant(word string) bool {
	for _, n := range s.scopeNodes(s.q, word) {
		switch n := n.(type) {
		case *cc.Enumerator:
			return true
		case *cc.Declarator:
			return n.IsTypename() || n.Type() != nil && n.Type().Kind() == cc.Function
		case *cc.Parameter:
			return false
		}
	}
	return s.tus[s.q.tu].ast.Macros[word] != nil
}

// isKeyword reports whether word is part of C's grammar of expressions and type
// names.
func isKeyword(word string) bool {
	switch word {
	case "sizeof", "_Alignof", "__alignof__", "_Generic", "typeof", "__typeof__",
		"int", "char", "short", "long", "signed", "unsigned", "_Bool", "void", "float", "double",
		"struct", "union", "enum", "const", "volatile", "__signed__", "__const":
		return true
	}
	return false
}
