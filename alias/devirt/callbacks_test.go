package devirt

import (
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

// calledBack counts the calls from outside in p.
func calledBack(p *core.Program) (n int) {
	for _, q := range p.Procs {
		for _, x := range q.Nodes {
			if c, ok := x.Stmt.(*core.Call); ok && c.By != nil {
				n++
			}
		}
	}
	return n
}

// TestCallbacksInMemory: calls from outside are made visible once, and not if nothing is called back.
func TestCallbacksInMemory(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/c/callbacks.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		later bool
		want  int
	}{
		{"as it is", false, 4},
		{"later", true, 0},
	} {
		o := frontend.Options{}
		o.Assume.CallbacksLater = test.later
		unit, err := frontend.Load(t.Context(), files(source.NewFile("f.c", archive.Files[0].Data)), o)
		if err != nil {
			t.Fatal(err)
		}
		p := unit.Program
		Resolve(p)
		if n := calledBack(p); n != test.want {
			t.Errorf("%s: %d calls from outside, want %d", test.name, n, test.want)
		}
		before := p.String()
		Resolve(p)
		if after := p.String(); after != before {
			t.Errorf("%s: resolved twice it is\n%s", test.name, after)
		}
		if err := core.Validate(p); err != nil {
			t.Error(err)
		}
	}
}
