package ccflags

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"c2bp/frontend"
)

// This file goes through the flags of a command line.

// Line is a command line for one file, as far as it says how that is read. Flags that are added
// later prevail, as on a command line.
type Line struct {
	Unknown []string // flags that are neither known nor have any effect
	Files   []string // operands: the files to compile

	// The fields of file that are lists of macros, and those about the whole program, are set by
	// Options.
	file   frontend.Options
	bits   int      // 32 or 64, 0 if no flag says it
	macros []macro  // in order
	before []macro  // likewise, of flags: they come before all of those
	left   []string // Options.Unfollowed
	passed []string // of -Xpreprocessor
	dir    string   // in which the flags are given that are added now
}

// macro is -D or -U of name.
type macro struct {
	name, text string // text as in Options.Defines; "" undefines
}

// NewLine returns an empty command line.
func NewLine() *Line { return &Line{} }

// Add adds flags, words without the compiler's name, that were given in the directory dir, or in
// the current one if that is "". After an error some of them may have been added.
func (l *Line) Add(args []string, dir string) error {
	l.dir = dir
	e := &expander{dir: dir}
	args, err := e.expand(args)
	if err != nil {
		return err
	}
	for len(args) > 0 {
		used, err := l.flag(args)
		if err != nil {
			return err
		}
		args = args[used:]
	}
	// Flags of -Xpreprocessor are words of their own, -MD and its argument among them: all are
	// known only at the end.
	passed := l.passed
	l.passed = nil
	return l.preprocessor(passed)
}

// flag takes the first of args, and tells how many words that are: 2 for -I dir, 1 for -Idir.
func (l *Line) flag(args []string) (used int, err error) {
	arg := args[0]
	// 1. An operand; - is the standard input.
	if !strings.HasPrefix(arg, "-") || arg == "-" {
		l.Files = append(l.Files, arg)
		return 1, nil
	}
	// 2. A flag that only predefines macros.
	if list, ok := macros[arg]; ok {
		for _, m := range list {
			name, undefine := strings.CutPrefix(m, "-")
			if undefine {
				m = ""
			}
			name, _, _ = strings.Cut(name, "=")
			l.before = append(l.before, macro{name, m})
		}
		return 1, nil
	}
	// 3. A flag that says whether results out of range are defined.
	l.wrapping(arg)
	// 4. A flag that is refused, or is left out: of these, -Ofast still has a level.
	if err := whyRefused(arg); err != nil {
		return 0, err
	}
	if what := leftOut(arg); what != "" {
		if line := arg + ": " + what; !slices.Contains(l.left, line) {
			l.left = append(l.left, line)
		}
		// These are done; -Ofast is also a level of optimisation.
		if !strings.HasPrefix(arg, "-O") {
			return 1, nil
		}
	}
	// 5. A flag with a rule.
	r := find(slices.Concat(followed, harmless), arg)
	switch {
	case r == nil:
		// Flags of -f have no rules but a list.
		if !isHarmlessF(arg) && !isHarmlessAfterAll(arg) && !slices.Contains(l.Unknown, arg) {
			l.Unknown = append(l.Unknown, arg)
		}
		return 1, nil
	case r.arg == next || r.arg == either && arg == r.name:
		if len(args) < 2 {
			return 0, fmt.Errorf("%s needs an argument", arg)
		}
		return 2, l.take(r, args[1])
	}
	return 1, l.take(r, arg[len(r.name):])
}

// take applies the rule r to this argument. Its errors begin with the flag.
func (l *Line) take(r *rule, value string) error {
	if r.do == nil {
		return nil
	}
	if err := r.do(l, value); err != nil {
		return fmt.Errorf("%s%s: %w", r.name, value, err)
	}
	return nil
}

// directory adds a directory to list, a field of l.file.
func (l *Line) directory(list *[]string, name string) error {
	switch {
	case name == "":
		return errors.New("expected a directory")
	case strings.HasPrefix(name, "=") || strings.HasPrefix(name, "$SYSROOT"):
		return errors.New("directories under the root of --sysroot are not supported")
	}
	return l.path(list, name)
}

// include adds a file to list. As in gcc it is one of the directory in which the compiler runs, or
// else is looked for as by #include "".
//
//	-include config.h in /home/u/linux     /home/u/linux/config.h if it exists, else "config.h"
func (l *Line) include(list *[]string, name string) error {
	if name == "" {
		return errors.New("expected a file")
	}
	// A file of the directory of the command.
	if at := resolve(l.dir, name); l.dir != "" && !filepath.IsAbs(name) && exists(at) {
		return l.path(list, name)
	}
	if strings.ContainsAny(name, "\"\n"+unwanted) {
		return errors.New("such a name is not supported")
	}
	*list = append(*list, name)
	return nil
}

// unwanted are characters that the front end does not take, see package frontend.
const unwanted = "\x00⦂"

// path adds a file or directory to list, as seen from the current directory. Names that a directive
// cannot hold are refused.
func (l *Line) path(list *[]string, name string) error {
	if strings.ContainsAny(name, "\"\n"+unwanted) {
		return errors.New("such a name is not supported")
	}
	if l.dir != "" {
		name = below(resolve(l.dir, name))
	}
	*list = append(*list, name)
	return nil
}

// macroHead matches the text before = in -D: a name, and perhaps parameters.
var macroHead = regexp.MustCompile(`^([A-Za-z_$][A-Za-z0-9_$]*)(\([A-Za-z0-9_$., ]*\))?$`)

// define takes -D. The text becomes one line; all that would not be read as one definition there is
// refused: #define NAME VALUE.
func (l *Line) define(text string) error {
	text, _, _ = strings.Cut(text, "\n") // gcc does so
	head, value, _ := strings.Cut(text, "=")
	m := macroHead.FindStringSubmatch(head)
	switch {
	case m == nil:
		return errors.New("expected NAME, NAME=VALUE or NAME(x)=VALUE")
	case strings.ContainsAny(value, unwanted):
		return errors.New("such a value is not supported")
	case m[1] == "defined":
		return errors.New("this is no name of a macro")
	case strings.HasSuffix(strings.TrimRight(value, " \t\r\f\v"), `\`):
		return errors.New("a backslash at the end")
	case openComment(value):
		return errors.New("a comment that does not end")
	}
	l.macros = append(l.macros, macro{m[1], text})
	return nil
}

// openComment reports whether a comment starts in text and does not end there. Between quotes no
// comment starts, and one with // ends with the line.
func openComment(text string) bool {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != 0:
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		// It ends with the line, and text has one line.
		case strings.HasPrefix(text[i:], "//"):
			return false
		case strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i+2:], "*/")
			if n < 0 {
				return true
			}
			i += n + 3
		}
	}
	return false
}

// undefine takes -U, whose name has no parameters.
func (l *Line) undefine(name string) error {
	if m := macroHead.FindStringSubmatch(name); m == nil || m[2] != "" || name == "defined" {
		return errors.New("expected the name of a macro")
	}
	l.macros = append(l.macros, macro{name, ""})
	return nil
}

// sameStandards are other names of the standards.
var sameStandards = map[string]string{
	"c90": "c89", "iso9899:1990": "c89", "gnu90": "gnu89", "c9x": "c99", "iso9899:1999": "c99", "iso9899:199x": "c99",
	"gnu9x": "gnu99", "c1x": "c11", "iso9899:2011": "c11", "gnu1x": "gnu11", "c18": "c17", "iso9899:2017": "c17",
	"iso9899:2018": "c17", "gnu18": "gnu17",
}

// standard takes -std. Of several names of one standard the options get one.
func (l *Line) standard(name string) error {
	if s, ok := sameStandards[name]; ok {
		name = s
	}
	if !slices.Contains(frontend.Standards(), name) {
		return fmt.Errorf("this standard is not supported; expected one of %s", strings.Join(frontend.Standards(), ", "))
	}
	l.file.Standard = name
	return nil
}

// optimize takes -O. Levels above 3 are 3, as in gcc; -O is -O1.
func (l *Line) optimize(level string) error {
	switch level {
	case "":
		level = "1"
	case "fast", "s", "g", "z":
	default:
		if strings.Trim(level, "0123456789") != "" {
			return errors.New("expected a number, s, g or fast")
		}
		// As a number: -O02 is -O2.
		if level = strings.TrimLeft(level, "0"); level == "" {
			level = "0"
		} else if level > "3" || len(level) > 1 {
			level = "3"
		}
	}
	l.file.Optimize = level
	return nil
}

// language takes -x. It counts for the files after it; here a command line is about one file.
func (l *Line) language(name string) error {
	switch name {
	case "c":
		l.file.Language = frontend.LanguageC
	case "cpp-output":
		l.file.Language = frontend.LanguagePreprocessed
	case "none":
		l.file.Language = frontend.LanguageByName
	default:
		return errors.New("expected c, cpp-output or none: other languages are not read")
	}
	return nil
}

// preprocessor takes the flags that -Wp gives the preprocessor itself, where -MD has an argument:
// -Wp,-MMD,foo.d.
func (l *Line) preprocessor(args []string) error {
	for len(args) > 0 {
		if slices.Contains([]string{"-MD", "-MMD"}, args[0]) {
			args = args[min(2, len(args)):]
			continue
		}
		used, err := l.flag(args)
		if err != nil {
			return err
		}
		args = args[used:]
	}
	return nil
}

// target takes clang's name of a platform, x86_64-linux-gnu. A flag such as -m32 that came before
// it prevails.
func (l *Line) target(triple string) error {
	arch, _, _ := strings.Cut(triple, "-")
	switch bits := bitsOf(arch); {
	case bits == 0:
		return errors.New("another processor than x86 is not supported")
	case l.bits == 0:
		l.bits = bits
	}
	return nil
}

// x86 matches names of the processor with 32 bits.
var x86 = regexp.MustCompile(`^i[3-7]86$`)

// bitsOf returns the width of the processor arch in the name of a platform, 0 if it is not x86: 32
// for i686.
func bitsOf(arch string) int {
	switch {
	case arch == "x86_64" || arch == "amd64":
		return 64
	case x86.MatchString(arch):
		return 32
	}
	return 0
}

// wrapping notes a flag that says whether signed numbers and addresses wrap around, as gcc reads it.
func (l *Line) wrapping(arg string) {
	f := &l.file
	switch arg {
	case "-fwrapv", "-fno-wrapv":
		f.NumbersWrap = arg == "-fwrapv"
	case "-fwrapv-pointer", "-fno-wrapv-pointer":
		f.Strays = arg == "-fwrapv-pointer"
	case "-fno-strict-overflow", "-fstrict-overflow":
		f.NumbersWrap = arg == "-fno-strict-overflow"
		f.Strays = f.NumbersWrap
	}
}

// Options returns the options that the command line sets. Of the fields that are not about one file
// only Bits32, UnsignedChar, ShortWchar, NumbersWrap, Strays and Unfollowed are set. Of each macro the last definition
// counts, and a last -U undefines a predefined one.
func (l *Line) Options() frontend.Options {
	o := l.file
	o.Bits32, o.Unfollowed = l.bits == 32, l.left
	// The last definition of each name counts.
	last := map[string]int{}
	all := slices.Concat(l.before, l.macros)
	for i, m := range all {
		last[m.name] = i
	}
	for i, m := range all {
		switch {
		case last[m.name] != i:
		case m.text == "":
			o.Undefs = append(o.Undefs, m.name)
		default:
			// A macro of the command line replaces a predefined one.
			o.Defines = append(o.Defines, m.text)
		}
	}
	return o
}

// Bits returns the word size that a flag asks for, 32 or 64, or 0.
func (l *Line) Bits() int { return l.bits }

// IgnoredIfPreprocessed returns the flags of the command line without effect on a preprocessed
// file, each once and without its argument.
func (l *Line) IgnoredIfPreprocessed() (flags []string) {
	o := l.Options()
	for _, x := range []struct {
		flag string
		list []string
	}{
		{"-I", o.IncludePaths}, {"-iquote", o.Quote}, {"-isystem", o.System}, {"-idirafter", o.After}, {"-imacros", o.MacroIncludes},
		{"-include", o.PreIncludes}, {"-D", o.Defines}, {"-U", o.Undefs},
	} {
		if len(x.list) > 0 {
			flags = append(flags, x.flag)
		}
	}
	if o.NoStandard {
		flags = append(flags, "-nostdinc")
	}
	return flags
}
