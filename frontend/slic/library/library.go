// Package library has the rules that come with c2bp. A rule is a folder: it is found without registration.
//
//	rules/NAME/rule.slic   the rule, or several about one subject, and why in its first comment
//	rules/NAME/good*.c     programs that keep to it
//	rules/NAME/bad*.c      programs that do not; the line that fails has a comment: fails: KEY
//	rules/templates        parametrised rules that others include
//
// Trade-off. Most rules are instances of a few parametrised ones: an alternation, a registration, a
// creation, a counter. Their keys and texts are general, such as "left-at-end: not released", and in
// return they are right for all of their instances. A folder may have several rules about one subject;
// then the good programs keep to all of them.
package library

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// This file finds the rules and their examples.

//go:embed rules
var files embed.FS

// ruleFile is the file that makes a folder a rule.
const ruleFile = "rule.slic"

// Names returns the names of the rules, in alphabetical order.
func Names() (list []string) {
	for _, e := range folder("rules") {
		if _, err := fs.Stat(files, path.Join("rules", e.Name(), ruleFile)); err == nil {
			list = append(list, e.Name())
		}
	}
	slices.Sort(list)
	return list
}

// folder returns the entries of a folder that exists.
func folder(name string) []fs.DirEntry {
	entries, err := files.ReadDir(name)
	if err != nil {
		panic(err) // they are in the binary
	}
	return entries
}

// File returns a file of the folder of a rule. Its name in messages is as in <rules>/spinlock/rule.slic.
func File(rule, name string) (*source.File, error) {
	text, err := files.ReadFile(path.Join("rules", rule, name))
	if err != nil {
		return nil, err
	}
	return source.NewFile(path.Join("<rules>", rule, name), text), nil
}

// Rule returns the rules in the folder of that name.
func Rule(name string) (*syntax.Set, error) {
	file, err := File(name, ruleFile)
	if err != nil {
		return nil, err
	}
	return syntax.Load(file, func(name string) (*source.File, error) {
		text, err := files.ReadFile(path.Join("rules", relative(name)))
		if err != nil {
			return nil, err
		}
		return source.NewFile(name, text), nil
	})
}

// relative returns the name of a file without <rules> before it.
func relative(name string) string { return strings.TrimPrefix(name, "<rules>/") }

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

// Examples returns the examples of a rule of the library, the good ones first. The error says which bad
// one has no comment, or several, that tell where it fails.
func Examples(rule string) (list []Example, err error) {
	for _, e := range folder(path.Join("rules", rule)) {
		name := e.Name()
		x := Example{Name: name, Bad: strings.HasPrefix(name, "bad")}
		if !strings.HasSuffix(name, ".c") || !x.Bad && !strings.HasPrefix(name, "good") {
			continue
		}
		file, err := File(rule, name)
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(string(file.Text), "\n") {
			m := marker.FindStringSubmatch(line)
			switch {
			case m == nil:
			case !x.Bad || x.Line != 0:
				return nil, fmt.Errorf("%s:%d: %s; expected it once, in a bad example", file.Name, i+1, m[0])
			default:
				x.Key, x.Line = m[1], i+1
			}
		}
		if x.Bad && x.Line == 0 {
			return nil, fmt.Errorf("%s: no line fails; expected a comment /* fails: KEY */ on the one that does", file.Name)
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
