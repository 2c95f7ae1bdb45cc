package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/source"
)

// This file makes programs of drivers: files without a function main, and harnesses beside them.

// driverFlags are the flags about the harness of a driver.
type driverFlags struct {
	entries   []string
	oneDevice bool
	lifetimes []string
	allowed   bool // the command makes a harness if the program needs one
}

// add adds the flags to fs, apart from --entry, which every command that reads C has.
func (f *driverFlags) add(fs *pflag.FlagSet) {
	f.allowed = true
	fs.BoolVar(&f.oneDevice, "one-device", false, "let the harness of a driver have one device instead of two")
	fs.StringArrayVar(&f.lifetimes, "lifetimes", nil, "`FILE` that says which functions of a driver begin and end the life of objects (docs/harness.md); may be repeated")
}

// words calls add for the flags with other values than their defaults.
func (f *driverFlags) words(add func(name, value string)) {
	for _, e := range f.entries {
		add("entry", e)
	}
	if f.oneDevice {
		add("one-device", "true")
	}
	for _, l := range f.lifetimes {
		add("lifetimes", l)
	}
}

// harnessOptions reads the files that the flags name.
func (a *app) harnessOptions(ctx context.Context, f *driverFlags) (o harness.Options, err error) {
	o = harness.Options{Entries: f.entries, OneDevice: f.oneDevice}
	o.Lifetimes, err = a.readAll(ctx, f.lifetimes)
	return o, err
}

// loadProgram reads the C files of in as a program. Harnesses among them become parts of the others. If
// there is no function main, or several entries are named, a harness is made. It returns the options with which
// they were read.
func (a *app) loadProgram(ctx context.Context, in *input, opts frontend.Options, f *driverFlags) (frontend.Options, error) {
	how, err := a.harnessOptions(ctx, f)
	if err != nil {
		return opts, err
	}
	if opts.Conventions, err = harness.ReadConventions(how.Lifetimes); err != nil {
		return opts, err
	}
	// 1. With main, or an entry, and harnesses that are given.
	load := func(files []*source.File) (h *harness.Harness, err error) {
		var assumed []string
		if in.program, assumed, err = harness.Merge(files); err != nil {
			return nil, err
		}
		if len(assumed) > 0 {
			opts.Assumed, opts.Assume = assumed, opts.Assume.Harnessed()
		}
		if f.allowed && len(in.program) == len(files) {
			in.unit, h, err = frontend.LoadDriver(ctx, in.program, opts, how)
			return h, err
		}
		in.unit, err = frontend.Load(ctx, in.program, opts)
		return nil, err
	}
	var h *harness.Harness
	if len(f.entries) < 2 {
		if h, err = load(in.files); h == nil && (err == nil || !f.allowed || !frontend.LacksMain(err)) {
			return opts, err
		}
	} else if !f.allowed {
		return opts, errors.New("several entries: only c2bp audit makes a harness that calls them")
	}
	// 2. With a harness that is made.
	if h == nil {
		if h, err = frontend.Harness(ctx, in.files, opts, how); err != nil {
			return opts, err
		}
	}
	if h.Note != "" {
		fmt.Fprintf(a.stderr, "c2bp: note: %s\n", h.Note)
	}
	in.harness = h.String()
	_, err = load(append(slices.Clip(in.files), source.NewFile(harness.FileName, []byte(in.harness))))
	return opts, err
}

// printHarness prints the harness of the C files called names.
func (a *app) printHarness(ctx context.Context, names []string, f *abstractFlags) error {
	files, err := a.readAll(ctx, names)
	if err != nil {
		return err
	}
	how, err := a.harnessOptions(ctx, &f.driver)
	if err != nil {
		return err
	}
	a.diagnose(f.notes)
	h, err := frontend.Harness(ctx, files, f.frontend, how)
	if err != nil {
		return err
	}
	if h.Note != "" {
		fmt.Fprintf(a.stderr, "c2bp: note: %s\n", h.Note)
	}
	return a.write(bytes.NewBufferString(h.String()))
}
