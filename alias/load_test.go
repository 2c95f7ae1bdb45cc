package alias_test

import (
	"testing"

	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

// load returns the program that text is, its calls through pointers resolved.
func load(t testing.TB, text string, opts frontend.Options) *core.Program {
	t.Helper()
	u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, opts)
	if err != nil {
		t.Fatal(err)
	}
	devirt.Resolve(u.Program)
	return u.Program
}
