package harness

import (
	"context"
	"math/big"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/core/interp"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// TestRandom: a failing run of a random program fails as a compiled program, too, at the same
// place; and a run that ends without a failure ends so.
func TestRandom(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t, "addr2line")
	randomRuns(t, 0, testkit.Count(12, 1000), frontend.Options{})
}

// TestRandom32 is TestRandom for int, long and pointers of 32 bits.
func TestRandom32(t *testing.T) {
	t.Parallel()
	needGCC32(t)
	randomRuns(t, 0, testkit.Count(7, 400), frontend.Options{Bits32: true})
}

// randomRuns tries n programs, numbered from first on.
func randomRuns(t *testing.T, first uint64, n int, opts frontend.Options) {
	t.Helper()
	tally := map[Result]int{}
	fails, ends := 0, 0
	for seed := first; seed < first+uint64(n); seed++ {
		files := []*source.File{source.NewFile("random.c", []byte(generate(seed)))}
		p := load(t, files, opts)
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
			h, o := reproduceWith(t, files, failed, Options{Frontend: opts})
			tally[o.Result]++
			fails++
			if o.Result != Reproduced && o.Result != Undefined {
				t.Errorf("program %d: %s\n%s\n%s\n%s", seed, o, o.Output, files[0].Text, h.Text)
			}
		}
		if ended != nil && (failed == nil || seed%4 == 0) {
			ends++
			h := Write(ended.recording, ended.property, LeftToRight)
			o, err := Run(context.Background(), files, h, Options{Frontend: opts})
			if err != nil {
				t.Fatal(err)
			}
			if o.Result != Undefined && o.Reason != "the program ends without a failure" {
				t.Errorf("program %d, a run without a failure: %s\n%s\n%s\n%s", seed, o, o.Output, files[0].Text, h.Text)
			}
		}
	}
	t.Logf("%d runs that fail: %v; %d runs that end", fails, tally, ends)
	if 3*fails < n || 10*ends < n || 4*tally[Undefined] > fails {
		t.Error("the programs are of little use")
	}
}

func reproduce(t *testing.T, files []*source.File, f *found) (*Harness, Outcome) {
	t.Helper()
	return reproduceWith(t, files, f, Options{})
}

func reproduceWith(t *testing.T, files []*source.File, f *found, opts Options) (*Harness, Outcome) {
	t.Helper()
	h, o, err := Reproduce(context.Background(), files, f.recording, f.property, opts)
	if err != nil {
		t.Fatal(err)
	}
	return h, o
}

// Each kind of effect is needed: without it, the program does not fail.
func TestEffectsMatter(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t, "addr2line")
	const head = `
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct status { short code; long count; };
int get(struct status *); struct status status(void); struct status *same(struct status *);
extern int jiffies; extern struct status table[3]; struct status *find(int);
void *kmalloc(unsigned long, unsigned); void *kmemdup(const void *, unsigned long, unsigned);
unsigned long copy_from_user(void *, const void *, unsigned long);
extern struct status *current_status;
struct link { long id; struct status *next; }; extern struct link chain;
void fill(struct link *); struct link *links(void);
int main(void) { struct status s = { 0, 0 }, *p; `
	effects := func(r *Recording) {
		for i := range r.Inputs {
			r.Inputs[i].effects = nil
		}
	}
	contents := func(r *Recording) {
		for _, o := range r.objects {
			clear(o.image.set)
		}
	}
	pointers := func(r *Recording) { // their addresses in the recorded run stay
		for _, img := range r.images {
			clear(img.pointers)
		}
		for _, l := range r.outside {
			clear(l.image.pointers)
		}
		for _, in := range r.Inputs {
			for _, e := range in.effects {
				clear(e.image.pointers)
			}
		}
	}
	addresses := func(r *Recording) {
		for i := range r.Inputs {
			r.Inputs[i].Value, r.Inputs[i].place = new(big.Int), place{}
		}
	}
	for _, c := range []struct {
		body string
		lose func(*Recording)
	}{
		{"get(&s); assert(s.count != 5); }", effects},
		{"struct status t; get(&s); t = s; assert(t.count != 5); }", effects},
		{"s = status(); assert(s.count != 5); }", func(r *Recording) { clear(r.Inputs[0].image.set) }},
		{"p = same(&s); assert(p != &s); }", addresses},
		{"p = find(3); if (p) assert(p->count != 5); }", func(r *Recording) {
			for _, l := range r.outside {
				clear(l.image.set)
			}
		}},
		{"assert(jiffies != 5); }", func(r *Recording) { clear(r.foreign) }},
		{"assert(table[1].count != 5); }", func(r *Recording) {
			for _, img := range r.images {
				clear(img.set)
			}
		}},
		{"if (current_status) assert(current_status->count != 5); }", func(r *Recording) { clear(r.foreign) }},
		{"if (chain.next) assert(chain.next->count != 5); }", pointers},
		{"struct link l; fill(&l); if (l.next && (void *)l.next != &l) { l.next->count = 1; assert(0); } }", pointers},
		{"struct link *l = links(); if (l && l->next) { l->next->count = 1; assert(0); } }", pointers},
		{"p = malloc(sizeof s); if (p) assert(p->count != 5); }", contents},
		{"p = malloc(sizeof s); assert(p); }", func(r *Recording) {
			r.Inputs[0].place = place{base: made}
			r.objects = []madeObject{{image: newImage(16)}}
		}},
		{"p = kmalloc(sizeof s, 0); if (!p) return 0; memset(p, 0, sizeof *p); assert(p->count); free(malloc(3)); }", addresses},
		{"copy_from_user(&s, 0, sizeof s); assert(s.count != 5); }", effects},
		{"get(&s); if (!(p = kmemdup(&s, sizeof s, 0))) return 0; assert(p->count != 5); }", func(r *Recording) { r.Inputs[1].effects = nil }},
		{"assert(rand() != 5); }", addresses},
	} {
		files := []*source.File{source.NewFile("in.c", []byte(head+c.body))}
		f := failing(t, load(t, files, frontend.Options{}), 3000)
		if f == nil {
			t.Errorf("%s: no run fails", c.body)
			continue
		}
		if h, o := reproduce(t, files, f); o.Result != Reproduced || len(o.Gaps) > 0 {
			t.Errorf("%s: %s %v\n%s\n%s", c.body, o, o.Gaps, o.Output, h.Text)
		}
		c.lose(f.recording)
		if _, o := reproduceWith(t, files, f, Options{NoSanitizer: true}); o.Result == Reproduced {
			t.Errorf("%s: the fault is not noticed", c.body)
		}
	}
}
