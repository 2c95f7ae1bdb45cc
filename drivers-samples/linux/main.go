package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// This file has the commands' flags, and runs gcc and c2bp.

// settings are the flags of all commands.
type settings struct {
	source, headers string
	work            string // directory for what is made
	c2bp            string
	n               int
	seed            uint64
	workers         int
	timeout         time.Duration // for each rule
	rules           string
	traces          string   // directory for failing runs
	flags           []string // of the compiler
	kconfig         *kconfig
	configurations  sync.Map // of drivers, by their paths
}

// defaultRules are the folders of rules that are decided.
const defaultRules = "spinlock,mutex,rcu-read,module-refs,clk,gfp-atomic,probe"

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run executes a command.
func run(ctx context.Context, args []string) error {
	commands := map[string]func(context.Context, *settings) error{"list": list, "accept": accept, "rules": rules, "plant": plant}
	if len(args) == 0 || commands[args[0]] == nil {
		return fmt.Errorf("usage: linux list|accept|rules|plant -source DIR -headers DIR [flags]")
	}
	// 1. The flags, which all commands share.
	s := &settings{}
	fs := flag.NewFlagSet(args[0], flag.ContinueOnError)
	fs.StringVar(&s.source, "source", "", "the kernel's sources, unpacked")
	fs.StringVar(&s.headers, "headers", "", "the headers of a kernel, such as /usr/src/linux-headers-6.1.0-42-amd64")
	fs.StringVar(&s.work, "work", "", "directory for files that are made (default: a temporary one)")
	fs.StringVar(&s.c2bp, "c2bp", "bin/c2bp", "the program to be measured")
	fs.IntVar(&s.n, "n", 300, "how many drivers")
	fs.Uint64Var(&s.seed, "seed", 1, "draws them")
	fs.IntVar(&s.workers, "workers", runtime.GOMAXPROCS(0), "how many drivers at the same time")
	fs.DurationVar(&s.timeout, "timeout", time.Minute, "for each rule of a driver")
	fs.StringVar(&s.rules, "rules", defaultRules, "the rules that are decided")
	fs.StringVar(&s.traces, "traces", "", "directory for failing runs (default: none are written)")
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	// 2. Directories for files.
	if s.traces != "" {
		if err := os.MkdirAll(s.traces, 0o777); err != nil {
			return err
		}
	}
	if s.work == "" {
		dir, err := os.MkdirTemp("", "linux")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		s.work = dir
	}
	// 3. The flags of the kernel's build, then the command.
	if err := s.kernelFlags(ctx); err != nil {
		return err
	}
	var err error
	if s.kconfig, err = readKconfig(s.source, s.headers); err != nil {
		return err
	}
	return commands[args[0]](ctx, s)
}

// kernelFlags determines how the kernel's own build calls the compiler, by building a module.
func (s *settings) kernelFlags(ctx context.Context) error {
	dir := filepath.Join(s.work, "stub")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	// 1. Build a module of one file.
	for name, text := range map[string]string{"stub.c": "#include <linux/module.h>\nMODULE_LICENSE(\"GPL\");\n", "Makefile": "obj-m := stub.o\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	out, err := exec.CommandContext(ctx, "make", "-C", s.headers, "M="+dir, "stub.o").CombinedOutput()
	if err != nil {
		return fmt.Errorf("building a module: %w\n%s", err, out)
	}
	// 2. Read the command that was used, and keep its flags.
	text, err := os.ReadFile(filepath.Join(dir, ".stub.o.cmd"))
	if err != nil {
		return err
	}
	line, _, _ := strings.Cut(string(text), " ; ")
	line, _, _ = strings.Cut(line, "\n")
	_, command, found := strings.Cut(line, ":= ")
	if !found {
		return fmt.Errorf("no command in %s/.stub.o.cmd", dir)
	}
	for _, w := range strings.Fields(command)[1:] {
		// Flags up to the input are kept, without those about dependencies; directories become
		// absolute.
		w = strings.ReplaceAll(w, "'", "")
		if w == "-c" { // its output and input follow
			break
		}
		if strings.HasPrefix(w, "-Wp,") || strings.HasPrefix(w, "-fmacro-prefix-map") {
			continue
		}
		if dir, ok := strings.CutPrefix(w, "-I./"); ok {
			w = "-I" + filepath.Join(s.headers, dir)
		}
		s.flags = append(s.flags, w)
	}
	return nil
}

// compiler returns a call of gcc for driver, a path below the sources, with these options, on the
// given file.
func (s *settings) compiler(ctx context.Context, driver, file string, options ...string) *exec.Cmd {
	// The kernel names a module in macros on the command line.
	name := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(driver), ".c"), "-", "_")
	var args []string
	for _, f := range s.flags {
		args = append(args, strings.ReplaceAll(f, "stub", name))
	}
	args = append(args, "-I"+filepath.Dir(filepath.Join(s.source, driver)))
	return exec.CommandContext(ctx, "gcc", append(append(args, options...), file)...)
}

// reading returns the flags with which c2bp reads driver, a path below the sources, or a changed copy of it.
func (s *settings) reading(driver string) []string {
	args := s.compiler(context.Background(), driver, "", s.configuration(driver)...).Args
	// The first is the compiler, the last the file.
	var quoted []string
	for _, a := range args[1 : len(args)-1] {
		quoted = append(quoted, "'"+a+"'")
	}
	return []string{"--cc-flags", strings.Join(quoted, " ")}
}

// configuration returns flags for the symbols of Kconfig without which driver, a path below the sources, is
// not built. There are none if gcc does not accept it with them.
func (s *settings) configuration(driver string) []string {
	if known, ok := s.configurations.Load(driver); ok {
		return known.([]string)
	}
	flags := s.findConfiguration(driver)
	s.configurations.Store(driver, flags)
	return flags
}

// findConfiguration finds the flags of configuration.
func (s *settings) findConfiguration(driver string) []string {
	file := filepath.Join(s.source, driver)
	makefile, err := os.ReadFile(filepath.Join(filepath.Dir(file), "Makefile"))
	if err != nil {
		return nil
	}
	flags := s.kconfig.flags(symbolOf(makefile, strings.TrimSuffix(filepath.Base(driver), ".c")))
	if len(flags) > 0 && s.compiler(context.Background(), driver, file, append(slices.Clip(flags), "-fsyntax-only", "-w")...).Run() != nil {
		return nil
	}
	return flags
}

// lines returns the lines of in, without comments.
func lines(in io.Reader) (list []string) {
	text := bufio.NewScanner(in)
	for text.Scan() {
		if line := text.Text(); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

// drivers returns the drivers that standard input lists.
func drivers() (list []string) {
	for _, line := range lines(os.Stdin) {
		name, _, _ := strings.Cut(line, "\t")
		list = append(list, name)
	}
	return list
}

// each calls do for the numbers below n, with as many workers as the flags say, and prints the results in order.
func (s *settings) each(n int, do func(i int) string) {
	lines := make([]chan string, n)
	for i := range lines {
		lines[i] = make(chan string, 1)
	}
	numbers := make(chan int)
	var wg sync.WaitGroup
	for range s.workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range numbers {
				// Results are printed in order, whichever comes first.
				lines[i] <- do(i)
			}
		}()
	}
	go func() {
		for i := range n {
			numbers <- i
		}
		close(numbers)
	}()
	for i := range n {
		if line := <-lines[i]; line != "" {
			fmt.Println(strings.TrimSuffix(line, "\n"))
		}
	}
	wg.Wait()
}

// called is the outcome of a call of c2bp.
// The exit code is -1 if the process could not be started.
type called struct {
	out, err string
	code     int
	seconds  float64 // of the processor
	megabyte int64   // at most
}

// call runs c2bp.
func (s *settings) call(ctx context.Context, args ...string) called {
	c := exec.CommandContext(ctx, s.c2bp, args...)
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run() // the exit code says more
	r := called{out: out.String(), err: errs.String(), code: -1}
	// The time is that of the processor: other audits run at the same time.
	if p := c.ProcessState; p != nil {
		r.code, r.seconds = p.ExitCode(), (p.UserTime() + p.SystemTime()).Seconds()
		r.megabyte = peak(p)
	}
	return r
}
