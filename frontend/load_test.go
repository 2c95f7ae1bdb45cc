package frontend

import (
	"context"
	"flag"
	"testing"

	"c2bp/frontend/core"
	"c2bp/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// load reads one C text as in.c.
func load(t *testing.T, text string, opts Options) (*Unit, error) {
	t.Helper()
	return Load(context.Background(), []*source.File{source.NewFile("in.c", []byte(text))}, opts)
}

func TestScratch(t *testing.T) {
	u, err := load(t, `
#include <assert.h>
int g;
int inc(int x) { x = x + 1; return x; }
int f(unsigned char c, int n) {
  int i = 0;
  while (i++ < n) { if (inc(c) && i) continue; n = c > 3 ? inc(n) : c++; }
  switch (n) { case 1: case 2: g = 3; break; case 3 ... 5: g++; default: g = i++; }
  assert(g > 0 && n);
  assert(g != 4);
  return c && n;
}
int main(void) { int b, c; b = inc(2); c = inc(b); g = f(b, c); assert(c == 4); return 0; }
`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + u.Program.String())
	t.Log(u.Diags)
}

func TestScratchResolve(t *testing.T) {
	u, err := load(t, `#define MAX 10
enum e { A, B = 7 };
int g; static unsigned s;
int inc(int x) { struct q { int a; char c; }; { int y = x; x += y; } x = x + 1; return x; }
int f(unsigned char c) { return c + g + s; }
int main(void) { int *p; return inc(2); }
`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range [][2]string{
		{"inc", "x == 'x+1"}, {"inc", "\\result>='g && !(y  <MAX)"}, {"inc", "sizeof(struct q) == 8"}, {"", "g==- -B"}, {"", "s > 'a'"},
		{"f", "c == 'c ? c : g"}, {"f", "'c == \n   c"}, {"inc", "x = 3"}, {"inc", "z == 3"}, {"main", "p == 0"}, {"main", "p->x + 1"}, {"inc", "x == "}, {"inc", "x +* 3"}, {"inc", "'y == 3"},
		{"inc", "f(3) == 3"}, {"inc", "x / 0"}, {"inc", "x@4 == y@4"}, {"nope", "1"}, {"", "x"}, {"inc", "x; y"}, {"inc", "x++"}, {"inc", "x, y"}, {"inc", "(x)(3)"}, {"inc", "'*x == 1"},
		{"inc", "x == 5.0"},
	} {
		file := source.NewFile("p.txt", []byte("inc:\n  " + p[1] + "\n"))
		rs, err := u.Resolve([]core.PredicateText{{Scope: p[0], Text: p[1], Pos: source.Pos{File: "p.txt", Line: 2, Col: 3}, File: file}})
		if err != nil {
			t.Logf("%s\n%v", p, err)
			continue
		}
		t.Logf("%s --> %s   %s", p, core.ExprString(rs[0].Expr), rs[0].Name)
	}
}
