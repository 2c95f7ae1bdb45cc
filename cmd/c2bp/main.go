// Command c2bp abstracts C programs to Boolean programs and checks Boolean programs:
//
//	c2bp audit file.c [more.c …]             verdict on C programs, and a trace if a property fails
//	c2bp certify certificate file.c …        validates a certificate of audit --certificate
//	c2bp -preds p.txt file.c [more.c …]      Boolean program on stdout
//	c2bp check [file.bp | -]                 verdict on a Boolean program, and a trace
//	c2bp -preds p.txt file.c | c2bp check
//	c2bp export [file.bp | -]                Horn clauses on stdout, for other solvers
//	c2bp zing file.zing [more.zing ...]      verdict on a Zing model, and a trace if it fails
//
// It has no logic of its own: it reads files, calls packages frontend, abstract, boolprog,
// boolprog/chc, checker and refine, and prints through package report. Standard output carries
// the result and nothing else, and only when it is complete; everything else goes to standard error.
//
//	main.go       the program
//	root.go       the command without a name: abstraction
//	check.go      c2bp check
//	audit.go      c2bp audit
//	certify.go    c2bp certify
//	export.go     c2bp export
//	zing.go       c2bp zing
//	flags.go      flags of all commands
//	args.go       long flags with one dash
//	compiler.go   flags that compilers have, too
//	input.go      flags for reading C; reading it
//	subject.go    the subject of a certificate
//	limits.go     interrupts, limits, panics
//	interim.go    results of an audit that is stopped
//	progress.go   a progress bar
//	exit.go       errors and exit codes
package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/internal/collector"
	"c2bp/source"
)

func main() {
	collector.Relax()
	a := &app{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		terminal: isTerminal(os.Stdin), watched: isTerminal(os.Stderr), grace: 2 * time.Second, check: checker.Analyse,
	}
	// An interrupt ends the work with a verdict of UNKNOWN.
	ctx, stop := withInterrupt(context.Background())
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// app is the program with its connections to the world.
// Tests make one of their own, with other files and another checker.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	terminal       bool          // stdin is one
	watched        bool          // stderr is one
	grace          time.Duration // how long work may go on after it was told to stop

	check func(context.Context, *boolprog.Program, checker.Options) (*checker.Analysis, error)
}

// run executes the command line args and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.newRoot()
	root.SetArgs(normalizeArgs(root, args))
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	return a.exitCode(root.ExecuteContext(ctx))
}

// newRoot builds the tree of commands.
func (a *app) newRoot() *cobra.Command {
	root := a.rootCommand()
	root.Version = version()
	// Errors are printed by exitCode.
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return wrongUsage(c, "%v", err) })
	root.AddCommand(a.checkCommand(), a.auditCommand(), a.certifyCommand(), a.exportCommand(), a.rulesCommand(), a.shylockCommand(), a.zingCommand(), a.conformCommand())
	return root
}

// write writes a complete result to stdout.
func (a *app) write(result *bytes.Buffer) error {
	if _, err := a.stdout.Write(result.Bytes()); err != nil {
		return &outputError{err}
	}
	return nil
}

// diagnose prints notes and warnings on stderr.
func (a *app) diagnose(list source.List) {
	if len(list) > 0 {
		io.WriteString(a.stderr, list.Error()+"\n")
	}
}

// version returns the version in the build information.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// isTerminal reports whether reading f would wait for somebody to type.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	// /dev/null is a character device as well.
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
