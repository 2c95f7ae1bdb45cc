// Package library has the rules that come with c2bp. A rule is a folder: it is found without registration.
//
//	rules/NAME/rule.slic   the rule, called NAME but for hyphens, and why it exists in its first comment
//	rules/NAME/good.c      a program that keeps to it
//	rules/NAME/bad.c       one that does not
package library

import (
	"embed"
	"path"
	"slices"

	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// This file finds the rules.

//go:embed rules
var files embed.FS

// Names returns the names of the rules, in alphabetical order.
func Names() (list []string) {
	entries, err := files.ReadDir("rules")
	if err != nil {
		panic(err) // they are in the binary
	}
	for _, e := range entries {
		if e.IsDir() {
			list = append(list, e.Name())
		}
	}
	slices.Sort(list)
	return list
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
	file, err := File(name, "rule.slic")
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
func relative(name string) string {
	const root = "<rules>/"
	if len(name) > len(root) && name[:len(root)] == root {
		return name[len(root):]
	}
	return name
}
