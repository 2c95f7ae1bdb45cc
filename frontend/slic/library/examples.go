package library

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// This file finds the examples of a rule.

// Example is a program in the folder of a rule.
type Example struct {
	Name string // of the file
	Bad  bool   // it violates the rule
	// Key is that of the abort of a bad example, and Line where it fails, from 1.
	Key  string
	Line int
}

// marker is the comment on the line of a bad example that fails.
var marker = regexp.MustCompile(`/\* fails: ([a-z-]+) \*/`)

// Examples returns the examples of a rule, the good ones first. The error says which bad
// one has no comment, or several, that tell where it fails.
func (l *Library) Examples(rule string) (list []Example, err error) {
	entries, err := readDir(path.Join(l.dirs[rule], rule))
	if err != nil {
		return nil, wrong(rule, "cannot read the folder: %v", reason(err))
	}
	for _, e := range entries {
		name := e.Name()
		x := Example{Name: name, Bad: strings.HasPrefix(name, "bad")}
		if !strings.HasSuffix(name, ".c") || !x.Bad && !strings.HasPrefix(name, "good") {
			continue
		}
		file, err := l.File(rule, name)
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(string(file.Text), "\n") {
			m := marker.FindStringSubmatch(line)
			switch {
			case m == nil:
			case !x.Bad || x.Line != 0:
				return nil, wrong(fmt.Sprintf("%s:%d", file.Name, i+1), "%s; expected it once, in a bad example", m[0])
			default:
				x.Key, x.Line = m[1], i+1
			}
		}
		if x.Bad && x.Line == 0 {
			return nil, wrong(file.Name, "no line fails; expected a comment /* fails: KEY */ on the one that does")
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(a, b Example) int {
		switch {
		case a.Bad == b.Bad:
			return strings.Compare(a.Name, b.Name)
		case a.Bad:
			return 1
		}
		return -1
	})
	return list, nil
}

// Headers returns the names of the headers in the folder of a rule.
func (l *Library) Headers(rule string) (list []string) {
	entries, err := readDir(path.Join(l.dirs[rule], rule))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".h") {
			list = append(list, e.Name())
		}
	}
	return list
}
