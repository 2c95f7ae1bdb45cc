package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	if h.problem != "" {
		o.Reason = h.problem
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

var undefinedReference = regexp.MustCompile("undefined reference to [`']([A-Za-z_][A-Za-z_0-9]*)'")

// complete adds to h the functions that the linker misses according to its output. They
// have left no node in the core program: models say that nobody notices what they do. It
// reports whether there are any.
func (h *Harness) complete(out string) bool {
	seen := map[string]bool{}
	for _, m := range undefinedReference.FindAllStringSubmatch(out, -1) {
		if name := m[1]; !seen[name] {
			seen[name] = true
			h.Text += fmt.Sprintf("\n/* without effect in the run */\n%slong long %s(void)\n{\n\treturn 0;\n}\n", weak, name)
		}
	}
	return len(seen) > 0
}

// compile makes the program, with the sanitizer if there is one.
func (b *build) compile(ctx context.Context, o *Outcome) error {
	for _, sanitize := range []bool{true, false} {
		if sanitize && b.opts.NoSanitizer {
			continue
		}
		o.Result, o.Sanitized = NotReproduced, sanitize
		out, err := b.compileAll(ctx, sanitize)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		o.Result, o.Sanitized, o.Output = CompileError, false, out
		o.Reason = "gcc does not compile the program with the harness: " + complaint(out, err)
		if sanitize && !strings.Contains(out, "ubsan") && !strings.Contains(out, "sanitize") {
			return nil
		}
	}
	return nil
}

// complaint is the line of the compiler's output that says what is wrong.
func complaint(out string, err error) string {
	for _, part := range []string{"undefined reference", "multiple definition", "cannot find", "error:"} {
		if line := firstLine(out, part); line != "" {
			return line
		}
	}
	return err.Error()
}

// compileAll compiles each file, and links.
func (b *build) compileAll(ctx context.Context, sanitize bool) (string, error) {
	flags := []string{"-w", "-O0", "-g", "-no-pie", "-fno-pie"}
	if b.opts.Frontend.Bits32 {
		flags = append(flags, "-m32")
	}
	if sanitize {
		flags = append(flags, "-fsanitize=undefined", "-fno-sanitize-recover=all")
	}
	link := append(slices.Clone(flags), "-o", b.path("program"), b.path("harness.c"))
	for i, f := range b.files {
		object := b.path(fmt.Sprintf("file%d.o", i))
		args := append(slices.Clone(flags), b.userFlags(f)...)
		if out, err := b.gcc(ctx, append(args, "-c", "-o", object, b.path(copyName(i)))); err != nil {
			return out, err
		}
		link = append(link, object)
	}
	for _, f := range b.harness.wrapped {
		link = append(link, "-Wl,--wrap="+f)
	}
	link = append(link, "-lm")
	out, err := b.gcc(ctx, link)
	if err == nil || !b.harness.complete(out) {
		return out, err
	}
	if err := b.write(); err != nil {
		return "", err
	}
	return b.gcc(ctx, link)
}

// userFlags are the flags with which the front end has read f.
func (b *build) userFlags(f *source.File) (flags []string) {
	o := b.opts.Frontend
	add := func(flag string, values []string) {
		for _, v := range values {
			flags = append(flags, flag+v)
		}
	}
	flags = append(flags, "-iquote", filepath.Dir(f.Name))
	add("-I", o.IncludePaths)
	for _, d := range o.System {
		flags = append(flags, "-isystem", d)
	}
	add("-D", o.Defines)
	add("-D", b.harness.defines)
	add("-U", o.Undefs)
	for _, p := range o.PreIncludes {
		flags = append(flags, "-include", p)
	}
	return flags
}

func (b *build) gcc(ctx context.Context, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, b.time())
	defer cancel()
	cmd := exec.CommandContext(ctx, b.cc, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	return output(cmd)
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

// judge reads what came of the program off its end and its output.
func (b *build) judge(ctx context.Context, state *os.ProcessState, o *Outcome) {
	o.Result = NotReproduced
	switch code := state.ExitCode(); code {
	case exitUndefined:
		if text := firstLine(o.Output, "runtime error:"); text != "" {
			o.Result, o.Reason = Undefined, "the program has undefined behaviour: "+text
			return
		}
	case exitDiverged:
		if why, ok := lastLine(o.Output, "c2bp: diverged: "); ok {
			o.Result, o.Reason = Diverged, "the program leaves the path of the run: "+why
			return
		}
	case exitFailed:
		if where, ok := lastLine(o.Output, "c2bp: failed: "); ok {
			b.failed(where, o)
			return
		}
		if address, ok := lastLine(o.Output, "c2bp: failed at: "); ok {
			b.failed(b.lineOf(ctx, address), o)
			return
		}
	case 0:
		o.Reason = "the program ends without a failure"
		return
	}
	o.Reason = "the program ends without the failure: " + state.String()
}

// failed judges a failure at where, file:line.
func (b *build) failed(where string, o *Outcome) {
	p := b.harness.Property
	i := strings.LastIndexByte(where, ':')
	if i < 0 {
		o.Reason = "the program fails at an unknown place"
		return
	}
	n, _ := strconv.Atoi(where[i+1:])
	if p.at(where[:i], n, b.harness.files) {
		o.Result = Reproduced
		return
	}
	o.Reason = "the program fails elsewhere, at " + where
}

// lineOf is the place file:line of the call that returns to address, or "".
func (b *build) lineOf(ctx context.Context, address string) string {
	a, err := strconv.ParseUint(strings.TrimPrefix(address, "0x"), 16, 64)
	if err != nil {
		return ""
	}
	cmd := exec.CommandContext(ctx, "addr2line", "-e", b.path("program"), fmt.Sprintf("%#x", a-1))
	out, err := output(cmd)
	if err != nil {
		return ""
	}
	place, _, _ := strings.Cut(strings.TrimSpace(out), " ") // without the discriminator
	for i, f := range b.files {
		if line, ok := strings.CutPrefix(place, b.path(copyName(i))); ok {
			return f.Name + line
		}
	}
	return place
}
