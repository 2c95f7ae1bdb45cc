// Package stubs holds the C headers that package frontend serves for #include
// <...>, so that no host compiler or C library is needed: declarations only, in
// the shape of C23 clause 7 and POSIX, and the macros that gcc predefines for the
// two data models.
package stubs

import (
	"embed"
	"io/fs"
	"regexp"
	"slices"
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
type identifiers struct{ all, functions, computing map[string]bool }

var read = sync.OnceValue(func() identifiers {
	ids := identifiers{all: map[string]bool{}, functions: map[string]bool{}, computing: map[string]bool{}}
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
			if slices.Contains(computing, d.Name()) && !inputs.MatchString(m[1]) || others.MatchString(m[1]) {
				ids.computing[m[1]] = true
			}
		}
		return err
	})
	return ids
})

// computing are the headers whose functions compute: what they do is determined by their arguments and by memory.
var computing = []string{"string.h", "strings.h", "ctype.h", "math.h", "complex.h", "wchar.h", "inttypes.h"}

// others are the functions of other headers that compute. inputs are those of these headers that do not.
var others, inputs = regexp.MustCompile(`^(qsort|bsearch|l?l?div|l?l?abs|ato(i|l|ll|f)|strto\w+|mblen|mbtowc|wctomb|mbstowcs|wcstombs|v?sn?printf|v?sscanf|mktime|gmtime|gmtime_r|difftime|asctime|strftime)$`),
	regexp.MustCompile(`^(f?getwc|getwchar|fgetws|v?f?wscanf|fwide|ungetwc|f?putwc|putwchar|fputws|v?f?wprintf)$`)

// Computes reports whether name is a function of the library whose result nobody but the library chooses, and which it
// computes from its arguments and from memory: qsort, sin, strtok, but not rand, getenv or read.
func Computes(name string) bool { return read().computing[name] }

// Names returns the identifiers in the headers: functions, types, members, parameters.
func Names() map[string]bool { return read().all }

// Functions returns the functions that the headers declare, and macros that stand for some.
func Functions() map[string]bool { return read().functions }
