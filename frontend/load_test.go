package frontend

import (
	"context"
	"flag"
	"testing"

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
