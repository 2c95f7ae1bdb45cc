package syntax

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/internal/testkit"
	"c2bp/source"
)

// archive reads a file of testdata.
func archive(t testing.TB, name string) *txtar.Archive {
	t.Helper()
	ar, err := txtar.ParseFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return ar
}

// load checks a text that includes nothing.
func load(name, text string) (*Set, error) {
	return Load(source.NewFile(name, []byte(text)), func(string) (*source.File, error) { return nil, fs.ErrNotExist })
}

// expectation is the comment of an expected error.
var expectation = regexp.MustCompile(`//! (\d+): (.*)`)

// TestErrors: each error is at its place, and says what was expected.
func TestErrors(t *testing.T) {
	for _, f := range archive(t, "errors.txtar").Files {
		t.Run(f.Name, func(t *testing.T) {
			_, err := load(f.Name, string(f.Data))
			found := map[int][]*source.Diagnostic{}
			var list source.List
			if !errors.As(err, &list) {
				t.Fatalf("no list of errors: %v", err)
			}
			for _, d := range list {
				found[d.Pos.Line] = append(found[d.Pos.Line], d)
				if !strings.Contains(d.Error(), "^") || !strings.Contains(d.Msg, "expected") {
					t.Errorf("no caret or expectation:\n%v", d)
				}
			}
			wanted := 0
			for i, line := range strings.Split(string(f.Data), "\n") {
				m := expectation.FindStringSubmatch(line)
				if m == nil {
					if len(found[i+1]) > 0 {
						t.Errorf("unexpected:\n%v", found[i+1][0])
					}
					continue
				}
				wanted++
				if len(found[i+1]) == 0 {
					t.Errorf("line %d: no error, want %s", i+1, m[2])
					continue
				}
				d := found[i+1][0]
				if strconv.Itoa(d.Pos.Col) != m[1] || !regexp.MustCompile(m[2]).MatchString(d.Msg) {
					t.Errorf("want column %s: %s; got\n%v", m[1], m[2], d)
				}
			}
			if wanted == 0 {
				t.Error("the text expects no error")
			}
		})
	}
}

// TestPrint: the printed text is expected, and prints to itself.
func TestPrint(t *testing.T) {
	ar := archive(t, "print.txtar")
	out := &txtar.Archive{Comment: ar.Comment}
	for _, f := range ar.Files {
		if strings.HasSuffix(f.Name, "/out") {
			continue
		}
		parsed, err := Parse(source.NewFile(f.Name, f.Data))
		if err != nil {
			t.Fatal(err)
		}
		text := parsed.String()
		out.Files = append(out.Files, f, txtar.File{Name: f.Name + "/out", Data: []byte(text)})
		checkRoundTrip(t, text)
	}
	if got := string(txtar.Format(out)); *testkit.Update {
		if err := os.WriteFile("testdata/print.txtar", []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want := string(txtar.Format(ar)); got != want {
		t.Errorf("got\n%s", got)
	}
}

// checkRoundTrip reports a text that was printed and does not print to itself.
func checkRoundTrip(t *testing.T, text string) {
	t.Helper()
	again, err := Parse(source.NewFile("printed", []byte(text)))
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	if s := again.String(); s != text {
		t.Errorf("printed\n%s\nand then\n%s", text, s)
	}
}

// TestInclude: parametrised rules come from other files, which are read once; rules do not.
func TestInclude(t *testing.T) {
	files := map[string]string{
		"rules/lib/t.slic":   "include \"../main.slic\" include \"u.slic\"\nrule T(a) \"title of T\"\napplies if a\non a(_, x).entry { }\nrule other \"o\"\non g().exit { }\n",
		"rules/lib/u.slic":   "event f(l) = g\n",
		"rules/lib/bad.slic": "rule r \"t\"\n",
	}
	read := 0
	reader := func(name string) (*source.File, error) {
		text, ok := files[name]
		if !ok {
			return nil, fs.ErrNotExist
		}
		read++
		return source.NewFile(name, []byte(text)), nil
	}
	main := "include \"lib/t.slic\" include \"lib/u.slic\"\nuse T(lock) as lock_rule\nuse T(unlock) as unlock_rule \"own\"\n"
	set, err := Load(source.NewFile("rules/main.slic", []byte(main)), reader)
	if err != nil {
		t.Fatal(err)
	}
	if read != 2 || len(set.Rules) != 2 || len(set.Events) != 1 || len(set.Files) != 3 {
		t.Fatalf("%d files read, %d rules, %d events", read, len(set.Rules), len(set.Events))
	}
	for i, want := range []string{"lock_rule title of T lock lock(_, x).entry", "unlock_rule own unlock unlock(_, x).entry"} {
		r := set.Rules[i]
		if got := strings.Join([]string{r.Name.Text, r.Title, r.Applies[0].Text, r.Handlers[0].Events[0].String()}, " "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if r.File.Name != "rules/lib/t.slic" {
			t.Errorf("%s is of %s", r.Name.Text, r.File.Name)
		}
	}
	// An error is reported in the file that has it.
	_, err = Load(source.NewFile("rules/main.slic", []byte(`include "lib/bad.slic"`)), reader)
	if err == nil || !strings.HasPrefix(err.Error(), "rules/lib/bad.slic:1:6: error: the rule") {
		t.Errorf("got %v", err)
	}
}

// FuzzParse: no text makes the parser panic; an accepted file prints to a text that prints the same.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"errors.txtar", "print.txtar"} {
		for _, file := range archive(f, name).Files {
			f.Add(string(file.Data))
		}
	}
	f.Add("rule r \"t\" on f().entry { n = " + strings.Repeat("(", 1000))
	f.Add("rule r \"t\" on f().entry " + strings.Repeat("{", 1000))
	f.Add("rule r \"t\" on f().entry { n = " + strings.Repeat("- ", 1000) + "a" + strings.Repeat("[0]", 1000))
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse(source.NewFile("in", []byte(text)))
		if err == nil {
			checkRoundTrip(t, file.String())
		}
		if _, bad := load("in", text); bad != nil && !source.IsInput(bad) {
			t.Error(bad)
		} else if bad == nil {
			if _, err := load("in", file.String()); err != nil {
				t.Errorf("%v\nin\n%s", err, file)
			}
		}
	})
}
