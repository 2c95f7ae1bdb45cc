package checker

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// This file measures the command as a user runs it: a process from its start to its end.

// buildCommand builds c2bp and says where it is.
func buildCommand(b *testing.B) string {
	command := filepath.Join(b.TempDir(), "c2bp")
	if out, err := exec.Command("go", "build", "-o", command, "c2bp/cmd/c2bp").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return command
}

// process is what `c2bp check` takes for a text.
type process struct {
	time   time.Duration // the median of some runs, from start to end
	growth float64       // how many times what it takes for the text of half the size
	peak   int64         // the most memory that was resident, in bytes
}

// measureProcess runs `c2bp check --reach reach` on a text and on that of half its size in
// turn, so that a machine that becomes slower or faster does not matter: the growth is the
// median over the pairs. Both must end as they should.
func measureProcess(b *testing.B, command, half, text string, fails bool) process {
	const pairs = 7
	var files [2]string
	for i, t := range []string{half, text} {
		files[i] = filepath.Join(b.TempDir(), "in.bp")
		if err := os.WriteFile(files[i], []byte(t), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	var times []time.Duration
	var growths []float64
	for range pairs {
		first, _ := runCheck(b, command, files[0], fails)
		took, _ := runCheck(b, command, files[1], fails)
		times = append(times, took)
		growths = append(growths, float64(took)/float64(first))
	}
	slices.Sort(times)
	slices.Sort(growths)
	var stats struct {
		Peak int64 `json:"peak_memory_bytes"`
	}
	_, errors := runCheck(b, command, files[1], fails, "--stats=json")
	if err := json.Unmarshal(errors, &stats); err != nil || stats.Peak == 0 {
		b.Fatalf("%v, in the statistics %s", err, errors)
	}
	return process{times[pairs/2], growths[pairs/2], stats.Peak}
}

// runCheck is one run: how long it takes, and what it prints on standard error.
func runCheck(b *testing.B, command, file string, fails bool, more ...string) (time.Duration, []byte) {
	cmd := exec.Command(command, append([]string{"check", "--reach", "reach", file}, more...)...)
	var errors bytes.Buffer
	if len(more) > 0 {
		cmd.Stderr = &errors
	} // else its output goes to /dev/null
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	want := 0
	if fails {
		want = 10 // FALSE
	}
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
		b.Fatalf("%s: %v, and not exit code %d", file, err, want)
	}
	return took, errors.Bytes()
}
