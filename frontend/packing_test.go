package frontend

import (
	"context"
	bytesOrder "encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"
)

// TestPragmaPack follows #pragma pack through files, and compares the sizes of the
// structs s1, s2, … with gcc's. Where they cannot be followed nothing must be claimed.
func TestPragmaPack(t *testing.T) {
	testkit.NeedGCC(t)
	const body = " { char c; long long i; };\n"
	for _, c := range []struct {
		name, main string
		headers    map[string]string
		unknown    bool
	}{
		{"none", "struct s1" + body, nil, false},
		{"value", "struct s1" + body + "#pragma pack(2)\nstruct s2" + body + "#pragma pack(1)\nstruct s3" + body + "#pragma pack()\nstruct s4" + body, nil, false},
		{"zero", "#pragma pack(4)\nstruct s1" + body + "#pragma pack(0)\nstruct s2" + body, nil, false},
		{"push and pop", "#pragma pack(push)\n#pragma pack(1)\nstruct s1" + body + "#pragma pack(push, 4)\nstruct s2" + body + "#pragma pack(pop)\nstruct s3" + body + "#pragma pack(pop)\nstruct s4" + body, nil, false},
		{"names", "#pragma pack(push, a, 1)\n#pragma pack(push, b, 2)\n#pragma pack(push, 4)\nstruct s1" + body + "#pragma pack(pop, b)\nstruct s2" + body + "#pragma pack(pop, a)\nstruct s3" + body + "#pragma pack(pop, a)\nstruct s4" + body, nil, false},
		{"pop with a value", "#pragma pack(push, 1)\nstruct s1" + body + "#pragma pack(pop, 2)\nstruct s2" + body, nil, false},
		{"other names", "#pragma pack(push, 2)\n#pragma pack(push, 1, a)\nstruct s1" + body + "#pragma pack(pop, b)\nstruct s2" + body + "#pragma pack(push, a, 1, 2)\nstruct s3" + body + "#pragma pack(push, 1, 4)\nstruct s4" + body, nil, false},
		{"too many pops", "#pragma pack(1)\n#pragma pack(pop)\nstruct s1" + body, nil, false},
		{"nonsense", "#pragma pack(3)\nstruct s1" + body + "#pragma pack(push, a, b)\nstruct s2" + body + "#pragma pack 1\nstruct s3" + body + "#pragma pack(poop)\nstruct s4" + body, nil, false},
		{"the end counts", "struct s1 { char c;\n#pragma pack(1)\nlong long i; };\nstruct s2 { char c; long long i;\n#pragma pack()\n};\n", nil, false},
		{"inside out", "struct s1 {\nstruct { char c; long long i; } in;\n#pragma pack(1)\nchar c; long long i;\n};\n#pragma pack()\nstruct s2" + body, nil, false},
		{"skipped", "#if 0\n#pragma pack(1)\n#endif\nstruct s1" + body, nil, false},
		{"line", "#pragma pack(1)\nstruct s1" + body + "#line 100 \"main.c\"\nstruct s2" + body + "#pragma pack()\nstruct s3" + body, nil, false},
		{"lines twice", "#pragma pack(1)\nstruct s1" + body + "#pragma pack()\n#line 1\nstruct s2" + body, nil, true},
		{"balanced header", "#include \"a.h\"\nstruct s1" + body + "#pragma pack(2)\n#include \"a.h\"\nstruct s3" + body, map[string]string{
			"a.h": "#ifndef A\n#define A\n#pragma pack(push, 1)\nstruct s2" + body + "#pragma pack(pop)\n#endif\n"}, false},
		{"guarded header", "#include \"a.h\"\n#include \"a.h\"\nstruct s1" + body, map[string]string{
			"a.h": "/* #if */\n#ifndef A /* a */\n#define A\n#if 1\nstruct s3" + body + "#endif\n# pragma pack(1)\nstruct s2" + body + "#pragma pack()\n#endif // A\n"}, false},
		{"guard taken away", "#include \"a.h\"\n#undef A\n#pragma pack(2)\n#include \"a.h\"\nstruct s1" + body, map[string]string{
			"a.h": "#ifndef A\n#ifndef B\n#define B\nstruct s2" + body + "#else\nstruct s3" + body + "#endif\n#define A\n#pragma pack(push, 1)\n#pragma pack(pop)\n#endif\n"}, true},
		{"guard with an else", "#include \"a.h\"\n#pragma pack(2)\n#include \"a.h\"\n", map[string]string{
			"a.h": "#ifndef A\n#define A\n#pragma pack(push, 1)\nstruct s1" + body + "#pragma pack(pop)\n#else\nstruct s2" + body + "#endif\n"}, true},
		{"guarded in part", "#include \"a.h\"\n#pragma pack(2)\n#include \"a.h\"\n", map[string]string{
			"a.h": "#ifdef A\nstruct s2" + body + "#endif\n#ifndef A\n#define A\n#pragma pack(push, 1)\nstruct s1" + body + "#pragma pack(pop)\n#endif\n"}, true},
		{"pragma in a part of the guard", "#include \"a.h\"\n#undef A\n#pragma pack(2)\n#include \"a.h\"\n", map[string]string{
			"a.h": "#ifndef A\n#define A\n#ifndef B\n#define B\n#pragma pack(push, 1)\nstruct s1" + body + "#pragma pack(pop)\n#else\nstruct s2" + body + "#endif\n#endif\n"}, true},
		{"header in the region", "#pragma pack(2)\n#include \"a.h\"\n#pragma pack()\nstruct s1" + body, map[string]string{"a.h": "struct s2" + body}, false},
		{"headers of headers", "#include \"a.h\"\nstruct s1" + body, map[string]string{
			"a.h": "#pragma pack(push, 4)\n#include \"b.h\"\nstruct s2" + body + "#pragma pack(pop)\n", "b.h": "#pragma pack(push)\n#pragma pack(1)\nstruct s3" + body + "#pragma pack(pop)\nstruct s4" + body}, false},
		{"unbalanced header", "#include \"on.h\"\nstruct s1" + body + "#include \"off.h\"\nstruct s2" + body, map[string]string{
			"on.h": "#pragma pack(push, 1)\n", "off.h": "#pragma pack(pop)\n"}, true},
		{"header that ends packed", "struct s1" + body + "#include \"on.h\"\nstruct s2" + body, map[string]string{"on.h": "#pragma pack(1)\n"}, true},
		{"header packed twice", "#include \"a.h\"\n#pragma pack(1)\n#include \"a.h\"\n", map[string]string{
			"a.h": "#ifdef TWICE\nstruct s1" + body + "#else\n#define TWICE\nstruct s2" + body + "#endif\n"}, true},
		{"_Pragma", "_Pragma(\"pack(1)\") struct s1" + body + "_Pragma(\"pack()\") struct s2" + body, nil, true},
		{"macro", "#define PACKED _Pragma(\"pack(push,1)\")\n#define END _Pragma(\"pack(pop)\")\nPACKED\nstruct s1" + body + "END\nstruct s2" + body, nil, true},
		{"preprocessed", "# 1 \"main.c\"\n# 1 \"a.h\" 1\n#pragma pack(push, 1)\nstruct s1" + body + "#pragma pack(pop)\n# 2 \"main.c\" 2\nstruct s2" + body, nil, false},
		{"preprocessed, unbalanced", "# 1 \"main.c\"\n# 1 \"a.h\" 1\n#pragma pack(1)\n# 2 \"main.c\" 2\nstruct s1" + body + "#pragma pack()\nstruct s2" + body, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := gccSizes(t, c.main, c.headers)
			u, err := Load(context.Background(), []*source.File{source.NewFile("main.c", []byte(c.main+declareSizes(want)))}, Options{ReadFile: func(name string) ([]byte, error) {
				if text, ok := c.headers[name]; ok {
					return []byte(text), nil
				}
				return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
			}})
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range sortedKeys(want) {
				size, known := u.linker.layouts.SizeBytes(u.linker.objects["v"+name].typ)
				switch {
				case known && size != want[name]:
					t.Errorf("%s: %d, gcc has %d", name, size, want[name])
				case !known && !c.unknown:
					t.Errorf("%s is not known, gcc has %d", name, want[name])
				}
			}
		})
	}
}

// declareSizes declares a variable of each type.
func declareSizes(names map[string]int64) string {
	var b strings.Builder
	for _, name := range sortedKeys(names) {
		fmt.Fprintf(&b, "struct %s v%s;\n", name, name)
	}
	return b.String() + "int main(void) { return 0; }\n"
}

// gccSizes are the sizes of the structs that main and the headers define.
func gccSizes(t *testing.T, main string, headers map[string]string) map[string]int64 {
	t.Helper()
	all := main
	dir := t.TempDir()
	for name, text := range headers {
		all += text
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sizes := map[string]int64{}
	for _, m := range regexp.MustCompile(`struct (s\d)`).FindAllStringSubmatch(all, -1) {
		sizes[m[1]] = 0
		main += fmt.Sprintf("const long long n%s = sizeof(struct %s);\n", m[1], m[1])
	}
	objects := compiled(t, main, false, "-I"+dir)
	for name := range sizes {
		sizes[name] = int64(bytesOrder.LittleEndian.Uint64(objects["n"+name]))
	}
	return sizes
}
