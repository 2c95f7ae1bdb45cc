package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file reads the text of a predicate and replaces the names in it by
// $-names: x, x@12, file.c::x, 'x and \result.

// nameScanner reads one predicate.
type nameScanner struct {
	*resolver
	q    *request
	text string
	i    int
	out  strings.Builder

	previous string         // the last token, for what follows . or struct
	known    map[string]int // index in q.names by spelling
	depth    []byte         // open brackets
	ok       bool
}

// translateNames fills in q.code, q.offsets and q.names.
func (r *resolver) translateNames(q *request) bool {
	s := &nameScanner{resolver: r, q: q, text: q.text.Text, known: map[string]int{}, ok: true}
	q.names, q.offsets = nil, nil
	for s.ok && s.i < len(s.text) {
		s.token()
	}
	if s.ok && len(s.depth) > 0 {
		s.fail(len(s.text), "expected %c before the end of the predicate", s.depth[len(s.depth)-1])
	}
	if s.ok && strings.TrimSpace(s.out.String()) == "" {
		s.fail(0, "expected a predicate")
	}
	q.code = s.out.String()
	return s.ok
}

func (s *nameScanner) fail(offset int, format string, args ...any) {
	s.q.fail(offset, format, args...)
	s.ok = false
}

// copy writes n bytes of the text.
func (s *nameScanner) copy(n int) {
	for j := s.i; j < s.i+n; j++ {
		s.q.offsets = append(s.q.offsets, j)
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
		s.q.offsets = append(s.q.offsets, s.i)
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
	case commentLength([]byte(rest)) > 0:
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
}

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
		s.depth = append(s.depth, map[byte]byte{'(': ')', '[': ']'}[c])
	case ')', ']':
		if len(s.depth) == 0 || s.depth[len(s.depth)-1] != c {
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
	j := 1
	for j < len(rest) && (rest[j] == ' ' || rest[j] == '\t' || rest[j] == '\n') {
		j++
	}
	switch {
	case j < len(rest) && (rest[j] == '*' || rest[j] == '('):
		s.fail(s.i, "not supported yet: pointers. The value on entry can be named for formals and globals: 'x")
		return
	case j == len(rest) || !isIdentByte(rest[j]):
		s.fail(s.i, "expected the name of a formal or a global after the quote: 'x")
		return
	}
	n, v, msg := s.name(rest[j:])
	switch {
	case v == nil:
		s.fail(s.i+j, "%s", msg)
	case s.q.fn == nil:
		s.fail(s.i, "'%s names a value on entry of a procedure, which has no meaning in the section global", rest[j:j+n])
	case v.Kind != core.Formal && v.Kind != core.Global:
		s.fail(s.i, "%s is a local variable and has no value on entry; 'x needs a formal or a global", v.Name)
	default:
		if g := s.ghost(v, s.i); g != nil {
			s.bind("'"+rest[j:j+n], g, s.i+j+n)
		}
	}
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

// ghost is the symbolic constant for the value of v on entry of q's procedure.
func (s *nameScanner) ghost(v *core.Var, offset int) *core.Var {
	if !s.usable(v, offset) {
		return nil
	}
	key := ghostKey{s.q.fn.proc, v}
	g := s.unit.ghosts[key]
	if g == nil {
		g = &core.Var{Name: "'" + v.Name, Type: v.Type, Kind: core.Ghost, Proc: s.q.fn.proc, Pos: v.Pos, Init: v.Ref()}
		if s.unit.ghosts == nil {
			s.unit.ghosts = map[ghostKey]*core.Var{}
		}
		s.unit.ghosts[key] = g
	}
	return g
}

type ghostKey struct {
	proc *core.Proc
	v    *core.Var
}

// usable reports whether predicates can be about v.
func (s *nameScanner) usable(v *core.Var, offset int) bool {
	switch {
	case !isScalar(v):
		s.fail(offset, "%s: %s", v.Name, unsupported)
	case v.Volatile:
		s.fail(offset, "%s is volatile: its value is not known, and a predicate about it would never be", v.Name)
	default:
		return true
	}
	return false
}

func (s *nameScanner) result() {
	f := s.q.fn
	switch {
	case f == nil:
		s.fail(s.i, `\result has no meaning in the section global`)
	case f.proc.RetType == core.Type(core.Void{}):
		s.fail(s.i, `procedure %s returns nothing: it has no \result`, f.name)
	case s.usable(f.proc.Result, s.i):
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
		s.copy(n)
		return
	}
	m, v, msg := s.name(rest)
	if v == nil {
		s.fail(s.i, "%s", msg)
		return
	}
	s.variable(rest[:m], v, m)
}

func (s *nameScanner) variable(spelling string, v *core.Var, n int) {
	if s.usable(v, s.i) {
		s.bind(spelling, v, s.i+n)
	}
}

// bind writes the $-name for v.
func (s *nameScanner) bind(spelling string, v *core.Var, end int) {
	i, ok := s.known[spelling]
	if !ok {
		i = len(s.q.names)
		s.known[spelling] = i
		s.q.names = append(s.q.names, name{spelling, v})
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
