package frontend

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"c2bp/source"
)

// TestInclusions loads programs whose headers include each other, or ask to be
// included once.
func TestInclusions(t *testing.T) {
	for _, c := range []struct {
		name, main string
		headers    map[string]string
		want       string // part of the error; "" if there must be none
	}{
		{"itself", `#include "a.h"`, map[string]string{"a.h": "\n  #include \"a.h\"\n"}, "a.h:2:4: error: a.h is included more than 1000 times"},
		{"each other", `#include "a.h"`, map[string]string{"a.h": `#include "b.h"`, "b.h": `#include "a.h"`}, "is included more than 1000 times"},
		{"each other, guarded", `#include "a.h"`, map[string]string{
			"a.h": "#ifndef A\n#define A\n#include \"b.h\"\nint a;\n#endif\n",
			"b.h": "#ifndef B\n#define B\n#include \"a.h\"\nint b;\n#endif\n"}, ""},
		{"once", "#include \"a.h\"\n#include \"a.h\"", map[string]string{"a.h": "#pragma once\nint f(void) { return 0; }\n"}, ""},
		{"not once", "#include \"a.h\"\n#include \"a.h\"", map[string]string{"a.h": "int f(void) { return 0; }\n"}, "error"},
		{"often", strings.Repeat("#include \"a.h\"\n", 900), map[string]string{"a.h": "extern int a;\n"}, ""},
		{"position", `#include "a.h"`, map[string]string{"a.h": "int a = undefined;\n"}, "a.h:1:9: error: "},
	} {
		files := []*source.File{source.NewFile("main.c", []byte(c.main+"\nint main(void) { return 0; }\n"))}
		_, err := Load(context.Background(), files, Options{ReadFile: func(name string) ([]byte, error) {
			if text, ok := c.headers[name]; ok {
				return []byte(text), nil
			}
			return nil, fmt.Errorf("%s: %w", name, os.ErrNotExist)
		}})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
