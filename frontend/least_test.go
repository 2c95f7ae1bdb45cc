package frontend

import (
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/harness"
	"c2bp/source"
)

// TestLeast: functions that rows name are given no lower numbers, in drivers to which a harness belongs; other functions, and
// parameters that are no such numbers, are left alone.
func TestLeast(t *testing.T) {
	const text = `
static inline void *ERR_PTR(long error) { return (void *)error; }
static inline void *unsigned_ptr(unsigned long error) { return (void *)error; }
static inline void *small_ptr(signed char error) { return (void *)(long)error; }
static inline void *few(void) { return 0; }
extern int ask(void);
extern void use(void *);
int main(void) { use(ERR_PTR(ask())); use(unsigned_ptr(ask())); use(small_ptr(ask())); use(few()); }
`
	rows := map[string]harness.Least{"unsigned_ptr": {Number: -4095}, "small_ptr": {Number: -4095}, "few": {}, "ask": {}, "main": {}}
	for _, c := range []struct {
		name string
		rows map[string]harness.Least
		opts Assumptions
		want string
	}{
		{"by default", nil, Assumptions{Members: MembersPrivate}, "ERR_PTR: error >= -4095"},
		{"without a harness", nil, Assumptions{}, ""},
		{"other rows", rows, Assumptions{Members: MembersPrivate}, ""},
		{"a row of one's own", map[string]harness.Least{"small_ptr": {Number: -100}}, Assumptions{Members: MembersPrivate}, "small_ptr: error >= -100"},
	} {
		opts := Options{Assume: c.opts}
		if c.rows != nil {
			opts.Conventions = &harness.Conventions{Leasts: c.rows}
		}
		u, err := Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, opts)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range u.Program.Procs {
			if p.HasBody() {
				if a, ok := p.Nodes[0].Stmt.(*core.Assume); ok {
					got = append(got, p.CName+": "+core.CString(a.Cond))
				}
			}
		}
		if got := strings.Join(got, "\n"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if line := "calls of " + c.want; c.want != "" && !slices.Contains(u.Program.Ledger, line) {
			t.Errorf("%s: the ledger lacks %q", c.name, line)
		}
	}
}
