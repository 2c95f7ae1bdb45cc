package harness

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// recorded is a program with one input and an assertion that fails if that is 1.
const recorded = `#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void)
{
	int x = __VERIFIER_nondet_int();
	assert(x != 1);
	return 0;
}
`

// Each outcome, by running the harness of one program with another.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t, "addr2line")
	file := source.NewFile("in.c", []byte(recorded))
	f := failing(t, load(t, []*source.File{file}, frontend.Options{}), 100)
	h := Write(f.recording, f.property, LeftToRight)
	replace := func(old, new string) string {
		if !strings.Contains(recorded, old) {
			t.Fatal(old)
		}
		return strings.Replace(recorded, old, new, 1)
	}
	for _, c := range []struct {
		name, text string
		opts       Options
		want       Result
		reason     string // a part of it
	}{
		{name: "reproduced", text: recorded, want: Reproduced},
		{name: "without the sanitizer", text: recorded, opts: Options{NoSanitizer: true}, want: Reproduced},
		{name: "no failure", text: replace("x != 1", "x == 1"), want: NotReproduced, reason: "ends without a failure"},
		{name: "exit code", text: replace("assert(x != 1)", "return 98"), want: NotReproduced, reason: "exit status 98"},
		{name: "signal", text: replace("assert(x != 1)", "__builtin_abort()"), want: NotReproduced, reason: "abort"},
		{name: "elsewhere", text: replace("int x", "\n\n\nint x"), want: NotReproduced, reason: "elsewhere, at in.c:9"},
		{name: "more inputs", text: replace("assert(", "__VERIFIER_nondet_int(); assert("), want: Diverged, reason: "__VERIFIER_nondet_int is called once more"},
		{name: "undefined", text: replace("assert(", "x += 0x7fffffff; assert("), want: Undefined, reason: "in.c:6:4: runtime error: signed integer overflow"},
		{name: "endless", text: replace("assert(", "for (;;) ; assert("), opts: Options{Time: 2 * time.Second}, want: TimedOut, reason: "2s"},
		{name: "endless, with a child", text: replace("assert(", "int fork(void); fork(); for (;;) ; assert("), opts: Options{Time: 2 * time.Second}, want: TimedOut},
		{name: "much output", text: replace("assert(", "int dprintf(int, const char *, ...); for (int i = 0; i < 50000; i++) dprintf(2, \"abcdef\\n\"); assert("), want: Reproduced},
		{name: "much memory", text: replace("assert(", "void *malloc(unsigned long); if (!malloc(1ul << 31)) return 7; assert("), want: NotReproduced, reason: "exit status 7"},
		{name: "no C", text: replace("int x", "int int x"), want: CompileError, reason: "in.c:5:"},
		{name: "no compiler", text: recorded, opts: Options{Compiler: "no-such-compiler"}, want: NoCompiler, reason: "no-such-compiler is not installed"},
		{name: "macro", text: replace("x != 1", "x != ONE"), opts: Options{Frontend: frontend.Options{Defines: []string{"ONE=1"}}}, want: Reproduced},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := Run(context.Background(), []*source.File{source.NewFile("in.c", []byte(c.text))}, h, c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if o.Result != c.want || !strings.Contains(o.Reason, c.reason) || len(o.Output) > 64<<10 {
				t.Errorf("%s: %s\n%s", o.Result, o, o.Output)
			}
			if c.want != NoCompiler && c.want != CompileError && o.Sanitized == c.opts.NoSanitizer {
				t.Error("the sanitizer was not used as told")
			}
		})
	}
}

// A label in a header is beyond reach.
func TestLabelInHeader(t *testing.T) {
	header := source.NewFile("in.h", []byte("static void f(void) { ERROR: ; }"))
	h := &Harness{Property: Property{Label: "ERROR", Pos: source.Pos{File: "in.h", Line: 1}}, files: map[string]*source.File{"in.h": header}}
	h.placeCheck()
	o, err := Run(context.Background(), []*source.File{source.NewFile("in.c", nil)}, h, Options{})
	if err != nil || o.Result != NotWatched || !strings.Contains(o.Reason, "in.h would have to be changed") {
		t.Errorf("%s: %s %v", o.Result, o, err)
	}
}

// No file is left, and a context that is done is an error.
func TestCleanUp(t *testing.T) {
	testkit.NeedGCC(t, "addr2line")
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	files := []*source.File{source.NewFile("in.c", []byte(recorded))}
	f := failing(t, load(t, files, frontend.Options{}), 100)
	if _, o := reproduce(t, files, f); o.Result != Reproduced {
		t.Error(o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := Reproduce(ctx, files, f.recording, f.property, Options{}); err != context.Canceled {
		t.Errorf("error %v", err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// A check after a label does not change the meaning of the program.
func TestLabels(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"statement", "ERROR: f();", "ERROR: if (c2bp_reached()) ; else f();"},
		{"end of a block", "{ ERROR: }", "{ ERROR: c2bp_reached(); }"},
		{"empty", "ERROR:;", "ERROR: if (c2bp_reached()) ; else;"},
		{"behind another", "out: ERROR: f();", "out: ERROR: if (c2bp_reached()) ; else f();"},
		{"without braces", "if (x) ERROR: f(); else g();", "if (x) ERROR: if (c2bp_reached()) ; else f(); else g();"},
		{"not in a comment", "/* ERROR: */ // ERROR:\nchar *s = \"; ERROR: \";\nERROR: f();", "ERROR: if (c2bp_reached()) ; else f();"},
		{"no bit-field or choice", "struct { int ERROR: 3; }; x ? ERROR : y; ERROR: f();", "; ERROR: if (c2bp_reached()) ; else f();"},
		{"the nearer one", "{ ERROR: f(); }\n\n\n{ ERROR: f(); }\n\n{ ERROR: f(); }", "{ ERROR: f(); }\n\n\n{ ERROR: if (c2bp_reached()) ; else f(); }\n\n{ ERROR: f(); }"},
		{"behind a macro", "#define M(x) \\\n ERROR: x\n#line 4\nERROR: f();", "#line 4\nERROR: if (c2bp_reached()) ; else f();"},
		{"none", "goto ERROR;", ""},
	} {
		file := source.NewFile("in.c", []byte("void h(void) {\n"+c.text+"\n}"))
		h := &Harness{Property: Property{Label: "ERROR", Pos: source.Pos{File: "in.c", Line: 5}}, files: map[string]*source.File{"in.c": file}}
		h.placeCheck()
		got := string(h.edited(file))
		if c.want == "" {
			if h.problem == "" {
				t.Errorf("%s: no problem", c.name)
			}
			continue
		}
		if !strings.Contains(got, c.want) || strings.Count(got, "reached()) ;")+strings.Count(got, "reached(); }") != 1 {
			t.Errorf("%s: got\n%s", c.name, got)
		}
	}
}

// Where gcc makes no programs of 32 bits, as their C library is a package of its own, the
// outcome says so.
func TestNoLibrary32(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t, "addr2line")
	gcc := filepath.Join(t.TempDir(), "gcc")
	script := "#!/bin/sh\necho '/usr/bin/ld: cannot find crt1.o: No such file or directory' >&2\nexit 1\n"
	if err := os.WriteFile(gcc, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	files := []*source.File{source.NewFile("a.c", []byte("void __VERIFIER_assert(int);\nint main(void) { __VERIFIER_assert(0); return 0; }\n"))}
	for _, bits32 := range []bool{true, false} {
		opts := frontend.Options{Bits32: bits32}
		f := failing(t, load(t, files, opts), 1)
		_, o := reproduceWith(t, files, f, Options{Frontend: opts, Compiler: gcc})
		if said := strings.Contains(o.Reason, "gcc -m32 makes no programs here"); o.Result != CompileError || said != bits32 {
			t.Errorf("32 bits: %v: %s", bits32, o)
		}
	}
}
