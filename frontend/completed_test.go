package frontend

import (
	"testing"

	"c2bp/frontend/core"
)

// TestCompletedLater: a variable that is declared with a struct before that is defined has its size and its members.
func TestCompletedLater(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		size int64 // 0: not known
	}{
		{"extern struct s g; struct s { int a; long b; };", 16},
		{"struct s; extern struct s g; struct s { int a; long b; };", 16},
		{"extern union s g; union s { int a; long b; };", 8},
		{"extern const struct s g; struct s { char a[3]; };", 3},
		{"struct s { int a; long b; }; extern struct s g;", 16},
		{"extern struct s g;", 0},
		{"extern struct s g; struct r { int a; };", 0},
		{"extern struct s g; int f(struct s { int a; } *);", 0},
		{"extern struct s g; int f(void) { struct s { int a; } x = { 1 }; return x.a; }", 0},
		{"extern volatile struct s g; struct s { int a; };", 0},
	} {
		u := mustLoad(t, c.text+" void give(void *); int main(void) { give((void *)&g); return 0; }", Options{})
		g := u.Program.Globals[0]
		if known := c.size > 0; core.Bytes(g.Type) != c.size || (g.Declared != nil) != known || known && g.Declared.Record == nil {
			t.Errorf("%s: %d bytes, declared as %v", c.text, core.Bytes(g.Type), g.Declared)
		}
	}
}
