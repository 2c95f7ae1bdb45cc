package main

import (
	"context"
	"errors"
	"path/filepath"

	"c2bp/frontend/slic/syntax"
	"c2bp/report/sarif"
	"c2bp/report/triage"
	"c2bp/source"
	"c2bp/verdict"
)

// This file reads which failures are known, comments in the C files and the flag --baseline, and has the
// options of the form sarif.

// readKnown reads the failures that are known of the program in, and keeps them beside the interim result.
func (a *app) readKnown(ctx context.Context, in *input, f *auditFlags, latest *interim) (*triage.Known, error) {
	k := &triage.Known{}
	// 1. Comments: in the files named, and in those that they include.
	files := map[string]*source.File{}
	for name, file := range in.unit.Program.Files {
		files[name] = file
	}
	for _, file := range in.files {
		files[file.Name] = file
	}
	if err := k.Read(files); err != nil {
		return nil, err
	}
	// 2. The earlier result.
	if f.baseline != "" {
		file, err := source.Read(ctx, filepath.ToSlash(f.baseline), a.stdin)
		if err != nil {
			return nil, err
		}
		if k.Baseline, err = triage.ReadBaseline(file); err != nil {
			return nil, err
		}
	}
	latest.know(k)
	return k, nil
}

// describe keeps the descriptions of rules, for --format sarif: the text that "c2bp rules show" begins with.
func (f *auditFlags) describe(sets []*syntax.Set) {
	f.described = map[string]sarif.Rule{}
	for _, set := range sets {
		for _, r := range set.Rules {
			f.described[r.Name.Text] = sarif.Rule{Title: r.Title, Help: string(r.File.Text), Severity: r.Severity}
		}
	}
}

// sarifOptions returns the options of a log about r.
func (f *auditFlags) sarifOptions(r *verdict.Result, k *triage.Known) sarif.Options {
	o := sarif.Options{Version: version(), Rules: f.described}
	if k != nil {
		o.Files = k.Files
	}
	var code noTrue
	if errors.As(verdictError(r), &code) {
		o.ExitCode = int(code)
	}
	return o
}
