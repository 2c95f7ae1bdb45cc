package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"c2bp/frontend"
	"c2bp/source"
)

// Options say how a harness is compiled and run. The zero value is good.
type Options struct {
	Frontend    frontend.Options // how the files were read: include directories, macros, word size
	Compiler    string           // "" means gcc
	Time        time.Duration    // limit of the program, and of each call of the compiler; 0 means 10 s
	Memory      int64            // limit of the program in bytes, 0 means 1 GiB
	NoSanitizer bool             // do not look for undefined behaviour
}

// Reproduce writes the harness of the run rec, in which p is violated, and runs it with
// the program, files. If C leaves the order of some inputs open and theirs in the run does
// not reproduce the failure, it tries the opposite order. The harness is the one that
// belongs to the outcome.
func Reproduce(ctx context.Context, files []*source.File, rec *Recording, p Property, opts Options) (*Harness, Outcome, error) {
	h := Write(rec, p, LeftToRight)
	o, err := Run(ctx, files, h, opts)
	if err != nil || !rec.Ambiguous() || o.Result != NotReproduced && o.Result != Diverged {
		return h, o, err
	}
	other := Write(rec, p, RightToLeft)
	if o2, err := Run(ctx, files, other, opts); err == nil && o2.Result == Reproduced {
		return other, o2, nil
	}
	o.Reason += "; nor in the other order of inputs that one statement asks for"
	return h, o, nil
}

// Run compiles h with files, the C files of the program (no headers), runs the program in
// an empty directory, with nothing on its standard input, and says what came of it. All
// files it makes are deleted. An error means that there is no answer: ctx is done, or the
// file system does not serve.
//
// Run executes the program: what that does to the machine, it does.
func Run(ctx context.Context, files []*source.File, h *Harness, opts Options) (Outcome, error) {
	o := Outcome{Gaps: h.Gaps}
	if o.Reason = h.unfit(files); o.Reason != "" {
		o.Result = NotWatched
		return o, nil
	}
	b := &build{harness: h, files: files, opts: opts}
	if err := b.find(); err != nil {
		o.Result, o.Reason = NoCompiler, err.Error()
		return o, nil
	}
	var err error
	if b.dir, err = os.MkdirTemp("", "c2bp-harness-"); err != nil {
		return o, err
	}
	defer os.RemoveAll(b.dir)
	if err := b.write(); err != nil {
		return o, err
	}
	if err := b.compile(ctx, &o); err != nil || o.Result == CompileError {
		return o, err
	}
	err = b.execute(ctx, &o)
	return o, err
}

// build is a directory with the program that is compiled.
type build struct {
	harness *Harness
	files   []*source.File
	opts    Options
	dir     string
	cc      string
}

// find looks for the compiler.
func (b *build) find() (err error) {
	name := b.opts.Compiler
	if name == "" {
		name = "gcc"
	}
	if b.cc, err = exec.LookPath(name); err != nil {
		return fmt.Errorf("%s is not installed", name)
	}
	return nil
}

func (b *build) path(name string) string { return filepath.Join(b.dir, name) }

// copyName is the name of the copy of file i.
func copyName(i int) string { return fmt.Sprintf("file%d.c", i) }

// write puts the texts into the directory, and makes one for the program to run in.
func (b *build) write() error {
	err := os.WriteFile(b.path("harness.c"), []byte(b.harness.Text), 0o600)
	for i, f := range b.files {
		err = errors.Join(err, os.WriteFile(b.path(copyName(i)), b.harness.edited(f), 0o600))
	}
	return errors.Join(err, os.MkdirAll(b.path("empty"), 0o700))
}

func (b *build) time() time.Duration {
	if b.opts.Time > 0 {
		return b.opts.Time
	}
	return 10 * time.Second
}

// execute runs the program.
func (b *build) execute(ctx context.Context, o *Outcome) error {
	memory := b.opts.Memory
	if memory <= 0 {
		memory = 1 << 30
	}
	limited, cancel := context.WithTimeout(ctx, b.time())
	defer cancel()
	cmd := exec.CommandContext(limited, "/bin/sh", "-c", `ulimit -c 0; ulimit -f 2048; ulimit -v "$1"; exec "$2"`,
		"sh", strconv.FormatInt(memory/1024, 10), b.path("program"))
	cmd.Dir = b.path("empty")
	cmd.Env = append(os.Environ(), "LC_ALL=C", fmt.Sprintf("UBSAN_OPTIONS=exitcode=%d:print_stacktrace=0", exitUndefined))
	out, err := output(cmd)
	o.Output = out
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		o.Result, o.Reason = TimedOut, fmt.Sprintf("the program does not end within %v", b.time())
		return nil
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	b.judge(ctx, cmd.ProcessState, o)
	return nil
}
