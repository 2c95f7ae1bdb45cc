package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestApply: every mutant still fits the source, once for each edit.
func TestApply(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	list, err := find(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if _, err := m.apply(root); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
	}
	t.Logf("%d mutants", len(list))
}

// TestNamed: the tests that must fail exist.
func TestNamed(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	list, err := find(root)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]map[string]bool{} // tests by package
	for _, m := range list {
		if have[m.pkg] == nil {
			have[m.pkg] = map[string]bool{}
			files, err := filepath.Glob(filepath.Join(root, m.pkg, "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range testFunc.FindAllStringSubmatch(string(text), -1) {
					have[m.pkg][f[1]] = true
				}
			}
		}
		for _, name := range strings.Split(m.test, "|") {
			if name, _, _ = strings.Cut(name, "/"); !have[m.pkg][strings.Trim(name, "^()$")] {
				t.Errorf("%s: %s has no test %s", m.name, m.pkg, name)
			}
		}
	}
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Example|Fuzz)\w*)\(`)

const example = `# Nothing is
# written.
# test: ./alias TestRuns
# counts: 10x
--- alias/a.go
@@
 func f() {
-	x = 1

+	x = 2
 }
`

func TestParse(t *testing.T) {
	m, err := parse(example)
	if err != nil {
		t.Fatal(err)
	}
	if m.title != "Nothing is written." || m.pkg != "./alias" || m.test != "TestRuns" || m.times != 10 || m.long {
		t.Errorf("%+v", m)
	}
	got, err := m.edits[0].apply([]byte("package a\nfunc f() {\n\tx = 1\n\n}\n"))
	if want := "package a\nfunc f() {\n\n\tx = 2\n}\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// TestRefused: what does not fit, or fits twice, is an error, and so is a patch without a part.
func TestRefused(t *testing.T) {
	m, err := parse(example)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"package a\n": "any more",
		"func f() {\n\tx = 1\n\n}\nfunc f() {\n\tx = 1\n\n}\n": "both",
	} {
		if _, err := m.edits[0].apply([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{
		"", "# x\n--- a.go\n@@\n-a\n", "# x\n# test: T\n", "# x\n# test: T\n--- a.go\n@@\n a\n",
		strings.Replace(example, "10x", "many", 1), strings.Replace(example, "@@", "a", 1),
	} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q is no patch", text)
		}
	}
}

// TestPattern: a subtest is found by its name, and no other test with a longer one.
func TestPattern(t *testing.T) {
	for test, want := range map[string]string{
		"TestA":           "^(TestA)$",
		"TestA|TestB":     "^(TestA|TestB)$",
		"TestA/one/first": "^(TestA)$/^(one)$/^(first)$",
	} {
		if got := pattern(test); got != want {
			t.Errorf("%s: %s, want %s", test, got, want)
		}
	}
}
