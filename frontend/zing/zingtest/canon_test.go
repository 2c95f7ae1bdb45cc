package zingtest

import (
	"strings"
	"testing"

	"c2bp/frontend/zing"
)

// TestCanonical checks that states are equal if their heaps are isomorphic, and only then.
func TestCanonical(t *testing.T) {
	node, other := &zing.Type{Name: "N", Kind: zing.KindClass}, &zing.Type{Name: "M", Kind: zing.KindClass}
	heap := func(globals []value, objects map[ref]*object) string {
		return (&state{globals: globals, heap: objects}).canonical()
	}
	// Two objects that refer to each other, one of them a global; further, garbage.
	base := heap([]value{ref(1)}, map[ref]*object{1: {node, []value{int64(7), ref(2)}}, 2: {node, []value{int64(8), ref(1)}}})
	for name, c := range map[string]struct {
		key  string
		same bool
	}{
		"renumbered":    {heap([]value{ref(9)}, map[ref]*object{9: {node, []value{int64(7), ref(4)}}, 4: {node, []value{int64(8), ref(9)}}}), true},
		"with garbage":  {heap([]value{ref(1)}, map[ref]*object{1: {node, []value{int64(7), ref(2)}}, 2: {node, []value{int64(8), ref(1)}}, 3: {node, []value{int64(9), ref(1)}}}), true},
		"other link":    {heap([]value{ref(1)}, map[ref]*object{1: {node, []value{int64(7), ref(2)}}, 2: {node, []value{int64(8), ref(2)}}}), false},
		"other value":   {heap([]value{ref(1)}, map[ref]*object{1: {node, []value{int64(7), ref(2)}}, 2: {node, []value{int64(9), ref(1)}}}), false},
		"other type":    {heap([]value{ref(1)}, map[ref]*object{1: {node, []value{int64(7), ref(2)}}, 2: {other, []value{int64(8), ref(1)}}}), false},
		"other entry":   {heap([]value{ref(2)}, map[ref]*object{1: {node, []value{int64(7), ref(2)}}, 2: {node, []value{int64(8), ref(1)}}}), false},
		"null":          {heap([]value{nil}, map[ref]*object{}), false},
		"split objects": {heap([]value{ref(1)}, map[ref]*object{1: {node, []value{int64(7), ref(2)}}, 2: {node, []value{int64(8), ref(3)}}, 3: {node, []value{int64(7), ref(2)}}}), false},
	} {
		if (c.key == base) != c.same {
			t.Errorf("%s: equal %t, want %t", name, c.key == base, c.same)
		}
	}
}

// TestClone checks that a step does not change the state it starts from.
func TestClone(t *testing.T) {
	for _, m := range Models() {
		p, err := Load(m.Name, m.Text)
		if err != nil {
			t.Fatal(err)
		}
		options := m.Options
		options.Blocks = 1000
		x := &machine{graph: buildGraph(p), options: options}
		s, _ := x.start()
		before := s.canonical()
		for i := range s.processes {
			if x.status(s, i) == runnable {
				x.step(s, i, nil)
			}
		}
		if s.canonical() != before {
			t.Errorf("%s: a step changed its first state", m.Name)
		}
	}
}

// TestBlocks compares the blocks of a method with the listed ones: number, level, marks, text.
func TestBlocks(t *testing.T) {
	p, err := Load("blocks.zing", `chan C int; class A {
		static C c;
		static void f() {
			int v;
			L: atomic { v = 1; if (v == 1) goto M; while (v > 1) v = v - 1; select { receive(c, v) -> ; } }
			M: ;
			try { raise E; } with { E -> goto L; }
		}
	};`)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	seen := map[*block]bool{}
	for b := buildGraph(p).entry[0]; b != nil && !seen[b]; b = b.next {
		seen[b] = true
		name := b.name
		if b.level > 0 {
			name += " in region"
		}
		if b.glued {
			name += " glued"
		}
		names = append(names, name)
	}
	want := "label L glued, level, sequence in region, if in region"
	if got := strings.Join(names, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
