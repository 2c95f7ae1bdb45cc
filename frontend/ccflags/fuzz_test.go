package ccflags

import (
	"slices"
	"strings"
	"testing"
)

// Texts of others give words or an error, never a panic.

func FuzzWords(f *testing.F) {
	for _, s := range []string{`-DNAME='"x"' -I "a b"`, `gcc -c a.c ; objtool $(x)`, `a\`, `"`, `((`, "<<E\nE", "a\nb", "case x in esac", "{ a; }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words, err := Words(text)
		if err != nil {
			return
		}
		// What it gives is the same when each word is quoted.
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
		again, err := Words(strings.Join(quoted, " "))
		if err != nil && len(strings.Join(quoted, " ")) <= maxCommand || err == nil && !slices.Equal(words, again) {
			t.Errorf("%q is %q, and quoted %q, %v", text, words, again, err)
		}
	})
}

func FuzzResponse(f *testing.F) {
	for _, s := range []string{`-DA 'b c' "d\"e" \`, "'", "a\\\nb", "@x", "\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range responseWords(text) {
			if len(w) > len(text) {
				t.Errorf("%q gives %q", text, w)
			}
		}
	})
}

func FuzzKbuild(f *testing.F) {
	for _, s := range []string{
		"savedcmd_x/foo.o := gcc -c -o x/foo.o x/foo.c ; objtool\nsource_x/foo.o := x/foo.c\n", "cmd_a.o := gcc '", "cmd_ :=", "savedcmd_a := $$(x)$(pound)\\#", ":=",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, ok := parseKbuild(text)
		if !ok {
			return
		}
		k.root("d/.foo.o.cmd", "r")
		words, err := k.compiles(func(string) bool { return true })
		if err == nil && !slices.Contains(words, "-c") {
			t.Errorf("%q compiles by %q", text, words)
		}
	})
}

func FuzzDatabase(f *testing.F) {
	for _, s := range []string{`[{"directory": "/", "file": "a.c", "command": "gcc -c a.c"}]`, `[{"file": "/a"},{}]`, "[1]", "[", "[]]", `[{"file":"/a"}` + "\n,,"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := parseDatabase("db", text)
		for _, e := range list {
			if e.pos.Line < 1 || e.pos.Col < 1 {
				t.Errorf("%q: an entry at %v", text, e.pos)
			}
		}
		if err != nil && err.Error() == "" {
			t.Errorf("%q: an error without a word", text)
		}
	})
}

func FuzzLine(f *testing.F) {
	for _, s := range []string{"-Ia -DX=1 -U X", "-Wp,-MMD,x,-D", "-std= -O -x", "-fno-", "-", "--", "-Xpreprocessor -Xpreprocessor -Wp,-Xpreprocessor", "-D(=", "-include"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		args := slices.DeleteFunc(strings.Split(text, " "), func(a string) bool { return strings.HasPrefix(a, "@") })
		l := NewLine()
		if l.Add(args, "") != nil {
			return
		}
		o := l.Options()
		for _, list := range [][]string{o.Defines, o.Undefs, o.IncludePaths, o.PreIncludes, o.MacroIncludes} {
			for _, s := range list {
				if strings.Contains(s, "\n") {
					t.Errorf("%q: %q would be more than one directive", text, s)
				}
			}
		}
		l.IgnoredIfPreprocessed()
	})
}
