package rules

import (
	"context"
	"testing"

	"c2bp/frontend/slic/library"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
	"c2bp/verdict"
)

// TestIgnored: a failure that is ignored hides no other failure of its rule.
func TestIgnored(t *testing.T) {
	const text = `typedef struct { int x; } spinlock_t;
extern void spin_lock(spinlock_t *), spin_unlock(spinlock_t *);
extern int which(void);
static spinlock_t l;
int main(void)
{
	switch (which()) {
	case 0: spin_unlock(&l); break;
	case 1: spin_lock(&l); spin_lock(&l); break;
	case 2: spin_lock(&l); break;
	}
	return 0;
}
`
	set, err := library.Builtin().Rule("spinlock")
	if err != nil {
		t.Fatal(err)
	}
	// 1. All three ways to fail, one after the other.
	ignored := map[int]bool{}
	for range 3 {
		s := auditIgnoring(t, text, set, ignored)
		if !s.Failed || ignored[s.Pos.Line] {
			t.Fatalf("ignoring %v: %s at %v", ignored, s.Status(), s.Pos)
		}
		ignored[s.Pos.Line] = true
	}
	// 2. All are ignored: it is still a failure, and none of the others.
	s := auditIgnoring(t, text, set, ignored)
	if !s.Failed || !ignored[s.Pos.Line] {
		t.Errorf("ignoring %v: %s at %v", ignored, s.Status(), s.Pos)
	}
}

// auditIgnoring returns the row of the rule of a set, of which failures on some lines are ignored.
func auditIgnoring(t *testing.T, text string, set *syntax.Set, lines map[int]bool) verdict.Site {
	t.Helper()
	opts := Options{Ignored: func(s verdict.Site) bool {
		if s.Kind != verdict.Rule || s.Key == "" || !s.Failed {
			t.Errorf("this is to be ignored: %+v", s)
		}
		return lines[s.Pos.Line]
	}}
	r, err := Audit(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, []*syntax.Set{set}, opts)
	if err != nil {
		t.Fatal(err)
	}
	checkVerdict(t, r)
	return r.Sites[0]
}
