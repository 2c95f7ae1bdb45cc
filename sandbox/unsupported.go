//go:build !linux

package sandbox

import "context"

// This file stands in for all others on systems other than Linux.

// Find returns ErrUnavailable: only Linux confines as this package needs it.
func Find() (*Confinement, error) { return None(), ErrUnavailable }

// Run returns ErrUnavailable.
func (c *Confinement) Run(context.Context, Command) (Result, error) {
	return Result{}, ErrUnavailable
}
