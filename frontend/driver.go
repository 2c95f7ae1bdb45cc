package frontend

import (
	"context"
	"errors"
	"slices"

	"c2bp/frontend/harness"
	"c2bp/source"
)

// This file makes programs of drivers, which have no function main.

// noMain is the error, and its class, that a program has no function main.
const noMain = "the program has no function main; name the function to start at with --entry"

// LacksMain reports whether err, of [Load], says that the program has no function main, and nothing
// else: [Harness] can make one.
func LacksMain(err error) bool {
	var list source.List
	return errors.As(err, &list) && len(list) == 1 && list[0].Class == noMain
}

// Harness makes a harness for C files without a function main, which are read by opts. Its text and
// files become the program with [harness.Merge]. Errors are those of [Load], and of [harness.Build].
func Harness(ctx context.Context, files []*source.File, opts Options, how harness.Options) (h *harness.Harness, err error) {
	_, err = settle(opts, func(l *linker) error {
		if err := l.read(ctx, files); err != nil {
			return err
		}
		h, err = l.harness(how)
		return err
	})
	return h, err
}

// harness makes a harness for the files that were read.
func (l *linker) harness(how harness.Options) (*harness.Harness, error) {
	var units []*harness.Unit
	for _, tu := range l.tus {
		own := l.OwnFiles(tu.file.Name)
		units = append(units, &harness.Unit{File: tu.file, AST: tu.ast, Own: func(file string) bool { return own[file] }})
	}
	return harness.Build(units, how)
}

// LoadDriver is [Load], but if there is no function main, and nothing else is wrong, it returns a harness and no
// program: that of [Harness], for which the files need not be read again.
func LoadDriver(ctx context.Context, files []*source.File, opts Options, how harness.Options) (*Unit, *harness.Harness, error) {
	u, l, err := loadWith(ctx, files, opts)
	if err == nil || !LacksMain(err) {
		return u, nil, err
	}
	h, err := l.harness(how)
	return nil, h, err
}

// WithHarness makes a harness for files, and returns the program of both and the options by which that is read.
// Errors are those of [Harness].
func WithHarness(ctx context.Context, files []*source.File, opts Options, how harness.Options) (program []*source.File, with Options, err error) {
	h, err := Harness(ctx, files, opts, how)
	if err != nil {
		return nil, opts, err
	}
	return AddHarness(files, opts, h, how)
}

// AddHarness returns the program of files and a harness, and the options by which that is read.
func AddHarness(files []*source.File, opts Options, h *harness.Harness, how harness.Options) (program []*source.File, with Options, err error) {
	if opts.Conventions, err = harness.ReadConventions(how.Lifetimes); err != nil {
		return nil, opts, err
	}
	program, opts.Assumed, err = harness.Merge(append(slices.Clip(files), source.NewFile(harness.FileName, []byte(h.String()))))
	opts.Assume = opts.Assume.Harnessed()
	return program, opts, err
}
