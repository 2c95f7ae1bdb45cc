package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"c2bp/boolprog/bpgen"
	"c2bp/internal/testkit"
	"c2bp/report/sarif"
)

var update = testkit.Update

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"c2bp": main})
}

func newTestRoot() *cobra.Command { return (&app{}).newRoot() }

// TestScripts runs testdata/script/*.txtar, each a bug report that did not happen.
// Beside the commands of testscript there are:
//
//	exits N command…     run a command, which must exit with code N
//	lastline TEXT        stdout's last line must be TEXT, whole
//	nothing              stdout must be empty
//	validsarif           stdout must be a log by the schema of SARIF
//	multiplier K FILE    write a Boolean program that multiplies numbers of K bits
//	repeat N TEXT FILE   write FILE: N times TEXT (\n is an end of line)
//	append FILE TEXT     append TEXT to FILE
//	interrupt N FIFO command…
//	                     run a command that reads FIFO and send it SIGINT while it does;
//	                     it must exit with N and leaves stdout.txt and stderr.txt
func TestScripts(t *testing.T) {
	deps, err := filepath.Abs(filepath.Join("..", "..", ".ci", "deps"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("DEPS", deps)
			return nil
		},
		UpdateScripts: *update,
		Condition: func(cond string) (bool, error) {
			if cond != "pty" {
				return false, fmt.Errorf("unknown condition %s", cond)
			}
			f, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
			if err == nil {
				f.Close()
			}
			return err == nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      scriptExits,
			"lastline":   scriptLastLine,
			"nothing":    scriptNothing,
			"repeat":     scriptRepeat,
			"append":     scriptAppend,
			"interrupt":  scriptInterrupt,
			"multiplier": scriptMultiplier,
			"validsarif": scriptValidSARIF,
		},
	})
}

// need stops a script that calls its command in a wrong way.
func need(ts *testscript.TestScript, ok bool, usage string) {
	if !ok {
		ts.Fatalf("usage: %s", usage)
	}
}

func exitCodeOf(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	ts.Fatalf("cannot run it: %v", err)
	return 0
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) >= 2, "exits N command…")
	err := ts.Exec(args[1], args[2:]...)
	if got := exitCodeOf(ts, err); strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

func scriptLastLine(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) == 1, "lastline TEXT")
	out := ts.ReadFile("stdout")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if got := lines[len(lines)-1]; got != args[0] || !strings.HasSuffix(out, "\n") {
		ts.Fatalf("last line is %q, want %q", got, args[0])
	}
}

func scriptNothing(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) == 0, "nothing")
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("stdout is not empty: %.200q", out)
	}
}

func scriptValidSARIF(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) == 0, "validsarif")
	ts.Check(sarif.Validate([]byte(ts.ReadFile("stdout"))))
}

func scriptRepeat(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) == 3, "repeat N TEXT FILE")
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	text := strings.Repeat(strings.ReplaceAll(args[1], `\n`, "\n"), n)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text), 0o666))
}

func scriptMultiplier(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) == 2, "multiplier BITS FILE")
	k, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(bpgen.Multiplier(k)), 0o666))
}

func scriptAppend(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) == 2, "append FILE TEXT")
	name := ts.MkAbs(args[0])
	old, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		ts.Fatalf("%v", err)
	}
	text := strings.ReplaceAll(strings.ReplaceAll(args[1], `\n`, "\n"), `\0`, "\x00")
	ts.Check(os.WriteFile(name, append(old, text...), 0o666))
}

func scriptInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) >= 3, "interrupt N FIFO command…")
	fifo := ts.MkAbs(args[1])
	ts.Check(syscall.Mkfifo(fifo, 0o600))
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	ts.Check(cmd.Start())
	// Opening it blocks until the command has opened it for reading.
	w, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	ts.Check(err)
	defer w.Close()
	ts.Check(cmd.Process.Signal(syscall.SIGINT))
	code := exitCodeOf(ts, cmd.Wait())
	ts.Check(os.WriteFile(ts.MkAbs("stdout.txt"), stdout.Bytes(), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("stderr.txt"), stderr.Bytes(), 0o666))
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s; stderr: %s", code, args[0], stderr.String())
	}
}
