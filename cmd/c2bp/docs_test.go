package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The documents show real output of the tool. In README.md and docs/*.md
//
//	<!-- file lock.c -->       the fenced block that follows is a file of that name
//	```console                 lines with "$ " in front are commands, run by sh in a
//	                           directory with the files shown so far; the lines that
//	                           follow a command are its whole output, stdout and stderr
//
// Another fence tag, or none, makes a block that is only read. go test -update
// rewrites the outputs; -run Docs/tutorial chooses a document.
func TestDocs(t *testing.T) {
	docs, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(docs) == 0 {
		t.Fatalf("no docs: %v", err)
	}
	commands := 0
	for _, doc := range append(docs, filepath.Join("..", "..", "README.md")) {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		commands += strings.Count(string(text), "\n$ ")
		t.Run(strings.TrimSuffix(filepath.Base(doc), ".md"), func(t *testing.T) {
			d := &docRunner{t: t, dir: t.TempDir()}
			// The samples are where they are after a clone.
			samples, err := filepath.Abs("../../drivers-samples")
			if err == nil {
				err = os.Symlink(samples, filepath.Join(d.dir, "drivers-samples"))
			}
			if err != nil {
				t.Fatal(err)
			}
			got := d.run(string(text))
			switch {
			case got == string(text):
			case *update:
				if err := os.WriteFile(doc, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("%s: %s\n(go test -run Docs -update rewrites it)", doc, firstDifference(string(text), got))
			}
		})
	}
	if commands < 50 {
		t.Errorf("the documents show only %d commands", commands)
	}
}

// docRunner goes through one document.
type docRunner struct {
	t   *testing.T
	dir string
}

var (
	fence    = "```"
	fileMark = regexp.MustCompile(`^<!-- file (\S+) -->$`)
)

// run returns the document with the outputs as they really are.
func (d *docRunner) run(text string) string {
	lines := strings.Split(text, "\n")
	var out []string
	name := "" // of the file that the next block is
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		out = append(out, line)
		if m := fileMark.FindStringSubmatch(line); m != nil {
			name = m[1]
			continue
		}
		if !strings.HasPrefix(line, fence) {
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end] != fence {
			end++
		}
		body := lines[i+1 : min(end, len(lines))]
		switch {
		case end == len(lines):
			d.t.Errorf("line %d: a block that is not closed", i+1)
		case name != "":
			d.write(name, strings.Join(body, "\n")+"\n")
		case line == fence+"console":
			body = d.console(body)
		}
		name = ""
		out = append(out, body...)
		i = end - 1
		if end < len(lines) {
			out = append(out, lines[end])
			i = end
		}
	}
	return strings.Join(out, "\n")
}

func (d *docRunner) write(name, text string) {
	path := filepath.Join(d.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		d.t.Fatal(err)
	}
}

// console runs the commands of a block.
func (d *docRunner) console(body []string) []string {
	var out []string
	for _, line := range body {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue // the output of a command
		}
		out = append(out, line)
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir = d.dir
		text, err := cmd.CombinedOutput() // the exit code is shown where a document wants it
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			d.t.Fatal(err)
		}
		if s := strings.TrimSuffix(string(text), "\n"); s != "" {
			out = append(out, strings.Split(s, "\n")...)
		}
	}
	return out
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			other := "(end)"
			if i < len(y) {
				other = y[i]
			}
			return "the document says " + strings.TrimSpace(x[i]) + "\nthe tool says     " + strings.TrimSpace(other)
		}
	}
	return "the tool says more"
}

// The comparison must notice an output that is not the tool's, and a command that
// is gone.
func TestDocsNotice(t *testing.T) {
	d := &docRunner{t: t, dir: t.TempDir()}
	text := "<!-- file a.txt -->\n```\nhello\n```\n```console\n$ cat a.txt\ngoodbye\n$ true\n```\nend\n"
	want := strings.Replace(text, "goodbye", "hello", 1)
	if got := d.run(text); got != want {
		t.Errorf("got %q", got)
	}
	if got := d.run(want); got != want {
		t.Errorf("a true document was changed: %q", got)
	}
}
