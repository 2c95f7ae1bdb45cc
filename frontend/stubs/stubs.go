// Package stubs holds the C headers that package frontend serves for #include
// <...>, so that no host compiler or C library is needed: declarations only, in
// the shape of C23 clause 7 and POSIX, and the macros that gcc predefines for the
// two data models.
package stubs

import (
	"embed"
	"io/fs"
	"regexp"
	"sync"
)

// Include is the file system of the headers, rooted at "include".
//
//go:embed include
var Include embed.FS

// Builtins declares built-in functions of gcc, beside those that cc.Builtin declares.
//
//go:embed builtins.h
var Builtins string

// Predefined64 and Predefined32 are the predefined macros of x86-64 and i386.
var (
	//go:embed predefined64.h
	Predefined64 string
	//go:embed predefined32.h
	Predefined32 string
)

var (
	comment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	name     = regexp.MustCompile(`[A-Za-z_]\w*`)
	function = regexp.MustCompile(`([A-Za-z_]\w*)\s*\(`)
)

// identifiers are those in the headers.
type identifiers struct{ all, functions map[string]bool }

var read = sync.OnceValue(func() identifiers {
	ids := identifiers{all: map[string]bool{}, functions: map[string]bool{}}
	// The headers are part of the program: reading them does not fail.
	_ = fs.WalkDir(Include, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := Include.ReadFile(path)
		plain := comment.ReplaceAllString(string(text), " ")
		for _, n := range name.FindAllString(plain, -1) {
			ids.all[n] = true
		}
		for _, m := range function.FindAllStringSubmatch(plain, -1) {
			ids.functions[m[1]] = true
		}
		return err
	})
	return ids
})

// Names returns the identifiers in the headers: functions, types, members, parameters.
func Names() map[string]bool { return read().all }

// Functions returns the functions that the headers declare, and macros that stand for some.
func Functions() map[string]bool { return read().functions }
