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
		body     string
		want     string
		mutation mutation // that must change the result
	}{
		{"a[i] = next() + 1; sum = a[0] * 10 + a[1];", "62", staleAddresses},
		{"a[i + 1] = ({ i = 2; 9; }); sum = a[1];", "9", staleAddresses},
		{"p->m = (char)next(); sum = v.m * 10 + w.m;", "52", staleAddresses},
		{"p->next = &w; p->next->m = ({ p = &w; 8; }); sum = w.m;", "8", staleAddresses},
		{"a[i] += next(); sum = a[0] * 10 + a[1];", "62", staleAddresses},
		{"a[i] = next(); sum = a[0] * 10 + a[1];", "52", 0},
		{"sum = two(a[0], next());", "105", staleValues},
		{"sum = a[0] + next() + a[0];", "17", staleValues},
		{"sum = p->m + next() * 0 + p->m;", "2", staleValues},
		{"v.m = 1; sum = first(v, set());", "103", staleValues},
		{"int *q = a; sum = *q + (*q = 40, 2);", "3", staleValues},
		{"int x = 3, *q = &x; sum = x + (*q = 4, 10);", "13", staleValues},
	} {
		path := filepath.Join(t.TempDir(), "in.c")
		if err := os.WriteFile(path, []byte(head+test.body+" return 0; }\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := checksum(t, path, lp64, 0); err != nil || got != test.want {
			t.Errorf("%s\nsum is %s (%v), want %s", test.body, got, err, test.want)
		}
		if test.mutation == 0 {
			continue
		}
		if got, err := checksum(t, path, lp64, test.mutation); err == nil && got == test.want {
			t.Errorf("%s\nthe mutation is not noticed", test.body)
		}
	}
}
