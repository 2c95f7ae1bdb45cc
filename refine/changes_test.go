package refine

import (
	"context"
	"strings"
	"testing"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

// TestChanges: functions without a body change nothing through pointers to constants, and those of rows "changes" nothing
// but certain structs. Each program keeps a value in memory that is known outside over such calls.
func TestChanges(t *testing.T) {
	t.Parallel()
	const numbers = "find nothing by numbers from outside"
	const constants, trees = "through pointers to const", "it changes nothing but struct rb_node and struct rb_root"
	const head = `
typedef unsigned char u8;
struct div { int num, den; }; struct id { int num; unsigned long data; };
struct text { const char *name; int len; }; struct box { struct text text; int *n; };
struct rb_node { unsigned long color; struct rb_node *right, *left; }; struct rb_root { struct rb_node *first; };
struct seq_file { char *buf; unsigned long size, count; void *private; };
struct dev { int open; struct div div; struct id id; struct text text; struct box box; u8 mac[6]; struct rb_node node; struct rb_root tree; struct dev *next; };
extern struct dev *get(void); extern void give(struct dev *d);
extern void look(const struct div *x), table(const struct div x[4]), ident(const struct id *x), named(const struct text *x);
extern void boxed(const struct box *x), bytes(const u8 *x), any(const void *x), words(const unsigned long *x);
extern void names(const char *const *x), spoilt(const char **x), both(const struct div *x, struct dev *d), write(struct div *x);
extern void twice(const struct div *const *x), once(struct div *const *x);
extern void rb_erase(struct rb_node *, struct rb_root *); extern struct rb_node *rb_first(const struct rb_root *);
extern void seq_printf(struct seq_file *m, const char *format, ...); extern struct seq_file *file(void);
extern unsigned long size(void); extern void use(unsigned long n); extern void *cookie(void); void *malloc(unsigned long n);
`
	// over has d->open == 1, or what is instead of it, before x and asks for it after that.
	over := func(x, what string) string {
		return `
int main(void)
{
  struct dev *d = get(), *e = get();
  if (!d || !e || d == e) return 0;
  give(d);
  ` + what + ` = 1;
  ` + x + `
  if (` + what + ` != 1) { ERROR: ; }
  return 0;
}
`
	}
	for _, c := range []struct {
		name, text string
		safe       bool
		said       string // in the ledger
	}{
		{"constants", over("look(&d->div);", "d->open"), true, constants},
		{"the constants themselves", over("look(&d->div);", "d->div.num"), true, constants},
		{"an array of them", over("table(&d->div);", "d->open"), true, constants},
		{"bytes", over("bytes(d->mac);", "d->open"), true, constants},
		{"words", over("words(&d->id.data);", "d->open"), true, constants},
		{"with a text", over("named(&d->text);", "d->open"), true, constants},
		{"texts", over("names(&d->text.name);", "d->open"), true, constants},
		{"constants of constants", over("const struct div *x = &d->div; twice(&x);", "d->open"), true, constants},
		{"not const", over("write(&d->div);", "d->open"), false, ""},
		{"with a number that may be an address", over("ident(&d->id);", "d->open"), false, ""},
		{"with a pointer", over("boxed(&d->box);", "d->open"), false, ""},
		{"of any type", over("any(d);", "d->open"), false, ""},
		{"texts to be set", over("spoilt(&d->text.name);", "d->open"), false, ""},
		{"a constant pointer", over("struct div *x = &d->div; once(&x);", "d->open"), false, ""},
		{"and another argument", over("both(&d->div, d);", "d->open"), false, ""},
		{"and another argument, the constants", over("both(&d->div, d);", "d->div.num"), false, ""},
		{"known by then", strings.Replace(over("look(&v); give(d);", "v.num"), "give(d);", "struct div v;", 1), false, ""},
		{"a number", over("use(size());", "d->open"), true, numbers},
		{"a number that was computed", over("use(size() * 3 + 7);", "d->open"), true, numbers},
		{"a number of a member", over("use(e->id.data);", "d->open"), true, numbers},
		{"a number that is an address", over("use((unsigned long)d);", "d->open"), false, ""},
		{"a number that is an address in a member", over("use((unsigned long)e->next);", "d->open"), false, ""},
		{"a number that is an address by a copy", over("struct box b = e->box; use((unsigned long)b.n);", "d->open"), false, ""},
		{"a number that is an address of any type", over("use((unsigned long)cookie());", "d->open"), false, ""},
		{"a number that is an address of any type in a member", over("struct seq_file *m = file(); if (!m) return 0; use((unsigned long)m->private);", "d->open"), false, ""},
		{"a number that is followed", over("unsigned long n = size(); ((struct dev *)n)->mac[0] = 1; use(n);", "d->open"), false, ""},
		{"a number of a member that is followed", over("((struct dev *)e->id.data)->mac[0] = 1; use(e->id.data);", "d->open"), false, ""},
		{"a number that is an address of the program", over("static struct dev own; own.open = 1; use((unsigned long)&own); d->open = own.open;", "d->open"), false, ""},
		{"a number that is a new address", over("struct dev *n = malloc(sizeof *n); if (!n) return 0; n->open = 1; use((unsigned long)n); d->open = n->open;", "d->open"), false, ""},
		{"a tree", over("rb_erase(&d->node, &d->tree);", "d->open"), true, trees},
		{"a node of it", over("rb_erase(&d->node, &d->tree);", "d->node.color"), false, ""},
		{"another node of it", over("rb_erase(&d->node, &d->tree);", "e->node.color"), false, ""},
		{"its root", strings.Replace(over("rb_erase(&d->node, &d->tree);", "d->tree.first"), "= 1", "= 0", 1), false, ""},
		{"its first node", over("rb_first(&d->tree);", "d->node.color"), true, "it changes nothing, "},
		{"its first node is one of it", over("if (rb_first(&d->tree) == &e->node) d->open = 2;", "d->open"), false, ""},
		{"its first node is one of the program", over("static struct dev own; d->tree.first = &own.node; own.open = 1; struct rb_node *n = rb_first(&d->tree); if (n == &own.node) d->open = 2;", "d->open"), false, ""},
		{"a text of another", over("seq_printf(file(), \"%d\", 1);", "d->open"), true, "nothing but characters and struct seq_file"},
		{"a text of another, its length", over("struct seq_file *m = file(); if (!m) return 0; m->count = 1; seq_printf(m, \"%d\", 1); d->open = m->count;", "d->open"), false, ""},
		{"a text of another, characters", over("struct seq_file *m = file(); if (!m || !m->buf) return 0; m->buf[0] = 1; seq_printf(m, \"%d\", 1); d->open = m->buf[0];", "d->open"), false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			unit, err := frontend.Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(head+c.text))}, frontend.Options{Assume: frontend.Assumptions{Members: frontend.MembersPrivate, CallbacksLater: true}})
			if err != nil {
				t.Fatal(err)
			}
			// A proof must not be saved by a random run that fails before it; of what holds, these are to be tried.
			opts := Options{Iterations: 40}
			if !c.safe {
				opts.Without = technique.Of(technique.Fuzzing)
			}
			opts.Checker.ErrorLabels = checker.DefaultErrorLabels()
			o, err := Audit(context.Background(), unit.Program, opts)
			if err != nil {
				t.Fatal(err)
			}
			want := verdict.False
			if c.safe {
				want = verdict.True
			}
			if o.Result.Verdict != want && (c.safe || o.Result.Verdict == verdict.True) {
				t.Errorf("%v (%s), want %v", o.Result.Verdict, o.Result.Reason, want)
			} else if o.Result.Verdict != want {
				t.Logf("%v (%s), want %v", o.Result.Verdict, o.Result.Reason, want)
			}
			if ledger := strings.Join(o.Result.Ledger, "\n"); !strings.Contains(ledger, c.said) {
				t.Errorf("not in the ledger: %q", o.Result.Ledger)
			}
		})
	}
}
