package ccfix

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPredefined compares the predefined macros with gcc's, for all that changes them.
func TestPredefined(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc to compare with")
	}
	if n := comparePredefined(t, func(o Options) string { return o.predefined() }, true); n > 0 {
		t.Errorf("%d macros differ", n)
	}
	// A mistake is noticed.
	wrong := func(o Options) string { o.Standard = ""; return o.predefined() }
	if n := comparePredefined(t, wrong, false); n == 0 {
		t.Error("it is not noticed that a standard has no effect")
	}
}

// different are macros that are not gcc 12's here: those of an older gcc, and numbers in other words.
var different = regexp.MustCompile(`^__(GNUC|GNUC_MINOR)__$|_MAX__$|_MIN__$`)

// told are macros that tell the options: all of them are to be here that gcc has.
var told = []string{
	"__OPTIMIZE__", "__OPTIMIZE_SIZE__", "__NO_INLINE__", "__STRICT_ANSI__", "__STDC_VERSION__", "__STDC_HOSTED__", "linux", "unix", "i386",
	"__GNUC_GNU_INLINE__", "__GNUC_STDC_INLINE__", "__CHAR_UNSIGNED__", "__STDC_UTF_16__", "__STDC_UTF_32__", "__WCHAR_TYPE__", "__linux__",
}

// comparePredefined returns how many macros of ours differ from gcc's.
func comparePredefined(t *testing.T, ours func(Options) string, report bool) (n int) {
	for i, standard := range append(Standards(), "", "", "", "") {
		o := Options{Standard: standard, Bits32: i%3 == 1, Optimize: []string{"", "0", "1", "2", "3", "s", "g"}[i%7], UnsignedChar: i%4 == 1, ShortWchar: i%5 < 2}
		flags := []string{"-dM", "-E", "-x", "c", "/dev/null"}
		for _, f := range []struct {
			on   bool
			flag string
		}{
			{standard != "", "-std=" + standard}, {o.Bits32, "-m32"}, {o.Optimize != "", "-O" + o.Optimize},
			{o.UnsignedChar, "-funsigned-char"}, {o.ShortWchar, "-fshort-wchar"},
		} {
			if f.on {
				flags = append(flags, f.flag)
			}
		}
		out, err := exec.Command("gcc", flags...).Output()
		if err != nil {
			t.Fatalf("gcc %v: %v", flags, err)
		}
		theirs, have := macroTable(string(out)), macroTable(ours(o))
		for name, value := range have {
			if want, ok := theirs[name]; different.MatchString(name) && ok || value == want {
				continue
			}
			if n++; report {
				t.Errorf("gcc %v: %s is %q, want %q", flags, name, value, theirs[name])
			}
		}
		for _, name := range told {
			if _, ok := theirs[name]; ok && have[name] == "" {
				if n++; report {
					t.Errorf("gcc %v: %s is not defined", flags, name)
				}
			}
		}
	}
	return n
}

var macroLine = regexp.MustCompile(`^#(define|undef) (\w+(?:\(\w+\))?) ?(.*)$`)

// macroTable are the macros that are defined after the directives in text.
func macroTable(text string) map[string]string {
	table := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		switch m := macroLine.FindStringSubmatch(line); {
		case m == nil:
		case m[1] == "undef":
			delete(table, m[2])
		default:
			table[m[2]] = m[3]
		}
	}
	return table
}

// TestSearchPaths: each directory counts once, where gcc has it.
func TestSearchPaths(t *testing.T) {
	quote, angle := Options{
		IncludePaths: []string{"a", "b/", "a", "sys", "last"}, Quote: []string{"q", "q"}, System: []string{"./sys"}, After: []string{"last"},
	}.searchPaths()
	if want := []string{"a", "b", "sys", stubDir, "last"}; !slices.Equal(quote, []string{"q"}) || !slices.Equal(angle, want) {
		t.Errorf("got %q and %q, want [q] and %q", quote, angle, want)
	}
	if _, angle := (Options{NoStandard: true}).searchPaths(); !slices.Equal(angle, []string{noDir}) {
		t.Errorf("without standard headers: %q", angle)
	}
}
