package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"c2bp/checker"
)

// Wrong inputs are in testdata/errors: many to a file, one to a chunk, the chunks
// separated by lines of three dashes. A remark on the line that is wrong,
//
//	//! regular expression        in a Boolean program or in C
//	#! regular expression         in a predicate file
//
// has the text that the diagnostic there must have. Each chunk is run by itself; c2bp must
// exit with 2, leave stdout empty, and report an error at the line of each remark
// and at no other line, with the line quoted and a caret under it.
//
// The remark is part of the text (it is a comment). Of a chunk of a predicate file
// the part after a line "=== c" is the C program that the predicates are about.

var remark = regexp.MustCompile(`(?://|#)! (.+)$`)

func TestErrors(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "errors", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no error files: %v", err)
	}
	total := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, chunk := range strings.Split(string(text), "\n---\n") {
			total++
			t.Run(fmt.Sprintf("%s/%d", filepath.Base(file), i+1), func(t *testing.T) {
				runChunk(t, filepath.Ext(file), chunk)
			})
		}
	}
	if total < 30 {
		t.Errorf("only %d cases", total)
	}
}

func runChunk(t *testing.T, ext, chunk string) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var args []string
	var wrong string // the file with the remarks
	switch ext {
	case ".bp":
		wrong = write("x.bp", chunk)
		args = []string{"check", wrong}
	case ".c":
		wrong = write("x.c", chunk)
		args = []string{wrong}
	case ".preds":
		preds, c, ok := strings.Cut(chunk, "\n=== c\n")
		if !ok {
			c = "int g;\nint inc(int x) { int loc = x; x = x + 1; return x; }\nvoid set(int v) { g = v; }\nint main(void) { g = inc(g); set(1); return 0; }\n"
		}
		wrong = write("x.preds", preds)
		args = []string{"-preds", wrong, write("x.c", c)}
		chunk = preds
	default:
		t.Fatalf("unknown extension %q", ext)
	}
	code, stdout, stderr := runApp(args...)
	if code != exitInput || stdout != "" {
		t.Errorf("exit code %d, stdout %q", code, stdout)
	}
	compareErrors(t, wrong, chunk, stderr)
}

// runApp runs a command line in this process.
func runApp(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, check: checker.Analyse}
	code = a.run(context.Background(), args)
	return code, out.String(), errs.String()
}

// compareErrors compares the diagnostics about file with the remarks in its text.
func compareErrors(t *testing.T, file, text, stderr string) {
	reported := map[int]string{}
	lines := strings.Split(stderr, "\n")
	at := regexp.MustCompile(`^` + regexp.QuoteMeta(file) + `:(\d+):(\d+): error: (.+)$`)
	source := strings.Split(text, "\n")
	for i, line := range lines {
		m := at.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var n, col int
		fmt.Sscan(m[1], &n)
		fmt.Sscan(m[2], &col)
		reported[n] += m[3] + "\n"
		if i+2 >= len(lines) || n > len(source) || !quotes(source[n-1], lines[i+1], lines[i+2], col) {
			t.Errorf("no quoted line with a caret follows %q", line)
		}
	}
	wanted := 0
	for i, line := range source {
		m := remark.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		wanted++
		if ok, err := regexp.MatchString(m[1], reported[i+1]); err != nil || !ok {
			t.Errorf("line %d: want an error like %q, got %q (%v)", i+1, m[1], reported[i+1], err)
		}
		delete(reported, i+1)
	}
	if wanted == 0 {
		t.Error("the chunk has no remark")
	}
	for n, msg := range reported {
		t.Errorf("line %d: unexpected error %q", n, msg)
	}
	if t.Failed() {
		t.Logf("stderr:\n%s", stderr)
	}
}

// quotes reports whether the two lines quote line and have a caret under column col.
func quotes(line, quoted, caret string, col int) bool {
	const indent = "    "
	return quoted == indent+line && strings.HasSuffix(caret, "^") && len(caret) == len(indent)+col &&
		strings.TrimLeft(caret, " \t") == "^"
}
