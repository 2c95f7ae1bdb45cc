// Package models holds the models of library functions: C files that package frontend lowers like any
// other C, in place of functions that a program calls and does not define.
//
//	lib/models.c    functions of the C library, of POSIX and of the Linux kernel
//	lib/exit.c      the functions that run at the end of a program: atexit and its kin
//
// The head of lib/models.c says how a model is written and what it can use.
package models

import _ "embed"

// LibraryName and ExitName are the names of the files in messages.
const (
	LibraryName = "<models>"
	ExitName    = "<exit>"
)

// Library is the text of models.c.
//
//go:embed lib/models.c
var Library []byte

// Exit is the text of exit.c.
//
//go:embed lib/exit.c
var Exit []byte
