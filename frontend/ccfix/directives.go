package ccfix

import (
	"bytes"
	"regexp"
)

// This file looks after preprocessing directives that cc passes over in silence. #elifdef and
// #elifndef are spelt in older words. The others are refused: #embed, which would give an
// array its elements, and #import. Each becomes a pragma, which cc tells us about unless it
// is in a part of the text that is skipped.

// directivePragma is in front of the directive's name.
const directivePragma = "c2bp_directive"

var directiveName = regexp.MustCompile(`^([ \t]*#[ \t]*)([A-Za-z_][A-Za-z0-9_]*)`)

// isDirective reports whether cc knows the directive name, or it means nothing to a program, as
// #ident.
func isDirective(name string) bool {
	switch name {
	case "if", "ifdef", "ifndef", "elif", "else", "endif", "include", "include_next",
		"define", "undef", "line", "error", "warning", "pragma", "ident", "sccs", "assert", "unassert":
		return true
	}
	return false
}

// inWords returns a directive of C23 in words that cc knows: #elifdef X is #elif defined X.
func inWords(name string) (words string, ok bool) {
	switch name {
	case "elifdef":
		return "elif defined", true
	case "elifndef":
		return "elif !defined", true
	}
	return "", false
}

// inPreprocessed reports whether gcc takes the directive name in preprocessed text.
func inPreprocessed(name string) bool {
	switch name {
	case "line", "pragma", "ident", "sccs":
		return true
	}
	return false
}

// absoluteInclude matches the beginning of a directive that names a file by its absolute path, up to
// the first slash of that.
var absoluteInclude = regexp.MustCompile(`^[ \t]*#[ \t]*include(?:_next)?[ \t]*["<]/|__has_include(?:_next)?[ \t]*\([ \t]*["<]/`)

// directives returns text with pragmas in the place of directives that nobody knows. A line
// that continues another one is no directive: #x in a macro of several lines. In preprocessed
// text macros are defined by gcc -g3, but none is expanded: these lines are blanked. Absolute
// paths get a name under rootDir, as cc would put a directory in front of them.
func directives(text []byte, preprocessed bool) []byte {
	if bytes.IndexByte(text, '#') < 0 {
		return text
	}
	var out []byte // what is done of the text, up to done
	done, continues := 0, false
	for start := 0; start < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := text[start:end]
		// A line that continues another one is passed over.
		if !continues {
			m := directiveName.FindSubmatchIndex(line)
			name := ""
			if m != nil {
				name = string(line[m[4]:m[5]])
			}
			// Absolute paths get the root that realName takes off again.
			if m != nil && !preprocessed && isDirective(name) {
				for _, m := range absoluteInclude.FindAllIndex(line, -1) {
					slash := start + m[1] - 1
					out = append(append(out, text[done:slash]...), rootDir...)
					done = slash
				}
			}
			// The directive is kept, blanked, spelt in older words, or made a pragma.
			switch {
			case m == nil:
			case preprocessed && (name == "define" || name == "undef"):
				out = append(out, text[done:start]...)
				out = append(out, bytes.Repeat([]byte(" "), len(bytes.TrimRight(line, "\r\n")))...)
				done = start + len(bytes.TrimRight(line, "\r\n"))
			case preprocessed && !inPreprocessed(name), !isDirective(name):
				out = append(out, text[done:start+m[4]]...)
				done = start + m[4]
				if words, ok := inWords(name); ok && !preprocessed {
					out = append(out, words...)
					done = start + m[5]
				} else {
					out = append(out, "pragma "+directivePragma+" "...)
				}
			}
		}
		continues = bytes.HasSuffix(bytes.TrimRight(line, "\r\n"), []byte("\\"))
		start = end
	}
	if out == nil {
		return text
	}
	return append(out, text[done:]...)
}
