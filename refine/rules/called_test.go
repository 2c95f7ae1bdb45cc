package rules

import (
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// TestCalledFromOutside: a pointer that comes from outside leads to no function that the harness calls, unless the
// driver itself has put it there; and the ledger says so.
func TestCalledFromOutside(t *testing.T) {
	t.Parallel()
	// stream calls the function of another device with its lock held: its own stream would take it once more.
	const driver = `
typedef struct { int raw; } spinlock_t;
struct sub;
struct ops { int (*stream)(struct sub *s, int on); };
struct all { const struct ops *ops; };
struct id { int n; const void *data; };
struct sub { const struct ops *ops; struct sub *source; spinlock_t lock; };
extern void spin_lock(spinlock_t *l), spin_unlock(spinlock_t *l);
extern int register_sub(struct sub *s, const struct ops *o), register_all(struct all *a);
extern void set_sub(int n, struct sub *s);
extern const struct all *find_all(const struct all *a);
extern void find_ops(const struct ops *o, const struct ops **found);
extern void register_ids(const struct id *i);
int stream(struct sub *s, int on)
{
	struct sub *o = s->source;
	spin_lock(&s->lock);
	if (o && o->ops)
		o->ops->stream(o, on);
	spin_unlock(&s->lock);
	return 0;
}
static const struct ops ops = { .stream = stream };
int probe(struct sub *s)
{
	SET
	return register_sub(s, &ops);
}
`
	const line = "to none of these, which the harness calls: stream"
	for _, c := range []struct {
		name, set, want string
		said            bool
	}{
		{"others know it", "", "spinlock holds", true},
		{"it is in a table of tables", "static const struct all all = { &ops }; register_all(&all);", "spinlock holds", true},
		{"it may be given back", "static const struct all all = { &ops }; const struct all *a = find_all(&all); if (a) set_sub(2, s);", "spinlock undecided", false},
		{"in a variable", "const struct ops *o; find_ops(&ops, &o);", "spinlock undecided", false},
		{"in a table with data of its own", "static const struct id id = { 1, &ops }; register_ids(&id);", "spinlock undecided", false},
		{"the driver has put it there", "s->ops = &ops;", "spinlock undecided", false},
		{"from a table of tables", "static const struct all all = { &ops }; const struct all *a = &all; s->ops = a->ops;", "spinlock undecided", false},
		{"from a table by its name", "static const struct all all = { &ops }; s->ops = all.ops;", "spinlock undecided", false},
		{"from a table that a function returns", `struct id { const struct ops *ops; };
			extern const struct id *match(const struct id *list, struct sub *s);
			static const struct id ids[2] = { { &ops } };
			s->ops = match(ids, s)->ops;`, "spinlock undecided", false},
		{"a function of another type has the table", `struct id { const struct ops *ops; };
			extern struct all *match(const struct id *list, struct sub *s);
			static const struct id ids[2] = { { &ops } };
			match(ids, s);`, "spinlock holds", true},
		{"the driver knows it again", "if (s->ops == &ops) set_sub(1, s);", "spinlock undecided", false},
		{"the driver tests it", "if (ops.stream) set_sub(1, s);", "spinlock holds", true},
		{"in an object of its own", "static struct sub own; own.ops = &ops; set_sub(1, &own);", "spinlock undecided", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			set, err := lib.Rule("spinlock")
			if err != nil {
				t.Fatal(err)
			}
			files := []*source.File{source.NewFile("in.c", []byte(strings.Replace(driver, "SET", c.set, 1)))}
			files, fo, err := frontend.WithHarness(t.Context(), files, frontend.Options{}, harness.Options{Entries: []string{"probe", "stream"}})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Audit(t.Context(), files, []*syntax.Set{set}, Options{Frontend: fo, Harnessed: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(rows(r)); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
			if said := strings.Contains(strings.Join(r.Ledger, "\n"), line); said != c.said {
				t.Errorf("the ledger says it: %t; want %t: %q", said, c.said, r.Ledger)
			}
		})
	}
}
