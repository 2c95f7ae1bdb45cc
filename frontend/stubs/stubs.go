// Package stubs holds the C headers that package frontend serves for #include
// <...>, so that no host compiler or C library is needed: declarations only, in
// the shape of C23 clause 7 and POSIX, and the macros that gcc predefines for the
// two data models.
package stubs

import "embed"

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
