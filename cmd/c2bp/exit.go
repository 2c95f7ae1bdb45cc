package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"c2bp/source"
	"c2bp/verdict"
)

// This file maps errors to exit codes.

// The exit codes. Scripts for verifiers know 0, 5 and 10.
const (
	exitOK       = 0  // TRUE, or the abstraction is written
	exitUsage    = 1  // the command line is wrong
	exitInput    = 2  // an input cannot be read, parsed or type-checked
	exitUnknown  = 5  // UNKNOWN, or stopped before there was a result
	exitInternal = 6  // a fault of c2bp, or the result could not be written
	exitFalse    = 10 // FALSE
)

// Errors other than those about an input.
type (
	// usageError is a wrong command line.
	usageError struct{ msg, command string }
	// stopped is the cause of a cancelled context: an interrupt or a limit. It reads
	// as the reason of an UNKNOWN.
	stopped string
	// outputError says that stdout did not take the result.
	outputError struct{ err error }
	// panicked is a panic somewhere inside.
	panicked struct {
		value any
		stack []byte
	}
	// internalError is any other error of a command.
	internalError struct{ err error }
	// noTrue carries the exit code of a verdict other than TRUE; the verdict is
	// printed already.
	noTrue int
)

func (e *usageError) Error() string { return e.msg }
func (e stopped) Error() string     { return string(e) }
func (e *outputError) Error() string {
	return "cannot write the result: " + e.err.Error()
}
func (e *panicked) Error() string {
	return fmt.Sprintf("internal error: %v\n\n%sThis is a defect of c2bp, not of its input. Please report it with the input.", e.value, e.stack)
}
func (e *internalError) Error() string { return "internal error: " + e.err.Error() }
func (e *internalError) Unwrap() error { return e.err }
func (e noTrue) Error() string         { return fmt.Sprintf("exit code %d", int(e)) }

// wrongUsage returns a usageError of the command c.
func wrongUsage(c *cobra.Command, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), c.CommandPath()}
}

// ours wraps an error that a command returned, so that an unexplained one counts as a fault of
// c2bp; errors made by cobra are wrong usage.
func ours(err error) error {
	var usage *usageError
	var stop stopped
	var output *outputError
	var panicked *panicked
	var code noTrue
	switch {
	// Errors with an exit code of their own stay as they are.
	case err == nil, source.IsInput(err), errors.As(err, &usage), errors.As(err, &stop),
		errors.As(err, &output), errors.As(err, &panicked), errors.As(err, &code):
		return err
	}
	return &internalError{err}
}

// verdictError returns the error that leads to the exit code of r.
func verdictError(r *verdict.Result) error {
	switch r.Verdict {
	case verdict.True:
		return nil
	case verdict.False:
		return noTrue(exitFalse)
	}
	return noTrue(exitUnknown)
}

// exitCode reports err on stderr and returns the exit code.
//
//	nil, or a verdict TRUE                 0
//	a verdict FALSE, UNKNOWN               10, 5
//	a stop before there is a result        5
//	an input that cannot be used           2
//	a command line that cannot be used     1
//	anything else                          6
func (a *app) exitCode(err error) int {
	var (
		code     noTrue
		stop     stopped
		output   *outputError
		crash    *panicked
		internal *internalError
		usage    *usageError
	)
	switch {
	case err == nil:
		return exitOK
	// The verdict is printed already.
	case errors.As(err, &code):
		return int(code)
	// A command without verdicts was stopped.
	case errors.As(err, &stop):
		fmt.Fprintf(a.stderr, "c2bp: stopped: %s; nothing is written\n", stop)
		return exitUnknown
	case errors.As(err, &output), errors.As(err, &crash), errors.As(err, &internal):
		fmt.Fprintf(a.stderr, "c2bp: %v\n", err)
		return exitInternal
	case source.IsInput(err):
		fmt.Fprintln(a.stderr, err)
		return exitInput
	// The user can do something about the rest: inputs and the command line.
	case errors.As(err, &usage):
		fmt.Fprintf(a.stderr, "c2bp: %s\nTry '%s --help'.\n", usage.msg, usage.command)
		return exitUsage
	}
	fmt.Fprintf(a.stderr, "c2bp: %v\nTry 'c2bp --help'.\n", err)
	return exitUsage
}
