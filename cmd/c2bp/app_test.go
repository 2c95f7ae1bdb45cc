package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/verdict"
)

type checkFunc func(context.Context, *boolprog.Program, checker.Options) (*checker.Analysis, error)

func returns(r *verdict.Result, err error) checkFunc {
	return func(context.Context, *boolprog.Program, checker.Options) (*checker.Analysis, error) {
		return &checker.Analysis{Result: r}, err
	}
}

// untilDone waits for the limit and then returns like returns.
func untilDone(r *verdict.Result, err error) checkFunc {
	return func(ctx context.Context, p *boolprog.Program, o checker.Options) (*checker.Analysis, error) {
		<-ctx.Done()
		return &checker.Analysis{Result: r}, err
	}
}

// Whatever a checker does, c2bp answers, and the exit code and the last line agree.
func TestAnswers(t *testing.T) {
	bp := filepath.Join(t.TempDir(), "x.bp")
	if err := os.WriteFile(bp, []byte("void main() begin assert(1); end\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	failed := &verdict.Result{Verdict: verdict.False, Sites: []verdict.Site{{Proc: "main", Failed: true}}}
	for _, c := range []struct {
		name   string
		check  checkFunc
		code   int
		stdout string // its last line; "" if there must be nothing
		stderr string // a part of it; "" if there must be nothing
	}{
		{"true", returns(&verdict.Result{Verdict: verdict.True}, nil), 0, "TRUE", ""},
		{"false", returns(failed, nil), 10, "FALSE (assertion, main)", ""},
		{"unknown", returns(&verdict.Result{Reason: "vacuous"}, nil), 5, "UNKNOWN (vacuous)", ""},
		{"error", returns(nil, errors.New("no summary")), 6, "", "internal error: no summary"},
		{"panic", func(context.Context, *boolprog.Program, checker.Options) (*checker.Analysis, error) {
			panic("level out of range")
		}, 6, "", "internal error: level out of range"},
		{"stops with an error", untilDone(nil, context.Canceled), 5, "UNKNOWN (time limit of 50ms)", ""},
		{"stops with a result", untilDone(&verdict.Result{Reason: "context canceled"}, nil), 5, "UNKNOWN (time limit of 50ms)", ""},
		{"stops with more to say", untilDone(&verdict.Result{Reason: "interrupted; 2 sites fail"}, nil), 5, "UNKNOWN (time limit of 50ms; 2 sites fail)", ""},
		{"decides at the last moment", untilDone(failed, nil), 10, "FALSE (assertion, main)", ""},
		{"does not stop", func(context.Context, *boolprog.Program, checker.Options) (*checker.Analysis, error) { select {} }, 5, "UNKNOWN (time limit of 50ms)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			// Only work that does not stop is abandoned, and only work that waits for the limit meets it.
			grace, args := time.Hour, []string{"check", bp}
			if strings.Contains(c.stdout, "time limit") || c.name == "decides at the last moment" {
				args = append(args, "--timeout", "50ms")
			}
			if c.name == "does not stop" {
				grace = time.Millisecond
			}
			a := &app{stdin: strings.NewReader(""), stdout: &stdout, stderr: &stderr, grace: grace, check: c.check}
			code := a.run(context.Background(), args)
			want := c.stdout
			if want != "" {
				want = "Verification result: " + want + "\n"
			}
			if code != c.code || !strings.HasSuffix(stdout.String(), want) || (want == "") != (stdout.Len() == 0) {
				t.Errorf("exit code %d, stdout %q", code, stdout.String())
			}
			if (c.stderr == "") != (stderr.Len() == 0) || !strings.Contains(stderr.String(), c.stderr) {
				t.Errorf("stderr %q", stderr.String())
			}
		})
	}
}

// The flags arrive where they belong.
func TestCheckOptions(t *testing.T) {
	bp := filepath.Join(t.TempDir(), "x.bp")
	if err := os.WriteFile(bp, []byte("void main() begin assert(1); end\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var got checker.Options
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, check: func(_ context.Context, _ *boolprog.Program, o checker.Options) (*checker.Analysis, error) {
		got = o
		return &checker.Analysis{Result: &verdict.Result{Verdict: verdict.True}}, nil
	}}
	a.run(context.Background(), []string{"check", "-error-label", "A", "-error-label=B", "--node-limit", "7", bp})
	if strings.Join(got.ErrorLabels, " ") != "A B" || got.NodeLimit != 7 || got.Reach != "" {
		t.Errorf("%+v", got)
	}
	a.run(context.Background(), []string{"check", bp})
	if strings.Join(got.ErrorLabels, " ") != "ERROR SLIC_ERROR" || got.NodeLimit != 0 {
		t.Errorf("%+v", got)
	}
	a.run(context.Background(), []string{"check", bp, "-reach", "L"})
	if got.Reach != "L" {
		t.Errorf("%+v", got)
	}
}

func TestByteSize(t *testing.T) {
	for _, c := range []struct {
		in, out string
		bytes   int64
	}{
		{"1", "1", 1}, {"1024", "1K", 1024}, {"800M", "800M", 800 << 20}, {"2g", "2G", 2 << 30},
		{"2GB", "2G", 2 << 30}, {"1536K", "1536K", 1536 << 10}, {"1T", "1T", 1 << 40},
		{"", "", -1}, {"M", "", -1}, {"-1M", "", -1}, {"0", "", -1}, {"99999999T", "", -1}, {"1.5G", "", -1}, {"1X", "", -1},
	} {
		var m byteSize
		if err := m.Set(c.in); (err != nil) != (c.bytes < 0) {
			t.Errorf("%q: %v", c.in, err)
		} else if err == nil && (int64(m) != c.bytes || m.String() != c.out) {
			t.Errorf("%q: %d, %s", c.in, int64(m), m)
		}
	}
}
