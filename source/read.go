package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// This file reads files for all readers.

// Read reads the file called name, or stdin if name is "-". A file that cannot be read, or is not
// text (it has a NUL byte), is a *Diagnostic that names it. When ctx is done, Read returns its
// cause at once, even while it waits for input.
func Read(ctx context.Context, name string, stdin io.Reader) (*File, error) {
	type content struct {
		text []byte
		err  error
	}
	// 1. Read in a goroutine: a read from a terminal or a pipe cannot be interrupted.
	done := make(chan content, 1)
	go func() {
		var c content
		if name == "-" {
			c.text, c.err = io.ReadAll(stdin)
		} else {
			c.text, c.err = os.ReadFile(name)
		}
		done <- c
	}()
	var c content
	select {
	case c = <-done:
	// The goroutine is left waiting.
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	// 2. Check that it is text.
	if c.err != nil {
		return nil, unreadable(NewFile(name, nil).Name, c.err)
	}
	f := NewFile(name, c.text)
	if i := bytes.IndexByte(c.text, 0); i >= 0 {
		return nil, f.Errorf(f.Pos(i), "NUL byte: this is a binary file; expected text")
	}
	return f, nil
}

// unreadable returns a diagnostic that says in plain words why a file cannot be read.
func unreadable(name string, err error) *Diagnostic {
	msg := err.Error()
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		msg = "no such file"
	case errors.Is(err, fs.ErrPermission):
		msg = "permission denied"
	case errors.Is(err, syscall.EISDIR):
		msg = "this is a directory; expected a file"
	case errors.As(err, &path):
		msg = path.Err.Error()
	}
	return &Diagnostic{Pos: Pos{File: name}, Severity: Error, Msg: fmt.Sprintf("cannot read it: %s", msg)}
}
