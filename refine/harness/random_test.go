package harness

import (
	"context"
	"math/big"
	"os"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// count is how many programs are tried, ordinarily and in long tests.
func count(ordinary, long int) int {
	if os.Getenv("C2BP_LONG") == "1" {
		return long
	}
	return ordinary
}

// A failing run of a random program fails in gcc's hands, too, at the same place; and a run
// that ends well does so.
func TestRandom(t *testing.T) {
	t.Parallel()
	needGCC(t)
	tally := map[Result]int{}
	fails, ends := 0, 0
	for seed := range uint64(count(40, 1000)) {
		files := []*source.File{source.NewFile("random.c", []byte(generate(seed)))}
		p := load(t, files, frontend.Options{})
		var failed, ended *found
		for i := range uint64(60) {
			switch e, f := run(t, p, i); {
			case e.Kind == interp.Failed && failed == nil:
				failed = f
			case e.Kind == interp.Finished:
				ended = f
			}
		}
		if failed != nil {
			h, o := reproduce(t, files, failed)
			tally[o.Result]++
			fails++
			if o.Result != Reproduced && o.Result != Undefined {
				t.Errorf("seed %d: %s\n%s\n%s\n%s", seed, o, o.Output, files[0].Text, h.Text)
			}
		}
		if ended != nil && (failed == nil || seed%4 == 0) {
			ends++
			h := Write(ended.recording, ended.property, LeftToRight)
			o, err := Run(context.Background(), files, h, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if o.Result != Undefined && o.Reason != "the program ends without a failure" {
				t.Errorf("seed %d, a run without a failure: %s\n%s\n%s\n%s", seed, o, o.Output, files[0].Text, h.Text)
			}
		}
	}
	t.Logf("%d runs that fail: %v; %d runs that end", fails, tally, ends)
	if fails < count(20, 500) || ends < count(5, 100) || 4*tally[Undefined] > fails {
		t.Error("the programs are of little use")
	}
}

func reproduce(t *testing.T, files []*source.File, f *found) (*Harness, Outcome) {
	t.Helper()
	h, o, err := Reproduce(context.Background(), files, f.recording, f.property, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return h, o
}

// mutants are faults of a recording.
var mutants = []struct {
	name   string
	change func(*Recording)
}{
	{"the first input is lost", func(r *Recording) {
		if len(r.Inputs) > 0 {
			r.Inputs = r.Inputs[1:]
		}
	}},
	{"signs are lost", func(r *Recording) {
		for i, in := range r.Inputs {
			if in.Value != nil {
				r.Inputs[i].Value = new(big.Int).Abs(in.Value)
			}
		}
	}},
	{"inputs that nobody uses are lost", func(r *Recording) {
		var list []Input
		for _, in := range r.Inputs {
			if in.Value != nil {
				list = append(list, in)
			}
		}
		r.Inputs = list
	}},
}

// A recording with a fault in it does not reproduce.
func TestMutants(t *testing.T) {
	t.Parallel()
	needGCC(t)
	for _, m := range mutants {
		tried, noticed := 0, 0
		for seed := uint64(0); seed < 60 && noticed == 0; seed++ {
			files := []*source.File{source.NewFile("random.c", []byte(generate(seed)))}
			f := failing(t, load(t, files, frontend.Options{}), 20)
			if f == nil {
				continue
			}
			before := Write(f.recording, f.property, LeftToRight).Text
			if m.change(f.recording); Write(f.recording, f.property, LeftToRight).Text == before {
				continue
			}
			tried++
			if _, o := reproduce(t, files, f); o.Result == NotReproduced || o.Result == Diverged {
				noticed++
			}
		}
		t.Logf("%s: noticed after %d programs", m.name, tried)
		if noticed == 0 {
			t.Errorf("not noticed: %s", m.name)
		}
	}
}
