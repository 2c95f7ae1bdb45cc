package ccfix

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
	"c2bp/source"
)

// TestInternals: the structs of internals.go have the first fields of those of cc, in their order.
func TestInternals(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "modernc.org/cc/v4").Output()
	if err != nil {
		t.Fatal(err)
	}
	cc := structsOf(t, filepath.Join(strings.TrimSpace(string(dir)), "parser.go"), filepath.Join(strings.TrimSpace(string(dir)), "cpp.go"))
	// The words of one that stand for the same type in the other.
	spelling := strings.NewReplacer("cc.", "", "interface{}", "any", "ccPreprocessor", "cpp", "ccTokenizer", "tokenizer", "ccToken", "cppToken",
		"hideSet", "map[string]struct{}", "cppTokens", "[]cppToken", "errHandler", "func(msg string, args ...any)", "eofLine", "Token",
		"*fset", "unsafe.Pointer", "map[string]group", "unsafe.Pointer", "*included", "unsafe.Pointer")
	for own, name := range map[string]string{"ccParser": "parser", "ccPreprocessor": "cpp", "ccTokenizer": "tokenizer", "ccToken": "cppToken"} {
		list := structsOf(t, "internals.go")[own]
		if len(list) == 0 || len(cc[name]) < len(list) {
			t.Fatalf("%s has %d fields, %s of cc %d", own, len(list), name, len(cc[name]))
		}
		for i, f := range list {
			if got, want := spelling.Replace(f[1]), spelling.Replace(cc[name][i][1]); f[0] != cc[name][i][0] || got != want {
				t.Errorf("field %d of %s is %s %s; in cc it is %s %s", i, own, f[0], got, cc[name][i][0], want)
			}
		}
	}
}

// structsOf returns the names and types of the fields of the structs in Go files.
func structsOf(t *testing.T, files ...string) map[string][][2]string {
	list := map[string][][2]string{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					for _, n := range append(f.Names, ast.NewIdent(""))[:max(1, len(f.Names))] {
						list[spec.Name.Name] = append(list[spec.Name.Name], [2]string{n.Name, types.ExprString(f.Type)})
					}
				}
			}
			return false
		})
	}
	return list
}

// header is a header for tests: macros, literals that are respelt, pragmas, lines of other files, and functions.
const header = `
#pragma once
#define TWICE(x) ((x) + (x))
#define NAMED(n) static int named_##n(void) { return __COUNTER__ * 10 + 'ab'; }
#define struct_group(n) struct { int n; }
# 7 "other.h"
#pragma push_macro("TWICE")
#undef TWICE
#define TWICE(x) (2 * (x))
#pragma pack(2)
struct packed { char c; int n; struct_group(inner) group; };
#pragma weak maybe
NAMED(first)
static inline int used(int x) { return TWICE(x) + __LINE__ + sizeof __FILE__; }
#define BOTH static struct both { int n; } both; static inline int two(void) { return both.n; }
BOTH
static inline int unused(struct packed *p) { return used(p->n) + "\0017"[0]; }
static __inline int late(int x) { return unused(0) + x; }
typedef int number;
enum { zero, one };
`

// TestContinued: a text that goes on where another ends is read as if nothing were known of that.
func TestContinued(t *testing.T) {
	include := filepath.Join(t.TempDir(), "head.h")
	if err := os.WriteFile(include, []byte(header), 0o666); err != nil {
		t.Fatal(err)
	}
	base := fmt.Sprintf("#include %q\nint driver(number n) /* é */\n{\n\tswitch (n) { case one: return used(n); }\n\treturn \"a\" \"b\"[0] + __LINE__;\n}\nint x = 'cd';\n", include)
	const from = "\n# 1 \"<harness>\"\n"
	for _, c := range []struct {
		name, base, tail string
		again            bool // the end alone is preprocessed
	}{
		{"nothing", base, "", true},
		{"functions", base, from + "int main(void) { return driver(one) + __LINE__ + TWICE(3); }\n", true},
		{"functions of the header", base, from + "int main(void) { struct packed p = { 1, 2 }; return late(p.group.inner) + used(1); }\n", true},
		{"a name in two literals", base, from + "int main(void) { asm volatile (\"call la\" \"te\" ::: \"memory\"); return 0; }\n", true},
		{"two lines", base, from + "int main(void)\n{\n\treturn x;\n}\n\n#line 1 \"<rules 0>\"\nNAMED(second)\nint g = __COUNTER__;\n", true},
		{"a macro that was pushed", base, from + "_Pragma(\"pop_macro(\\\"TWICE\\\")\") int main(void) { return TWICE(1); }\n", false},
		{"a type error", base, from + "struct nothing s;\nint main(void) { return s.a; }\n", true},
		{"a syntax error", base, from + "int main(void) { return ; ; ) }\n", true},
		{"twice", base, from + "int driver(number n) { return 0; }\n", true},
		{"an undefined macro", base, from + "int main(void) { return UNKNOWN(1); }\n", true},
		{"too few arguments of a macro", base, from + "int main(void) { return TWICE(1, 2); }\n", true},
		{"an escape", base, from + "const int *s = L\"\\x1234\";\n", false},
		{"a literal that needs a macro", base, from + "int main(void) { return 'ef'; }\n", false},
		{"a directive", base, from + "#define MORE 1\nint main(void) { return MORE; }\n", false},
		{"without lines of its own", base, "int main(void) { return 0; }\n", false},
		{"an error before", "int y = undeclared;\n", from + "int main(void) { return 0; }\n", true},
		{"a declaration that goes on", "int y = 1,", from + "z; int main(void) { return z; }\n", false},
		{"a macro that goes on", "#define F(x) x\nint y = 1; F", from + "(int main(void) { return 0; })\n", false},
		{"a comment that goes on", "int y = 1; /*", from + "*/ int main(void) { return 0; }\n", false},
		{"a line that goes on", "int y = 1; // \\", from + "int main(void) { return 0; }\n", false},
		{"a condition that goes on", "int y;\n#if 0\nint z;", from + "int main(void) { return 0; }\n", false},
		{"a file that includes itself", "#ifndef IN\n#define IN\n#include \"in.c\"\nint x;\n#else\nint y;\n#endif\n", from + "int z;\n", false},
		{"an error directive", "#error no\nint y;\n", from + "int main(void) { return 0; }\n", false},
	} {
		for _, whole := range []bool{true, false} {
			m := new(Memory)
			read(t, m, whole, c.base)
			before := *m
			got, want := read(t, m, whole, c.base+c.tail), read(t, nil, whole, c.base+c.tail)
			for g, w := strings.Split(got, "\n"), strings.Split(want, "\n"); len(g) > 0 || len(w) > 0; g, w = g[1:], w[1:] {
				if len(g) == 0 || len(w) == 0 || g[0] != w[0] {
					t.Fatalf("%s, all tokens parsed: %t: got\n%.600q\nwant\n%.600q", c.name, whole, g, w)
				}
			}
			if again := m.Preprocessed == before.Preprocessed && m.Continued == before.Continued+1; again != c.again {
				t.Errorf("%s: preprocessed: %d, and before %d; continued: %d, and before %d", c.name, m.Preprocessed, before.Preprocessed, m.Continued, before.Continued)
			}
		}
	}
}

// TestNotContinued: what a text means depends on more than its beginning.
func TestNotContinued(t *testing.T) {
	text := "int f(void) { return N; }\n"
	unit := Options{Defines: []string{"N=1"}, IncludePaths: []string{"a"}}
	file := source.NewFile("in.c", []byte(text))
	for name, other := range map[string]func(p *Parser) Options{
		"macros": func(*Parser) Options { return Options{Defines: []string{"N=2"}, IncludePaths: []string{"a"}} },
		"paths":  func(*Parser) Options { return Options{Defines: []string{"N=1"}, IncludePaths: []string{"b"}} },
		"char": func(*Parser) Options {
			return Options{Defines: []string{"N=1"}, IncludePaths: []string{"a"}, UnsignedChar: true}
		},
		"files": func(p *Parser) Options {
			p.Files["n.h"] = source.NewFile("n.h", []byte("int n;"))
			return unit
		},
		"a file before": func(p *Parser) Options {
			if _, err := p.Parse(t.Context(), source.NewFile("first.c", []byte("#pragma pack(1)\n")), Options{}); err != nil {
				t.Fatal(err)
			}
			return unit
		},
	} {
		m := new(Memory)
		p := New()
		p.Memory = m
		if _, err := p.Parse(t.Context(), file, unit); err != nil {
			t.Fatal(err)
		}
		q := New()
		changed := other(q)
		q.Memory = m
		if _, err := q.Parse(t.Context(), file, changed); err != nil {
			t.Fatal(err)
		}
		if m.Continued != 0 {
			t.Errorf("%s: the text was continued", name)
		}
	}
}

// read returns all of the tree of a text, or its errors, and the state of the parser.
// Numbers of tokens are in it if all tokens are parsed.
func read(t *testing.T, m *Memory, whole bool, text string) string {
	p := New()
	p.Memory, p.Whole = m, whole
	file := source.NewFile("in.c", []byte(text))
	p.Files["in.c"] = file
	var b strings.Builder
	tree, err := p.Parse(t.Context(), file, Options{})
	if err != nil {
		var list source.List
		if !errors.As(err, &list) {
			list = p.Diagnose(file, err)
		}
		return list.Error()
	}
	// 1. Tokens with their places, types, and values.
	for l := tree.TranslationUnit; l != nil; l = l.TranslationUnit {
		if strings.HasPrefix(l.Position().Filename, "<builtin") {
			continue
		}
		ctree.Walk(l.ExternalDeclaration, func(n cc.Node) bool {
			fmt.Fprintf(&b, "%T %v %s", n, At(n.Position()), p.TextOf(n))
			if e, ok := n.(cc.ExpressionNode); ok {
				fmt.Fprintf(&b, " : %v = %v", e.Type(), e.Value())
			}
			if d, ok := n.(*cc.Declarator); ok {
				value, known := p.PackAt(RawAt(d.Position()))
				fmt.Fprintf(&b, " : %v packed %d %t", d.Type(), value, known)
			}
			v := reflect.ValueOf(n).Elem()
			for i := range v.NumField() {
				if !v.Type().Field(i).IsExported() {
					continue
				}
				if tok, ok := v.Field(i).Interface().(cc.Token); ok && len(tok.Src()) > 0 {
					fmt.Fprintf(&b, " %q %v", tok.Src(), At(tok.Position()))
					if whole {
						fmt.Fprint(&b, " ", tok.Seq())
					}
				}
			}
			b.WriteByte('\n')
			return true
		})
	}
	// 2. The parser.
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name, d := range p.Unreached {
			if !yield(fmt.Sprint(name, At(d.Position()))) {
				return
			}
		}
	}) {
		fmt.Fprintln(&b, "unreached", name)
	}
	fmt.Fprintln(&b, p.Weak, p.WeakAliases, p.Dated, p.segments["in.c"], p.OwnFiles("in.c"))
	return b.String()
}
