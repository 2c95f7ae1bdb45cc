package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"c2bp/checker"
	"c2bp/internal/testkit"
)

// Audits of the hostile programs of package sandbox do no harm, and end in the verdict that
// the comment at the head of each says. There, a mutant takes each protection away.
func TestHostile(t *testing.T) {
	testkit.NeedGCC(t)
	files, err := filepath.Glob("../../sandbox/testdata/hostile/*.c")
	if err != nil || len(files) < 15 {
		t.Fatal("there are no hostile programs")
	}
	expected := regexp.MustCompile(`(?m)^ \* Verdict: (.*)$`)
	t.Setenv("C2BP_TEST_SECRET", hostileSecret)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if filepath.Base(file) == "endless.c" && !testkit.Long() {
				t.Skip("it takes the ten seconds that a compiled program has; package sandbox runs it with a shorter limit, C2BP_LONG=1 here")
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m := expected.FindSubmatch(text)
			if m == nil {
				t.Fatal("the program does not say which verdict is right")
			}
			w := newHostileWorld(t)
			var out, diags bytes.Buffer
			a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &diags, grace: time.Second, check: checker.Analyse}
			a.run(context.Background(), []string{
				"audit", file, "-D", "OUTSIDE=\"" + w.outside + "\"", "-D", fmt.Sprintf("PORT=%d", w.port),
				"-D", fmt.Sprintf("VICTIM=%d", w.victim.Process.Pid), "--timeout", "120s",
			})
			w.check()
			if strings.Contains(out.String()+diags.String(), hostileSecret) {
				t.Error("the secret is printed")
			}
			want := "Verification result: " + string(m[1])
			if rest, ok := strings.CutPrefix(string(m[1]), "error: "); ok {
				want = rest
			}
			if got := out.String() + diags.String(); !strings.Contains(got, want) {
				t.Errorf("got\n%s\nwant %q", got, want)
			}
		})
	}
}

const hostileSecret = "the-secret-text"

// hostileWorld has the files, the process and the socket that programs could harm.
type hostileWorld struct {
	t       *testing.T
	outside string
	before  string
	port    int
	visits  atomic.Int32
	victim  *exec.Cmd
	dead    chan struct{}
}

func newHostileWorld(t *testing.T) *hostileWorld {
	w := &hostileWorld{t: t, outside: t.TempDir(), dead: make(chan struct{}), victim: exec.Command("sleep", "600")}
	if err := os.WriteFile(filepath.Join(w.outside, "secret"), []byte(hostileSecret+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.before = w.state()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.port = l.Addr().(*net.TCPAddr).Port
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.visits.Add(1)
			c.Close()
		}
	}()
	if err := w.victim.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = w.victim.Wait()
		close(w.dead)
	}()
	t.Cleanup(func() {
		l.Close()
		_ = w.victim.Process.Kill()
		<-w.dead
	})
	return w
}

// state is everything about the files outside.
func (w *hostileWorld) state() string {
	var b strings.Builder
	_ = filepath.WalkDir(w.outside, func(path string, _ os.DirEntry, _ error) error {
		info, err := os.Stat(path)
		if err != nil {
			w.t.Fatal(err)
		}
		text, _ := os.ReadFile(path)
		fmt.Fprintln(&b, path, info.Mode(), info.ModTime(), string(text))
		return nil
	})
	return b.String()
}

// check reports changes as errors.
func (w *hostileWorld) check() {
	if now := w.state(); now != w.before {
		w.t.Errorf("files outside were\n%sand are\n%s", w.before, now)
	}
	if w.visits.Load() > 0 {
		w.t.Error("somebody has talked to the socket")
	}
	select {
	case <-w.dead:
		w.t.Error("another process is dead")
	case <-time.After(20 * time.Millisecond):
	}
}
