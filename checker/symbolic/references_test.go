package symbolic

import (
	"context"
	"testing"

	"c2bp/source"
)

// TestReferences shows that programs with references are refused: they would be read as
// if references were Booleans.
func TestReferences(t *testing.T) {
	g := parse(t, "class C { bool x; } ref C g; void main() begin g := new C; assert(!g.x); end")
	if s, err := Solve(context.Background(), g, Options{}); s != nil || !source.IsInput(err) {
		t.Errorf("solution %v, error %v", s, err)
	}
}
