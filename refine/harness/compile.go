package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"c2bp/source"
)

// This file calls the compiler.

// compile builds the program, with the sanitizer if there is one.
func (b *build) compile(ctx context.Context, o *Outcome) error {
	// 1. Preprocess and remove assembly.
	if err := b.preprocess(ctx, o); err != nil || o.Result != NotReproduced {
		return err
	}
	// 2. Compile with the sanitizer, and without it if gcc has none.
	for _, sanitize := range []bool{true, false} {
		if sanitize && b.opts.NoSanitizer {
			continue
		}
		o.Result, o.Sanitized = NotReproduced, sanitize
		out, err := b.compileAll(ctx, sanitize)
		if err == nil {
			return nil
		}
		if isEnd(ctx, err) {
			return err
		}
		o.Result, o.Sanitized, o.Output = CompileError, false, out
		o.Reason = b.refusal(out, err)
		if sanitize && !strings.Contains(out, "ubsan") && !strings.Contains(out, "sanitize") {
			return nil
		}
	}
	return nil
}

// refusal says why the program was not built. On a machine of 64 bits, programs of 32 bits often
// cannot be linked: the library for them is a package of its own.
func (b *build) refusal(out string, err error) string {
	why := complaint(out, err)
	if b.opts.Frontend.Bits32 && (missing32.MatchString(out) || strings.Contains(why, "cannot find")) {
		return "gcc -m32 makes no programs here, as files of a C library for 32 bits are missing: " + why
	}
	return "gcc does not compile the program with the harness: " + why
}

// missing32 matches messages of gcc and the linker about missing files for 32 bits.
var missing32 = regexp.MustCompile(`skipping incompatible|stubs-32\.h|bits/[a-z_/+-]+\.h: No such file|sorry, unimplemented: 64-bit mode|not supported by this configuration`)

// complaint returns the line of the compiler's output that names the error.
func complaint(out string, err error) string {
	for _, part := range []string{"undefined reference", "multiple definition", "cannot find", "error:"} {
		if line := firstLine(out, part); line != "" {
			return line
		}
	}
	return err.Error()
}

// isEnd reports whether err ends the attempt, rather than being about the program.
func isEnd(ctx context.Context, err error) bool {
	var refused errNotConfined
	return ctx.Err() != nil || errors.As(err, &refused)
}

// preprocess makes the texts that are compiled: without directives, macros and assembly. This is
// the only step that reads files of the user.
func (b *build) preprocess(ctx context.Context, o *Outcome) error {
	for i, f := range b.files {
		// The preprocessor may read the user's files and directories, and writes to ours.
		args := slices.Concat(b.machine(), b.dialect(f), b.userFlags(f))
		read := append(b.sources(), b.includeDirs()...)
		out, err := b.tool(ctx, b.cc, read, append(args, "-w", "-E", "-o", b.path(textName(i)), b.path(copyName(i)))...)
		if err != nil {
			if isEnd(ctx, err) {
				return err
			}
			o.Result, o.Output = CompileError, out
			o.Reason = b.refusal(out, err)
			return nil
		}
		if err := b.disarm(b.path(textName(i))); err != nil {
			var problem *assemblyError
			if !errors.As(err, &problem) {
				return err
			}
			o.Result, o.Reason = NotWatched, "the program is not compiled: "+problem.Error()
			return nil
		}
	}
	return nil
}

// disarm removes the assembly from a preprocessed text.
func (b *build) disarm(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err = withoutAssembly(text)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// machine returns the compiler's flags for the word size.
func (b *build) machine() []string {
	if b.opts.Frontend.Bits32 {
		return []string{"-m32"}
	}
	return nil
}

// compileAll compiles each file, and links. It asks for DWARF 4: with DWARF 5, addr2line of
// binutils 2.40 takes the second file of a text with line markers for the first.
func (b *build) compileAll(ctx context.Context, sanitize bool) (string, error) {
	flags := append([]string{"-w", "-O0", "-gdwarf-4", "-no-pie", "-fno-pie"}, b.machine()...)
	if sanitize {
		flags = append(flags, "-fsanitize=undefined", "-fno-sanitize-recover=all")
	}
	// 1. The object files.
	// The harness itself is compiled by the call that links.
	link := append(slices.Clone(flags), "-o", b.path("program"), b.path("harness.c"))
	for i, f := range b.files {
		object := b.path(fmt.Sprintf("file%d.o", i))
		if out, err := b.tool(ctx, b.cc, nil, slices.Concat(flags, b.dialect(f), []string{"-c", "-o", object, b.path(textName(i))})...); err != nil {
			return out, err
		}
		link = append(link, object)
	}
	// 2. Calls of wrapped library functions go to the harness.
	for _, f := range b.harness.wrapped {
		link = append(link, "-Wl,--wrap="+f)
	}
	link = append(link, "-lm")
	// 3. Functions that are missing still are added to the harness, once.
	out, err := b.link(ctx, sanitize, link)
	if err == nil || isEnd(ctx, err) || !b.harness.complete(out) {
		return out, err
	}
	if err := b.write(); err != nil {
		return "", err
	}
	return b.link(ctx, sanitize, link)
}

// link links, with the sanitizer's static library if there is one: to link and start the program
// then takes half the time.
func (b *build) link(ctx context.Context, sanitize bool, args []string) (string, error) {
	if sanitize {
		out, err := b.tool(ctx, b.cc, nil, append(slices.Clone(args), "-static-libubsan")...)
		if err == nil || isEnd(ctx, err) || !strings.Contains(out, "cannot find -lubsan") {
			return out, err
		}
	}
	return b.tool(ctx, b.cc, nil, args...)
}

// userFlags returns the flags with which the front end has read f.
func (b *build) userFlags(f *source.File) (flags []string) {
	o := b.opts.Frontend.For(f.Name)
	add := func(flag string, values []string) {
		for _, v := range values {
			flags = append(flags, flag+v)
		}
	}
	apart := func(flag string, values []string) {
		for _, v := range values {
			flags = append(flags, flag, v)
		}
	}
	// A preprocessed file has its macros and included files already.
	if o.Preprocessed(f.Name) { // only macros of the harness
		flags = append(flags, "-undef", "-nostdinc")
		add("-D", b.harness.defines)
		return flags
	}
	// The copy is in another directory, so the directory of the file has to be named.
	flags = append(flags, "-iquote", filepath.Dir(f.Name))
	apart("-iquote", o.Quote)
	add("-I", o.IncludePaths)
	apart("-isystem", o.System)
	apart("-idirafter", o.After)
	if o.NoStandard {
		flags = append(flags, "-nostdinc")
	}
	if o.Optimize != "" {
		flags = append(flags, "-O"+o.Optimize)
	}
	add("-D", o.Defines)
	add("-D", b.harness.defines)
	add("-U", o.Undefs)
	apart("-imacros", o.MacroIncludes)
	apart("-include", o.PreIncludes)
	return flags
}

// dialect returns the flags for the dialect of C in f, for the preprocessor and the compiler.
func (b *build) dialect(f *source.File) (flags []string) {
	if s := b.opts.Frontend.For(f.Name).Standard; s != "" {
		flags = append(flags, "-std="+s)
	}
	if b.opts.Frontend.For(f.Name).MSExtensions {
		flags = append(flags, "-fms-extensions")
	}
	if b.opts.Frontend.UnsignedChar {
		flags = append(flags, "-funsigned-char")
	}
	if b.opts.Frontend.ShortWchar {
		flags = append(flags, "-fshort-wchar")
	}
	if b.opts.Frontend.NumbersWrap {
		flags = append(flags, "-fwrapv")
	}
	if b.opts.Frontend.Strays {
		flags = append(flags, "-fwrapv-pointer")
	}
	return flags
}

var undefinedReference = regexp.MustCompile("undefined reference to [`']([A-Za-z_][A-Za-z_0-9]*)'")

// complete adds to h the functions that the linker misses according to its output. They have no
// node in the core program, because by their models they have no effect. It reports whether there
// are any.
//
//	/* without effect in the run */
//	__attribute__((weak)) long long printk(void)
//	{
//		return 0;
//	}
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
