package library

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"c2bp/internal/testkit"
)

// TestTable: the table of rules in docs/rules.md is that of the folders.
func TestTable(t *testing.T) {
	const file, begin, end = "../../../docs/rules.md", "| folder | rule | title |\n|---|---|---|\n", "\n\n"
	var b strings.Builder
	names := map[string]string{}
	for _, folder := range Builtin().Names() {
		set, err := Builtin().Rule(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range set.Rules {
			if other := names[r.Name.Text]; other != "" {
				t.Errorf("the rule %s is in the folders %s and %s", r.Name.Text, other, folder)
			}
			names[r.Name.Text] = folder
			fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", folder, r.Name.Text, r.Title)
		}
		text, err := Builtin().File(folder, ruleFile)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text.Text), "// ") {
			t.Errorf("%s: no comment says why the rule exists", folder)
		}
	}
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	old, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no table that begins with %q", file, begin)
	}
	want := strings.TrimSuffix(b.String(), "\n")
	if old == want {
		return
	}
	if !*testkit.Update {
		t.Errorf("the table is\n%s\nwant\n%s", old, want)
		return
	}
	if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestExamples: each example is a good one, or says where it fails.
func TestExamples(t *testing.T) {
	for _, name := range Builtin().Names() {
		list, err := Builtin().Examples(name)
		if err != nil {
			t.Error(err)
		}
		for _, x := range list {
			if x.Bad != (x.Key != "") || x.Bad != (x.Line > 0) {
				t.Errorf("%s/%s: %+v", name, x.Name, x)
			}
		}
	}
}
