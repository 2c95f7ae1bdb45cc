package frontend

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLeftToRight: where C leaves the order of evaluation open, what is left is
// evaluated first. gcc differs in some of these.
func TestLeftToRight(t *testing.T) {
	const head = `unsigned long sum; int a[4] = {1, 2, 3, 4}, i; struct s { int m; struct s *next; } v, w, *p = &v;
int next(void) { i++; a[0] += 10; p = &w; return 5; } int two(int x, int y) { return 100 * x + y; } int first(struct s x, int y) { return 100 * x.m + y; }
int set(void) { v.m = 7; return 3; }
int main(void) { w.m = 2; `
	for _, test := range []struct {
		body, want string
	}{
		{"a[i] = next() + 1; sum = a[0] * 10 + a[1];", "62"},
		{"a[i + 1] = ({ i = 2; 9; }); sum = a[1];", "9"},
		{"p->m = (char)next(); sum = v.m * 10 + w.m;", "52"},
		{"p->next = &w; p->next->m = ({ p = &w; 8; }); sum = w.m;", "8"},
		{"a[i] += next(); sum = a[0] * 10 + a[1];", "62"},
		{"a[i] = next(); sum = a[0] * 10 + a[1];", "52"},
		{"sum = two(a[0], next());", "105"},
		{"sum = a[0] + next() + a[0];", "17"},
		{"sum = p->m + next() * 0 + p->m;", "2"},
		{"v.m = 1; sum = first(v, set());", "103"},
		{"int *q = a; sum = *q + (*q = 40, 2);", "3"},
		{"int x = 3, *q = &x; sum = x + (*q = 4, 10);", "13"},
	} {
		path := filepath.Join(t.TempDir(), "in.c")
		if err := os.WriteFile(path, []byte(head+test.body+" return 0; }\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := checksum(t, path, lp64); err != nil || got != test.want {
			t.Errorf("%s\nsum is %s (%v), want %s", test.body, got, err, test.want)
		}
	}
}
