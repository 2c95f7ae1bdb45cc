// Package concrete runs C programs as gcc compiles them, in order to test claims about them. It is
// test equipment: a claim that a program is safe is tested on random inputs, a claim that a
// property fails by inputs for which it does.
//
//	gcc, err := concrete.New(dir)
//	exe, err := gcc.Compile(concrete.Program{Name: "swap", Text: text})
//	run, err := exe.Run([]int64{3, 2, 1})      // run.End == concrete.Failed, run.Line == 24
//	runs, err := exe.Sample(seed, 500)
//
// Programs get their inputs from __VERIFIER_nondet_int() and the like. Failures are a failing assert,
// a failing __VERIFIER_assert that the program does not define, a call of reach_error() and reaching a
// label ERROR; the line of a failure is the line in the program. Undefined behaviour, which gcc's
// sanitizer detects, ends a run, too.
//
// The properties are replaced by calls of the environment (env/env.c) in the text of the program, line
// by line, so that line numbers stay the same; see rewrite.go.
package concrete

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed env
var envFiles embed.FS

// ErrNoCompiler is returned by New where gcc is not installed.
var ErrNoCompiler = errors.New("gcc is not installed")

// A Compiler compiles programs, in a directory of its own.
type Compiler struct {
	dir   string
	flags []string
}

// Options are the options of a compiler.
type Options struct {
	// Addresses asks for the detection of accesses to memory that is not there. It
	// makes programs slow to compile.
	Addresses bool
}

// New returns a compiler that works in dir.
func New(dir string, o Options) (*Compiler, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return nil, ErrNoCompiler
	}
	c := &Compiler{dir: dir, flags: []string{"-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"}}
	if o.Addresses {
		c.flags = []string{"-fsanitize=undefined,address", "-fno-sanitize-recover=all"}
	}
	if err := os.CopyFS(dir, envFiles); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return c, c.gcc("-O1", "-c", "-o", c.path("env.o"), c.path("env/env.c"))
}

// path returns the path of a file in the directory.
func (c *Compiler) path(name string) string { return filepath.Join(c.dir, name) }

// gcc runs the compiler.
func (c *Compiler) gcc(args ...string) error {
	if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("gcc: %w\n%.3000s", err, out)
	}
	return nil
}

// A Program is a C program.
type Program struct {
	Name string // distinguishes it from others of the same compiler
	Text string
}

// Compile compiles p. Variables that may be used uninitialised are an error, like everything that
// gcc rejects.
func (c *Compiler) Compile(p Program) (*Executable, error) {
	file, exe := c.path(p.Name+".c"), c.path(p.Name)
	if err := os.WriteFile(file, []byte(rewrite(p.Text)), 0o666); err != nil {
		return nil, err
	}
	// The environment has a main of its own, which calls the program's for each run.
	args := append([]string{
		"-O1", "-std=gnu17", "-fno-builtin", "-Werror=uninitialized", "-Werror=maybe-uninitialized",
		"-Dmain=program_main", "-I", c.path("env/include"), "-include", c.path("env/env.h"), "-Wl,--wrap=malloc",
	}, c.flags...)
	if err := c.gcc(append(args, "-o", exe, file, c.path("env.o"))...); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return &Executable{path: exe, constants: constants(p.Text)}, nil
}

// An Executable is a compiled program.
type Executable struct {
	path      string
	constants []string
}

// End says how a run ended.
type End string

const (
	Ended     End = "ended"     // main returned or the program called exit
	Failed    End = "failed"    // a property failed
	Blocked   End = "blocked"   // by an assumption
	Cut       End = "cut"       // after a few thousand inputs
	Short     End = "short"     // more inputs were asked for than given
	Stuck     End = "stuck"     // after a second of computing
	Undefined End = "undefined" // undefined behaviour, or a crash
)

// A Run is one execution.
type Run struct {
	End    End
	Line   int     // where the property failed
	Passed int     // how often assertions held
	Used   int     // how many inputs were used
	Inputs []int64 // those of runs that are Failed, Undefined or Stuck
}

// Run executes e on inputs.
func (e *Executable) Run(inputs []int64) (Run, error) {
	args := []string{"run"}
	for _, v := range inputs {
		args = append(args, strconv.FormatInt(v, 10))
	}
	runs, err := e.execute(args)
	if err != nil {
		return Run{}, err
	}
	return runs[0], nil
}

// Sample executes e n times on random inputs. Equal seeds give equal runs.
func (e *Executable) Sample(seed uint64, n int) ([]Run, error) {
	return e.execute(append([]string{"sample", fmt.Sprint(seed), fmt.Sprint(n)}, e.constants...))
}

// execute runs the program, which prints a line for each run.
func (e *Executable) execute(args []string) ([]Run, error) {
	out, err := exec.Command(e.path, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(e.path), err)
	}
	var runs []Run
	// One line of output is one run.
	for line := range strings.Lines(string(out)) {
		r, err := parseRun(strings.Fields(line))
		if err != nil {
			return nil, fmt.Errorf("%s printed %q: %w", filepath.Base(e.path), line, err)
		}
		runs = append(runs, r)
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%s printed nothing", filepath.Base(e.path))
	}
	return runs, nil
}

// parseRun parses a line such as "failed 17 3 2 -1 7".
func parseRun(w []string) (Run, error) {
	if len(w) < 4 {
		return Run{}, errors.New("too short")
	}
	r := Run{End: End(w[0])}
	// The end is followed by three numbers, then by the inputs.
	for i, to := range []*int{&r.Line, &r.Passed, &r.Used} {
		v, err := strconv.Atoi(w[i+1])
		if err != nil {
			return r, err
		}
		*to = v
	}
	for _, s := range w[4:] {
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return r, err
		}
		r.Inputs = append(r.Inputs, v)
	}
	return r, nil
}
