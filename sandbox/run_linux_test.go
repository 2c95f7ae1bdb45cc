package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a program needs to do its work, it may do.
func TestAllowed(t *testing.T) {
	for _, c := range confinements(t) {
		for _, x := range []struct{ name, text, want string }{
			{"output", `#include <stdio.h>
				int main(void) { printf("to one\n"); fflush(stdout); fprintf(stderr, "to two\n"); }`, "to one\nto two\n"},
			{"files", `#include <stdio.h>
				int main(void) { FILE *f = fopen("x", "w"); fputs("text", f); fclose(f); f = fopen("x", "r"); char b[9]; puts(fgets(b, 9, f)); return remove("x"); }`, "text\n"},
			{"memory", `#include <stdlib.h>
				#include <stdio.h>
				int main(void) { char *p = malloc(200 << 20); for (int i = 0; i < 200; i++) p[i << 20] = i; printf("%d\n", p[100 << 20]); free(p); }`, "100\n"},
			{"threads", `#include <pthread.h>
				#include <stdio.h>
				static void *f(void *p) { *(int *)p = 7; return 0; }
				int main(void) { pthread_t t; int x = 0; if (pthread_create(&t, 0, f, &x)) return 1; pthread_join(t, 0); printf("%d\n", x); }`, "7\n"},
			{"signals", `#include <signal.h>
				#include <stdio.h>
				#include <unistd.h>
				static void f(int s) { write(1, "caught\n", 7); }
				int main(void) { signal(SIGUSR1, f); raise(SIGUSR1); kill(getpid(), SIGUSR1); signal(SIGALRM, f); alarm(1); pause(); }`, "caught\ncaught\ncaught\n"},
			{"time", `#include <time.h>
				#include <stdio.h>
				int main(void) { struct timespec t = { 0, 1000 }; nanosleep(&t, 0); puts(time(0) > 1000 ? "late" : "early"); }`, "late\n"},
		} {
			t.Run(c.String()+"/"+x.name, func(t *testing.T) {
				dir := t.TempDir()
				r, err := c.Run(t.Context(), Command{Path: compiled(t, x.text), Dir: dir, Read: Libraries(), Write: []string{dir}})
				if err != nil || r.Output != x.want || r.State.ExitCode() != 0 {
					t.Errorf("%v: %v\n%s", err, r.State, r.Output)
				}
			})
		}
	}
}

// An abort is one, also for the first process of a namespace.
func TestAbort(t *testing.T) {
	for _, c := range confinements(t) {
		path := compiled(t, "extern void abort(void); int main(void) { abort(); }")
		r, err := c.Run(t.Context(), Command{Path: path, Dir: filepath.Dir(path), Read: Libraries()})
		if err != nil || !strings.Contains(r.State.String(), "abort") {
			t.Error(c, r.State, err)
		}
	}
}

// What cannot be executed is an error of its own.
func TestNotExecuted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "program")
	if err := os.WriteFile(path, []byte("no program"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range confinements(t) {
		var e *ExecError
		if _, err := c.Run(t.Context(), Command{Path: path, Dir: dir}); !errors.As(err, &e) || !strings.Contains(e.Reason, "format") {
			t.Error(c, err)
		}
	}
}

// A program of 32 bits ends as it does, or is said not to be executed: which of them is a matter
// of the machine.
func TestBits32(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "program")
	if err := os.WriteFile(path, smallest32(), 0o500); err != nil {
		t.Fatal(err)
	}
	outside := exec.Command(path).Run()
	var ended *exec.ExitError
	runs := errors.As(outside, &ended) && ended.ExitCode() == code32
	for _, c := range confinements(t) {
		var e *ExecError
		r, err := c.Run(t.Context(), Command{Path: path, Dir: dir, Bits32: true})
		switch {
		case errors.As(err, &e) && e.Reason == no32:
			t.Logf("%v: %v; outside of the sandbox: %v", c, err, outside)
		case err != nil || !runs || r.State.ExitCode() != code32:
			t.Errorf("%v: %v, %v; outside of the sandbox: %v", c, r.State, err, outside)
		}
	}
}

// When the context is done, the command ends, and Run says so.
func TestContext(t *testing.T) {
	for _, c := range confinements(t) {
		path := compiled(t, "int main(void) { for (;;) ; }")
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := c.Run(ctx, Command{Path: path, Dir: filepath.Dir(path), Read: Libraries(), Limits: Limits{Time: time.Hour}}); err != context.DeadlineExceeded {
			t.Error(c, err)
		}
		if left := processesOf(path); len(left) > 0 {
			t.Error(c, "leaves", left)
		}
	}
}

// A child that cannot restrict itself executes nothing.
func TestSetUpFails(t *testing.T) {
	for _, c := range confinements(t) {
		path := compiled(t, "int main(void) { return 3; }")
		r, err := c.Run(t.Context(), Command{Path: path, Dir: "/nonexistent\x00", Read: Libraries()})
		if err == nil || r.State != nil || !strings.Contains(err.Error(), "could not be confined") {
			t.Error(c, r, err)
		}
	}
}
