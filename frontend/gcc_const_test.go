package frontend

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// constantPrelude is what the expressions below are about.
const constantPrelude = `
#include <stddef.h>
#include <limits.h>
#include <stdint.h>
int arr[10]; struct s { int a; char c[3]; long l; } v; char none[0]; int nones[3][0];
enum small { MINUS = -1, ZERO, FIVE = 5 }; enum big { HUGE = 0x100000000, LESS = 3 }; enum plain { RED, GREEN };
typedef unsigned char byte; union u { long l; char c; } un; unsigned char uc; short sh; _Bool flag; unsigned ui; long lo;
int f(int a[10], int (*p)[7], int n)
{
`

// constants are expressions whose value the front end must know, and gcc does.
var constants = strings.Split(strings.TrimSpace(`
sizeof(a)
sizeof(arr)
sizeof(arr + 0)
sizeof(&arr)
sizeof("abc")
sizeof("abc" "de\0")
sizeof(n ? arr : arr)
sizeof((0, arr))
sizeof *p
sizeof v.c
sizeof(v)
sizeof(f)
sizeof(*arr)
sizeof(char)
sizeof 'a'
sizeof(none)
sizeof(nones)
sizeof(&v.c)
sizeof(int[3][4])
sizeof(v.c + 0)
sizeof(-n)
sizeof(arr[1])
sizeof((char)n)
sizeof(n == 1)
sizeof(1 ? (char)1 : 'c')
sizeof(void)
sizeof(f(0, 0, 0))
sizeof(n++)
sizeof((short)1 + (char)2)
sizeof(1ull)
sizeof(un)
sizeof(enum plain)
sizeof(enum big)
sizeof(RED)
sizeof(LESS)
sizeof(L'a')
sizeof(flag)
sizeof(flag + flag)
sizeof(uc << lo)
sizeof(lo << uc)
sizeof(sh ? uc : flag)
sizeof((struct s){0})
sizeof(int (*)(int))
sizeof(struct { char c; int i; char d; })
_Alignof(long)
_Alignof(struct s)
offsetof(struct s, c)
offsetof(struct s, l)
(long)&((struct s *)0)->l
'a'
'\n'
'\0'
'\377'
'\xff'
'\''
'\\'
'\?'
'\e'
L'a'
L'\xff'
L'\u20ac'
0377
0x7fffffff
0x80000000
0xffffffff
2147483647
2147483648
4294967295
0x7fffffffffffffff
9223372036854775807
0777777777777777777777LL
1u << 31
-1 < 0u
-1L < 0u
(unsigned char)-1
(signed char)200
(short)70000
(char)300
(_Bool)256
(_Bool)0x100000000
(_Bool)2 + (_Bool)-1
(unsigned)-1 + 1
-1u
~0
~0u
!5
!!5
-7 / 2
-7 % 2
7 / -2
7 % -2
-7 >> 1
7u / 2
1 ? -1 : 0u
0 ? 1 : -1L
1 || 1 / 0
0 && 1 / 0
MINUS
FIVE * 2
HUGE
LESS - 4
MINUS < 0u
GREEN - 2
RED - 1 < 0
INT_MIN
INT_MAX
UINT_MAX
LONG_MIN
LLONG_MAX
ULONG_MAX
CHAR_MIN
SCHAR_MAX
UINT8_MAX
INT64_MIN
UINT64_MAX
SIZE_MAX
PTRDIFF_MIN
INTMAX_C(5)
(byte)(250 + 10)
(int)sizeof(byte) - 2
sizeof(int) - 5 > 0
(int8_t)0x80
(uint16_t)-1
'a' + 'b' * 2
"abc"[1] == 'b' || 1
_Generic(1L, int: 1, long: 2, default: 3)
_Generic((char)1, int: 1, default: 3)
__builtin_offsetof(struct s, l)
(1, 2)
`), "\n")

// TestConstantsAgainstGCC compares the values of constant expressions. cc gets
// some sizes and conversions wrong, so none of its values but those of literals
// are used.
func TestConstantsAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	agreeOnConstants(t, false)
}

// TestConstantsAgainstGCC32 is TestConstantsAgainstGCC for the 32-bit data model.
func TestConstantsAgainstGCC32(t *testing.T) {
	testkit.NeedGCC32(t, "-fsanitize=undefined")
	agreeOnConstants(t, true)
}

func agreeOnConstants(t *testing.T, bits32 bool) {
	t.Helper()
	var c, g strings.Builder
	c.WriteString(constantPrelude)
	g.WriteString("#include <stdio.h>\n" + constantPrelude)
	for i, e := range constants {
		fmt.Fprintf(&c, "  long long r%d = %s;\n", i, e)
		fmt.Fprintf(&g, "  printf(\"%%lld\\n\", (long long)(%s));\n", e)
	}
	c.WriteString("  return n;\n}\nint main(void) { return f(0, 0, 3); }\n")
	g.WriteString("  return n;\n}\nint main(void) { return f(0, 0, 3) * 0; }\n")
	want := runC(t, g.String(), machineFlag(bits32))
	u := mustLoad(t, c.String(), Options{Bits32: bits32})
	got := map[string]string{}
	for _, n := range u.Program.Proc("f").Nodes {
		if a, ok := n.Stmt.(*core.Assign); ok {
			got[core.ExprString(a.Lhs[0])] = core.ExprString(a.Rhs[0])
		}
	}
	for i, e := range constants {
		if r := got[fmt.Sprintf("r%d", i)]; i >= len(want) || r != want[i] {
			t.Errorf("%s is %s, gcc has %s", e, r, want[i])
		}
	}
}

// runC compiles and runs a C program and returns the lines it prints.
func runC(t *testing.T, text string, flags ...string) []string {
	t.Helper()
	dir := t.TempDir()
	file, exe := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", append([]string{"-w", "-std=gnu11", "-o", exe, file}, flags...)...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// machineFlag is gcc's flag for a data model.
func machineFlag(bits32 bool) string {
	if bits32 {
		return "-m32"
	}
	return "-m64"
}
