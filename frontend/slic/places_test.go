package slic

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/slic/library"
	"c2bp/source"
)

// escaped is a program whose locals are known outside; the comment after each says whether a mutex that a pointer
// from outside leads to may be in it, and at which byte if there are few.
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
	unsigned char buffer[64]; /* yes, anywhere */
	struct mutex itself; /* yes, at 0 */
	struct gate holder; /* yes, at 8 */
	struct wire message; /* no */
	struct odd other; /* no */
	struct punned punned; /* yes, at 8 */
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
	// 1. The objects that may be chosen, by the texts of the nodes that choose them, and the bytes of them.
	var got []string
	for _, q := range u.Program.Procs {
		for _, n := range q.Nodes {
			name, chosen := strings.CutPrefix(n.Text, "mutex: watch ")
			if !chosen {
				continue
			}
			at := ""
			switch e := n.Stmt.(*core.Assign).Rhs[2].(type) {
			case *core.Index:
				at = ", anywhere"
			case *core.Offset:
				at = fmt.Sprintf(", at %d", e.Off)
			case *core.AddrOf:
				at = ", at 0"
			}
			got = append(got, name[strings.LastIndexByte(name, '.')+1:]+at)
		}
	}
	// 2. Those that the program says.
	want := []string{"an object from outside"}
	for _, m := range regexp.MustCompile(`(\w+)(?:\[64\])?; /\* yes(.*) \*/`).FindAllStringSubmatch(escaped, -1) {
		want = append(want, m[1]+m[2])
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("watched: %q, expected %q", got, want)
	}
}

// mapped is a program that gives an object of its own away, and another one to a function of a rule whose objects
// lie outside.
const mapped = `
extern void *map(unsigned long start, unsigned long n);
extern void unmap(void *p), give(void *p), power(void);
static char given[64], own[64];
int main(void)
{
	give(given);
	power();
	unmap(own);
	unmap(map(4096, 64));
	return 0;
}
`

// watchedBy returns the names of the objects that may be watched in a program by a rule called r with this text.
func watchedBy(t *testing.T, rule, program string) (list []string, u *Unit) {
	t.Helper()
	u, err := loadText(rule, program)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range u.Program.Procs {
		for _, n := range q.Nodes {
			if name, chosen := strings.CutPrefix(n.Text, "r: watch "); chosen {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return list, u
}

// TestOutsideObjects: where pointers from outside lead to no object of the program, only those of its own are
// watched that it passes itself; the ledger says so.
func TestOutsideObjects(t *testing.T) {
	got, u := watchedBy(t, `rule r "as many"
object x : void * outside
state { int n = 0; }
on x = map().exit { n++; }
on unmap(x).entry {
    if (n == 0) abort "unmapped: never mapped";
    n--;
}`, mapped)
	if want := []string{"an object from outside", "own"}; !slices.Equal(got, want) {
		t.Errorf("watched: %q, expected %q", got, want)
	}
	if line := "rule r: what pointers from outside lead to is no object of the program"; !slices.Contains(u.Program.Ledger, line) {
		t.Errorf("the ledger lacks %q: %q", line, u.Program.Ledger)
	}
}

// TestIdleEvents: an object is not watched if only such events may be about it that do nothing to one to which nothing
// else has happened.
func TestIdleEvents(t *testing.T) {
	const head = "rule r \"given back\"\nobject x : void * outside\nstate { enum { none, made, gone } s = none; int on = 0; }\n"
	outside, both := []string{"an object from outside"}, []string{"an object from outside", "own"}
	for _, c := range []struct {
		name, rule string
		want       []string
	}{
		{"idle", "on x = map().exit { s = made; }\non unmap(x).entry { if (s == gone) abort \"k: t\"; if (s == made) s = gone; }\nat end { if (s == made) abort \"e: t\"; }", outside},
		{"aborts", "on x = map().exit { s = made; }\non unmap(x).entry { if (s != made) abort \"k: t\"; s = gone; }", both},
		{"changes", "on x = map().exit { s = made; }\non unmap(x).entry { s = gone; }\nat end { if (s == gone) abort \"e: t\"; }", both},
		{"changes and back", "on x = map().exit { s = made; }\non unmap(x).entry { if (s == made) s = none; on = on; }", outside},
		{"by an unknown number", "on x = map().exit { s = made; }\non unmap(x).entry { on = (long)x != 0; }\nat end { if (on) abort \"e: t\"; }", both},
		// An event that is about no object, or about any, changes the state of all.
		{"all change", "on x = map().exit { s = made; }\non power().entry { on = 1; }\non unmap(x).entry { if (on) abort \"k: t\"; }", both},
		{"all are looked at", "on x = map().exit { s = made; }\non unmap(x).entry { if (s == made) s = gone; }\nat end { if (s != gone) abort \"e: t\"; }", both},
		{"not initial", "on x = map().exit { s = made; }\non unmap(x).entry { if (s == none) abort \"k: t\"; }", both},
	} {
		if got, _ := watchedBy(t, head+c.rule, mapped); !slices.Equal(got, c.want) {
			t.Errorf("%s: watched: %q, expected %q", c.name, got, c.want)
		}
	}
}

// exchanged is a program that has objects of two types behind pointers in structures of others; it also copies bytes
// to where a pointer leads, and has an array of pointers.
const exchanged = `
struct file { void *private_data; };
struct device { void *driver_data; };
struct mutex { long owner, waiting; };
struct dev { int n, m; struct file *f; };
extern unsigned long copy_to_user(void *to, const void *from, unsigned long n);
extern void mutex_lock(struct mutex *m), give(struct dev *d);
extern struct file *file(void);
extern struct device *device(void);
extern char *user(void);
extern struct file *get_file(int n);
static struct dev given, *table[4];
int main(void)
{
	int number = 1;
	struct dev *d = file()->private_data;
	give(&given);
	d->n = 1;
	struct mutex *m = device()->driver_data;
	m->waiting = 0;
	mutex_lock(m);
	COPY
	TABLE
	RESULT
	return 0;
}
`

// TestExchangedBytes: that bytes are copied to where some pointer leads, and that pointers are read from an array of the
// program, or results are stored in members, says nothing of the types of objects outside: no mutex may be in a struct dev.
func TestExchangedBytes(t *testing.T) {
	set, err := library.Builtin().Rule("mutex")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		strings.NewReplacer("COPY", "copy_to_user(user(), &number, sizeof number);", "TABLE", "", "RESULT", "").Replace(exchanged),
		strings.NewReplacer("COPY", "", "TABLE", "table[number] = d; d = table[number & 1]; if (d) d->n = 2;", "RESULT", "").Replace(exchanged),
		strings.NewReplacer("COPY", "", "TABLE", "", "RESULT", "d->f = get_file(number); d->f->private_data = 0;").Replace(exchanged),
	} {
		u, err := Load(context.Background(), []*source.File{source.NewFile("exchanged.c", []byte(text))}, frontend.Options{}, set, set.Rules, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range u.Program.Entry.Nodes {
			if name, chosen := strings.CutPrefix(n.Text, "mutex: watch "); chosen && name != "an object from outside" {
				t.Errorf("watched: %s, in\n%s", name, text)
			}
		}
	}
}

// configured is a program whose table nothing changes after it was initialised.
const configured = `
struct mutex { long owner; };
struct chip { int id; int flags; };
extern void mutex_lock(struct mutex *m), mutex_unlock(struct mutex *m);
static struct mutex lock;
static struct chip chips[2] = { { 1, 2 }, { 3, 2 } };
int main(void)
{
	mutex_lock(&lock);
	mutex_unlock(&lock);
	return chips[lock.owner].flags;
}
`

// TestInitialisersFirst: what initialisers set is constant in a program with a rule about objects, too.
func TestInitialisersFirst(t *testing.T) {
	set, err := library.Builtin().Rule("mutex")
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load(context.Background(), []*source.File{source.NewFile("configured.c", []byte(configured))}, frontend.Options{}, set, set.Rules, false)
	if err != nil {
		t.Fatal(err)
	}
	constants := alias.Analyze(u.Program).Constants()
	for _, g := range u.Program.Globals {
		if g.Name == "chips" {
			if v := constants.At(g, 12, core.Int32, 0); v == nil {
				t.Error("chips[1].flags is not constant")
			}
		}
		// The choice of the object that is watched is none of the initialisers.
		if g.Name == "mutex$taken" {
			for _, n := range u.Program.Entry.Nodes {
				if a, ok := n.Stmt.(*core.Assign); ok && constants.Initial(n) && len(a.Lhs) == 3 {
					t.Errorf("an initialiser: %s", core.StmtString(a))
				}
			}
		}
	}
}
