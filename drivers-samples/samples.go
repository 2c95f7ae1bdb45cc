// Package samples finds the driver samples: one folder each, with safe.c, buggy.c, preds.txt and
// expect. Tests and benchmarks run over all of them; a new folder is a new sample.
package samples

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"c2bp/abstract"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

// Variant is one program of a sample with the verdict that its folder expects.
// Each has the predicates of its folder, which suffice for its verdict.
type Variant struct {
	Sample string // name of the folder
	File   string // safe.c or buggy.c
	Want   string // TRUE or FALSE
	Line   string // for FALSE: the line of the failing property
	Dir    string
}

// Name returns the name of v in tests: nic-lock/safe.c.
func (v Variant) Name() string { return v.Sample + "/" + v.File }

// Find returns the variants of all samples below dir, in order of name.
func Find(dir string) ([]Variant, error) {
	// A folder with a file expect is a sample.
	expects, err := filepath.Glob(filepath.Join(dir, "*", "expect"))
	if err != nil {
		return nil, err
	}
	var out []Variant
	for _, e := range expects {
		vs, err := readExpect(e)
		if err != nil {
			return nil, err
		}
		out = append(out, vs...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no samples in %s", dir)
	}
	return out, nil
}

// readExpect reads lines of the form "buggy.c FALSE 94".
//
//	safe.c TRUE
//	buggy.c FALSE 94
func readExpect(path string) ([]Variant, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	dir := filepath.Dir(path)
	var out []Variant
	for lines := bufio.NewScanner(f); lines.Scan(); {
		w := strings.Fields(lines.Text())
		// A line is a program and its verdict.
		v := Variant{Sample: filepath.Base(dir), Dir: dir}
		switch {
		case len(w) == 2 && w[1] == "TRUE":
			v.File, v.Want = w[0], w[1]
		case len(w) == 3 && w[1] == "FALSE":
			v.File, v.Want, v.Line = w[0], w[1], w[2]
		default:
			return nil, fmt.Errorf("%s: %q is neither \"file TRUE\" nor \"file FALSE line\"", path, lines.Text())
		}
		out = append(out, v)
	}
	return out, nil
}

// Loaded is a variant that has been read.
type Loaded struct {
	Unit  *frontend.Unit
	Texts []core.PredicateText
}

// Load reads the C program and the predicate file of v.
func (v Variant) Load(ctx context.Context) (*Loaded, error) {
	read := func(name string) (*source.File, error) {
		text, err := os.ReadFile(filepath.Join(v.Dir, name))
		return source.NewFile(name, text), err
	}
	c, err := read(v.File)
	if err != nil {
		return nil, err
	}
	preds, err := read("preds.txt")
	if err != nil {
		return nil, err
	}
	// The front end reads the program with its defaults.
	unit, err := frontend.Load(ctx, []*source.File{c}, frontend.Options{})
	if err != nil {
		return nil, err
	}
	texts, err := abstract.ParsePredicates(preds)
	return &Loaded{unit, texts}, err
}

// Abstract returns the abstraction of l.
func (l *Loaded) Abstract(ctx context.Context, opts abstract.Options) (*abstract.Result, error) {
	return abstract.Abstract(ctx, l.Unit.Program, l.Texts, l.Unit, opts)
}
