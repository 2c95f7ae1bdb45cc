package frontend

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/source"
)

// TestPredefined compares the predefined macros with gcc's, for all that changes them.
func TestPredefined(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc to compare with")
	}
	if n := comparePredefined(t, func(o Options) string { return o.predefined() }, true); n > 0 {
		t.Errorf("%d macros differ", n)
	}
	// A mistake is noticed.
	wrong := func(o Options) string { o.Standard = ""; return o.predefined() }
	if n := comparePredefined(t, wrong, false); n == 0 {
		t.Error("it is not noticed that a standard has no effect")
	}
}

// different are macros that are not gcc 12's here: those of an older gcc, and numbers in other words.
var different = regexp.MustCompile(`^__(GNUC|GNUC_MINOR)__$|_MAX__$|_MIN__$`)

// told are macros that tell the options: all of them are to be here that gcc has.
var told = []string{
	"__OPTIMIZE__", "__OPTIMIZE_SIZE__", "__NO_INLINE__", "__STRICT_ANSI__", "__STDC_VERSION__", "__STDC_HOSTED__", "linux", "unix", "i386",
	"__GNUC_GNU_INLINE__", "__GNUC_STDC_INLINE__", "__CHAR_UNSIGNED__", "__STDC_UTF_16__", "__STDC_UTF_32__", "__WCHAR_TYPE__", "__linux__",
}

// comparePredefined returns how many macros of ours differ from gcc's.
func comparePredefined(t *testing.T, ours func(Options) string, report bool) (n int) {
	for i, standard := range append(Standards(), "", "", "", "") {
		o := Options{Standard: standard, Bits32: i%3 == 1, Optimize: []string{"", "0", "1", "2", "3", "s", "g"}[i%7], UnsignedChar: i%4 == 1, ShortWchar: i%5 < 2}
		flags := []string{"-dM", "-E", "-x", "c", "/dev/null"}
		for _, f := range []struct {
			on   bool
			flag string
		}{
			{standard != "", "-std=" + standard}, {o.Bits32, "-m32"}, {o.Optimize != "", "-O" + o.Optimize},
			{o.UnsignedChar, "-funsigned-char"}, {o.ShortWchar, "-fshort-wchar"},
		} {
			if f.on {
				flags = append(flags, f.flag)
			}
		}
		out, err := exec.Command("gcc", flags...).Output()
		if err != nil {
			t.Fatalf("gcc %v: %v", flags, err)
		}
		theirs, have := macroTable(string(out)), macroTable(ours(o))
		for name, value := range have {
			if want, ok := theirs[name]; different.MatchString(name) && ok || value == want {
				continue
			}
			if n++; report {
				t.Errorf("gcc %v: %s is %q, want %q", flags, name, value, theirs[name])
			}
		}
		for _, name := range told {
			if _, ok := theirs[name]; ok && have[name] == "" {
				if n++; report {
					t.Errorf("gcc %v: %s is not defined", flags, name)
				}
			}
		}
	}
	return n
}

var macroLine = regexp.MustCompile(`^#(define|undef) (\w+(?:\(\w+\))?) ?(.*)$`)

// macroTable are the macros that are defined after the directives in text.
func macroTable(text string) map[string]string {
	table := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		switch m := macroLine.FindStringSubmatch(line); {
		case m == nil:
		case m[1] == "undef":
			delete(table, m[2])
		default:
			table[m[2]] = m[3]
		}
	}
	return table
}

// TestSearchPaths: each directory counts once, where gcc has it.
func TestSearchPaths(t *testing.T) {
	quote, angle := Options{
		IncludePaths: []string{"a", "b/", "a", "sys", "last"}, Quote: []string{"q", "q"}, System: []string{"./sys"}, After: []string{"last"},
	}.searchPaths()
	if want := []string{"a", "b", "sys", stubDir, "last"}; !slices.Equal(quote, []string{"q"}) || !slices.Equal(angle, want) {
		t.Errorf("got %q and %q, want [q] and %q", quote, angle, want)
	}
	if _, angle := (Options{NoStandard: true}).searchPaths(); !slices.Equal(angle, []string{noDir}) {
		t.Errorf("without standard headers: %q", angle)
	}
}

// TestDialects: what the options say of the text is what it means, or an error says so.
func TestDialects(t *testing.T) {
	files := map[string]string{
		"/abs/x.h":   "#include \"y.h\"\n#define X Y\n",
		"/abs/y.h":   "#define Y 7\n",
		"q/h.h":      "int q = 1;\n",
		"i/h.h":      "int i = 1;\n",
		"late/h.h":   "int late = 1;\n",
		"macros.h":   "#ifndef M\n#define M 3\nint m(void) { return undeclared; }\n#include <h.h>\n#pragma pack(1)\n#endif\n",
		"noguard.h":  "#define N 4\nint n;\n",
		"comment.h":  "/* a\n#define INSIDE 1\n*/ #define OUTSIDE 1 /* b\n*/\n\"unbalanced {\"\n",
		"sub/dir.h":  "#include \"../macros.h\"\n",
		"stddef.h":   "#error the wrong one\n",
		"std/std.h":  "#include_next <std.h>\n",
		"next/std.h": "int next = 1;\n",
	}
	read := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("no such file")
	}
	for _, c := range []struct {
		name, file, text string
		opts             Options
		want             string // part of the errors
	}{
		{"absolute", "a.c", "#include \"/abs/x.h\"\n#include </abs/y.h>\nint a[X - 6 + Y - 7];", Options{}, ""},
		{"absolute, without directories", "a.c", "#include </abs/y.h>\nint y = Y;", Options{NoStandard: true}, ""},
		{"absolute, missing", "a.c", "#include \"/abs/z.h\"", Options{}, `a.c:1:10: error: include file not found: "/abs/z.h"`},
		{"absolute, asked for", "a.c", "#if !__has_include(\"/abs/x.h\") || __has_include(</abs/z.h>)\n#error\n#endif", Options{}, ""},
		{"absolute, first", "a.c", "int x = X;", Options{PreIncludes: []string{"/abs/x.h"}}, ""},
		{"quote", "a.c", "#include \"h.h\"\nint x = sizeof q;", Options{Quote: []string{"q"}, IncludePaths: []string{"i"}}, ""},
		{"not quote", "a.c", "#include <h.h>\nint x = sizeof i;", Options{Quote: []string{"q"}, IncludePaths: []string{"i"}}, ""},
		{"after", "a.c", "#include <h.h>\n#include <stddef.h>\nsize_t x = sizeof late;", Options{After: []string{"late", ""}}, ""},
		{"next", "a.c", "#include <std.h>\nint x = sizeof next;", Options{IncludePaths: []string{"std"}, After: []string{"next"}}, ""},
		{"no standard headers", "a.c", "#include <stddef.h>", Options{NoStandard: true}, "include file not found"},
		{"macros", "a.c", "int x = M;\n#include \"macros.h\"", Options{MacroIncludes: []string{"macros.h"}, IncludePaths: []string{"i"}}, ""},
		{"macros of a file below", "a.c", "int x = M;", Options{MacroIncludes: []string{"sub/dir.h"}, IncludePaths: []string{"i"}}, ""},
		{"macros, then all", "a.c", "#include \"noguard.h\"", Options{MacroIncludes: []string{"noguard.h"}}, "noguard.h is included, and its macros by -imacros before"},
		{"comments between macros", "a.c", "#if defined INSIDE || !defined OUTSIDE\n#error\n#endif", Options{MacroIncludes: []string{"comment.h"}}, ""},
		{"parameters", "a.c", "int a[F(1, 2) == 3 ? 1 : -1];", Options{Defines: []string{"F(a, b)=a + b"}}, ""},
		{"a string", "a.c", "int a[sizeof S == 2 ? 1 : -1];", Options{Defines: []string{`S="x"`}}, ""},
		{"a predefined macro", "a.c", "#if __CHAR_BIT__ != 9 || defined __linux__ || __STDC_HOSTED__ || defined __STDC_VERSION__\n#error\n#endif", Options{Defines: []string{"__CHAR_BIT__=9", "__STDC_HOSTED__=0"}, Undefs: []string{"__linux__", "__STDC_VERSION__"}}, ""},
		{"C89", "a.c", "#ifdef __STDC_VERSION__\n#error\n#endif", Options{Standard: "c89"}, ""},
		{"trigraph", "a.c", "char s[] = \"??/n\";", Options{Standard: "c11"}, "a.c:1:13: error: not supported: a trigraph with -std=c11"},
		{"no trigraph", "a.c", "char s[] = \"??/n\"; int a[sizeof s == 5 ? 1 : -1];", Options{}, ""},
		{"star comment", "a.c", "int x = 6 //* a */ 2\n;", Options{Standard: "c89"}, "not supported: //*"},
		{"macros are names", "a.i", "int linux, unix, __linux__, __STDC_VERSION__, __NO_INLINE__;", Options{}, ""},
		{"macros are names, and options do not count", "a.i", "int x, y;", Options{Defines: []string{"x=1"}, PreIncludes: []string{"none.h"}}, ""},
		{"macros are macros", "a.c", "int linux;", Options{}, "unexpected integer constant"},
		{"definitions are not", "a.i", "# 1 \"b.c\"\n#define x 3\n#undef x\nint x;", Options{}, ""},
		{"no includes", "a.i", "# 1 \"b.c\"\n\n#include \"h.h\"\nint x;", Options{}, "b.c:2:9: error: the directive #include is not supported in a preprocessed file"},
		{"no conditions", "a.i", "#if 1\nint x;\n#endif\n", Options{}, "a.i:1:9: error: the directive #if is not supported in a preprocessed file"},
		{"pragmas are", "a.i", "#pragma pack(1)\nstruct s { char c; int i; }; int a[sizeof(struct s) == 5 ? 1 : -1];", Options{}, ""},
		{"C in spite of the name", "a.i", "#define N 1\nint a[N];", Options{Language: LanguageC}, ""},
		{"preprocessed in spite of the name", "a.c", "#define N 1\nint N;", Options{Language: LanguagePreprocessed}, ""},
		{"a member without a name", "a.c", "struct t { int a; };\nstruct s { struct t; int b; };", Options{MSExtensions: true}, "a.c:2:12: error: not supported: a member without a name"},
		{"a member of a typedef", "a.c", "typedef struct { int a; } t;\nstruct s { int b; t; };", Options{MSExtensions: true}, "a.c:2:19: error: not supported: a member without a name"},
		{"a member with a tag", "a.c", "struct s { union u { int a; }; int b; };", Options{MSExtensions: true}, "a.c:1:12: error: not supported: a member without a name"},
		{"members of C", "a.c", "struct s { union { int a; }; struct { int c; }; enum { K }; _Static_assert(1, \"\"); int b, : 3; };", Options{MSExtensions: true}, ""},
		{"no member", "a.c", "struct t { int a; };\nstruct s { struct t; int b; }; int x[sizeof(struct s) == 4 ? 1 : -1];", Options{}, ""},
		{"a file of its own", "a.c", "#if defined A && !defined B\n#else\n#error\n#endif", Options{Defines: []string{"B"}, Files: map[string]Options{"a.c": {Defines: []string{"A"}}}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opts.ReadFile = read
			file := source.NewFile(c.file, []byte(c.text+"\nint main(void) { return 0; }\n"))
			_, err := Load(context.Background(), []*source.File{file}, c.opts)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %.300s\nwant %s", got, c.want)
			}
		})
	}
}
