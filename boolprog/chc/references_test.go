package chc

import (
	"context"
	"strings"
	"testing"

	"c2bp/boolprog"
	"c2bp/source"
)

// TestReferences shows that programs with references are refused, with the place of their
// first class.
func TestReferences(t *testing.T) {
	const text = "decl a;\nclass C { bool x; } ref C g; void main() begin g := new C; assert(!g.x); end"
	p, _, err := boolprog.Parse(source.NewFile("r.bp", []byte(text)), boolprog.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err = Write(context.Background(), &out, boolprog.BuildGraph(p), nil)
	want := `r.bp:2:7: error: class "C": the export of Horn clauses cannot treat programs with references`
	if !source.IsInput(err) || !strings.HasPrefix(err.Error(), want) || out.Len() > 0 {
		t.Errorf("error %v, %d bytes", err, out.Len())
	}
}
