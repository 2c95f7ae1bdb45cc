package bpexec

import (
	"context"
	"testing"

	"c2bp/source"
)

// TestReferences shows that programs with references are refused.
func TestReferences(t *testing.T) {
	g := parsed(t, "class C { bool x; } ref C g; void main() begin g := new C; assert(!g.x); end")
	if r, err := Reach(context.Background(), g, Options{}); r != nil || !source.IsInput(err) {
		t.Errorf("result %v, error %v", r, err)
	}
}
