package harness

import (
	"context"
	"strings"
	"testing"

	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// Calls through pointers, resolved as for an audit: to functions of the program, to
// declared ones, and to unknown ones, which nobody can define.
func TestCallsThroughPointers(t *testing.T) {
	t.Parallel()
	testkit.NeedGCC(t, "addr2line")
	for _, c := range []struct {
		name, text string
		want       Result
	}{
		{"known", `
			#include <assert.h>
			int get(int); int other(int); _Bool __VERIFIER_nondet_bool(void);
			static int twice(int x) { return 2 * x; }
			int main(void)
			{
				int (*f)(int) = __VERIFIER_nondet_bool() ? get : twice;
				assert(f(1) != 5 && f(2) != 7);
			}`, Reproduced},
		{"unknown", `
			#include <assert.h>
			struct ops { int (*read)(int); };
			struct ops *find(void);
			int main(void)
			{
				struct ops *o = find();
				if (o) assert(o->read(1) != 5);
			}`, Reproduced},
	} {
		files := []*source.File{source.NewFile("in.c", []byte(c.text))}
		p := load(t, files, frontend.Options{})
		devirt.Resolve(p)
		f := failing(t, p, 3000)
		if f == nil {
			t.Errorf("%s: no run fails", c.name)
			continue
		}
		h, o, err := Reproduce(context.Background(), files, f.recording, f.property, Options{})
		if err != nil || o.Result != c.want || strings.Contains(h.Text, "?unknown") || (len(o.Gaps) > 0) != (c.want != Reproduced) {
			t.Errorf("%s: %s: %v %v\n%s", c.name, o.Result, o, err, h.Text)
		}
	}
}
