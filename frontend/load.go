package frontend

import (
	"context"
	"errors"
	"fmt"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/unset"
	"c2bp/frontend/harness"
	"c2bp/frontend/predicate"
	"c2bp/source"
)

// This file defines the options of the front end and its exported entry, Load.

// Options say how C files are read. The zero value means the 64-bit data model, the entry main
// and initialised globals.
type Options struct {
	IncludePaths  []string // directories for #include, searched first
	Quote         []string // directories that #include "" looks into before them
	System        []string // directories with headers of a C library, searched before the built-in headers
	After         []string // directories that are searched after all others
	NoStandard    bool     // without the built-in headers
	Undefs        []string // macros that are not predefined
	Defines       []string // macros, "NAME", "NAME=VALUE" or "NAME(x)=VALUE"
	MacroIncludes []string // files whose macros, and nothing else, are read before each C file
	PreIncludes   []string // files that are included, as with "", before each C file
	Standard      string   // one of Standards; "" means gnu17
	Optimize      string   // level, for the macros that tell it: "0", "1", "s" and so on; "" means 0
	MSExtensions  bool     // with -fms-extensions
	Language      string   // LanguageByName, LanguageC or LanguagePreprocessed

	// Files has options of single files, by name: of these the fields above replace the ones of
	// the program.
	Files map[string]Options

	Bits32       bool                 // int, long and pointers of 32 bits instead of LP64
	UnsignedChar bool                 // char is unsigned
	ShortWchar   bool                 // wchar_t is unsigned short
	NumbersWrap  bool                 // with -fwrapv: signed numbers wrap around (core.Program.NumbersWrap)
	Strays       bool                 // with -fwrapv-pointer: addresses are computed as numbers (core.Program.Strays)
	Unfollowed   []string             // flags of the compiler that are not supported, with their meaning: for the ledger
	Entry        string               // C function where execution starts; "" means main
	Open         bool                 // globals and the arguments of the entry are arbitrary at first
	Whole        bool                 // functions that nothing reaches are part of the program, too
	Also         []string             // likewise, functions and objects of these names
	Checks       checks.Set           // operations that are properties instead of assumptions, but in models
	Observed     []string             // functions whose calls stay visible: as calls, or as nodes of their model with all arguments
	Extern       core.Extern          // memory that functions without a body may change
	Models       []*source.File       // files of models, see models/lib/models.c; a later one takes precedence
	NoModels     bool                 // without the built-in file of models
	Assume       Assumptions          // assumptions about the program's environment
	Assumed      []string             // further lines for the ledger, see package harness
	Conventions  *harness.Conventions // of the kernel; nil means those that come with c2bp

	// ReadFile reads include files; nil means os.ReadFile.
	ReadFile func(name string) ([]byte, error)

	// Memory, if not nil, keeps what the preprocessor makes of the first file, for calls of Load and [Harness] in which
	// its text may go on. ReadFile must be the same in all of them.
	Memory *ccfix.Memory

	builtinModels []byte // for tests: instead of the built-in file
}

// Unit is a set of C files as one program. It implements core.Resolver. It stays usable as long as
// predicates are resolved: these are parsed with the declarations of its files.
type Unit struct {
	Program *core.Program
	Diags   source.List  // notes and warnings about over-approximations, with places
	Builtin *source.File // the part of the built-in models that was read; nil if none was

	// Kept for the predicates, which are parsed and lowered later.
	linker     *linker
	predicates *predicate.Resolver
}

// Load reads, links and lowers C files. Errors in them are returned as a source.List; the other
// errors are that ctx has ended, and broken invariants of this package.
func Load(ctx context.Context, files []*source.File, opts Options) (*Unit, error) {
	u, _, err := loadWith(ctx, files, opts)
	return u, err
}

// loadWith is Load. It also returns the linker, after an error, too.
func loadWith(ctx context.Context, files []*source.File, opts Options) (*Unit, *linker, error) {
	// 1. Parse, link and lower.
	var prog *core.Program
	l, err := settle(opts, func(l *linker) (err error) {
		prog, err = l.load(ctx, files)
		return err
	})
	if err != nil {
		return nil, l, err
	}
	// 2. Note the assumptions about the environment, which analyses read from the program.
	prog.Extern, prog.PtrBits, prog.Environment = opts.Extern, 64, core.EnvironmentTyped
	if opts.Assume.AnyEnvironment {
		prog.Environment = core.EnvironmentAny
	}
	if opts.Assume.CallbacksLater {
		prog.Callbacks = core.CallbacksLater
	}
	prog.Unreused = !opts.Open && opts.Assume.Members == MembersPrivate
	prog.CharsApart, prog.NumbersApart = prog.Unreused, prog.Unreused
	prog.NumbersWrap, prog.Strays = opts.NumbersWrap, opts.Strays
	// It is a part of the assumption about accesses, which is none where they are checked.
	prog.ArraysApart = prog.Unreused && !opts.Checks.Has(checks.Bounds)
	if opts.Bits32 {
		prog.PtrBits = 32
	}
	// 3. Put assumptions about calls into the program.
	u := &Unit{Program: prog, Builtin: l.builtin, linker: l, predicates: predicate.New(forPredicates{l, map[*function]*predicate.Function{}})}
	if err := u.assumeAtEntries(opts.Assume.Entries); err != nil {
		return nil, l, err
	}
	u.assumeLeast(opts.conventions().Leasts)
	// 4. Mark the reads of variables without a value, and check the invariants of core programs.
	unset.Mark(prog)
	if err := core.Validate(prog); err != nil {
		return nil, l, fmt.Errorf("internal error: the front end built an invalid program: %w", err)
	}
	u.Diags = l.diags
	return u, l, nil
}

// settle calls work with new linkers until cc chooses the right associations of _Generic, and
// returns the last one, see generic.go: every round excludes the wrong choices of the rounds before.
// It ends, because there are finitely many associations and each round excludes at least one more. They are known by
// numbers of tokens, so with a memory a round comes before them in which all tokens count.
func settle(opts Options, work func(*linker) error) (*linker, error) {
	excluded, whole := exclusions(nil), opts.Memory == nil
	for {
		l := newLinker(opts)
		l.Excluded, l.Whole = excluded, whole
		if err := work(l); len(l.misled) == 0 {
			return l, err
		}
		if whole {
			excluded = excluded.and(l.misled)
		}
		whole = true
	}
}

// load reads and lowers all files.
func (l *linker) load(ctx context.Context, files []*source.File) (*core.Program, error) {
	if err := l.read(ctx, files); err != nil {
		return nil, err
	}
	return l.lower(ctx)
}

// read parses all files. It returns the errors in them as a source.List. A file with errors is left
// out of tus.
func (l *sources) read(ctx context.Context, files []*source.File) error {
	for _, f := range files {
		l.Files[f.Name] = f
	}
	var errs source.List
	for i, f := range files {
		tu, err := l.translationUnit(ctx, i, f)
		var list source.List
		// The errors of all files are reported together.
		switch {
		case errors.As(err, &list):
			errs = append(errs, list...)
		case err != nil:
			return err
		default:
			l.tus = append(l.tus, tu)
		}
	}
	return errs.Err()
}

// translationUnit parses one file. index is its number among the files of the program.
func (l *sources) translationUnit(ctx context.Context, index int, f *source.File) (*translationUnit, error) {
	if list := ccfix.Refuse(f); list != nil {
		return nil, list
	}
	opts := l.opts.For(f.Name)
	ast, err := l.Parse(ctx, f, opts.compiler())
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, l.Diagnose(f, err)
	}
	return &translationUnit{index: index, file: f, opts: opts, ast: ast}, nil
}
