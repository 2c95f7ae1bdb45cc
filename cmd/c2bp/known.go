package main

import (
	"context"
	"path/filepath"

	"c2bp/source"
	"c2bp/triage"
)

// This file reads which failures are known: comments in the C files, and the flag --baseline.

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
