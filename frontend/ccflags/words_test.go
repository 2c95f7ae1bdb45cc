package ccflags

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Words are what the shell makes of the text.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \t\n ", nil},
		{"-I a  -Ib", []string{"-I", "a", "-Ib"}},
		{`-DNAME=\"x\"`, []string{`-DNAME="x"`}},
		{`-D'NAME="x y"'`, []string{`-DNAME="x y"`}},
		{`"-DNAME=\"x\""`, []string{`-DNAME="x"`}},
		{`-D'F(x)=x'`, []string{"-DF(x)=x"}},
		{`-DF\(x\)=x`, []string{"-DF(x)=x"}},
		{`"a\nb" 'a\nb' a\nb`, []string{`a\nb`, `a\nb`, "anb"}},
		{`-D"a b"'c d'e`, []string{"-Da bc de"}},
		{`"\$x" '$x' \$x`, []string{"$x", "$x", "$x"}},
		{`'' ""`, []string{"", ""}},
		{"a\\\nb", []string{"ab"}},
		{`\\ "\\" '\\'`, []string{`\`, `\`, `\\`}},
		{`{a,b} [c] ~ *.c`, []string{"{a,b}", "[c]", "~", "*.c"}},
		{`a # b`, []string{"a"}},
		{`a#b`, []string{"a#b"}},
	} {
		got, err := Words(c.text)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Words(%q) = %q, %v; want %q", c.text, got, err, c.want)
		}
		if strings.ContainsAny(c.text, "~*") { // the shell would know the directory
			continue
		}
		out, err := exec.Command("sh", "-c", "printf '%s\\0' "+c.text+" .").Output()
		if want := strings.Join(append(slices.Clone(c.want), "."), "\x00") + "\x00"; err != nil || string(out) != want && !strings.Contains(c.text, "#") && strings.TrimSpace(c.text) != "" {
			t.Errorf("sh makes of %q: %q, %v", c.text, out, err)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"-DX=$HOME", "only a shell knows"},
		{"$(touch f)", "only a shell knows"},
		{"`touch f`", "only a shell knows"},
		{"-DX=$((1+1))", "only a shell knows"},
		{"a; b", "more than one command"},
		{"a && b", "more than one command"},
		{"'a", "no shell command"},
		{"F(x)", "no shell command"},
		{strings.Repeat("(", maxCommand), "no shell command"},
		{strings.Repeat("$(", maxCommand/2), "no shell command"},
		{strings.Repeat("a", maxCommand+1), "longer than"},
		{"a\x00b", "NUL"},
	} {
		if got, err := Words(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Words(%.40q) = %q, %v; want %q", c.text, got, err, c.want)
		}
	}
}
