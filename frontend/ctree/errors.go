package ctree

import (
	"fmt"

	"modernc.org/cc/v4"
)

// This file defines errors at nodes.

// Error is an error at a node.
type Error struct {
	Node cc.Node
	Msg  string
}

// Error returns the message, without the place.
func (e *Error) Error() string { return e.Msg }

// Errorf makes an *Error at n.
func Errorf(n cc.Node, format string, args ...any) error {
	return &Error{n, fmt.Sprintf(format, args...)}
}
