package rules

import (
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// TestParts: the lock of a rule is a member of what the functions are given. That of another object, or another member,
// is another lock.
func TestParts(t *testing.T) {
	t.Parallel()
	const rule = `event take(l) = lock_bus(_, &_->port.lock == l)
event give(l) = unlock_bus(&_->port.lock == l)
rule lock "taken and released alternately"
object l : struct lock *
state { enum { free, held } s = free; }
on take(l).exit  { if (s == held) abort "double-lock: taken twice"; s = held; }
on give(l).entry { if (s == free) abort "double-unlock: released, but not held"; s = free; }
at end { if (s == held) abort "held-at-end: still held"; }
`
	const head = `struct lock { int raw; };
struct port { int id; struct lock lock; };
struct bus { struct bus *next; struct port port; };
extern void lock_bus(int id, struct bus *b), unlock_bus(struct bus *b), take(struct lock *l), give(struct lock *l);
extern struct bus *get(void);
extern void *malloc(unsigned long n);
extern void free(void *p);
static struct bus a, b, both[2];
`
	for _, c := range []struct{ main, want string }{
		{"lock_bus(1, &a); lock_bus(2, &b); unlock_bus(&a); unlock_bus(&b);", "holds"},
		{"lock_bus(1, &a); lock_bus(2, &a);", "fails double-lock"},
		{"lock_bus(1, &a); unlock_bus(&b);", "fails double-unlock"},
		{"lock_bus(1, &a); give(&a.port.lock);", "holds"},
		{"lock_bus(1, &a); take(&a.port.lock);", "fails double-lock"},
		{"lock_bus(1, &both[0]); lock_bus(1, &both[1]); unlock_bus(both + 1); unlock_bus(both);", "holds"},
		{"lock_bus(1, &both[1]); lock_bus(1, both + 1);", "fails double-lock"},
		{"lock_bus(1, &both[1]);", "fails held-at-end"},
		{"struct bus *p = get(); if (!p) return 0; lock_bus(1, p); unlock_bus(p);", "holds"},
		{"struct bus *p = get(); if (!p) return 0; lock_bus(1, p);", "fails held-at-end"},
		{"struct bus *p = malloc(sizeof *p); if (!p) return 0; p->next = 0; lock_bus(1, p); lock_bus(1, p);", "fails double-lock"},
		{"struct bus *p = malloc(sizeof *p); if (!p) return 0; lock_bus(1, p); unlock_bus(p); free(p);", "holds"},
	} {
		t.Run(c.main, func(t *testing.T) {
			t.Parallel()
			set, err := syntax.Load(source.NewFile("part.slic", []byte(rule)), func(string) (*source.File, error) { panic("no includes") })
			if err != nil {
				t.Fatal(err)
			}
			files := []*source.File{source.NewFile("in.c", []byte(head+"int main(void)\n{\n"+c.main+"\nreturn 0;\n}\n"))}
			r, err := Audit(t.Context(), files, []*syntax.Set{set}, Options{Frontend: frontend.Options{}})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(rows(r)); got != "lock "+c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
