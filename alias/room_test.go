package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/frontend"
	"c2bp/frontend/core"
)

// TestRoom: the result of a function without a body leads to an object of its type, which is not around a smaller one;
// a pointer that is read from memory may be computed from the head of a list.
func TestRoom(t *testing.T) {
	t.Parallel()
	const text = `
struct list { struct list *next; }; struct client { long id; struct list l; };
static struct list clients; static struct { struct client in[2]; } table; static char bytes[64];
static struct list raw;
struct client *get(void); struct list *get_list(void); void *get_any(void); void give(void *); int in(void);
int main(void) {
	struct client *c = get();
	struct list *member = &c->l, *l = get_list(), *read = c->l.next;
	struct client *around = (struct client *)((char *)c->l.next - 8);
	struct client *either = in() ? c : around, *other = in() ? c : &table.in[1];
	struct client *cast = get_any();
	((struct client *)&raw)->id = 1; give(&raw);
	clients.next = &clients; c->l.next = &clients; c->id = 1; give(&table); give(bytes);
	return l == read || cast == around || either == other;
}`
	prog := load(t, text, frontend.Options{})
	vars := map[string]*core.Var{}
	for _, v := range prog.Globals {
		vars[v.Name] = v
	}
	for _, p := range prog.Procs {
		for _, v := range p.Locals {
			vars[v.Name] = v
		}
	}
	r := alias.Analyze(prog)
	none := core.Range{}
	for _, c := range []struct {
		pointer, object string
		want            core.Range
	}{
		{"c", "clients", core.Range{Off: 0, End: 16}},
		{"member", "clients", core.Range{Off: -8, End: 8}},
		{"l", "clients", none},      // a list
		{"read", "clients", none},   // what others have put there
		{"around", "clients", none}, // computed from that
		{"either", "clients", none},
		{"cast", "clients", none}, // not declared
		{"other", "clients", core.Range{Off: 0, End: 16}},
		{"other", "table", none},
		{"c", "table", none}, // there is a client in it
		{"c", "raw", none},   // it is used as one
		{"l", "table", none},
	} {
		if got := r.KeptFrom(vars[c.pointer].Ref(), vars[c.object]); got != c.want {
			t.Errorf("%s is away from %s by %v, want %v", c.pointer, c.object, got, c.want)
		}
	}
	// Writes through the pointers.
	for _, c := range []struct {
		pointer string
		want    bool
	}{{"c", false}, {"around", true}} {
		next := &core.Mem{Addr: &core.Offset{X: vars[c.pointer].Ref(), Off: 8, Field: "l"}, Typ: prog.Pointer()}
		head := &core.Mem{Addr: &core.AddrOf{Var: vars["clients"], Typ: prog.Pointer()}, Typ: prog.Pointer()}
		if got := r.MayAlias(next, head); got != c.want {
			t.Errorf("%s->l.next may be clients.next: %v, want %v", c.pointer, got, c.want)
		}
	}
	// An audit that proves nothing asks for the declared types only.
	prog.Declared = true
	r = alias.Analyze(prog)
	for object, want := range map[string]core.Range{"clients": {Off: 0, End: 16}, "raw": {Off: 0, End: 16}, "table": none} {
		if got := r.KeptFrom(vars["c"].Ref(), vars[object]); got != want {
			t.Errorf("by its declaration, c is away from %s by %v, want %v", object, got, want)
		}
	}
}
