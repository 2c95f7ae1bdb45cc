package ccflags

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/internal/testkit"
)

// TestLine shows what flags become.
func TestLine(t *testing.T) {
	for _, c := range []struct {
		args    string
		want    frontend.Options
		unknown string
		files   string
	}{
		{"-Ia -I b -isystem c -isystemd -iquote e -idirafter f", frontend.Options{IncludePaths: []string{"a", "b"}, System: []string{"c", "d"}, Quote: []string{"e"}, After: []string{"f"}}, "", ""},
		{"-include a.h -imacros b.h -nostdinc", frontend.Options{PreIncludes: []string{"a.h"}, MacroIncludes: []string{"b.h"}, NoStandard: true}, "", ""},
		{"-DA -D B=2 -DF(x)=x -DS=\"s\" -UC", frontend.Options{Undefs: []string{"C"}, Defines: []string{"A", "B=2", "F(x)=x", `S="s"`}}, "", ""},
		{"-DA=1 -UA -DB=1 -DB=2 -UD -DD", frontend.Options{Undefs: []string{"A"}, Defines: []string{"B=2", "D"}}, "", ""},
		{"-Wp,-MMD,.foo.d,-DA=1 -Wp,-MD,x -Xpreprocessor -DB -Xpreprocessor -I -Xpreprocessor d", frontend.Options{Defines: []string{"A=1", "B"}, IncludePaths: []string{"d"}}, "", ""},
		{"-std=c99", frontend.Options{Standard: "c99"}, "", ""},
		{"-ansi", frontend.Options{Standard: "c89"}, "", ""},
		{"-std=gnu1x -O2 -O", frontend.Options{Standard: "gnu11", Optimize: "1"}, "", ""},
		{"-O0", frontend.Options{Optimize: "0"}, "", ""},
		{"-O9", frontend.Options{Optimize: "3"}, "", ""},
		{"-Os", frontend.Options{Optimize: "s"}, "", ""},
		{"-Ofast", frontend.Options{Optimize: "fast", Unfollowed: []string{"-Ofast: " + floats}}, "", ""},
		{"-x c -m32 -funsigned-char -fshort-wchar", frontend.Options{Language: "c", Bits32: true, UnsignedChar: true, ShortWchar: true}, "", ""},
		{"-xcpp-output -m32 -m64 -funsigned-char -fsigned-char", frontend.Options{Language: "cpp-output"}, "", ""},
		{"-fPIC -DX -ffreestanding", frontend.Options{Defines: []string{"__pic__=2", "__PIC__=2", "__STDC_HOSTED__=0", "X"}}, "", ""},
		{"-fPIC -fno-pic -U__PIC__", frontend.Options{Undefs: []string{"__pic__", "__pie__", "__PIE__", "__PIC__"}}, "", ""},
		{"-Wall -Werror=x -g3 -ggdb -fno-strict-aliasing -mno-sse -mno-red-zone -pipe -c -o x.o -MMD -MF d -MT t -fstack-protector-strong -falign-jumps=1 --param a=b --param=c=d -Wl,-z,now -Wa,-x", frontend.Options{}, "", ""},
		{"-fwrapv -fno-wrapv -fno-strict-overflow -fstrict-overflow -march=native -march=x86-64 -fplugin=p.so", frontend.Options{Unfollowed: []string{
			"-fwrapv: " + wraps, "-fno-strict-overflow: " + wraps, "-march=native: " + fused, "-fplugin=p.so: " + plugged}}, "", ""},
		{"-fstrict-overflow -fwrapv", frontend.Options{NumbersWrap: true, Unfollowed: []string{"-fwrapv: " + wraps}}, "", ""},
		{"-fno-strict-overflow -fno-wrapv", frontend.Options{Strays: true, Unfollowed: []string{"-fno-strict-overflow: " + wraps}}, "", ""},
		{"-fno-strict-overflow -fno-wrapv-pointer", frontend.Options{NumbersWrap: true, Unfollowed: []string{"-fno-strict-overflow: " + wraps}}, "", ""},
		{"-fwrapv-pointer", frontend.Options{Strays: true, Unfollowed: []string{"-fwrapv-pointer: " + strays}}, "", ""},
		{"-fnonsense -mnonsense=1 --nonsense -fnonsense a.c -", frontend.Options{}, "-fnonsense -mnonsense=1 --nonsense", "a.c -"},
		{"-fms-extensions -fplan9-nothing", frontend.Options{MSExtensions: true}, "-fplan9-nothing", ""},
		{"-fno-short-enums -fno-pack-struct -fexec-charset=UTF-8 -fopenmp-simd", frontend.Options{}, "", ""},
		{"--target=i386-linux-gnu -target x86_64-linux-gnu", frontend.Options{Bits32: true}, "", ""},
	} {
		l := NewLine()
		err := l.Add(strings.Fields(c.args), "")
		got := l.Options()
		if err != nil || !reflect.DeepEqual(got, c.want) || strings.Join(l.Unknown, " ") != c.unknown || strings.Join(l.Files, " ") != c.files {
			t.Errorf("%s:\n got %+v, %q, %q, %v\nwant %+v", c.args, got, l.Unknown, l.Files, err, c.want)
		}
	}
}

// TestRefused: what is not followed and matters is an error.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-I", "-I needs an argument"}, {"-Wp,-I", "-I needs an argument"}, {"-I=x", "--sysroot"}, {"-D", "needs an argument"},
		{"-D1", "expected NAME"}, {"-DF(x", "expected NAME"}, {"-Ddefined", "no name of a macro"}, {`-DX=\`, "backslash"}, {"-DX=/*", "comment"}, {"-DX=\x00", "not supported"}, {"-I\x00", "not supported"},
		{"-U(", "the name of a macro"}, {"-UF(x)", "the name of a macro"}, {"-includea\"b", "not supported"},
		{"-std=c23", "expected one of"}, {"-Ox", "expected a number"}, {"-xc++", "other languages"},
		{"-fshort-enums", "layout"}, {"-fpack-struct=4", "layout"}, {"-mx32", "layout"}, {"-m16", "layout"}, {"-mms-bitfields", "layout"},
		{"-fopenmp", "threads"}, {"-fexec-charset=latin1", "UTF-8"}, {"-undef", "predefined"}, {"-traditional-cpp", "language"}, {"-I-", "search"},
		{"--target=aarch64-linux-gnu", "another processor"}, {"-fplan9-extensions", "language"},
		{"@none.rsp", "none.rsp: no such file"},
	} {
		if err := NewLine().Add(strings.Fields(c.args), ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.args, err, c.want)
		}
	}
}

// TestDirectory: names are those of the directory in which the flags are given.
func TestDirectory(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	if err := os.MkdirAll("tree/sub", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("tree/sub/here.h", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	l := NewLine()
	if err := l.Add(strings.Fields("-Iinc -I../up -I/abs -include here.h -include there.h"), filepath.Join(root, "tree/sub")); err != nil {
		t.Fatal(err)
	}
	if err := l.Add(strings.Fields("-Iown"), ""); err != nil {
		t.Fatal(err)
	}
	o := l.Options()
	if want := []string{"tree/sub/inc", "tree/up", "/abs", "own"}; !slices.Equal(o.IncludePaths, want) {
		t.Errorf("-I: %q, want %q", o.IncludePaths, want)
	}
	if want := []string{"tree/sub/here.h", "there.h"}; !slices.Equal(o.PreIncludes, want) {
		t.Errorf("-include: %q, want %q", o.PreIncludes, want)
	}
}

// gccMacros are the macros that gcc has with the flags, of those named A to Z.
func gccMacros(t *testing.T, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc to compare with")
	}
	out, err := exec.Command("gcc", append(flags, "-w", "-dM", "-E", "-x", "c", "/dev/null")...).CombinedOutput()
	if err != nil {
		t.Fatalf("gcc %q: %s", flags, out)
	}
	var lines []string
	for _, line := range strings.Split(string(out), "\n") {
		if regexp.MustCompile(`^#define [A-Z](\(|\b)`).MatchString(line) {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// ownMacros are those that o defines, written as gcc does.
func ownMacros(o frontend.Options) string {
	var lines []string
	for _, d := range o.Defines {
		head, value, given := strings.Cut(d, "=")
		if !given {
			value = "1"
		}
		lines = append(lines, strings.TrimRight("#define "+head+" "+value, " ")+map[bool]string{true: " "}[value == ""])
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestMacrosAgainstGCC defines and undefines macros at random, some in response files.
func TestMacrosAgainstGCC(t *testing.T) {
	if n := differences(t, func(l *Line) frontend.Options { return l.Options() }); n > 0 {
		t.Errorf("%d command lines differ", n)
	}
	// It is noticed if what is undefined comes first, whatever the order is.
	wrong := func(l *Line) frontend.Options {
		l.macros = slices.DeleteFunc(l.macros, func(m macro) bool { return m.text == "" })
		return l.Options()
	}
	if n := differences(t, wrong); n == 0 {
		t.Error("a wrong order is not noticed")
	}
}

func differences(t *testing.T, options func(*Line) frontend.Options) (n int) {
	r := rand.New(rand.NewSource(1))
	values := []string{"", "=1", "=x y", `="s"`, `="a\"b\\c"`, "='c'", "=$x", "=", "=a=b", "(x)=x", "(x,y)=x+y", "=/* */2"}
	for range 25 {
		var args []string
		for range 1 + r.Intn(8) {
			name := string(rune('A' + r.Intn(4)))
			switch {
			case r.Intn(4) == 0:
				args = append(args, "-U", name)
			default:
				args = append(args, "-D"+name+values[r.Intn(len(values))])
			}
		}
		if r.Intn(2) == 0 { // some of them in a response file, in some spelling
			cut := r.Intn(len(args))
			file := filepath.Join(t.TempDir(), "r.rsp")
			var text strings.Builder
			for _, a := range args[cut:] {
				text.WriteString(spelt(r, a) + []string{" ", "\n", "\t \n"}[r.Intn(3)])
			}
			if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
				t.Fatal(err)
			}
			args = append(args[:cut:cut], "@"+file)
		}
		l := NewLine()
		if err := l.Add(args, ""); err != nil {
			t.Fatalf("%q: %v", args, err)
		}
		want := strings.ReplaceAll(gccMacros(t, args...), "/* */", "")
		if got := strings.ReplaceAll(ownMacros(options(l)), "/* */", ""); got != want {
			n++
			t.Logf("%q:\ngot\n%s\nwant\n%s", args, got, want)
		}
	}
	return n
}

// spelt is a word in one of its spellings in a response file.
func spelt(r *rand.Rand, word string) string {
	var b strings.Builder
	quote := ""
	if k := r.Intn(3); k > 0 {
		quote = []string{"'", `"`}[k-1]
	}
	b.WriteString(quote)
	for _, c := range word {
		if strings.ContainsRune(`\'"`, c) || quote == "" && c == ' ' || r.Intn(10) == 0 {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String() + quote
}

// told are macros that harmless flags may change: they tell of protections that the compiler
// adds, or of floating point registers.
var told = regexp.MustCompile(`__SSP|__CET__|_SOFT_FLOAT|__NO_MATH_ERRNO__|__SANITIZE|__NO_TRAPPING_MATH__|__GCC_IEC|__EXCEPTIONS|__GCC_HAVE_|__code_model|__SSE|__MMX|__FLT16|__BFLT|__GCC_ASM|__FLT_EVAL|__SIZEOF_FLOAT|__OPTIMIZE|__NO_INLINE__|__STDC_IEC|__DEC_|__ELF__|__SEG`)

// TestHarmless: gcc predefines nothing else with the flags that are taken for harmless.
func TestHarmless(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc to compare with")
	}
	predefined := func(flag string) (map[string]bool, bool) {
		out, err := exec.Command("gcc", flag, "-w", "-dM", "-E", "-x", "c", "/dev/null").Output()
		lines := map[string]bool{}
		for _, line := range strings.Split(string(out), "\n") {
			lines[line] = true
		}
		return lines, err == nil
	}
	plain, _ := predefined("-w")
	changed := func(flag string) (lines []string, ok bool) {
		have, ok := predefined(flag)
		for line := range have {
			if !plain[line] && !told.MatchString(line) {
				lines = append(lines, line)
			}
		}
		return lines, ok
	}
	var flags []string
	for i, name := range strings.Fields(harmlessText) {
		if testkit.Long() || i%16 == 0 {
			flags = append(flags, "-f"+name, "-fno-"+name)
		}
	}
	for i, r := range harmless {
		if strings.HasPrefix(r.name, "-m") && r.arg == none && (testkit.Long() || i%4 == 0) {
			flags = append(flags, r.name)
		}
	}
	tried := 0
	for _, flag := range flags {
		lines, ok := changed(flag)
		if ok {
			tried++
		}
		if len(lines) > 0 && ok {
			t.Errorf("%s predefines %q", flag, lines)
		}
	}
	if tried < len(flags)/3 {
		t.Errorf("gcc has only %d of %d flags", tried, len(flags))
	}
	for _, flag := range []string{"-mavx2", "-funsigned-char", "-fshort-wchar"} {
		if lines, _ := changed(flag); len(lines) == 0 {
			t.Errorf("it is not noticed what %s predefines", flag)
		}
	}
}

// TestResponseFiles: they may not contain themselves.
func TestResponseFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("self.rsp", "-DA @self.rsp")
	write("a.rsp", "@b.rsp")
	write("b.rsp", "@./a.rsp")
	write("many.rsp", strings.Repeat("@one.rsp\n", maxResponses+1))
	write("one.rsp", "-DA")
	write("good.rsp", "@one.rsp '-DB=\"b c\"' -I sub")
	write("large.rsp", "")
	if err := os.Truncate(filepath.Join(dir, "large.rsp"), maxResponse+1); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ arg, want string }{
		{"@self.rsp", "contains itself"}, {"@a.rsp", "contains itself"}, {"@many.rsp", "more than 2000"}, {"@large.rsp", "larger than"},
		{"@.", "a directory"}, {"@/dev/zero", "a device"},
	} {
		if err := NewLine().Add([]string{c.arg}, dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.arg, err, c.want)
		}
	}
	l := NewLine()
	if err := l.Add([]string{"@good.rsp"}, dir); err != nil {
		t.Fatal(err)
	}
	if o := l.Options(); fmt.Sprint(o.Defines, o.IncludePaths) != fmt.Sprintf(`[A B="b c"] [%s/sub]`, dir) {
		t.Errorf("got %q %q", o.Defines, o.IncludePaths)
	}
}
