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

// shapesOf returns the shapes of the structs of a program by name, struct dev.
func shapesOf(p *core.Program) map[string]core.Shape {
	shapes := map[string]core.Shape{}
	for _, r := range p.Records() {
		shapes[r.Name] = core.Shape{Record: r, Size: r.Size}
	}
	return shapes
}
