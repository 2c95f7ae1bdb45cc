package ccfix

import (
	"bytes"
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/stubs"
)

// This file knows which built-in functions of gcc a source declares; see prelude.go.

// builtinName matches a line of the prelude that declares or defines a built-in function.
var builtinName = regexp.MustCompile(`^(?:#define |[^#(]*\b)(__(?:builtin|sync|atomic)_\w+) ?\(`)

// IsBuiltinName reports whether name is reserved for built-in functions.
func IsBuiltinName(name string) bool {
	return strings.HasPrefix(name, "__builtin_") || strings.HasPrefix(name, "__sync_") || strings.HasPrefix(name, "__atomic_")
}

// declaredBuiltins returns the built-in functions that text declares, at file scope, as name()
// after a type or as (name)(); a macro of the prelude is not meant there. It may be nil.
func declaredBuiltins(text []byte) map[string]bool {
	if !bytes.Contains(text, []byte("__builtin_")) && !bytes.Contains(text, []byte("__sync_")) && !bytes.Contains(text, []byte("__atomic_")) {
		return nil
	}
	// Macros are no declarations.
	text = withoutDirectives(text)
	toks, _ := lex(text)
	names := map[string]bool{}
	kind := func(i int) byte {
		if i < 0 || i >= len(toks) {
			return 0
		}
		return toks[i].kind
	}
	// Follow the depth of brackets, and whether an initialiser has begun.
	depth, initialiser := 0, false
	for i, t := range toks {
		switch t.kind {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth = max(depth-1, 0)
		case '=':
			initialiser = true
		case ';':
			initialiser = false
		case 'i':
			name := string(text[t.start:t.end])
			switch {
			// A call in an initialiser is no declaration.
			case initialiser || !IsBuiltinName(name):
			// A name after a type or a star at file scope, or alone in parentheses.
			case depth == 0 && kind(i+1) == '(' && (kind(i-1) == 'i' || kind(i-1) == '*'),
				depth == 1 && kind(i+1) == ')' && kind(i-1) == '(' && strings.HasPrefix(name, "__builtin_"):
				names[name] = true
			}
		}
	}
	return names
}

// withoutDirectives blanks the directives in text, a copy of which it returns.
func withoutDirectives(text []byte) []byte {
	text = bytes.Clone(text)
	for start := 0; start < len(text); {
		hash, end := directive(text, start)
		for i := hash; i >= 0 && i < end; i++ {
			text[i] = ' '
		}
		start = end + 1
	}
	return text
}

// HasBuiltin decides the preprocessor's __has_builtin: the prelude declares it, or the front end
// knows it without.
func HasBuiltin(name string) bool {
	switch name {
	case "__builtin_constant_p", "__builtin_choose_expr", "__builtin_va_arg":
		return true
	}
	for _, text := range []string{cc.Builtin, keywords, stubs.Builtins} {
		if HasWord(text, name) {
			return true
		}
	}
	return false
}
