package rules

import (
	"strings"
	"testing"
)

// TestAppliesToKeptCode: a rule is not about a function that a header or a feature which is not configured leaves in the text
// although no code of it is kept, be it in the file or in the header.
func TestAppliesToKeptCode(t *testing.T) {
	t.Parallel()
	const head = `# 1 "in.c"
# 1 "clk.h" 1
struct clk;
extern struct clk *clk_get(void *, const char *);
extern int clk_prepare(struct clk *), clk_enable(struct clk *);
extern void clk_disable(struct clk *);
static inline int clk_prepare_enable(struct clk *c)
{
	int ret = clk_prepare(c);
	return ret ? ret : clk_enable(c);
}
static inline int listen(int (*f)(struct clk *)) { return -19; }
static inline int call(int (*f)(struct clk *), struct clk *c) { return f(c); }
# 2 "in.c" 2
`
	for _, c := range []struct{ name, text, want string }{
		{"only a header", "int probe(struct clk *c) { return 0; }", "clk does not apply"},
		{"a function without code", "static int on(struct clk *c) { return clk_prepare_enable(c); } int probe(struct clk *c) { return 0; }", "clk does not apply"},
		{"a function that nobody looks at", "static int on(struct clk *c) { return clk_prepare_enable(c); } int probe(struct clk *c) { return listen(on); }", "clk does not apply"},
		{"a function that is called", "static int on(struct clk *c) { return clk_prepare_enable(c); } int probe(struct clk *c) { return on(c); }", "clk fails enabled-at-end"},
		{"through a pointer", "static int on(struct clk *c) { return clk_prepare_enable(c); } int probe(struct clk *c) { return call(on, c); }", "clk fails enabled-at-end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := auditDriver(t, "clk", head+c.text+"\n")
			if got := strings.TrimSpace(rows(r)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
