package rules

import (
	"context"
	"fmt"

	"c2bp/frontend"
	"c2bp/frontend/ccfix"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/library"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
	"c2bp/verdict"
)

// This file decides rules for the programs in their folders.

// Check decides the rules of a folder of l for one of the programs in it; a program without main gets a
// harness. wrong says how that differs from the wish of the example; it is empty if all rules of the folder
// hold for a good one, and if one fails for a bad one with the key and at the line that it names.
func Check(ctx context.Context, l *library.Library, name string, set *syntax.Set, example library.Example) (r *verdict.Result, wrong string, err error) {
	file, err := l.File(name, example.Name)
	if err != nil {
		return nil, "", err
	}
	// 1. The program.
	opts := Options{Frontend: frontend.Options{ReadFile: l.Include(name), Memory: new(ccfix.Memory)}}
	files := []*source.File{file}
	how := harness.Options{}
	_, h, err := frontend.LoadDriver(ctx, files, opts.Frontend, how)
	if err == nil && h != nil {
		files, opts.Frontend, err = frontend.AddHarness(files, opts.Frontend, h, how)
		opts.Harnessed = true
	}
	if err != nil {
		return nil, "", err
	}
	// 2. The rules, and the wish.
	if r, err = Audit(ctx, files, []*syntax.Set{set}, opts); err != nil {
		return nil, "", err
	}
	switch {
	case !example.Bad && r.Verdict != verdict.True:
		wrong = "expected TRUE"
	case example.Bad && r.Verdict != verdict.False:
		wrong = "expected FALSE"
	case example.Bad:
		if s := r.Sites[r.Failed]; s.Key != example.Key || s.Pos.Line != example.Line {
			wrong = fmt.Sprintf("expected %s at line %d", example.Key, example.Line)
		}
	}
	return r, wrong, nil
}
