package report

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"c2bp/source"
	"c2bp/verdict"
)

// TestNames: long absolute names are cut where they begin alike, and short ones stay.
func TestNames(t *testing.T) {
	const linux = "/home/somebody/src/build/linux-6.1.12-debug"
	for _, c := range []struct{ dir, files, want, root string }{
		{"", "a.c ../b.c", "a.c ../b.c", ""},
		{"/home/u", "/home/u/a.c /usr/b.h", "/home/u/a.c /usr/b.h", ""},
		{"", linux + "/net/a.c " + linux + "/include/b.h", "…/net/a.c …/include/b.h", linux},
		{"", linux + "/net/a.c", linux + "/net/a.c", ""},
		{"", linux + "/net/a.c " + linux + "/net/a.c c.c", linux + "/net/a.c " + linux + "/net/a.c c.c", ""},
		{"", linux + "/net/a.c c.c " + linux + "/net/b.c", "…/a.c c.c …/b.c", linux + "/net"},
		{linux, linux + "/net/a.c " + linux + "/include/b.h", "net/a.c include/b.h", ""},
		{linux + "/net", linux + "/net/a.c " + linux + "/include/b.h", "a.c " + linux + "/include/b.h", ""},
		{"/home/somebody", linux + "x/a.c /home/somebodyelse/c.c", "src/build/linux-6.1.12-debugx/a.c /home/somebodyelse/c.c", ""},
		{"", linux + "/a.c /usr/include/b.h " + linux + "/net/c.c", "…/a.c /usr/include/b.h …/net/c.c", linux},
		{"/", linux + "/a.c /b.c", "…/a.c /b.c", linux},
		{"", "/" + strings.Repeat("x", 50) + ".c", "/" + strings.Repeat("x", 50) + ".c", ""},
	} {
		r := &verdict.Result{}
		for _, f := range strings.Fields(c.files) {
			r.Sites = append(r.Sites, verdict.Site{Pos: source.Pos{File: f, Line: 1}})
		}
		n := newNames(r, c.dir)
		var got []string
		for _, s := range r.Sites {
			short := n.show(s.Pos.File)
			got = append(got, short)
			// It leads back to the file.
			back := strings.Replace(short, cut, n.root, 1)
			if !filepath.IsAbs(back) && filepath.IsAbs(s.Pos.File) {
				back = filepath.Join(c.dir, back)
			}
			if back != s.Pos.File {
				t.Errorf("%s is shown as %s, which is %s", s.Pos.File, short, back)
			}
		}
		if strings.Join(got, " ") != c.want || n.root != c.root {
			t.Errorf("%s in %q: %q and %s; want %s and %s", c.files, c.dir, got, n.root, c.want, c.root)
		}
	}
}

// TestLongNames: the first column of a trace is bounded, the last line has the whole name, the
// result stays as it is.
func TestLongNames(t *testing.T) {
	const file = "/home/somebody/build/linux/drivers/net/ethernet/vendor/adapter/adapter_main.c"
	const header = "/usr/lib/some-compiler/with/its/own/headers/and/a_long_name_of_a_header_of_it.h"
	r := &verdict.Result{
		Verdict: verdict.False,
		Sites:   []verdict.Site{{Pos: source.Pos{File: file, Line: 1234}, Failed: true}, {Pos: source.Pos{File: header, Line: 5}, Open: true, Reason: "fails at " + file + ":7"}},
		Trace: &verdict.Trace{Steps: []verdict.Step{
			{Pos: source.Pos{File: header, Line: 5}, Stmt: "x := 1", Node: "f:1"}, {Pos: source.Pos{File: file, Line: 1234}, Stmt: "assert(x)", Node: "f:2"},
		}},
		Ledger: []string{"asm at " + file + ":3 is ignored"},
	}
	var b bytes.Buffer
	if err := TextFrom(&b, r, "/nowhere"); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{
		"Files …/… are in /home/somebody/build/linux/drivers/net/ethernet/vendor/adapter.\n",
		"\n  .../a_long_name_of_a_header_of_it.h:5  f:1", "\n  …/adapter_main.c:1234 ", "fails at …/adapter_main.c:7",
		"\nVerification result: FALSE (assertion, " + file + ":1234)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if r.Sites[0].Pos.File != file || r.Trace.Steps[1].Pos.File != file || r.Ledger[0] != "asm at "+file+":3 is ignored" {
		t.Error("the result was changed")
	}
	for _, where := range []string{strings.Repeat("x", 100) + ":1", strings.Repeat("/é", 100) + ".c:12", "a/" + strings.Repeat("y", 60)} {
		if got := clipped(where); utf8.RuneCountInString(got) > maxWhere || !strings.HasSuffix(where, strings.TrimPrefix(got, clip)) {
			t.Errorf("%s is clipped to %s", where, got)
		}
	}
}
