package predicate

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file reads the text of a predicate. Names that C does not know or would take for
// something else become $-names: x@12, file.c::x, \result, and the symbolic constants
// 'x, '**p and '(p->f). Names of other variables stay as they are.

// nameScanner reads one predicate, or an expression that is quoted in it.
type nameScanner struct {
	*resolution
	q    *request
	text string
	i    int
	fragment
	out strings.Builder

	// The state of the scanner between two tokens.
	previous string         // the last token, for what follows . or struct
	known    map[string]int // index in q.names by spelling
	depth    []bracket      // open brackets
	macro    bool           // the last token is the name of a macro
	entry    bool           // this is what a quote stands on
	quoted   int            // offset of that quote
	nameless *core.Var      // a variable whose type has no name here
	ok       bool
}

// bracket is an open bracket.
type bracket struct {
	closing   byte
	macro     bool // around the arguments of a macro, or inside of such
	isType    bool // the present argument is a type
	afterType bool // the argument before it is one
}

// translateNames fills in the code of q and q.names. If a variable has a type without a name at the
// end of the body, it is tried in the block of the variable, which becomes that of q. It returns
// false if q has errors.
func (r *resolution) translateNames(q *request) bool {
	s := &nameScanner{resolution: r, q: q, text: q.text.Text, known: map[string]int{}, ok: true}
	q.names = nil
	r.declareObject(q)
	for s.ok && s.i < len(s.text) {
		s.token()
	}
	if s.ok && len(s.depth) > 0 {
		s.unclosed()
	}
	// Comments have become blanks.
	if s.ok && strings.TrimSpace(s.out.String()) == "" {
		s.fail(0, "expected a predicate")
	}
	q.fragment = s.finished()
	q.end = len(s.text)
	if !s.ok && q.fn != nil && q.block == q.fn.Def.CompoundStatement {
		if block := r.blockOf(q.fn, s.nameless); block != nil && block != q.block {
			errs := q.errs
			q.block, q.errs = block, nil
			if r.translateNames(q) {
				return true
			}
			q.errs = errs // of the procedure as a whole
		}
	}
	return s.ok
}

// blockOf returns the block of f in which v is declared, nil if it is in none or v is nil.
func (r *resolution) blockOf(f *Function, v *core.Var) (found *cc.CompoundStatement) {
	d := r.declarator(v)
	if v == nil || d == nil {
		return nil
	}
	ctree.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
		if b, ok := n.(*cc.CompoundStatement); ok && b.LexicalScope() == d.LexicalScope() {
			found = b
		}
		return found == nil
	})
	return found
}

// unclosed reports that a bracket is still open.
func (s *nameScanner) unclosed() {
	s.fail(len(s.text), "expected %c before the end of the predicate", s.depth[len(s.depth)-1].closing)
}

// finished returns the code that was written.
func (s *nameScanner) finished() fragment {
	s.code, s.end = s.out.String(), s.i
	return s.fragment
}

// fail reports an error, after which nothing is read.
func (s *nameScanner) fail(offset int, format string, args ...any) {
	s.q.fail(offset, format, args...)
	s.ok = false
}

// copy writes n bytes of the text, on one line: the code must stay on the line that codeLine says.
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

// put writes code for the text up to offset end. Errors in it are reported at the start of this
// text.
func (s *nameScanner) put(code string, end int) {
	for range len(code) {
		s.offsets = append(s.offsets, s.i)
	}
	s.out.WriteString(code)
	s.i = end
}

// token reads one token and writes it in C. There must be one: s.i is before the end of the text.
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
	// A comment, which could swallow the text after the predicate.
	case c == '/' && ccfix.CommentLength([]byte(rest)) > 0:
		n := ccfix.CommentLength([]byte(rest))
		s.put(strings.Repeat(" ", n), s.i+n)
		return
	case c == '"':
		n := ccfix.LiteralLength([]byte(rest))
		s.previous = `"`
		s.copy(n)
	case c == '\'':
		s.quote()
	// A backslash begins nothing else.
	case strings.HasPrefix(rest, `\result`) && !continues(rest, len(`\result`)):
		s.result()
	case ccfix.IsIdentByte(c) && !(c >= '0' && c <= '9'):
		s.identifier()
	case c >= '0' && c <= '9' || c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		s.number(rest)
	default:
		s.punctuator(rest)
	}
	s.macro = s.ok && s.previous == macroName
}

// macroName is the value of s.previous after the name of a macro.
const macroName = "#"

// continues reports whether s goes on with identifier bytes at i.
func continues(s string, i int) bool { return i < len(s) && ccfix.IsIdentByte(s[i]) }

// number reads a number, or a name of a file that begins with a digit: 1.c::x. As in C, a number
// takes all bytes that might belong to it: 0x1F, 1.5e+3.
func (s *nameScanner) number(rest string) {
	if n, v := s.qualified(rest); n > 0 {
		s.variable(rest[:n], v, n)
		return
	}
	n := 1
	for n < len(rest) && (ccfix.IsIdentByte(rest[n]) || rest[n] == '.' || (rest[n] == '+' || rest[n] == '-') && strings.IndexByte("eEpP", rest[n-1]) >= 0 && !strings.HasPrefix(rest, "0x")) {
		n++
	}
	s.previous = "0"
	s.copy(n)
}

// punctuator reads an operator or a bracket, and refuses all that are not part of expressions: a
// predicate must not close the block that it is put into.
func (s *nameScanner) punctuator(rest string) {
	c := rest[0]
	switch c {
	case ';', '{', '}', '#', '\\', '@', '`':
		s.fail(s.i, "unexpected %q in a predicate; expected one C expression", string(c))
		return
	case '(', '[':
		// Remember what closes it, and whether it is around arguments of a macro.
		inside := s.macro && c == '(' || s.inMacro()
		s.depth = append(s.depth, bracket{closing: map[byte]byte{'(': ')', '[': ']'}[c], macro: inside})
	case ')', ']':
		if len(s.depth) == 0 || s.depth[len(s.depth)-1].closing != c {
			s.fail(s.i, "unbalanced %q", string(c))
			return
		}
		s.depth = s.depth[:len(s.depth)-1]
	case ',':
		// Within brackets it is between arguments, or an operator.
		if len(s.depth) == 0 {
			s.fail(s.i, "unexpected comma in a predicate")
			return
		}
		b := &s.depth[len(s.depth)-1]
		b.isType, b.afterType = false, b.isType
	}
	// Of all operators of several bytes only this one matters for the name after it.
	if strings.HasPrefix(rest, "->") {
		s.previous = "->"
		s.copy(2)
		return
	}
	s.previous = string(c)
	s.copy(1)
}

// result reads \result, and reports an error where it has no meaning.
func (s *nameScanner) result() {
	f := s.q.fn
	switch {
	case f == nil:
		s.fail(s.i, `\result has no meaning in %s`, s.q.section())
	case f.Proc.RetType == core.Type(core.Void{}):
		s.fail(s.i, `procedure %s returns nothing: it has no \result`, f.Name)
	case s.entry:
		s.fail(s.i, `\result has no value on entry`)
	case f.Proc.Result == nil:
		s.fail(s.i, `procedure %s returns a value of a type that is not supported: it has no \result`, f.Name)
	default:
		s.bind(`\result`, f.Proc.Result, s.i+len(`\result`))
	}
}

// identifier reads a name that starts with a letter, _ or $.
func (s *nameScanner) identifier() {
	rest := s.text[s.i:]
	n := 0
	for continues(rest, n) {
		n++
	}
	// 1. The name of a member or a tag is none of a variable.
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
	// 2. A static object of another scope.
	// Before keywords and types: int.c::x begins as one.
	if m, v := s.qualified(rest); m > 0 {
		s.variable(rest[:m], v, m)
		return
	}
	// 3. A member of the object that the section is about.
	if s.member(rest, n) {
		s.selectMember(n)
		return
	}
	// 4. A word that C knows here, and that is no variable.
	word := rest[:n]
	if isKeyword(word) || s.isTypeOrConstant(word) {
		s.noteType(word)
		s.previous = word
		if s.units[s.q.tu].AST.Macros[word] != nil {
			s.previous = macroName
		}
		s.copy(n)
		return
	}
	// 5. A variable.
	m, v, msg := s.name(rest)
	if v == nil {
		if s.inMacro() { // it may be a member, as in offsetof
			s.previous = word
			s.copy(n)
			return
		}
		s.fail(s.i, "%s", msg)
		return
	}
	s.variable(rest[:m], v, m)
}

// inMacro reports whether these are the arguments of a macro.
func (s *nameScanner) inMacro() bool { return len(s.depth) > 0 && s.depth[len(s.depth)-1].macro }

// variable writes a name of v, n bytes long: as it is where C knows v under it, else as a $-name.
func (s *nameScanner) variable(spelling string, v *core.Var, n int) {
	if s.entry && !s.hasEntry(spelling, v) {
		return
	}
	// C must see v itself under this name.
	plain := ccfix.IsIdentifier(spelling) && s.visible(s.q, spelling) == v
	if !plain && ccfix.IsIdentifier(spelling) && s.inMacro() {
		s.q.inMacro, plain = true, s.q.plain
	}
	if plain {
		s.previous = "x"
		s.copy(n)
		return
	}
	s.bind(spelling, v, s.i+n)
}

// bind writes the $-name for v, with which the text up to end is spelled. The first time it makes
// the declaration.
func (s *nameScanner) bind(spelling string, v *core.Var, end int) {
	i, ok := s.known[spelling]
	if !ok {
		i = len(s.q.names)
		decl, ok := s.declare(s.q, v, dollar(i))
		if !ok {
			s.nameless = v
			s.fail(s.i, "the type of %s has no name where the predicate is read, at the end of the procedure", spelling)
			return
		}
		s.known[spelling] = i
		s.q.names = append(s.q.names, name{spelling: spelling, v: v, decl: decl})
	}
	s.previous = "x"
	s.put(dollar(i), end)
}
