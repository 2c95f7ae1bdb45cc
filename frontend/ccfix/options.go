package ccfix

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/stubs"
	"c2bp/source"
)

// This file turns the options of a file, which are those of a compiler, into what cc needs:
// search paths, predefined macros, and directives in front of the text.

// Options are the options of one file that concern its text.
type Options struct {
	IncludePaths  []string // directories for #include, searched first
	Quote         []string // directories that #include "" looks into before them
	System        []string // directories with headers of a C library, searched before the built-in headers
	After         []string // directories that are searched after all others
	NoStandard    bool     // without the built-in headers
	Undefs        []string // macros that are not predefined
	Defines       []string // macros, "NAME", "NAME=VALUE" or "NAME(x)=VALUE"
	MacroIncludes []string // files of which the macros count, and nothing else, before the file
	PreIncludes   []string // files that are included, as with "", before the file
	Standard      string   // one of standards; "" means gnu17
	Optimize      string   // level, for the macros that tell it: "0", "1", "s" and so on; "" means 0
	MSExtensions  bool     // with -fms-extensions
	Language      string   // languageByName, languageC or languagePreprocessed
	Bits32        bool     // int, long and pointers of 32 bits instead of LP64
	UnsignedChar  bool     // char is unsigned
	ShortWchar    bool     // wchar_t is unsigned short

	// ReadFile reads include files; nil means that they are read from the disk.
	ReadFile func(name string) ([]byte, error)
}

// Languages of a file, see [compilerOptions].Language.
const (
	LanguageByName       = ""           // preprocessed if the name ends in .i, else C
	LanguageC            = "c"          // to be preprocessed
	LanguagePreprocessed = "cpp-output" // nothing in it is a macro, and it includes nothing
)

// Preprocessed reports whether the file called name is read as preprocessed text.
func (o Options) Preprocessed(name string) bool {
	return o.Language == LanguagePreprocessed || o.Language == LanguageByName && strings.HasSuffix(name, ".i")
}

// Standards returns the values of Options.Standard.
func Standards() []string {
	return []string{"gnu89", "gnu99", "gnu11", "gnu17", "c89", "iso9899:199409", "c99", "c11", "c17"}
}

// standardOf is the canonical name of the standard.
func (o Options) standard() string {
	if o.Standard == "" {
		return "gnu17"
	}
	return o.Standard
}

// strict reports whether the standard is one without GNU extensions.
func (o Options) strict() bool { return !strings.HasPrefix(o.standard(), "gnu") }

// versions are the values of __STDC_VERSION__; it is not defined by C89.
var versions = map[string]string{
	"iso9899:199409": "199409L", "99": "199901L", "11": "201112L", "17": "201710L",
}

// predefined returns the macros that gcc predefines with the options, as text: one directive a
// line.
func (o Options) predefined() string {
	var b strings.Builder
	define := func(name, value string) { fmt.Fprintf(&b, "#undef %s\n#define %[1]s %s\n", name, value) }
	// 1. The macros of the data model.
	b.WriteString(stubs.Predefined64)
	if o.Bits32 {
		b.Reset()
		b.WriteString(stubs.Predefined32)
	}
	// 2. Those that the standard changes.
	name := o.standard()
	year := strings.TrimPrefix(strings.TrimPrefix(name, "gnu"), "c")
	if year == "89" || year == "iso9899:199409" {
		b.WriteString("#undef __GNUC_STDC_INLINE__\n")
		define("__GNUC_GNU_INLINE__", "1")
	}
	if year == "89" || year == "iso9899:199409" || name == "c99" {
		b.WriteString("#undef __STDC_UTF_16__\n#undef __STDC_UTF_32__\n")
	}
	switch {
	case o.strict():
		define("__STRICT_ANSI__", "1")
	default:
		define("linux", "1")
		define("unix", "1")
		if o.Bits32 {
			define("i386", "1")
		}
	}
	// 3. Those that tell the level of optimisation, and the types of characters.
	switch o.Optimize {
	case "", "0":
		define("__NO_INLINE__", "1")
	case "g": // gcc inlines there, and defines no more than for the others
		define("__OPTIMIZE__", "1")
	case "s", "z":
		define("__OPTIMIZE__", "1")
		define("__OPTIMIZE_SIZE__", "1")
	default:
		define("__OPTIMIZE__", "1")
	}
	if o.UnsignedChar {
		define("__CHAR_UNSIGNED__", "1")
	}
	if o.ShortWchar {
		define("__WCHAR_TYPE__", "short unsigned int")
		define("__WCHAR_MAX__", "0xffff")
		define("__WCHAR_MIN__", "0")
		define("__WCHAR_WIDTH__", "16")
		define("__SIZEOF_WCHAR_T__", "2")
	}
	// 4. Those that cc reads in this text only; options may have changed them.
	text := b.String()
	standard := map[string]string{"__STDC_VERSION__": versions[year], "__STDC_HOSTED__": "1", "__STDC__": "1"}
	o.redefine(standard)
	text = standardMacro.ReplaceAllString(text, "")
	for _, name := range slices.Sorted(maps.Keys(standard)) {
		if v := standard[name]; v != "" {
			text += fmt.Sprintf("#define %s %s\n", name, v)
		}
	}
	return text
}

// standardMacro matches the definitions that cc takes from the predefined text only.
var standardMacro = regexp.MustCompile(`(?m)^#define (?:__STDC_VERSION__|__STDC_HOSTED__|__STDC__) .*\n`)

// redefine applies Undefs and Defines to macros, by name, that cc does not let a program undefine
// or define. A macro with an empty value is not defined.
func (o Options) redefine(macros map[string]string) {
	for _, name := range o.Undefs {
		if _, ok := macros[name]; ok {
			macros[name] = ""
		}
	}
	for _, d := range o.Defines {
		name, value, given := strings.Cut(d, "=")
		if _, ok := macros[name]; !ok {
			continue
		}
		if macros[name] = value; !given {
			macros[name] = "1"
		}
	}
}

var definition = regexp.MustCompile(`(?m)^#define (\w+)`)

// undefined returns directives that undefine the macros that text defines, but those that macros of
// the prelude are made of.
func undefined(text string) string {
	var prelude strings.Builder
	for _, line := range strings.Split(cc.Builtin+keywords+stubs.Builtins, "\n") {
		if strings.HasPrefix(line, "#define") {
			prelude.WriteString(line + "\n")
		}
	}
	var b strings.Builder
	for _, m := range definition.FindAllStringSubmatch(text, -1) {
		if !HasWord(prelude.String(), m[1]) {
			fmt.Fprintf(&b, "#undef %s\n", m[1])
		}
	}
	return b.String()
}

// searchPaths returns the directories that #include <> looks into, in order; #include "" looks
// into those of quote before. As with gcc, a directory counts where it is first, and one of
// the user's only as a system directory if it is both.
func (o Options) searchPaths() (quote, angle []string) {
	clean := func(list []string) (dirs []string) {
		for _, d := range list {
			dirs = append(dirs, path.Clean(d))
		}
		return dirs
	}
	system, after := clean(o.System), clean(o.After)
	if !o.NoStandard {
		system = append(system, stubDir)
	}
	system = append(system, after...)
	user := slices.DeleteFunc(clean(o.IncludePaths), func(d string) bool { return slices.Contains(system, d) })
	angle = unique(append(user, system...))
	if angle == nil {
		angle = []string{noDir} // cc looks for absolute paths, too, in each
	}
	return unique(clean(o.Quote)), angle
}

// noDir is no directory.
const noDir = "<none>"

// unique returns list without repetitions, each where it is first.
func unique(list []string) (kept []string) {
	for _, s := range list {
		if !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// commandName is the name of the text that the options put before a file.
const commandName = "<command line>"

// commandLine renders Undefs, Defines, MacroIncludes and PreIncludes as directives for the file
// name. Preprocessed text gets none of them: there the macros of the compiler are taken back.
func (p *Parser) commandLine(name string) string {
	if p.unit.Preprocessed(name) {
		return undefined(p.unit.predefined())
	}
	var b strings.Builder
	for _, name := range p.unit.Undefs {
		fmt.Fprintf(&b, "#undef %s\n", name)
	}
	for _, d := range p.unit.Defines {
		d, _, _ = strings.Cut(d, "\n") // as gcc does
		head, value, given := strings.Cut(d, "=")
		if !given {
			value = "1"
		}
		name, _, _ := strings.Cut(head, "(")
		fmt.Fprintf(&b, "#undef %s\n#define %s %s\n", name, head, value)
	}
	for _, name := range p.unit.MacroIncludes {
		fmt.Fprintf(&b, "#pragma %s\n#include \"%s\"\n#pragma %s\n", macrosPragma, name, macrosEndPragma)
	}
	for _, name := range p.unit.PreIncludes {
		fmt.Fprintf(&b, "#include \"%s\"\n", name)
	}
	return string(variadics(directives([]byte(b.String()), false)))
}

// trigraph matches a trigraph, which is another character in strict C.
var trigraph = regexp.MustCompile(`\?\?[=/'()!<>-]`)

// checkStandard refuses texts that mean something else in the strict standards than in GNU C.
// It panics with an error.
func (p *Parser) checkStandard(name string, text []byte) {
	if !p.unit.strict() {
		return
	}
	refuse := func(at []int, what string) {
		if at != nil {
			f := source.NewFile(name, text)
			panic(f.Errorf(f.Pos(at[0]), "not supported: %s with -std=%s", what, p.unit.standard()))
		}
	}
	refuse(trigraph.FindIndex(text), "a trigraph")
	if s := p.unit.standard(); s == "c89" || s == "iso9899:199409" {
		refuse(starComment.FindIndex(text), "//*, which is a division and a comment there,")
	}
}

var starComment = regexp.MustCompile(`//\*`)
