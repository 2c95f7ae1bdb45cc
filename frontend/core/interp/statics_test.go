package interp

import (
	"testing"

	"c2bp/frontend/core"
)

// TestStatics: runs of one prepared program begin with the same objects, whatever runs before them have written there,
// and with those of their own options.
func TestStatics(t *testing.T) {
	l := newLab()
	names := []string{"a", "b"}
	var list []*core.Var
	for _, name := range names {
		v := taken(global(name, agg(4)))
		v.Literal, v.Merged, v.Text = true, true, []byte("abc\x00")
		list = append(list, v)
	}
	line(l.main,
		set(l.i, at(addr(l.s), 8, core.Int32)),
		store(at(addr(l.s), 8, core.Int32), num(7)))
	p := Prepare(program(t, append(list, l.globals...), l.main))
	objects := func(m *Machine) int { return len(m.Objects()) }
	apart := p.New(&script{}, Options{})
	merged := p.New(&script{}, Options{Merge: true})
	if objects(merged) != objects(apart)-1 {
		t.Errorf("%d objects with two literals of the same contents, %d with one", objects(apart), objects(merged))
	}
	for range 2 {
		m := p.New(&script{}, Options{})
		finish(t, m, Finished)
		wantValue(t, "s at first", m.Global(l.i), 0)
	}
}
