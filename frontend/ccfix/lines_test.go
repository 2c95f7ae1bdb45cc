package ccfix

import (
	"regexp"
	"strings"
	"testing"
)

var lineOne = regexp.MustCompile(`(?m)^#line 1 "l\.c"$`)

// TestMarkersKeepLines checks that each line of a text stays where it is and that
// directives have names of their own.
func TestMarkersKeepLines(t *testing.T) {
	p := New()
	const one = "#line 1 \"l.c\"\n"
	text := one + "int a;\n" + one + "/* one\ntwo */ int b;\n" + one + "#define X \\\n 1\n" + one + "int c = X;\n"
	out := string(p.markers("a.c", []byte(text)))
	if strings.Count(out, "\n") != strings.Count(text, "\n") {
		t.Errorf("the lines moved:\n%s", out)
	}
	if lineOne.MatchString(out) {
		t.Errorf("a directive kept its name:\n%q", out)
	}
	quoted := string(p.markers("b.c", []byte("char *s = \"a\"\"/*\";\n# 5 \"y.c\"\n")))
	if !strings.Contains(quoted, "#line 5 \"y.c"+homeMark) {
		t.Errorf("what is no comment hides a marker: %q", quoted)
	}
	again := string(New().markers("a.c", []byte(text)))
	if out != again {
		t.Errorf("not deterministic:\n%q\n%q", out, again)
	}
}
