package zing

import (
	"slices"
	"strings"
)

// This file reads preprocessor lines, as in C#: #define and #undef say which symbols are defined,
// and #if, #elif, #else and #endif leave out text. #error is an error; #line, #warning, #region and
// #endregion mean nothing.

// directives is the state of the preprocessor.
type directives struct {
	defined map[string]bool
	open    []conditional // inner ones after outer ones
}

// conditional is an #if whose #endif has not come.
type conditional struct {
	off        int
	taken      bool // a part of it has been read
	reading    bool // the present part is read
	elseBefore bool // the #else has come
}

// reading reports whether text is read here, and not left out.
func (d *directives) reading() bool {
	return !slices.ContainsFunc(d.open, func(c conditional) bool { return !c.reading })
}

// atEnd reports conditionals that are open at the end of the file.
func (d *directives) atEnd(l *lexer) {
	for _, c := range d.open {
		l.report(c.off, `this "#if" is not closed: expected "#endif" before the end of the file`)
	}
	d.open = nil
}

// directive reads the preprocessor line at l.off, and the lines after it that it leaves out.
func (l *lexer) directive() {
	for {
		l.directiveLine()
		if l.directives.reading() {
			return
		}
		// Find the next directive.
		for {
			rest := l.text[l.off:]
			n := lineLength(rest)
			if strings.HasPrefix(strings.TrimSpace(string(rest[:n])), "#") {
				l.off += strings.IndexByte(string(rest[:n]), '#')
				break
			}
			if l.off += n + newline(rest[n:]); l.off == len(l.text) {
				return
			}
		}
	}
}

// directiveLine obeys the preprocessor line at l.off and steps to its end.
func (l *lexer) directiveLine() {
	off := l.off
	line := string(l.text[off : off+lineLength(l.text[off:])])
	l.off += len(line)
	line, _, _ = strings.Cut(line, "//")
	body := strings.TrimSpace(line[1:])
	word, rest := body, ""
	if n := strings.IndexFunc(body, func(r rune) bool { return !isLetter(r) }); n >= 0 {
		word, rest = body[:n], strings.TrimSpace(body[n:])
	}
	d := &l.directives
	switch word {
	case "if":
		d.open = append(d.open, conditional{off: off})
		l.branch(off, rest)
	case "elif", "else", "endif":
		l.alternative(off, word, rest)
	case "define", "undef":
		switch {
		case !d.reading():
		case !isWord(rest):
			l.report(off, "expected one name after #%s", word)
		default:
			if d.defined == nil {
				d.defined = map[string]bool{}
			}
			d.defined[rest] = word == "define"
		}
	case "error":
		if d.reading() {
			l.report(off, "#error %s", rest)
		}
	case "line", "warning", "region", "endregion":
	default:
		if d.reading() {
			l.report(off, "there is no preprocessor line #%s", word)
		}
	}
}

// branch starts the part after #if or #elif with a condition.
func (l *lexer) branch(off int, condition string) {
	d := &l.directives
	c := &d.open[len(d.open)-1]
	e := condExpr{rest: condition, defined: d.defined}
	holds := e.or()
	if e.space(); e.bad || e.rest != "" {
		l.report(off, "this is not a condition of symbols with &&, ||, !, ==, != and parentheses")
	}
	c.reading = holds && !c.taken
	c.taken = c.taken || holds
}

// alternative obeys #elif, #else or #endif.
func (l *lexer) alternative(off int, word, rest string) {
	d := &l.directives
	if len(d.open) == 0 {
		l.report(off, `there is no "#if" before this #%s`, word)
		return
	}
	c := &d.open[len(d.open)-1]
	if word != "endif" && c.elseBefore {
		l.report(off, `#%s after the "#else"`, word)
	}
	switch word {
	case "elif":
		l.branch(off, rest)
	case "else":
		c.reading, c.taken, c.elseBefore = !c.taken, true, true
	case "endif":
		d.open = d.open[:len(d.open)-1]
	}
}

// isWord reports whether text is a name.
func isWord(text string) bool {
	l := lexer{text: []byte(text)}
	return text != "" && !isDigit(l.text, 0) && l.word() == text
}

// condExpr evaluates the condition of an #if by recursive descent.
type condExpr struct {
	rest    string
	defined map[string]bool
	bad     bool
}

func (e *condExpr) space() { e.rest = strings.TrimLeft(e.rest, " \t\v\f") }

// accept steps over text, and reports whether it is there.
func (e *condExpr) accept(text string) bool {
	e.space()
	rest, found := strings.CutPrefix(e.rest, text)
	e.rest = rest
	return found
}

func (e *condExpr) or() bool {
	v := e.and()
	for e.accept("||") {
		w := e.and()
		v = v || w
	}
	return v
}

func (e *condExpr) and() bool {
	v := e.equal()
	for e.accept("&&") {
		w := e.equal()
		v = v && w
	}
	return v
}

func (e *condExpr) equal() bool {
	v := e.unary()
	for {
		switch {
		case e.accept("=="):
			v = v == e.unary()
		case e.accept("!="):
			v = v != e.unary()
		default:
			return v
		}
	}
}

func (e *condExpr) unary() bool {
	// Negations in a row are counted, so that recursion follows parentheses only.
	negated := false
	for e.accept("!") {
		negated = !negated
	}
	return e.primary() != negated
}

func (e *condExpr) primary() bool {
	if e.accept("(") {
		v := e.or()
		e.bad = !e.accept(")") || e.bad
		return v
	}
	e.space()
	l := lexer{text: []byte(e.rest)}
	word := l.word()
	e.rest = e.rest[len(word):]
	e.bad = e.bad || !isWord(word)
	return word == "true" || word != "false" && e.defined[word]
}
