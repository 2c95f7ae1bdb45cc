package frontend

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/frontend/core"
)

// Each call of a function that supplies an input has one node that says so, in C's order,
// also if nobody uses the value or it is used only after the next call.
func TestInputs(t *testing.T) {
	u := mustLoad(t, `
int __VERIFIER_nondet_int(void); char __VERIFIER_nondet_char(void); float __VERIFIER_nondet_float(void);
struct s { int a, b; }; struct s __VERIFIER_nondet_s(void);
int sub(int a) { return a - __VERIFIER_nondet_char(); }
int main(void)
{
  int a = __VERIFIER_nondet_int();
  float f = __VERIFIER_nondet_int();
  struct s s = __VERIFIER_nondet_s();
  __VERIFIER_nondet_char();
  if (__VERIFIER_nondet_int()) a = __VERIFIER_nondet_int() + sub(1);
  f = __VERIFIER_nondet_float();
  f = f + __VERIFIER_nondet_int();
  a = (__VERIFIER_nondet_char(), (char)__VERIFIER_nondet_int());
  (void)__VERIFIER_nondet_int();
  return a + s.a;
}`, Options{})
	var got []string
	main := u.Program.Entry
	for _, n := range main.Nodes {
		if c, ok := n.Stmt.(*core.Call); ok {
			got = append(got, c.Callee.Name)
		}
		if n.Input != nil {
			kind, _, _ := strings.Cut(core.StmtString(n.Stmt), " ")
			got = append(got, fmt.Sprintf("%s %s", kind, strings.TrimPrefix(n.Input.Name, "__VERIFIER_nondet_")))
		}
	}
	want := "havoc int, havoc int, fill s, skip char, branch int, havoc int, sub, havoc float, havoc int, skip char, havoc int, skip int"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("inputs:\n%s\nwant:\n%s\n%s", s, want, u.Program)
	}
}

// The argument of an assertion is converted to the type of the parameter, as in a call.
func TestNarrowAssertions(t *testing.T) {
	u := mustLoad(t, `
void __VERIFIER_assert(int); void __VERIFIER_assume(int); void assume_abort_if_not(_Bool);
int main(void)
{
  long x = 1; int y = 2; unsigned z = 3;
  __VERIFIER_assert(x);
  __VERIFIER_assume(x << 1);
  __VERIFIER_assert(y); __VERIFIER_assert(z); __VERIFIER_assert(x > 1); assume_abort_if_not(x);
}`, Options{})
	var got []string
	for _, n := range u.Program.Entry.Nodes {
		switch n.Stmt.(type) {
		case *core.Assert, *core.Assume:
			got = append(got, core.StmtString(n.Stmt))
		}
	}
	want := "assert (int32)x, assume (int32)(x << 1), assert y, assert z, assert x > 1, assume x"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}
