package harness

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"c2bp/source"
)

// This file calls the compiler.

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
