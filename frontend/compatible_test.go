package frontend

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/source"
)

const typesPrelude = `
struct s { int a; const char *name; char *const fixed; const int k; } sv; const struct s cs; const struct s *ps; struct u { int a; }; struct inc;
union un { int a; long b; }; enum e { A, B } ev; enum g { C = -1 }; enum h { D = 0x100000000 };
typedef int myint; typedef const int cint; typedef int *pint; typedef struct s ss; typedef int arr3[3];
int x; const int cx; volatile int vx; int ax[3]; const int ca[3]; unsigned char uc; short sh; long lo; long long ll; float fl; double db; _Bool flag;
char *str; const char *cstr; int *const cp; int *const *pp; int fn(int); const char *name(void); int (*fp)(int); int (*rows)[3]; const int (*crows)[3];
`

// someTypes are names of types.
var someTypes = strings.Split(strings.TrimSpace(`
int
const int
unsigned
char
signed char
short
long
long long
unsigned long
_Bool
double
void
int *
const int *
int *const
volatile int *
char *
const char *
void *
int **
int *const *
const int **
int [3]
int [4]
const int [3]
int (*)[3]
const int (*)[3]
struct s
struct u
const struct s
struct s *
const struct s *
struct inc *
union un
enum e
enum g
enum h
myint
cint
pint
cint *
const pint *
ss *
arr3
int (*)(int)
int (*)(const int)
int (*)(char)
int (*)(int, ...)
typeof(x)
typeof(&cx)
typeof(uc + uc)
typeof(lo + x)
typeof(ll - x)
typeof(sv.name)
typeof(&sv.name)
typeof(&sv.fixed)
typeof(&sv.k)
typeof(&cs.a)
typeof(&ps->a)
typeof(ps)
typeof(str)
typeof(cstr)
typeof(name())
typeof(pp)
typeof(*pp)
typeof(ca)
typeof(&ca[1])
typeof(ca + 1)
typeof(crows)
typeof(fp)
typeof(&fn)
typeof((const char *)str)
typeof(&*ax)
typeof(int *)
typeof(sh << 1)
typeof(fl * db)
`), "\n")

// constantsOf lowers r = e for all expressions and returns the constants, "" for others.
// Those on lines with errors are left out.
func constantsOf(t *testing.T, list []string) (got map[string]string) {
	t.Helper()
	got = map[string]string{}
	refused := map[int]bool{}
	const head = "int r;\nint main(void) {\n"
	first := strings.Count(typesPrelude+head, "\n") + 1
	for {
		var text strings.Builder
		text.WriteString(typesPrelude + head)
		for i, e := range list {
			if refused[first+i] {
				e = "-1"
			}
			fmt.Fprintf(&text, "r = %s;\n", e)
		}
		text.WriteString("return 0; }\n")
		u, err := load(t, text.String(), Options{})
		if errs, ok := err.(source.List); ok {
			n := len(refused)
			for _, d := range errs {
				if !strings.Contains(d.Msg, "this _Generic") {
					t.Fatal(err)
				}
				refused[d.Pos.Line] = true
			}
			if len(refused) > n {
				continue
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range u.Program.Entry.Nodes {
			a, ok := n.Stmt.(*core.Assign)
			if i := n.Pos.Line - first; ok && i >= 0 && i < len(list) {
				if c, ok := a.Rhs[0].(*core.Const); ok && c.Val.Sign() >= 0 {
					got[list[i]] = c.Val.String()
				}
			}
		}
		return got
	}
}

// compareConstants compares what the front end and gcc say of expressions; few may be
// without an answer here.
func compareConstants(t *testing.T, list []string, most int) {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed; it is the other side of this comparison")
	}
	var text strings.Builder
	text.WriteString("#include <stdio.h>\n" + typesPrelude + "int main(void) {\n")
	for _, e := range list {
		fmt.Fprintf(&text, "printf(\"%%d\\n\", %s);\n", e)
	}
	want := runC(t, text.String()+"return 0; }\n")
	unknown := 0
	got := constantsOf(t, list)
	for i, e := range list {
		switch r, ok := got[e]; {
		case !ok:
			unknown++
		case r != want[i]:
			t.Errorf("%s is %s, gcc has %s", e, r, want[i])
		}
	}
	if t.Logf("%d expressions, %d without an answer", len(list), unknown); unknown > most {
		t.Errorf("%d of %d have no answer", unknown, len(list))
	}
}

// TestCompatibleTypes: __builtin_types_compatible_p, for all pairs.
func TestCompatibleTypes(t *testing.T) {
	var list []string
	for i, a := range someTypes {
		for _, b := range someTypes[i:] {
			list = append(list, fmt.Sprintf("__builtin_types_compatible_p(%s, %s)", a, b))
		}
	}
	compareConstants(t, list, 0)
}

// TestGenericSelections: which association of _Generic is chosen. Where the parser is
// wrong about that, the program is refused.
func TestGenericSelections(t *testing.T) {
	var list []string
	for _, a := range someTypes {
		value, isValue := strings.CutPrefix(a, "typeof(")
		if value = strings.TrimSuffix(value, ")"); !isValue || value == "int *" {
			continue
		}
		for _, b := range someTypes {
			if b != "void" && !strings.HasPrefix(b, "enum") {
				list = append(list, fmt.Sprintf("_Generic(%s, %s: 1, default: 0)", value, b))
			}
		}
	}
	compareConstants(t, list, len(list)/3)
}

// TestUncertainTypes: what the parser decides by a type that it may be wrong about.
func TestUncertainTypes(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"int r = __builtin_choose_expr(__builtin_types_compatible_p(const int *, const int *), 1, 2);", ""},
		{"int r = __builtin_choose_expr(__builtin_types_compatible_p(int *, const int *), 1, 2);", "the condition of __builtin_choose_expr"},
		{"int r = __builtin_choose_expr(__builtin_types_compatible_p(typeof(1 ? str : 0), char *), 1, 2);", "the condition of __builtin_choose_expr"},
		{"_Static_assert(__builtin_types_compatible_p(int, const int), \"\");", ""},
		{"_Static_assert(__builtin_types_compatible_p(int *, const int *), \"\");", "the static assertion fails"},
		{"int r = _Generic(str, const char *: 1, char *: 2); _Static_assert(_Generic(str, const char *: 1, char *: 2) == 2, \"\");", ""},
		{"int r = _Generic(cstr, const char *: 1, char *: 2);", ""},
		{"int r = _Generic(1 ? str : 0, char *: 1, default: 2);", "not supported: this _Generic"},
		{"int r[__builtin_types_compatible_p(int, long) ? -1 : 3];", ""},
	} {
		_, err := load(t, typesPrelude+test.text+" int main(void) { return 0; }", Options{})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\ngot %v, want %q", test.text, err, test.want)
		}
	}
}
