package frontend

import (
	"slices"
	"testing"

	"c2bp/frontend/ccfix"
	"c2bp/source"
)

// TestChoicesAgain: where cc has chosen wrong associations of _Generic, files are read again with a memory as
// without, although other tokens are parsed the second time.
func TestChoicesAgain(t *testing.T) {
	const text = `# 1 "in.c"
# 1 "head.h"
static inline int unused(const int *p) { return _Generic(p, const int *: 1, int *: 2) + _Generic(p, const int *: 3, int *: 4); }
# 2 "in.c"
extern void __VERIFIER_assert(int);
int g;
int main(void)
{
	int *p = &g;
	const int *q = &g;
	int a = _Generic(p, const int *: 5, int *: 6);
	int b = _Generic(q, const int *: 7, int *: 8);
	int c = _Generic(p, const int *: 9, int *: 10);
	__VERIFIER_assert(a == 6 && b == 7 && c == 10);
	return 0;
}
`
	files := []*source.File{source.NewFile("in.c", []byte(text))}
	want, err := Load(t.Context(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	memory := new(ccfix.Memory)
	for range 2 {
		got, err := Load(t.Context(), files, Options{Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		if got.Program.String() != want.Program.String() || !slices.Equal(got.Program.Ledger, want.Program.Ledger) {
			t.Errorf("got\n%s\nwant\n%s", got.Program, want.Program)
		}
	}
	if memory.Preprocessed != 1 || memory.Continued < 3 {
		t.Errorf("preprocessed %d times, continued %d times", memory.Preprocessed, memory.Continued)
	}
}
