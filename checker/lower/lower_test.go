package lower

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/boolprog/bpgen"
	"c2bp/boolprog/refexec"
	"c2bp/checker/zom"
	"c2bp/internal/testkit"
	"c2bp/source"
)

var update = testkit.Update

// Each archive in testdata has a program in.bp and what it is translated to, out/zom.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := boolprog.Parse(source.NewFile("in.bp", ar.Files[0].Data), boolprog.ParseOptions{})
	if err == nil {
		_, err = boolprog.Check(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := Program(boolprog.BuildGraph(p))
	if err := out.Validate(); err != nil {
		t.Error(err)
	}
	var text bytes.Buffer
	if err := zom.Fprint(&text, out); err != nil {
		t.Fatal(err)
	}
	got := txtar.Format(&txtar.Archive{Comment: ar.Comment, Files: append(ar.Files[:1:1], txtar.File{Name: "out/zom", Data: text.Bytes()})})
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(got, txtar.Format(ar)) {
		t.Errorf("%s differs (run with -update to accept):\n%s", file, got)
	}
}

// programs is how many random programs a test takes, of which there are many in a long one.
func programs(few uint64) uint64 { return testkit.Count[uint64](few, 20_000) }

// random is the program of a seed, every other one with references.
func random(seed uint64) *boolprog.Program {
	if seed%2 == 0 {
		return bpgen.References(seed, bpgen.ReferenceConfig{})
	}
	return bpgen.Generate(seed, bpgen.Config{})
}

func TestTranslationsAreValid(t *testing.T) {
	for seed := range programs(1000) {
		p := random(seed)
		if err := Program(boolprog.BuildGraph(p)).Validate(); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
	}
}

// What a translation does, state by state, is what the program does by brute force. The
// states are canonical forms, so this is about liveness, too.
func TestAgreesWithBruteForce(t *testing.T) {
	compared, failing := 0, 0
	for seed := range programs(400) {
		p := random(seed)
		fails, ok, err := agrees(p)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if ok {
			compared++
		}
		if fails {
			failing++
		}
	}
	if n := int(programs(400)); compared < n/2 || failing < n/5 || failing > 4*n/5 {
		t.Errorf("of %d programs %d are explored completely, and %d fail: too few, or too many", n, compared, failing)
	}
}

// agrees compares the translation of p with brute force, if that comes to an end, and tells
// whether it did and whether an assertion or a dereference fails.
func agrees(p *boolprog.Program) (fails, complete bool, err error) {
	const most = 5000
	g := boolprog.BuildGraph(p)
	brute, err := refexec.Explore(context.Background(), g, refexec.Options{MaxStates: most})
	if err != nil || !brute.Complete {
		return false, false, err
	}
	out := Program(g)
	s := newSearch(out, 20*most)
	s.from()
	want := map[string]bool{}
	for i := range brute.Nodes {
		for j, reached := range brute.Nodes[i] {
			if reached {
				want[fact("reached", i, j)] = true
			}
		}
	}
	add := func(what string, sites []bpexec.Site) {
		for _, x := range sites {
			want[fact(what, x.Proc, x.Node)] = true
			fails = true
		}
	}
	add("fails", brute.Failures)
	add("null", brute.Nulls)
	for f := range want {
		if !s.found[f] {
			return fails, true, fmt.Errorf("missed: %s", f)
		}
	}
	for f := range s.found {
		if !want[f] {
			return fails, true, fmt.Errorf("not so: %s", f)
		}
	}
	return fails, true, nil
}

func fact(what string, proc, node int) string { return fmt.Sprintf("%s %d:%d", what, proc, node) }

// search visits the states of a program, in depth.
type search struct {
	m     *zom.Machine
	s     *zom.State
	canon zom.Canon
	seen  map[string]bool
	most  int
	found map[string]bool
}

func newSearch(p *zom.Program, most int) *search {
	x := &search{m: zom.NewMachine(p), s: zom.NewState(p), seen: map[string]bool{}, most: most, found: map[string]bool{}}
	x.m.Visited = func(p, node int32) { x.found[fact("reached", int(p), int(node))] = true }
	x.s.Start(p.Main)
	return x
}

// from goes on from the present state.
func (x *search) from() {
	x.canon.Whole(x.s)
	if x.s.Top(0) == nil || x.seen[string(x.canon.Out)] || len(x.seen) >= x.most {
		return
	}
	x.seen[string(x.canon.Out)] = true
	mark := x.s.Mark()
	x.m.Push()
	for more := true; more; more = x.m.Next() {
		x.s.Undo(mark)
		switch o := x.m.Run(x.s, 0); o {
		case zom.Stepped:
			x.from()
		case zom.Failed:
			x.found[fact("fails", int(x.s.Top(0).Proc), int(x.m.Record.Node))] = true
		case zom.NullUsed:
			x.found[fact("null", int(x.s.Top(0).Proc), int(x.m.Record.Node))] = true
		}
	}
	x.m.Pop()
}

// What a process reads that is to be spawned is live in front of that, though the one that
// spawns it writes it behind.
func TestSpawnedProcessesKeepGlobalsLive(t *testing.T) {
	p := &zom.Program{
		Globals: []zom.Slot{{Name: "g"}},
		Procs: []*zom.Proc{
			{Name: "main", Slots: []zom.Slot{{Name: "b"}}, Scratch: 1, Code: []zom.Instr{
				{Op: zom.Spawn, B: 1}, {Op: zom.Const, A: 0}, {Op: zom.SetGlobal, A: 0, B: 0}, {Op: zom.Return},
			}},
			{Name: "other", Slots: []zom.Slot{{Name: "b"}}, Scratch: 1, Code: []zom.Instr{
				{Op: zom.Global, A: 0, B: 0}, {Op: zom.Assert, A: 0}, {Op: zom.Return},
			}},
		},
	}
	live(p)
	for pc, want := range []bool{true, false, false, false} {
		if got := p.Procs[0].Globals[pc].Has(0); got != want {
			t.Errorf("in front of instruction %d: live %v, want %v", pc, got, want)
		}
	}
}
