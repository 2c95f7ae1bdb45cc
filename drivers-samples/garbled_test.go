package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/drivers-samples/families"
	"c2bp/drivers-samples/small"
	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/source"
)

// garbled is a C text with a line directive in front of every statement, as programs leave them
// that write C out again: so many lines in a row have the same number, in a file that is not there.
func garbled(text string, same int) string {
	var b strings.Builder
	number, comment, next := 0, false, true
	for _, line := range strings.SplitAfter(text, "\n") {
		word := strings.TrimSpace(line)
		if next && !comment && word != "" && !strings.HasPrefix(word, "#") {
			fmt.Fprintf(&b, "#line %d \"gone.c\"\n", 10+number/same)
			number++
		}
		b.WriteString(line)
		if i := strings.LastIndex(line, "/*"); i >= 0 && !strings.Contains(line[i:], "*/") {
			comment = true
		} else if strings.Contains(line, "*/") {
			comment = false
		}
		word = strings.TrimSpace(strings.Split(word, "//")[0])
		next = strings.HasSuffix(word, ";") || strings.HasSuffix(word, "{") || strings.HasSuffix(word, "}")
	}
	return b.String()
}

// TestGarbled: what a program's lines are called changes no verdict. Long tests look at all samples
// and families, others at some small programs.
func TestGarbled(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	for i, p := range small.Programs() {
		if testkit.Long() || i%16 == 0 {
			texts[p.Name] = p.Text
		}
	}
	if testkit.Long() {
		for _, unsafe := range []bool{false, true} {
			for _, p := range []families.Program{families.Locks(5, unsafe), families.Handshake(5, 12, 1, unsafe), families.Driver(6, 1, unsafe)} {
				texts[p.Name] = p.Text
			}
		}
		files, err := filepath.Glob("*/*.c")
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(text)
		}
	}
	decided := 0
	for name, text := range texts {
		want, where := garbledVerdict(t, name, text)
		for _, same := range []int{1, 4} {
			got, quote := garbledVerdict(t, name, garbled(text, same))
			if got != want || quote != where {
				t.Errorf("%s: %s (%s), and with line directives %s (%s)", name, want, where, got, quote)
			}
		}
		if want != "UNKNOWN" {
			decided++
		}
	}
	if decided*2 < len(texts) {
		t.Errorf("only %d of %d programs are decided", decided, len(texts))
	}
}

// garbledVerdict is what an audit says of a program, and the text of the line that it says it of.
func garbledVerdict(t *testing.T, name, text string) (verdict, quote string) {
	t.Helper()
	u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return "", ""
	}
	o, err := refine.Audit(t.Context(), u.Program, refine.Options{Queries: 2000})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return "", ""
	}
	if r := o.Result; r.Trace != nil {
		quote = strings.TrimSpace(r.Trace.Steps[len(r.Trace.Steps)-1].Text)
	}
	return o.Result.Verdict.String(), quote
}
