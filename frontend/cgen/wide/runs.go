package wide

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// This file runs programs, compiled by gcc, on all inputs. Many programs are compiled at once, as one
// file per translation unit; macros make their names distinct.

// Runs holds the results of the runs of a program.
type Runs struct {
	Discarded string          // why they are of no use; "" if they are
	Differ    bool            // -O0 and -O2 observe other values
	runs      [][]observation // by mode and input: what was observed, in order
}

// observation is the value of a check.
type observation struct {
	check int
	value int64
}

// values returns those observed of each of n checks, sorted.
func (r *Runs) values(n int) [][]int64 {
	out := make([][]int64, n)
	for _, run := range r.runs {
		for _, o := range run {
			if !slices.Contains(out[o.check], o.value) {
				out[o.check] = append(out[o.check], o.value)
			}
		}
	}
	for k := range out {
		slices.Sort(out[k])
	}
	return out
}

// Fails reports which assertions fail first in some run, by check.
func (r *Runs) Fails(list []*Assertion) map[int]bool {
	out := map[int]bool{}
	for _, run := range r.runs {
		for _, o := range run {
			// A run ends at the first assertion that fails.
			if a := list[o.check]; a != nil && !a.Holds(o.value) {
				out[o.check] = true
				break
			}
		}
	}
	return out
}

// A Compiler compiles and runs programs in a directory of its own.
type Compiler struct {
	Dir    string
	Bits32 bool
	Run    []string // what the command that runs a program starts with: an emulator
}

// mode is a way to compile.
type mode struct {
	name   string
	flags  []string
	judges bool // of whether the program is defined, and no more
}

// modes are the ways to compile 64-bit programs: without and with optimisation, and with
// sanitizers, which end a run with undefined behaviour.
var modes = []mode{
	{"O0", []string{"-O0"}, false},
	{"O2", []string{"-O2"}, false},
	{"san", []string{"-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"}, true},
}

// modes returns the ways to compile. An emulator has no room for the shadow memory of the address
// sanitizer.
func (c *Compiler) modes() []mode {
	if !c.Bits32 {
		return modes
	}
	return []mode{modes[0], modes[1], {"san", []string{"-O0", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"}, true}}
}

// prelude defines the macros of programs for runs: checks are logged, and inputs come from wide_in.
const prelude = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/wait.h>
struct wide_log { int n; struct { int k; long v; } of[400]; };
extern struct wide_log *wide_log;
extern int wide_in[8], wide_next;
static inline int wide_input(void) { return wide_in[wide_next++ & 7]; }
__attribute__((noinline, unused)) static void wide_check(int k, long v) { if (wide_log->n < 400) { wide_log->of[wide_log->n].k = k; wide_log->of[wide_log->n].v = v; wide_log->n++; } else _exit(9); }
#define CHECK(k, e) wide_check(k, (long)(e))
#define GUESS(e) (e)
#define FUNC(s) s
#define assert(e) ((void)(e))
#define __VERIFIER_nondet_int() wide_input()
`

// driver runs programs, each in a process of its own: all its runs one after the other, with
// the static storage of the first restored before each.
const driver = `
extern char __data_start[], _end[];
struct wide_log *wide_log;
static struct wide_log *wide_logs;
int wide_in[8], wide_next;
__attribute__((no_sanitize("address", "undefined"))) static void wide_copy(char *to, char *from, long n) { for (long i = 0; i < n / (long)sizeof i; i++) ((volatile long *)to)[i] = ((long *)from)[i]; }
static void wide_run(int program, int inputs, int (*run)(void)) {
  int child, status = 0;
  for (int c = 0; c < 1 << 2 * inputs; c++) wide_logs[c].n = 0;
  fflush(stdout);
  if ((child = fork()) == 0) {
    long n = _end - __data_start;
    char *saved = mmap(0, n + 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    wide_copy(saved, __data_start, n);
    alarm(5);
    for (int c = 0; c < 1 << 2 * inputs; c++) {
      wide_copy(__data_start, saved, n);
      for (int i = 0; i < inputs; i++) wide_in[i] = c >> 2 * i & 3;
      wide_next = 0; wide_log = wide_logs + c;
      run();
    }
    _exit(0);
  }
  waitpid(child, &status, 0);
  for (int c = 0; c < 1 << 2 * inputs; c++) {
    printf("%d %d", program, status);
    for (int i = 0; i < wide_logs[c].n; i++) printf(" %d %ld", wide_logs[c].of[i].k, wide_logs[c].of[i].v);
    printf("\n");
  }
}
`

// batch returns the text of the u-th translation units of programs.
func batch(list []*Program, u int) string {
	var b strings.Builder
	var includes []string
	for _, p := range list {
		for _, unit := range p.units {
			for _, h := range unit.includes {
				if h != "assert.h" && !slices.Contains(includes, h) {
					includes = append(includes, h)
				}
			}
		}
	}
	for _, h := range includes {
		fmt.Fprintf(&b, "#include <%s>\n", h)
	}
	b.WriteString(prelude)
	for i, p := range list {
		if u >= len(p.units) {
			continue
		}
		for _, name := range p.globals {
			fmt.Fprintf(&b, "#define %s p%d_%s\n", name, i, name)
		}
		for line := range strings.Lines(p.units[u].text) {
			// A macro of that name would break the declaration.
			if !strings.HasPrefix(line, "extern int __VERIFIER_nondet") {
				b.WriteString(line)
			}
		}
		// The first unit has the driver's part, and the function that runs the program.
		if u == 0 {
			fmt.Fprintf(&b, "%s\nint p%d_run(void) { %s; return 0; }\n", p.driver, i, p.call)
		}
		for _, name := range p.globals {
			fmt.Fprintf(&b, "#undef %s\n", name)
		}
	}
	// The second unit has no driver.
	if u > 0 {
		return b.String()
	}
	b.WriteString(driver)
	b.WriteString("int main(void) {\n  wide_logs = mmap(0, 4096 * sizeof *wide_logs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n  freopen(\"/dev/null\", \"w\", stderr);\n")
	for i, p := range list {
		fmt.Fprintf(&b, "  wide_run(%d, %d, p%d_run);\n", i, p.Inputs, i)
	}
	b.WriteString("  return 0;\n}\n")
	return b.String()
}

// All runs programs on all inputs. A program that gcc does not accept is discarded, alone.
func (c *Compiler) All(ctx context.Context, list []*Program) ([]*Runs, error) {
	out := make([]*Runs, len(list))
	for i := range out {
		out[i] = &Runs{}
	}
	var first [][][]observation
	for _, m := range c.modes() {
		results, err := c.run(ctx, list, m)
		// gcc refuses the batch because of one program, or its run failed: the halves are
		// tried alone.
		if err != nil && len(list) > 1 {
			half := len(list) / 2
			a, err := c.All(ctx, list[:half])
			if err != nil {
				return nil, err
			}
			b, err := c.All(ctx, list[half:])
			return append(a, b...), err
		}
		if err != nil {
			return []*Runs{{Discarded: "gcc: " + err.Error()}}, nil
		}
		// Sanitizers say whether a program is defined; the values of their runs do not
		// count.
		for i, r := range results {
			switch {
			case r.bad != "" && out[i].Discarded == "":
				out[i].Discarded = r.bad + " with " + m.name
			case m.judges:
			default:
				out[i].runs = append(out[i].runs, r.runs...)
			}
		}
		if m.judges {
			continue
		}
		// Compare the values with those of the first mode.
		var these [][][]observation
		for _, r := range results {
			these = append(these, r.runs)
		}
		if first == nil {
			first = these
			continue
		}
		for i := range out {
			out[i].Differ = out[i].Differ || !slices.EqualFunc(first[i], these[i], slices.Equal[[]observation])
		}
	}
	return out, nil
}

// result holds the observations in the runs of a program in one mode.
type result struct {
	bad  string // why the program is of no use; "" if it is
	runs [][]observation
}

// run compiles the programs in a mode, and runs them. The error is gcc's, or that of the run as a
// whole.
func (c *Compiler) run(ctx context.Context, list []*Program, m mode) ([]result, error) {
	var names []string
	for u := range 2 {
		text := batch(list, u)
		name := filepath.Join(c.Dir, fmt.Sprintf("%s%d.c", m.name, u))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	exe := filepath.Join(c.Dir, m.name)
	args := append([]string{"-w", "-std=gnu17", "-fno-strict-aliasing", "-o", exe}, m.flags...)
	if c.Bits32 {
		args = append(args, "-m32")
	}
	if text, err := exec.CommandContext(ctx, "gcc", append(append(args, names...), "-lm")...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	// An emulator runs the program, if there is one.
	argv := append(slices.Clone(c.Run), exe)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
	text, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	return read(text, len(list))
}

// read parses the output of the runs of n programs.
func read(text []byte, n int) ([]result, error) {
	out := make([]result, n)
	s := bufio.NewScanner(bytes.NewReader(text))
	// A line has all observations of a run.
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var numbers []int64
		for _, f := range strings.Fields(s.Text()) {
			v, err := strconv.ParseInt(f, 10, 64)
			if err != nil {
				return nil, err
			}
			numbers = append(numbers, v)
		}
		// Each line has the number of the program, the status of its process, and pairs of
		// check and value.
		r := &out[numbers[0]]
		if numbers[1] != 0 && r.bad == "" {
			r.bad = fmt.Sprintf("a run ends with status %d", numbers[1])
		}
		var run []observation
		for i := 2; i+1 < len(numbers); i += 2 {
			run = append(run, observation{int(numbers[i]), numbers[i+1]})
		}
		r.runs = append(r.runs, run)
	}
	return out, s.Err()
}
