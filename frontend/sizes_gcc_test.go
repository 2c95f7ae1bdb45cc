package frontend

import (
	bytesOrder "encoding/binary"
	"fmt"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// sizesPrelude is what the expressions below are about.
const sizesPrelude = layoutPrelude + `
#include <stddef.h>
struct __attribute__((packed)) tight { char c; int i; short a[3]; enum tiny t; };
struct bits { int a : 3; unsigned b : 7; int : 0; char c; long long d : 40; _Bool e : 1; };
struct outer { char c; union { int x; struct { char p; double q; }; }; struct { int in[4]; } named; struct tight last; } o, *po;
struct open { char c; double tail[]; };
struct empty { };
struct twice { struct { int x; } a; union { int x; long y; }; };
union choice { char c[5]; struct tight t; long double ld; };
enum from { FROM = sizeof(struct tight), NEXT, NEGATIVE = -(int)sizeof(struct tight), AFTER };
int sized[sizeof(struct tight)], grid[2][3]; struct bits vb; a16 aligned; double real; long long wide64;
`

// sizes are expressions over layouts.
var sizes = strings.Split(strings.TrimSpace(`
sizeof(struct tight)
sizeof(struct tight[3])
sizeof o.last
sizeof po->named.in
sizeof po->named.in[0]
sizeof(struct bits)
sizeof(vb.a + 0)
sizeof(-vb.b)
sizeof(vb.d + 0)
sizeof(struct outer)
sizeof *po
sizeof(struct open)
sizeof(struct empty)
sizeof(union choice)
sizeof(struct twice)
sizeof(held)
sizeof(six16)
sizeof(v4)
sizeof(long double)
sizeof(_Complex double)
sizeof(enum tiny)
sizeof(two)
sizeof(enum big)
sizeof(enum small)
sizeof sized
FROM
NEXT + 0
NEGATIVE
AFTER
sizeof(int[NEXT])
sizeof(FROM)
sizeof(sized) / sizeof(sized[0])
sizeof(int[sizeof(struct tight)])
sizeof(char[_Alignof(held)][2])
sizeof(struct { int : 0; })
sizeof(struct { char a; int b __attribute__((packed)); })
sizeof(struct { char a; long long b; })
sizeof(struct { char a; double b[2]; })
sizeof(union { long long b; char a[9]; })
_Alignof(struct tight)
_Alignof(struct outer)
_Alignof(held)
_Alignof(a16)
_Alignof(low2)
_Alignof(six16)
_Alignof(v4)
_Alignof(double)
_Alignof(long long)
_Alignof(long double)
_Alignof(int[3])
_Alignof(double[3])
_Alignof(enum tiny)
__alignof__(double)
__alignof__(long long)
__alignof__(long double)
__alignof__(struct tight)
__alignof__(a16)
__alignof__(double[2])
__alignof(struct outer)
offsetof(struct tight, i)
offsetof(struct tight, a)
offsetof(struct tight, a[2])
offsetof(struct bits, c)
offsetof(struct outer, x)
offsetof(struct outer, p)
offsetof(struct outer, q)
offsetof(struct outer, named)
offsetof(struct outer, named.in[3])
offsetof(struct outer, last.i)
offsetof(struct open, tail)
offsetof(struct open, tail[3])
offsetof(struct twice, x)
offsetof(struct twice, y)
offsetof(struct twice, a.x)
(long)&((struct tight *)0)->i
(long)&((struct outer *)0)->last.a[1]
(char *)&((struct tight *)0)->i - (char *)0
(char *)&((struct tight *)16)->i - (char *)16
(long)((struct tight *)0 + 2)
(int)(sizeof(struct tight) == 12)
(sizeof(struct tight) > 8 ? 1 : 2)
`), "\n")

// TestSizesAgainstGCC compares the values of expressions over layouts, 64 and 32 bits.
func TestSizesAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	for _, bits32 := range []bool{false, true} {
		var c, g strings.Builder
		c.WriteString(sizesPrelude + "void f(void)\n{\n")
		g.WriteString(sizesPrelude)
		for i, e := range sizes {
			fmt.Fprintf(&c, "  long long r%d = %s;\n", i, e)
			fmt.Fprintf(&g, "const long long n%d = %s;\n", i, e)
		}
		c.WriteString("}\nint main(void) { f(); return 0; }\n")
		want := compiled(t, g.String(), bits32)
		u := mustLoad(t, c.String(), Options{Bits32: bits32})
		got := map[string]string{}
		for _, n := range u.Program.Proc("f").Nodes {
			if a, ok := n.Stmt.(*core.Assign); ok {
				got[core.ExprString(a.Lhs[0])] = core.ExprString(a.Rhs[0])
			}
		}
		for i, e := range sizes {
			n := int64(bytesOrder.LittleEndian.Uint64(want[fmt.Sprintf("n%d", i)]))
			if r := got[fmt.Sprintf("r%d", i)]; r != fmt.Sprint(n) {
				t.Errorf("32 bits: %v: %s is %s, gcc has %d", bits32, e, r, n)
			}
		}
	}
}

// TestWhatTheParserHasDecided: what cc computes from sizes that it has wrong is found out.
func TestWhatTheParserHasDecided(t *testing.T) {
	const tight = "struct __attribute__((packed)) tight { char c; int i; };\n"
	for _, c := range []struct{ name, text, want string }{ // what the error says, "" if there is none
		{"assertion", tight + `_Static_assert(sizeof(struct tight) == 5, "text");`, ""},
		{"assertion that fails", tight + `_Static_assert(sizeof(struct tight) == 8, "text");`, "the static assertion fails"},
		{"assertion in a struct", tight + `struct s { int a; _Static_assert(sizeof(struct tight) == 4, ""); };`, "the static assertion fails"},
		{"assertion in a function", tight + `void f(void) { _Static_assert(sizeof(struct { char a, b; }) == 3, "a, b"); }`, "the static assertion fails"},
		{"choice", tight + "int f(void) { return __builtin_choose_expr(sizeof(struct tight) == 5, 1, 2); }", "not supported: the condition of __builtin_choose_expr"},
		{"right choice", tight + "int f(void) { return __builtin_choose_expr(sizeof(int) == 4, 1, 2); }", ""},
		{"another member", "struct s { struct { int x; } a; union { char x; long y; }; } v; int f(void) { return v.x; }", "the parser takes this for another member"},
		{"another member of the type", "struct s { struct { int x; } a; union { int x; long y; }; } v; int f(void) { return v.x; }", ""},
		{"packed enumeration", "struct s { enum { A } __attribute__((packed)) e; int i; } v; int f(void) { v.i = 1; return v.e; }", "a packed enumeration is not supported"},
	} {
		_, err := load(t, c.text+"\nint main(void) { return 0; }\n", Options{Whole: true})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
