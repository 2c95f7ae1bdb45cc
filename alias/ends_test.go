package alias_test

import (
	"strings"
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// endsHead declares what the programs of this file use. make gives a board away, which others know from then on.
const endsHead = `
void *malloc(unsigned long); void free(void *);
int in(void); void *get(void); void give(void *);
struct irq { void *arg; int n; };
struct slot { struct irq *irq; char *name; void *data; } *slot(void);
struct node { struct node *next; };
struct list { struct node node; int n; };
struct board { struct node node; int lock; char text[8]; struct irq irq; };
struct named { char name[8]; int lock; };
`

// freeIn returns the statement of p that frees something.
func freeIn(p *core.Proc) *core.Free {
	for _, n := range p.Nodes {
		if s, ok := n.Stmt.(*core.Free); ok {
			return s
		}
	}
	return nil
}

// TestMayFree: whether free ends a struct that was given away, by the pointer that is freed.
func TestMayFree(t *testing.T) {
	for _, c := range []struct {
		made string // the struct, and what is done to it
		body string
		want bool
	}{
		// 1. The program's own pointers.
		{"board", "give(b); free(b);", true},
		{"board", "free(malloc(4));", false},
		{"board", "give(b); free(malloc(4));", false},
		{"board", "free(slot()->data);", false}, // b is not known outside
		// 2. Pointers from outside, by the types with which they are declared.
		{"board", "give(b); free(slot()->data);", true},
		{"board", "give(b); free(slot()->irq);", false}, // not at the start
		{"board", "give(b); struct board *x = get(); free(x);", true},
		{"board", "give(b); struct node *x = get(); free(x);", true},
		{"board", "give(b); struct list *x = get(); free(x);", false},
		{"irq", "give(b); free(slot()->irq);", true},
		// 3. Unless the program takes the one for the other.
		{"board", "give(b); struct irq *x = slot()->data; struct board *y = slot()->data; x->n = y->lock; free(slot()->irq);", true},
		{"board", "give(b); ((struct irq *)b)->n = 1; free(slot()->irq);", true},
		// 4. Characters.
		{"board", "give(b); free(slot()->name);", false},
		{"named", "give(b); free(slot()->name);", true},
		{"board", "give(b); struct board *x = (void *)slot()->name; x->lock = 1; free(slot()->name);", true},
		{"board", "give(b); struct slot *s = slot(); s->name = s->data; struct board *x = s->data; x->lock = 1; free(s->name);", true},
	} {
		text := endsHead + "int main(void) { struct " + c.made + " *b = malloc(sizeof *b); b->" + map[string]string{"board": "lock", "irq": "n", "named": "lock"}[c.made] +
			" = 0; " + c.body + " return 0; }"
		prog := load(t, text, frontend.Options{})
		prog.Unreused, prog.CharsApart = true, true
		main := prog.Proc("main")
		got, assumed := alias.Analyze(prog).MayFree(freeIn(main), allocationIn(main))
		if got != c.want {
			t.Errorf("%s: %s may free it: %v", c.made, c.body, got)
		}
		// The types say so.
		if fromOutside := strings.Contains(c.body, "give(b)") && !strings.Contains(c.body, "malloc"); (assumed != "") != (!got && fromOutside) {
			t.Errorf("%s: %s assumes %q", c.made, c.body, assumed)
		}
	}
}

// TestCharactersAnywhere: without the assumption about characters a char * may lead to anything.
func TestCharactersAnywhere(t *testing.T) {
	prog := load(t, endsHead+"int main(void) { struct board *b = malloc(sizeof *b); b->lock = 0; give(b); free(slot()->name); return 0; }", frontend.Options{})
	main := prog.Proc("main")
	if may, _ := alias.Analyze(prog).MayFree(freeIn(main), allocationIn(main)); !may {
		t.Error("a char * is taken to lead to characters")
	}
}

// TestAllocatedCharacters: whether a board may lie in memory that is allocated for a char *, and in memory of which nothing
// is known.
func TestAllocatedCharacters(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{"char *p = malloc(n); give(p);", false},
		{"struct slot *s = slot(); s->name = malloc(n); give(s->name);", false},
		{"unsigned char *p; if (!(p = malloc(n))) return 1; give(p);", false},
		{"char *p = malloc(n); p[1] = 2; give(p);", false},
		{"void *p = malloc(n); char *q = p; q[1] = 2; give(p);", true},
		{"struct slot *s = slot(); s->data = malloc(n);", true},
		{"give(malloc(n));", true},
		{"int *p = malloc(n); give(p);", true},
		{"char *p = malloc(n); ((struct board *)p)->lock = 1; give(p);", true},
		{"char *p = malloc(n); ((struct list *)(p + 4))->n = 1; give(p);", true},
		{"char *p = malloc(n); give(p); struct board *x = get(); ((char *)x)[2] = 1; x->lock = 1;", true},
	} {
		prog := load(t, endsHead+"int main(void) { int n = in(); "+c.body+" return 0; }", frontend.Options{})
		site := allocationIn(prog.Proc("main"))
		var board *core.Record
		for _, r := range prog.Records() {
			if r.Name == "struct board" {
				board = r
			}
		}
		if board == nil {
			board = &core.Record{Name: "struct board", Size: 48}
		}
		for _, prog.CharsApart = range []bool{false, true} {
			want := c.want || !prog.CharsApart
			if got := alias.Analyze(prog).MayHold(site, core.Shape{Record: board, Size: board.Size}); got != want {
				t.Errorf("%s characters apart %v: may hold a board: %v", c.body, prog.CharsApart, got)
			}
		}
	}
}
