package frontend

import (
	"context"
	"strings"
	"testing"

	"c2bp/source"
)

func explain(t *testing.T, opts Options, texts ...string) *Explanation {
	t.Helper()
	var files []*source.File
	for i, text := range texts {
		files = append(files, source.NewFile(string(rune('a'+i))+".c", []byte(text)))
	}
	c, err := Explain(context.Background(), files, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestExplain: every place, then every construct with its count.
func TestExplain(t *testing.T) {
	for _, test := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"nothing", []string{"int main(void) { return 0; }"}, "severity  places  construct\n"},
		{"havocs", []string{"long double d;\nint main(void) {\n  if (d > 1) asm(\"hlt\" ::: \"memory\");\n  if (d > 2) asm(\"hlt\" ::: \"memory\");\n  return d;\n}"}, `
a.c:3:7: note: the condition d > 1 depends on what has no value here: both branches are considered
a.c:3:14: warning: assembly: its outputs and all whose address is known outside of the program become arbitrary
a.c:4:7: note: the condition d > 2 depends on what has no value here: both branches are considered
a.c:4:14: warning: assembly: its outputs and all whose address is known outside of the program become arbitrary
a.c:5:10: note: d is an arbitrary value

severity  places  construct
warning        2  assembly: …
note           2  the condition … depends on what has no value here: both branches are considered
note           1  … is an arbitrary value
`},
		{"refused", []string{
			"int f(void), b[8], setjmp(int *);\nint main(void) {\n  setjmp(b);\n{ __attribute__((cleanup(f))) int x; }\n  setjmp(b);\n  asm(\"hlt\" ::: \"memory\");\n  return 0;\n}",
			"int g(void) { return __builtin_frob(); }",
			"int h(void) { return }",
		}, `
a.c:3:3: error: setjmp is not supported: its control flow cannot be followed
a.c:4:18: error: the attribute cleanup is not supported here: it calls a function at the end of the block
a.c:5:3: error: setjmp is not supported: its control flow cannot be followed
a.c:6:3: warning: assembly: its outputs and all whose address is known outside of the program become arbitrary
b.c:1:22: error: the built-in function __builtin_frob is not supported
c.c:1:22: error: unexpected '}', expected ';'

severity  places  construct
error          2  … is not supported: its control flow cannot be followed
error          1  the attribute cleanup is not supported here: it calls a function at the end of the block
error          1  the built-in function … is not supported
error          1  unexpected …, expected …
warning        1  assembly: …
`},
		{"no entry", []string{"int f(void) { return 0; }"}, `
a.c: error: the program has no function main; name the function to start at with --entry

severity  places  construct
error          1  the program has no function main; name the function to start at with --entry
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := explain(t, Options{}, test.texts...)
			if got, want := c.String(), strings.TrimPrefix(test.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if got, want := c.Refused(), strings.Contains(test.want, "error"); got != want {
				t.Errorf("refused: %v", got)
			}
		})
	}
}

// TestExplainAgrees: what Load accepts has no errors, and the same notes and warnings.
func TestExplainAgrees(t *testing.T) {
	for _, path := range archives(t, "testdata/lower/*.txtar") {
		a := readArchive(t, path)
		u, err := Load(context.Background(), a.c, a.opts)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Explain(context.Background(), a.c, a.opts)
		if err != nil || c.Refused() {
			t.Errorf("%s: %v\n%s", path, err, c)
		}
		if got, want := c.Places.Error(), u.Diags.Error(); got != want {
			t.Errorf("%s: got\n%s\nwant what Load says\n%s", path, got, want)
		}
	}
}
