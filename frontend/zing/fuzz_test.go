package zing

import (
	"strings"
	"testing"

	"c2bp/source"
)

// FuzzParse checks on any text that the parser and the checker return, that their errors can be
// rendered, and that a text which parses survives printing.
func FuzzParse(f *testing.F) {
	for _, m := range append(models(f), archive(f, "errors.txtar")...) {
		f.Add(m.file.Text)
	}
	for _, s := range []string{"\xef\xbb\xbfclass A\r{\r};\u2028", "class A { int x = -(2147483648) - - -5 in a in b; };", "#if a\n#else\n'\n#endif", "class A { void f() { a = b = (c = d) + 1; (new B).c[0].d(); } };"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Parse([]*source.File{source.NewFile("fuzz.zing", text)})
		if err != nil {
			rendered(t, err)
			return
		}
		roundTrip(t, p)
		before := p.String()
		warnings, err := Check(p)
		_ = warnings.Error()
		if err != nil {
			rendered(t, err)
			return
		}
		if p.String() != before {
			t.Fatalf("the check changes the text from\n%s\nto\n%s", before, p)
		}
		sane(t, p)
	})
}

// rendered checks the form of an error.
func rendered(t *testing.T, err error) {
	t.Helper()
	list, ok := err.(source.List)
	if !ok || !source.IsInput(err) || !strings.Contains(err.Error(), "error: ") {
		t.Fatalf("error %T: %v", err, err)
	}
	if len(list) > source.MaxErrors+1 {
		t.Fatalf("%d errors", len(list))
	}
}
