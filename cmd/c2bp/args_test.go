package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestNormalizeArgs(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"-preds p.txt f.c", "--preds p.txt f.c"},
		{"--preds p.txt f.c", "--preds p.txt f.c"},
		{"-preds=p.txt f.c", "--preds=p.txt f.c"},
		{"--preds=p.txt f.c", "--preds=p.txt f.c"},
		{"f.c -preds p.txt", "f.c --preds p.txt"},
		{"-preds -preds f.c", "--preds -preds f.c"}, // a file of that name
		{"-32 f.c", "--32 f.c"},
		{"-64 -open f.c", "--64 --open f.c"},
		{"-I dir -Idir -I -preds f.c", "-I dir -Idir -I -preds f.c"},
		{"-Iopen f.c", "-Iopen f.c"},
		{"-DN=1 -D N=1 f.c", "-DN=1 -D N=1 f.c"},
		{"-D preds -preds p f.c", "-D preds --preds p f.c"},
		{"check -reach L f.bp", "check --reach L f.bp"},
		{"check -stats -reach L f.bp", "check --stats --reach L f.bp"}, // --stats takes no separate value
		{"check -stats=json -strict -", "check --stats=json --strict -"},
		{"check -- -reach", "check -- -reach"},
		{"-unknown f.c", "-unknown f.c"},
		{"-h", "-h"},
		{"-help", "--help"},
		{"check -help", "check --help"},
		{"__complete check -re", "__complete check -re"},
		{"", ""},
	} {
		got := normalizeArgs(newTestRoot(), strings.Fields(c.in))
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.in, got, c.want)
		}
	}
}

// Every long flag of every command works with one dash, with "=" and without, also
// those that were added after this test was written.
func TestEveryLongFlag(t *testing.T) {
	root := newTestRoot()
	seen := map[string]*pflag.Flag{}
	for name, f := range allFlags(root) {
		if name != f.Name {
			continue
		}
		if len(name) == 1 {
			t.Errorf("flag %q has no long name", name)
		}
		seen[name] = f
		for _, suffix := range []string{"", "=v"} {
			got := normalizeArgs(root, []string{"-" + name + suffix, "x"})
			if want := []string{"--" + name + suffix, "x"}; !reflect.DeepEqual(got, want) {
				t.Errorf("-%s%s: %q", name, suffix, got)
			}
		}
	}
	if len(seen) < 10 || seen["preds"] == nil || seen["reach"] == nil {
		t.Errorf("flags found: %d", len(seen))
	}
}

// A name must take a value in all commands or in none: normalizeArgs relies on it.
func TestFlagsAgree(t *testing.T) {
	root := newTestRoot()
	all := allFlags(root)
	for _, c := range append(root.Commands(), root) {
		visible := 0
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				visible++
			}
			if (all[f.Name].NoOptDefVal == "") != (f.NoOptDefVal == "") || all[f.Name].Shorthand != f.Shorthand {
				t.Errorf("%s: --%s differs between commands", c.Name(), f.Name)
			}
		})
		if visible >= 30 {
			t.Errorf("%s has %d flags; the limit is 30", c.Name(), visible)
		}
	}
}
