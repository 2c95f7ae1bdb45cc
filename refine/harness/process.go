package harness

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"c2bp/sandbox"
)

// This file runs the tools and the program, each in a sandbox with the files that it needs.

// Limits of the tools. A large initialised array makes a large object file.
const (
	toolMemory = 4 << 30
	toolFile   = 256 << 20
	toolFiles  = 1 << 30
)

// errNotConfined says that nothing was run, since the system cannot confine it.
type errNotConfined struct{ error }

// tool runs a program of the tool chain, which may also read the files and directories in read. An
// error that is neither of the context nor errNotConfined is about the tool's output.
func (b *build) tool(ctx context.Context, path string, read []string, args ...string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	// It reads and executes the tool chain, and writes to our directory.
	system, execute := sandbox.ToolChain(b.cc)
	result, err := b.confinement.Run(ctx, sandbox.Command{
		Path: path, Args: args, Dir: dir,
		Env:       []string{"PATH=" + filepath.Dir(b.cc) + ":/usr/bin:/bin", "LC_ALL=C", "TMPDIR=" + b.dir},
		Read:      append(system, read...),
		Execute:   execute,
		Write:     []string{b.dir},
		Processes: true,
		Limits:    sandbox.Limits{Time: b.time(), Memory: toolMemory, File: toolFile, Files: toolFiles},
	})
	var exec *sandbox.ExecError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &exec):
		return "", err
	case err != nil:
		return "", errNotConfined{err}
	// The tool's own complaints come last: they are about the program.
	case result.Exceeded != sandbox.NoLimit:
		return result.Output, errors.New(filepath.Base(path) + " " + b.exceeded(result.Exceeded))
	case !result.State.Success():
		return result.Output, errors.New(result.State.String())
	}
	return result.Output, nil
}

// exceeded says which limit was exceeded.
//
//	does not end within 10s
func (b *build) exceeded(l sandbox.Limit) string {
	switch l {
	case sandbox.OutputLimit:
		return "prints more than 16 MiB"
	case sandbox.FilesLimit:
		return "writes too many files, or too large ones"
	}
	return "does not end within " + b.time().String()
}

// lookPath returns the absolute path of a tool.
func lookPath(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// sources returns the files that the front end has read, as far as they exist.
func (b *build) sources() (list []string) {
	for name := range b.harness.files {
		if path, err := filepath.Abs(name); err == nil {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				list = append(list, path)
			}
		}
	}
	return list
}

// includeDirs returns the directories that #include searches, as absolute paths.
func (b *build) includeDirs() (list []string) {
	for _, f := range b.files {
		o := b.opts.Frontend.For(f.Name)
		for _, dir := range slices.Concat(o.Quote, o.IncludePaths, o.System, o.After) {
			if path, err := filepath.Abs(dir); err == nil && !slices.Contains(list, path) {
				list = append(list, path)
			}
		}
	}
	return list
}
