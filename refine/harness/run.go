package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"c2bp/frontend"
	"c2bp/frontend/checks"
	"c2bp/sandbox"
	"c2bp/source"
)

// This file compiles a harness with the program, and runs it.

// Options say how a harness is compiled and run. The zero value is useful.
type Options struct {
	Frontend    frontend.Options // how the files were read: include directories, macros, word size
	Compiler    string           // "" means gcc
	Time        time.Duration    // limit of the program, and of each call of the compiler; 0 means 10 s
	Memory      int64            // limit of the program in bytes, 0 means 1 GiB
	NoSanitizer bool             // do not look for undefined behaviour

	// Confinement runs the compiler and the program; nil means the one that the kernel
	// offers. Where it offers none, nothing is run.
	Confinement *sandbox.Confinement
}

// Reproduce writes the harness of the run rec, in which p is violated, and runs it with the
// program, files. If C leaves the order of some inputs open, and the order of the run does not
// reproduce the failure, it tries the opposite order. The harness is the one that belongs to the
// outcome.
func Reproduce(ctx context.Context, files []*source.File, rec *Recording, p Property, opts Options) (*Harness, Outcome, error) {
	h := Write(rec, p, LeftToRight)
	if reason := p.unnoticed(); reason != "" {
		return h, Outcome{Result: NotWatched, Reason: reason, Gaps: h.Gaps}, nil
	}
	// 1. In the order of the run.
	o, err := Run(ctx, files, h, opts)
	if err != nil || !rec.Ambiguous() || o.Result != NotReproduced && o.Result != Diverged {
		return h, o, err
	}
	// 2. In the opposite order. Only a reproduced failure counts.
	other := Write(rec, p, RightToLeft)
	if o2, err := Run(ctx, files, other, opts); err == nil && o2.Result == Reproduced {
		return other, o2, nil
	}
	o.Reason += "; nor in the other order of inputs that one statement asks for"
	return h, o, nil
}

// unnoticed returns the reason why a program is not run: nothing would notice that p is violated. It is empty for most
// properties.
func (p Property) unnoticed() string {
	switch p.Check {
	case checks.Unset:
		return "gcc's sanitizers do not notice that a variable is read which was not set"
	case checks.UseAfterEnd:
		return "gcc's sanitizer of undefined behaviour does not notice that a variable is used after its end"
	case checks.AccessOutOfBounds, checks.PointerOutOfBounds:
		return "gcc's sanitizer of undefined behaviour does not notice that a pointer leaves its object"
	}
	return ""
}

// Run compiles h with files, the C files of the program (no headers), runs the program in an empty
// directory with empty standard input, and returns its outcome. All files that it makes are
// deleted. An error means that there is no answer: ctx is done, or the file system fails.
//
// Run executes the tools and the program in sandboxes (package sandbox): they read the files that
// the front end has read, the include directories and the tool chain, and write to the directory
// that is deleted.
func Run(ctx context.Context, files []*source.File, h *Harness, opts Options) (Outcome, error) {
	o := Outcome{Gaps: h.Gaps}
	// 1. The copies must be possible, and there must be a compiler.
	if o.Reason = h.unfit(files); o.Reason != "" {
		o.Result = NotWatched
		return o, nil
	}
	b := &build{harness: h, files: files, opts: opts}
	if err := b.find(); err != nil {
		o.Result, o.Reason = NoCompiler, err.Error()
		return o, nil
	}
	// 2. Compile and run, confined or not at all.
	err := b.confine()
	if err == nil {
		err = b.run(ctx, &o)
	}
	var refused errNotConfined
	if errors.As(err, &refused) {
		o.Result, o.Sanitized, o.Output = NotConfined, false, ""
		o.Reason = "nothing was compiled or run: " + refused.Error()
		return o, nil
	}
	return o, err
}

// confine determines how processes are confined.
func (b *build) confine() (err error) {
	if b.confinement = b.opts.Confinement; b.confinement == nil {
		if b.confinement, err = sandbox.Find(); err != nil {
			return errNotConfined{err}
		}
	}
	return nil
}

// run compiles and executes in a directory of its own.
func (b *build) run(ctx context.Context, o *Outcome) (err error) {
	if b.dir, err = os.MkdirTemp("", "c2bp-harness-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.dir, err = filepath.Abs(b.dir); err != nil {
		return err
	}
	// The copies, the harness, and an empty directory for the program.
	if err := b.write(); err != nil {
		return err
	}
	if err := b.compile(ctx, o); err != nil || o.Result == CompileError || o.Result == NotWatched {
		return err
	}
	return b.execute(ctx, o)
}

// build is the directory in which the program is compiled, and the tools for that.
type build struct {
	harness *Harness
	files   []*source.File
	opts    Options
	dir     string
	cc      string

	confinement *sandbox.Confinement
}

// find looks for the compiler.
func (b *build) find() (err error) {
	name := b.opts.Compiler
	if name == "" {
		name = "gcc"
	}
	if b.cc, err = lookPath(name); err != nil {
		return fmt.Errorf("%s is not installed", name)
	}
	return nil
}

// path returns the path of a file in the directory.
func (b *build) path(name string) string { return filepath.Join(b.dir, name) }

// copyName returns the name of the copy of file i.
func copyName(i int) string { return fmt.Sprintf("file%d.c", i) }

// textName returns the name of that copy after preprocessing.
func textName(i int) string { return fmt.Sprintf("file%d.i", i) }

// write writes the texts to the directory, and makes one for the program to run in.
func (b *build) write() error {
	err := os.WriteFile(b.path("harness.c"), []byte(b.harness.Text+b.harness.support), 0o600)
	for i, f := range b.files {
		// Line markers with flags nest; those of a copy may not.
		text := marker.ReplaceAll(b.harness.edited(f), []byte("$1"))
		if b.opts.Frontend.For(f.Name).Preprocessed(f.Name) {
			text = definition.ReplaceAll(text, nil) // of gcc -g3: nothing there is expanded
		}
		err = errors.Join(err, os.WriteFile(b.path(copyName(i)), text, 0o600))
	}
	return errors.Join(err, os.MkdirAll(b.path("empty"), 0o700))
}

// marker matches a line marker with flags. gcc ignores one if files nest in another way than the
// flags say.
var marker = regexp.MustCompile(`(?m)^([ \t]*#[ \t]*\d+[ \t]+"[^"\n]*")[ \t0-9]+$`)

// definition matches directives that define or undefine a macro.
var definition = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:define|undef)\b.*$`)

// time returns the limit for a process.
func (b *build) time() time.Duration {
	if b.opts.Time > 0 {
		return b.opts.Time
	}
	return 10 * time.Second
}

// execute runs the program in the sandbox, and judges its end.
func (b *build) execute(ctx context.Context, o *Outcome) error {
	// The linker may not change the mode of its output.
	if err := os.Chmod(b.path("program"), 0o500); err != nil {
		return err
	}
	result, err := b.confinement.Run(ctx, sandbox.Command{
		Path: b.path("program"), Dir: b.path("empty"),
		Env:    []string{"LC_ALL=C"},
		Read:   sandbox.Libraries(),
		Write:  []string{b.path("empty")},
		Bits32: b.opts.Frontend.Bits32,
		Limits: sandbox.Limits{Time: b.time(), Memory: b.opts.Memory},
	})
	var exec *sandbox.ExecError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	// A program for another machine is no answer; a system without confinement is an error.
	case errors.As(err, &exec):
		o.Result, o.Reason = NotExecuted, err.Error()
		return nil
	case err != nil:
		return errNotConfined{err}
	}
	o.Output = result.Output
	if result.Exceeded != sandbox.NoLimit {
		o.Result, o.Reason = TimedOut, "the program "+b.exceeded(result.Exceeded)
		return nil
	}
	return b.judge(ctx, result.State, o)
}
