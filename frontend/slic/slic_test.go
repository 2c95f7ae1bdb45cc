package slic

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/frontend/slic/syntax"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// noFiles has no include files but the built-in ones.
func noFiles(string) ([]byte, error) { return nil, fs.ErrNotExist }

// rulesOf returns the rules of a text.
func rulesOf(name, text string) (*syntax.Set, error) {
	return syntax.Load(source.NewFile(name, []byte(text)), func(string) (*source.File, error) { return nil, fs.ErrNotExist })
}

// loadText applies all rules of one text to a C text.
func loadText(rules, c string) (*Unit, error) {
	set, err := rulesOf("rule.slic", rules)
	if err != nil {
		return nil, err
	}
	opts := frontend.Options{ReadFile: noFiles}
	return Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(c))}, opts, set, set.Rules, false)
}

// section returns a file of an archive.
func section(ar *txtar.Archive, name string) string {
	for _, f := range ar.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// TestInstrument: the program with rules is the one expected.
func TestInstrument(t *testing.T) {
	paths, err := filepath.Glob("testdata/instrument/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			u, err := loadText(section(ar, "rule.slic"), section(ar, "in.c"))
			if err != nil {
				t.Fatal(err)
			}
			out := u.Program.String()
			for _, line := range u.Program.Ledger {
				out += "// " + line + "\n"
			}
			if !*testkit.Update {
				if want := section(ar, "out/core"); out != want {
					t.Errorf("got\n%s", out)
				}
				return
			}
			ar.Files = []txtar.File{
				{Name: "rule.slic", Data: []byte(section(ar, "rule.slic"))}, {Name: "in.c", Data: []byte(section(ar, "in.c"))},
				{Name: "out/core", Data: []byte(out)},
			}
			if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// expectation is the comment of an expected error.
var expectation = regexp.MustCompile(`//! (\d+): (.*)`)

// TestErrors: rules that do not fit the program have an error at their place.
func TestErrors(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/errors.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files[1:] {
		t.Run(f.Name, func(t *testing.T) {
			_, err := loadText(string(f.Data), section(ar, "in.c"))
			var want []string
			line := 0
			for i, l := range strings.Split(string(f.Data), "\n") {
				if m := expectation.FindStringSubmatch(l); m != nil {
					want, line = m, i+1
				}
			}
			if want == nil {
				if err != nil {
					t.Errorf("unexpected:\n%v", err)
				}
				return
			}
			var list source.List
			if !errors.As(err, &list) {
				t.Fatalf("no list of errors: %v", err)
			}
			d := list[0]
			if d.Pos.File != "rule.slic" || d.Pos.Line != line || strconv.Itoa(d.Pos.Col) != want[1] || !regexp.MustCompile(want[2]).MatchString(d.Msg) {
				t.Errorf("want line %d, column %s: %s; got\n%v", line, want[1], want[2], d)
			}
			if !strings.Contains(d.Error(), "^") || !strings.Contains(d.Msg, "expected") {
				t.Errorf("no caret or expectation:\n%v", d)
			}
		})
	}
}

// TestOwnNames: a rule may name its state as c2bp names variables of its own.
func TestOwnNames(t *testing.T) {
	const rule = `rule lock "names"
object l : struct lock *
state { enum { none, watch, alive } off = none; int base; int taken; }
death on give(l).entry
on take(l).entry { if (off == watch) abort "twice: taken twice"; off = watch; base++; taken = base; }
at end { if (off == alive) abort "never: never reached"; }
`
	for _, rules := range []string{rule, rule + strings.Replace(rule, "rule lock", "rule other", 1)} {
		u, err := loadText(rules, "struct lock { int x; }; extern void take(struct lock *), give(struct lock *);\n"+
			"static struct lock a;\nint main(void) { take(&a); give(&a); return 0; }\n")
		if err != nil {
			t.Fatal(err)
		}
		// No two variables of a program have one name.
		seen := map[string]bool{}
		for _, g := range u.Program.Globals {
			if seen[g.Name] {
				t.Errorf("two variables %s", g.Name)
			}
			seen[g.Name] = true
		}
	}
}

// TestEnumParameter: an argument for a parameter of an enumeration has the type that the rule reads.
func TestEnumParameter(t *testing.T) {
	_, err := loadText(`rule pool "an even one"
on make(p).entry { if ((p & 1) != 0) abort "odd: an odd pool"; }
`, "typedef enum { EVEN, ODD } pool;\nextern void *make(pool p);\nstatic void *any(pool p) { return make(p); }\n"+
		"int main(void) { any(ODD); return 0; }\n")
	if err != nil {
		t.Fatal(err)
	}
}
