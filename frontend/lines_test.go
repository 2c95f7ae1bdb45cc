package frontend

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"c2bp/source"
)

// lined is text with every line but those inside of a comment, a macro or a literal as
// line 1 of a file: nearly all declarations of it have the same presumed line.
func lined(text string) string {
	var b strings.Builder
	inside := false // of a comment or of a line that goes on
	for _, row := range strings.SplitAfter(text, "\n") {
		if !inside && row != "" {
			b.WriteString("#line 1 \"l.c\"\n")
		}
		b.WriteString(row)
		if i := strings.LastIndex(row, "/*"); i >= 0 && !strings.Contains(row[i:], "*/") {
			inside = true
		} else {
			inside = inside && !strings.Contains(row, "*/") || strings.HasSuffix(strings.TrimRight(row, "\n"), `\`)
		}
	}
	return b.String()
}

// TestRepeatedLines lowers the programs that are compared with gcc with all their lines at
// one presumed line: they compute what they computed.
func TestRepeatedLines(t *testing.T) {
	t.Parallel()
	paths, _ := filepath.Glob("testdata/gcc/*.c")
	if len(paths) == 0 {
		t.Fatal("no programs")
	}
	sum := func(text []byte) string {
		u, err := Load(context.Background(), []*source.File{source.NewFile("a.c", text)}, Options{})
		if err != nil {
			return err.Error()
		}
		s, err := finalValue(u, "sum", 5_000_000)
		if err != nil {
			return err.Error()
		}
		return s
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := sum(text)
		if got := sum([]byte(lined(string(text)))); got != want {
			t.Errorf("%s: %s, with #line 1 everywhere %s", path, want, got)
		}
	}
}

// TestPreprocessedFiles lowers the same programs after gcc -E, with the headers of this
// front end.
func TestPreprocessedFiles(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed; it preprocesses here")
	}
	paths, _ := filepath.Glob("testdata/gcc/*.c")
	for _, path := range paths {
		want, err := checksum(t, path, lp64)
		if err != nil {
			t.Fatal(err)
		}
		var out, failed bytes.Buffer
		cmd := exec.Command("gcc", "-E", "-nostdinc", "-Istubs/include", path)
		cmd.Stdout, cmd.Stderr = &out, &failed
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v\n%s", path, err, failed.String())
			continue
		}
		u, err := Load(context.Background(), []*source.File{source.NewFile("a.i", out.Bytes())}, Options{})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if got, err := finalValue(u, "sum", 5_000_000); err != nil || got != want {
			t.Errorf("%s: %s, preprocessed %s %v", path, want, got, err)
		}
	}
}

// TestLinePlaces checks what people see of line directives: names as they were written in
// messages, in __FILE__, __LINE__ and in statements, and the line quoted that is meant.
func TestLinePlaces(t *testing.T) {
	const text = `int a;
#line 7 "x.c"
int b; /* # 9 "no.c"
# 10 "no.c" */
int f(void) { return __LINE__; }
# 7 "x.c" 2 3
int *c = __FILE__ "\n" + 1.5;
#line 20
int d = e;
`
	file := source.NewFile("in.c", []byte(text))
	_, err := Load(context.Background(), []*source.File{file}, Options{})
	list, ok := err.(source.List)
	if !ok || len(list) == 0 {
		t.Fatalf("%v", err)
	}
	for _, d := range list {
		if strings.Contains(d.Error(), "⦂") {
			t.Errorf("%q", d.Error())
		}
	}
	var got []string
	for _, d := range list {
		got = append(got, fmt.Sprintf("%s:%d %s", d.Pos.File, d.Pos.Line, d.Quote))
	}
	want := []string{`x.c:7 int *c = __FILE__ "\n" + 1.5;`, "x.c:20 int d = e;"}
	if !slices.Equal(got, want) {
		t.Errorf("the messages are at %q instead of %q", got, want)
	}
}

// TestFileMacro checks the contents and the length of __FILE__ below #line.
func TestFileMacro(t *testing.T) {
	load := func(decl string) (*Unit, error) {
		text := "unsigned long sum;\n#line 3 \"dir/x.c\"\n" + decl + "\n"
		return Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, Options{})
	}
	u, err := load(`int main(void) { const char *p = __FILE__; while (*p) sum = sum * 31 + *p++; sum = sum * 100 + __LINE__; }`)
	if err != nil {
		t.Fatal(err)
	}
	want := uint64(0)
	for _, c := range []byte("dir/x.c") {
		want = want*31 + uint64(c)
	}
	want = want*100 + 3
	if got, err := finalValue(u, "sum", 10_000); err != nil || got != fmt.Sprint(want) {
		t.Errorf("%s %v instead of %d", got, err, want)
	}
	// Where the parser's length of it matters, it is refused or not known.
	if _, err := load(`char t[] = __FILE__; int main(void) { sum = sizeof t; }`); err == nil || !strings.Contains(err.Error(), "wrong length") {
		t.Errorf("an array of the length of __FILE__: %v", err)
	}
	if u, err := load(`int main(void) { sum = sizeof __FILE__; sum = sizeof(__FILE__ "a") - 1; }`); err == nil {
		if got, err := finalValue(u, "sum", 10_000); err == nil && got != "8" {
			t.Errorf("the size of __FILE__ is %s", got)
		}
	}
}
