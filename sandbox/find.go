package sandbox

import "errors"

// This file defines the ways to confine processes, and the errors of this package.

// Confinement is a way to confine processes that the kernel offers.
type Confinement struct {
	kind kind
	why  error // for none
}

type kind int

const (
	none kind = iota
	byLandlock
	byNamespaces
)

// String returns the mechanisms: "Landlock and seccomp".
func (c *Confinement) String() string {
	return [...]string{"none", "Landlock and seccomp", "namespaces and seccomp"}[c.kind]
}

// ErrUnavailable says that the kernel does not confine processes.
var ErrUnavailable = errors.New("this system offers neither Landlock (Linux 6.2) nor user namespaces together with seccomp")

// None returns a Confinement that runs nothing: Run returns ErrUnavailable.
func None() *Confinement { return &Confinement{why: ErrUnavailable} }

// ExecError says that the kernel does not execute the program: it is for another machine, or larger
// than its limit of memory.
type ExecError struct{ Reason string }

func (e *ExecError) Error() string { return "the program cannot be executed: " + e.Reason }

// notExecuted begins the child's report of that.
const notExecuted = "exec: "
