package abstract

import (
	"context"
	"testing"

	"c2bp/frontend"
	"c2bp/source"
)

// TestObjectPredicatesRefused: a section for a struct, with predicates or without, is an error at its place.
func TestObjectPredicatesRefused(t *testing.T) {
	ctx := context.Background()
	unit, err := frontend.Load(ctx, []*source.File{source.NewFile("d.c", []byte("struct dev { int state; } d; int main(void) { return d.state; }"))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"global:\n d.state == 1\nstruct dev:\n state == 1, state == 2": "p:4:2: error: object predicates (a section for a struct) need --refs\n     state == 1, state == 2\n     ^",
		"struct  dev:\n": "p:1:1: error: object predicates (a section for a struct) need --refs\n    struct  dev:\n    ^",
	} {
		texts, err := ParsePredicates(source.NewFile("p", []byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Abstract(ctx, unit.Program, texts, unit, Options{})
		if err == nil || err.Error() != want || !source.IsInput(err) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
