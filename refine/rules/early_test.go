package rules

import (
	"context"
	"testing"

	"c2bp/frontend/slic/syntax"
	"c2bp/source"
	"c2bp/verdict"
)

// TestEarly: an event before an object is chosen is none of it, although the conditions of a path let a pointer from
// outside be the address that the watch has until then.
func TestEarly(t *testing.T) {
	t.Parallel()
	set, err := syntax.Load(source.NewFile("held.slic", []byte(`rule held "not held at the end"
object l : struct lock *
state { enum { free, held } s = free; }
on take(l).exit  { s = held; }
on give(l).entry { s = free; }
at end           { if (s == held) abort "held-at-end: still held"; }
`)), nil)
	if err != nil {
		t.Fatal(err)
	}
	// The lock of d is taken; then memory begins in which any byte may be watched, as others know it.
	driver := func(give string) string {
		return `
void *malloc(unsigned long n);
struct lock { int word; };
struct dev { int id; struct lock lock; };
extern void take(struct lock *l), give(struct lock *l), queue(void *job);
extern struct dev *find(int id);
extern unsigned long size(void);
int main(void)
{
	struct dev *d = find(3);
	void *job;
	if (!d) return -1;
	take(&d->lock);
	job = malloc(size());
	if (job) queue(job);
	` + give + `
	return 0;
}
`
	}
	for _, c := range []struct {
		name, text string
		want       verdict.Verdict
	}{
		{"released", driver("give(&d->lock);"), verdict.True},
		{"forgotten", driver(""), verdict.False},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := []*source.File{source.NewFile("in.c", []byte(c.text))}
			r, err := Audit(context.Background(), files, []*syntax.Set{set}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict != c.want {
				t.Errorf("%v (%s), want %v", r.Verdict, r.Reason, c.want)
			}
		})
	}
}
