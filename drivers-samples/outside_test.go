package samples

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
	"c2bp/refine/harness"
	"c2bp/source"
)

// This file audits the samples in outside, of which all memory comes from outside of the program.

// quick are the safe ones that the audit proves soon.
var quick = map[string]bool{"device-list/safe.c": true}

// TestOutside: safe ones are proved, and the proof is valid; buggy ones fail where they should, for gcc
// as well.
func TestOutside(t *testing.T) {
	t.Parallel()
	variants, err := Find("outside")
	if err != nil {
		t.Fatal(err)
	}
	buggy := 0
	for _, v := range variants {
		if v.Want != "TRUE" {
			buggy++
		}
		switch {
		case testkit.Long():
		case v.Want == "TRUE" && !quick[v.Name()]:
			continue // that takes some ten seconds each
		case v.Want != "TRUE" && buggy%2 == 0:
			continue // every other one is compiled and run here
		}
		t.Run(v.Name(), func(t *testing.T) {
			path := filepath.Join(v.Dir, v.File)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := []*source.File{source.NewFile(v.File, text)}
			u, err := frontend.Load(t.Context(), files, frontend.Options{})
			if err != nil {
				t.Fatal(err)
			}
			o, err := refine.Audit(t.Context(), u.Program, refine.Options{Files: files, Harness: &harness.Options{}})
			if err != nil {
				t.Fatal(err)
			}
			if got := o.Result.Verdict.String(); got != v.Want {
				t.Fatalf("%s, want %s", o.Result.Summary(), v.Want)
			}
			if v.Want == "TRUE" {
				isCertified(t, u, o)
				return
			}
			if line := fmt.Sprint(o.Result.Sites[o.Result.Failed].Pos.Line); line != v.Line {
				t.Errorf("line %s fails, want line %s", line, v.Line)
			}
			if h := o.Failures[0].Compiled; h.Result != harness.Reproduced && h.Result != harness.NoCompiler && h.Result != harness.NotConfined {
				t.Errorf("the compiled program: %s", h)
			}
			if !strings.Contains(fmt.Sprint(o.Failures[0].Recording.Got()), "env") {
				t.Error("no object outside is among the inputs")
			}
		})
	}
}

// isCertified fails the test unless the certificate of o is valid.
func isCertified(t *testing.T, u *frontend.Unit, o *refine.Outcome) {
	t.Helper()
	var parts []extract.Part
	for _, p := range o.Proof {
		parts = append(parts, extract.Part{Analysis: p.Analysis, Predicates: p.Predicates})
	}
	proof, err := extract.Proof(t.Context(), u.Program, parts)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := proof.Write(&text); err != nil {
		t.Fatal(err)
	}
	file := source.NewFile("sample.cert", text.Bytes())
	r, err := certificate.ValidateFile(t.Context(), file, u.Program, certificate.Options{ErrorLabels: checker.DefaultErrorLabels()})
	if err != nil || r.Verdict != certificate.Valid {
		t.Errorf("%v: %s", err, r.Summary())
	}
}

// TestOutsideRuns: in the environments that come with some samples the safe ones run to their end, and
// the buggy ones fail in the line that is expected.
func TestOutsideRuns(t *testing.T) {
	testkit.NeedGCC(t)
	variants, err := Find("outside")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, v := range variants {
		environment := filepath.Join(v.Dir, "env.c")
		if _, err := os.Stat(environment); err != nil {
			continue
		}
		ran++
		exe := filepath.Join(t.TempDir(), "sample")
		out, err := exec.Command("gcc", "-Wall", "-Wextra", "-Werror", "-o", exe, filepath.Join(v.Dir, v.File), environment).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", v.Name(), err, out)
		}
		out, err = exec.CommandContext(t.Context(), exe).CombinedOutput()
		var exit *exec.ExitError
		failed := fmt.Sprintf("%s:%s:", v.File, v.Line)
		switch {
		case v.Want == "TRUE" && err != nil:
			t.Errorf("%s: %v\n%s", v.Name(), err, out)
		case v.Want == "FALSE" && (!errors.As(err, &exit) || !strings.Contains(string(out), failed)):
			t.Errorf("%s: %v, want a failure in line %s\n%s", v.Name(), err, v.Line, out)
		}
	}
	if ran == 0 {
		t.Error("no sample has an environment")
	}
}
