package frontend

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"c2bp/source"
)

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
