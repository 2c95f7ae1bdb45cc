// Command c2bp abstracts C programs to Boolean programs and checks Boolean programs:
//
//	c2bp -preds p.txt file.c [more.c …]      Boolean program on stdout
//	c2bp check [file.bp | -]                 verdict, and a trace if an assertion can fail
//	c2bp -preds p.txt file.c | c2bp check
//	c2bp audit file.c [more.c …]             verdict on C without given predicates
//	c2bp certify certificate file.c …        validates what audit --certificate wrote
//	c2bp export [file.bp | -]                Horn clauses on stdout, for other solvers
//
// It has no logic of its own: it reads files, calls packages frontend, abstract,
// boolprog, boolprog/chc and checker, and prints through package report. Standard
// output carries
// the result and nothing else, and only when it is complete; everything else goes
// to standard error. See exit.go for the exit codes.
//
// Files: args.go lets long flags have one dash, root.go, check.go, audit.go,
// certify.go and export.go are the commands. compiler.go has the flags of compilers and input.go
// reads C by them, subject.go says what a certificate is about. limits.go stops commands, exit.go
// turns errors into exit codes.
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
	ctx, stop := withInterrupt(context.Background())
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// app is the program and what connects it to the world.
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
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return wrongUsage(c, "%v", err) })
	root.AddCommand(a.checkCommand(), a.auditCommand(), a.certifyCommand(), a.exportCommand())
	return root
}

// write puts a complete result on stdout.
func (a *app) write(result *bytes.Buffer) error {
	if _, err := a.stdout.Write(result.Bytes()); err != nil {
		return &outputError{err}
	}
	return nil
}

// diagnose prints notes and warnings.
func (a *app) diagnose(list source.List) {
	if len(list) > 0 {
		io.WriteString(a.stderr, list.Error()+"\n")
	}
}

// version is what the build says of itself.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// isTerminal reports whether somebody would have to type what f yields.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
