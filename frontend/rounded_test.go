package frontend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/core"
)

// A pointer that is rounded up to a multiple of no more than the alignment of its type stays as it is, and the ledger says
// so; no other number does.
func TestRounded(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		expr  string // of p, a pointer to a struct that is aligned by 8, i, one to an int, c to a char, and k to a packed struct
		stays bool
	}{
		{"((long)(p + 1) + 3) & ~3", true},
		{"((unsigned long)p + 7) & ~7ul", true},
		{"((unsigned long)i + 3) & ~3ul", true},
		{"((unsigned long)(p++) + 3) & ~3ul", true},
		// To more than the alignment.
		{"((unsigned long)p + 15) & ~15ul", false},
		{"((unsigned long)i + 7) & ~7ul", false},
		{"((unsigned long)c + 3) & ~3ul", false},
		{"((unsigned long)k + 3) & ~3ul", false},
		{"((unsigned long)(void *)p + 3) & ~3ul", false},
		// On to the next multiple, or to one before.
		{"((unsigned long)p + 8) & ~7ul", false},
		{"((unsigned long)p - 1) & ~7ul", false},
		{"((unsigned long)p + n) & ~7ul", false},
		// Down: the last bits may be marks.
		{"(unsigned long)p & -8ul", false},
		{"((unsigned long)p + 3) & ~7ul", false},
		// Other masks: of half an address, and with holes.
		{"(unsigned long)p & ~7u", false},
		{"((unsigned long)p + 7) & ~7u", false},
		{"(unsigned)(unsigned long)p & ~7", false},
		{"(unsigned long)p & ~5ul", false},
		{"(unsigned long)p & 7", false},
		{"(unsigned long)p | ~7ul", false},
	} {
		u := mustLoad(t, `struct s { long x; }; struct __attribute__((packed)) k { long x; };
			unsigned long f(struct s *p, int *i, char *c, struct k *k, long n) { return `+test.expr+`; }
			int main(void) { return f(0, 0, 0, 0, 0); }`, Options{})
		masked := false
		for _, p := range u.Program.Procs {
			for _, n := range p.Nodes {
				core.StmtExprs(n.Stmt, func(e core.Expr) {
					core.Walk(e, func(e core.Expr) bool {
						b, ok := e.(*core.Binary)
						masked = masked || ok && (b.Op == core.And || b.Op == core.Or)
						return true
					})
				})
			}
		}
		if said := slices.Contains(u.Program.Ledger, assumeAligned); masked == test.stays || said != test.stays {
			t.Errorf("%s: rounded is %v, ledger %v; want it to stay: %v\n%s", test.expr, masked, said, test.stays, strings.TrimSpace(fmt.Sprint(u.Program)))
		}
	}
}
