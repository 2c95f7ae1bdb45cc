package slic

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/slic/library"
	"c2bp/source"
)

// escaped is a program whose locals are known outside; the comment after each says whether a mutex that a pointer
// from outside leads to may be in it.
const escaped = `
struct list { struct list *next, *prev; };
struct mutex { long owner; struct list waiting; };
struct job { int id; struct mutex lock; };
struct wire { int head, tail; void *data; };
struct odd { long x[3]; };
struct punned { long y[8]; };
struct gate { struct job job; int more; };
struct dev { struct job *job; void *other; };
extern void mutex_lock(struct mutex *m), mutex_unlock(struct mutex *m);
extern void give(const void *p), *take(void);
int main(void)
{
	unsigned char small; /* no */
	unsigned char buffer[64]; /* yes */
	struct mutex itself; /* yes */
	struct gate holder; /* yes */
	struct wire message; /* no */
	struct odd other; /* no */
	struct punned punned; /* yes */
	struct dev *d = take();
	give(&small), give(buffer), give(&itself), give(&holder), give(&message), give(&other), give(&punned), give("a text that is longer than a mutex");
	((struct job *)&punned)->id = 1;
	d->other = &punned;
	struct job *j = d->other;
	j->id = 2;
	mutex_lock(&d->job->lock);
	mutex_unlock(&d->job->lock);
	return 0;
}
`

// TestPlaces: of the objects that are known outside, those are watched that have room for the object of the rule.
func TestPlaces(t *testing.T) {
	set, err := library.Builtin().Rule("mutex")
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load(context.Background(), []*source.File{source.NewFile("escaped.c", []byte(escaped))}, frontend.Options{}, set, set.Rules, false)
	if err != nil {
		t.Fatal(err)
	}
	// 1. The objects that may be chosen, by the texts of the nodes that choose them.
	var got []string
	for _, q := range u.Program.Procs {
		for _, n := range q.Nodes {
			if name, chosen := strings.CutPrefix(n.Text, "mutex: watch "); chosen {
				got = append(got, name[strings.LastIndexByte(name, '.')+1:])
			}
		}
	}
	// 2. Those that the program says.
	want := []string{"an object from outside"}
	for _, m := range regexp.MustCompile(`(\w+)(?:\[64\])?; /\* yes`).FindAllStringSubmatch(escaped, -1) {
		want = append(want, m[1])
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("watched: %q, expected %q", got, want)
	}
}
