package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"c2bp/abstract"
	"c2bp/frontend"
	"c2bp/frontend/assigned"
	"c2bp/frontend/ccfix"
	"c2bp/frontend/ccflags"
	"c2bp/frontend/core"
	"c2bp/frontend/extents"
	"c2bp/frontend/heap"
	"c2bp/source"
)

// This file defines the flags of all commands that read C, and reads C by them.

// addLoading adds the flags for reading C, and for the number of workers.
func (f *abstractFlags) addLoading(fs *pflag.FlagSet) {
	f.addReading(fs)
	fs.IntVarP(&f.abstract.Jobs, "jobs", "j", 0, "number of parallel `WORKERS` (default: one for each processor); the output does not depend on it")
}

// addReading adds the flags for reading C.
func (f *abstractFlags) addReading(fs *pflag.FlagSet) {
	f.compiler.add(fs)
	fs.BoolVar(&f.bits32, "32", false, "use the 32-bit data model")
	fs.BoolVar(&f.bits64, "64", false, "use the 64-bit data model (the default)")
	// gcc's names of them, -m32 and -m64, are accepted, too.
	_ = fs.MarkHidden("32")
	_ = fs.MarkHidden("64")
	fs.StringArrayVar(&f.driver.entries, "entry", nil, "start execution in C `FUNCTION` (default main); given several times, a harness calls the functions in any order")
	fs.BoolVar(&f.frontend.Open, "open", false, "let globals and the arguments of the entry have arbitrary initial values (pointers among them point outside of the program)")
	fs.BoolVar(&f.frontend.Whole, "whole", false, "keep functions that the entry does not reach")
	fs.Var(&f.extern, "extern", "what a function without a body may change: args (objects reachable from its arguments), pure (nothing), or all (every object with an address)")
	fs.StringArrayVar(&f.models, "models", nil, "C `FILE` with models of library functions, which take precedence over the built-in ones; \"none\" disables the built-in ones; may be repeated")
	fs.Var(&f.frontend.Assume, "assume", "assumptions about the environment: volatile=kept (the default) or volatile=arbitrary; asm=clobber-known (the default) or asm=clobber-all; environment=typed (the default) or environment=any; callbacks=now (the default) or callbacks=later; members=known (the default) or members=private; 'struct dev.bus=kept', a member that functions without a body do not change, or 'slow=kept', a variable of other files; or 'probe: dev != peer', a condition under which a function is called")
	fs.Lookup("assume").Hidden = true
}

// words returns the flags of addReading as words of a command line that sets them to their values.
//
//	--database=build/compile_commands.json --cc-flags='-Iinclude -DDEBUG' --32 --entry=probe
func (f *abstractFlags) words() (words []string) {
	add := func(name, value string) { words = append(words, "--"+name+"="+value) }
	if f.compiler.database != "" {
		add("database", f.compiler.database)
	}
	if len(f.compiler.args) > 0 {
		add("cc-flags", ccflags.Quote(f.compiler.args))
	}
	for _, b := range []struct {
		name string
		set  bool
	}{{"32", f.bits32}, {"64", f.bits64}, {"open", f.frontend.Open}, {"whole", f.frontend.Whole}} {
		if b.set {
			words = append(words, "--"+b.name)
		}
	}
	f.driver.words(add)
	// Defaults are left out.
	if f.extern.value != externFlag().value {
		add("extern", f.extern.value)
	}
	for _, m := range f.models {
		add("models", m)
	}
	if !f.frontend.Assume.IsDefault() {
		add("assume", f.frontend.Assume.String())
	}
	if f.frontend.Checks != 0 {
		add("check", f.frontend.Checks.String())
	}
	return words
}

// verify returns an error if flags contradict each other; otherwise it completes the options for
// the C files called names.
func (f *abstractFlags) verify(c *cobra.Command, names []string) (err error) {
	// --32 and --64 are flags of gcc, too: -m32 and -m64.
	compiler := f.compiler
	if f.bits32 {
		compiler.args = append(slices.Clip(compiler.args), "-m32")
	}
	if f.bits64 {
		compiler.args = append(slices.Clip(compiler.args), "-m64")
	}
	switch {
	case slices.Contains(compiler.args, "-m32") && slices.Contains(compiler.args, "-m64"):
		return wrongUsage(c, "--32 and --64 exclude each other")
	case f.abstract.Jobs < 0 || f.abstract.MaxCube < 0 || f.abstract.MaxExact < 0:
		return wrongUsage(c, "numbers must not be negative")
	}
	if len(f.driver.entries) == 1 {
		f.frontend.Entry = f.driver.entries[0]
	}
	f.notes, err = compiler.compile(c, names, &f.frontend)
	f.frontend.Extern = map[string]core.Extern{"args": core.ExternArgs, "pure": core.ExternPure, "all": core.ExternAll}[f.extern.value]
	return cmp.Or(err, f.common.verify(c))
}

// input has the files that a command line names.
type input struct {
	unit          *frontend.Unit
	preds         []core.PredicateText
	files, models []*source.File
	program       []*source.File // files, with harnesses at the ends of those that they belong to
	harness       string         // the one that was made, as text; "" if none was
}

// load reads all files that the command line names.
func (a *app) load(ctx context.Context, names []string, f *abstractFlags, watch *stopwatch) (in *input, err error) {
	defer watch.phase("read C")()
	// 1. The texts: C, models, predicates.
	in, opts, err := a.read(ctx, names, f)
	if err != nil {
		return nil, err
	}
	if f.preds != "" {
		file, err := source.Read(ctx, f.preds, a.stdin)
		if err != nil {
			return nil, err
		}
		if in.preds, err = abstract.ParsePredicates(file); err != nil {
			return nil, err
		}
	}
	// 2. Functions that predicates mention are kept, even if main does not reach them.
	opts.Also = core.NamesIn(in.preds) // whether main reaches them or not
	// 3. The front end; a driver gets a function main.
	if _, err := a.loadProgram(ctx, in, opts, &f.driver); err != nil {
		return nil, err
	}
	a.diagnose(in.unit.Diags)
	// 4. Checks of the whole program.
	if err := assigned.Check(in.unit.Program, opts.Checks); err != nil {
		return nil, err
	}
	if err := extents.Check(in.unit.Program, opts.Checks); err != nil {
		return nil, err
	}
	if err := extents.CheckLocals(in.unit.Program, opts.Checks); err != nil {
		return nil, err
	}
	return in, heap.Check(in.unit.Program, opts.Checks, in.unit.Concurrent())
}

// read reads the C files and models that the command line names, and returns the options for the front end.
func (a *app) read(ctx context.Context, names []string, f *abstractFlags) (in *input, opts frontend.Options, err error) {
	in, opts = &input{}, f.frontend
	opts.Memory = new(ccfix.Memory)
	if in.files, err = a.readAll(ctx, names); err != nil {
		return nil, opts, err
	}
	opts.NoModels = slices.Contains(f.models, noModels)
	in.models, err = a.readAll(ctx, slices.DeleteFunc(slices.Clone(f.models), func(s string) bool { return s == noModels }))
	if err != nil {
		return nil, opts, err
	}
	opts.Models = in.models
	a.diagnose(f.notes)
	return in, opts, nil
}

// noModels is the value of --models that disables the built-in models.
const noModels = "none"

// readAll reads the files called names. The error lists all that cannot be read.
func (a *app) readAll(ctx context.Context, names []string) ([]*source.File, error) {
	var files []*source.File
	var errs source.List
	for _, name := range names {
		file, err := source.Read(ctx, name, a.stdin)
		// Collect the files that cannot be read; an interrupt ends at once.
		if d, ok := err.(*source.Diagnostic); ok {
			errs.Add(d)
			continue
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, errs.Err()
}
