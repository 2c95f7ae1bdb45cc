package ccfix

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"c2bp/frontend/stubs"
)

// This file makes the prelude of every translation unit: the built-in functions of gcc. Reading
// all of it takes longer than reading a small program, so what a program cannot mention is left
// out, where all of its text is in sight: it includes nothing but the embedded headers, and
// pastes no tokens.

// builtins returns the prelude of a translation unit with the given texts, as cc gets them, without
// the functions that the source own declares itself. If the texts may mention names that are not in
// them, it has all others.
func (p *Parser) builtins(own []byte, texts ...string) string {
	// 1. Collect the names that the texts mention, unless they may mention others.
	declared := declaredBuiltins(own)
	names, all := map[string]bool{}, !p.onlyStubs()
	for _, text := range texts {
		// Then every line is kept.
		if all = all || opaque(text); all {
			break
		}
		mention(names, text)
		for _, m := range included.FindAllStringSubmatch(text, -1) {
			mentionedBy(names, m[1], map[string]bool{})
		}
	}
	var kept strings.Builder
	keep := func(line string) {
		kept.WriteString(line)
		kept.WriteByte('\n')
	}
	lines := preludeLines()
	// 2. Add the names that their lines mention, up to a fixpoint.
	if !all {
		for again := true; again; { // macros mention others
			again = false
			for _, l := range lines {
				if l.name != "" && !names[l.name] {
					continue
				}
				for _, name := range l.mentions {
					if !names[name] {
						names[name], again = true, true
					}
				}
			}
		}
	}
	// 3. Keep the lines of these names.
	for _, l := range lines {
		if l.name == "" || (all || names[l.name]) && !declared[l.builtin] {
			keep(l.text)
		}
	}
	return strings.TrimSuffix(kept.String(), "\n")
}

// preludeLine is a line of the prelude.
type preludeLine struct {
	text     string
	builtin  string   // the built-in function that it declares or defines, if it is one
	name     string   // that, or the name without which it is of no use; "" if it always is
	mentions []string // of those names
}

// preludeLines returns the lines of the whole prelude, in order. They are the same for all
// programs.
var preludeLines = sync.OnceValue(func() (list []preludeLine) {
	for _, line := range strings.Split(cc.Builtin+keywords+stubs.Builtins, "\n") {
		l := preludeLine{text: line}
		if m := builtinName.FindStringSubmatch(line); m != nil {
			l.builtin, l.name = m[1], m[1]
		} else if strings.HasPrefix(line, "#define "+attributePrefix) || strings.HasPrefix(line, "#define "+hasAttribute) {
			l.name = hasAttribute
		}
		names := map[string]bool{}
		if !strings.HasPrefix(line, "/*") {
			mention(names, line)
		}
		l.mentions = slices.Sorted(maps.Keys(names))
		list = append(list, l)
	}
	return list
})

// The macros that say which attributes there are.
const (
	hasAttribute    = "__has_attribute"
	attributePrefix = "__c2bp_attribute_"
)

// preludeName matches the names of which lines of the prelude may be left out.
var preludeName = regexp.MustCompile(`__(?:builtin|sync|atomic)_\w+|\b__has_attribute\b|__c2bp_attribute_`)

// mention adds the names in text of which lines of the prelude may be left out.
func mention(names map[string]bool, text string) {
	if !strings.Contains(text, "__") {
		return
	}
	for _, name := range preludeName.FindAllString(text, -1) {
		if name == attributePrefix {
			name = hasAttribute
		}
		names[name] = true
	}
}

// mentionedBy adds those in an embedded header and in the headers that it includes; seen has the
// headers that were looked at.
func mentionedBy(names map[string]bool, header string, seen map[string]bool) {
	text, err := stubs.Include.ReadFile("include/" + header)
	if err != nil || seen[header] {
		return
	}
	seen[header] = true
	mention(names, string(text))
	for _, m := range included.FindAllStringSubmatch(string(text), -1) {
		mentionedBy(names, m[1], seen)
	}
}

// onlyStubs reports whether <headers> are the embedded ones: no option names another directory.
func (p *Parser) onlyStubs() bool {
	quote, angle := p.unit.searchPaths()
	return len(quote) == 0 && len(angle) == 1 && angle[0] == stubDir
}

// included matches the directive that includes an embedded header.
var included = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<([\w/.]+)>`)

// opaque reports whether a text may mention names that are not seen in it: in a file that it
// includes, by pasting tokens, or by a line that goes on in the next. It may say so of a text that
// mentions no others.
func opaque(text string) bool {
	for _, s := range []string{"##", "%:", "??", `\u`, `\U`, "\\\n", "\\\r", "\\ ", "\\\t"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	stubbed := 0
	for _, m := range included.FindAllStringSubmatch(text, -1) {
		f, err := stubs.Include.Open("include/" + m[1])
		if err != nil {
			return true
		}
		f.Close()
		stubbed++
	}
	return bytes.Count([]byte(text), []byte("include")) > stubbed || strings.Contains(text, "import") || strings.Contains(text, "embed")
}
