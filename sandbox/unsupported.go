//go:build !linux

package sandbox

import "context"

// Find returns ErrUnavailable: only Linux confines as this package needs it.
func Find() (*Confinement, error) { return None(), ErrUnavailable }

// Run returns ErrUnavailable.
func (c *Confinement) Run(context.Context, Command) (Result, error) {
	return Result{}, ErrUnavailable
}
