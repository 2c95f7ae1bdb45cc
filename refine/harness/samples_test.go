package harness

import (
	"os"
	"path/filepath"
	"testing"

	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// The failures of the sample drivers that random inputs find are real.
func TestSamples(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t, "addr2line")
	paths, err := filepath.Glob("../../drivers-samples/*/buggy.c")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	n := 0
	for _, path := range paths {
		if n == testkit.Count(1, len(paths)) {
			break
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := []*source.File{source.NewFile(path, text)}
		f := failing(t, load(t, files, frontend.Options{}), uint64(testkit.Count(12, 5000)))
		if f == nil {
			t.Logf("%s: no failure found", path)
			continue
		}
		n++
		h, o := reproduce(t, files, f)
		t.Logf("%s: %s, %d inputs, %s", path, o.Result, len(f.recording.Inputs), f.property)
		if o.Result != Reproduced {
			t.Errorf("%s: %s\n%s", path, o, h.Text)
		}
	}
	t.Logf("%d of %d samples", n, len(paths))
	if n == 0 {
		t.Error("no failure found at all")
	}
}
