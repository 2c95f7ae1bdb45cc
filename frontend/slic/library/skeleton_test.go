package library

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSkeleton: a skeleton is a rule with a good and a bad example, is found in its directory, and is not
// written over.
func TestSkeleton(t *testing.T) {
	dir := t.TempDir()
	written, err := Builtin().Skeleton(dir, "my-lock")
	if err != nil || len(written) != 4 {
		t.Fatalf("%v, %v", written, err)
	}
	l, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	set, err := l.Rule("my-lock")
	if err != nil || len(set.Rules) != 1 || set.Rules[0].Name.Text != "my_lock" {
		t.Fatalf("%v, %v", set, err)
	}
	examples, err := l.Examples("my-lock")
	if err != nil || len(examples) != 2 || examples[1].Key != "left-at-end" {
		t.Fatalf("%v, %v", examples, err)
	}
	if got := l.Headers("my-lock"); len(got) != 1 {
		t.Errorf("headers %v", got)
	}
	// Nothing is overwritten, whoever has the name.
	file := filepath.Join(dir, "my-lock", ruleFile)
	if err := os.WriteFile(file, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"my-lock", "spinlock"} {
		if _, err := Builtin().Skeleton(dir, name); err == nil {
			t.Errorf("%s was written over", name)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the rule is now %q, %v", text, err)
	}
}

// TestDirectories: a directory without rules, one that is not there, and a name that is there already are
// errors that name it.
func TestDirectories(t *testing.T) {
	twice := t.TempDir()
	if err := os.Mkdir(filepath.Join(twice, "mutex"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(twice, "mutex", ruleFile), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for dir, want := range map[string]string{
		empty:                        "there is no rule; expected",
		filepath.Join(empty, "none"): "cannot read it",
		twice:                        "there is another rule of this name, <rules>/mutex",
	} {
		if _, err := New(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), filepath.ToSlash(dir)) {
			t.Errorf("%s: %v; want %q", dir, err, want)
		}
	}
}

// TestNames: names of rules are those that folders and the language can have.
func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"a": true, "my-lock2": true, "": false, "A": false, "2a": false, "a-": false, "-a": false, "a/b": false, "..": false, "a_b": false} {
		if IsName(name) != want {
			t.Errorf("IsName(%q) is %v", name, !want)
		}
	}
}

// TestIncluded: a rule of a user may include the parametrised rules that come with c2bp.
func TestIncluded(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "mine"), 0o777); err != nil {
		t.Fatal(err)
	}
	text := "include \"<rules>/templates/locks.slic\"\nuse Lock(take, no_such_function, no_such_function, give) as mine\n"
	if err := os.WriteFile(filepath.Join(dir, "mine", ruleFile), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if set, err := l.Rule("mine"); err != nil || len(set.Rules) != 1 {
		t.Errorf("%v, %v", set, err)
	}
}
