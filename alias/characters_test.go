package alias_test

import (
	"testing"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

// charactersHead declares what the programs of TestCharacters use.
const charactersHead = `
void *memset(void *, int, unsigned long); int sprintf(char *, const char *, ...); int in(void);
struct led { int b; void *data; char name[8]; }; struct box { struct led led; };
struct led *get_led(void); char *get_text(void); void *get(void); struct box *get_box(void);
`

// TestCharacters: whether the last write of a program, through a pointer from outside to bytes, may change the number
// that the write before it sets. With CharsApart characters are in no number, unless the program says so.
func TestCharacters(t *testing.T) {
	const yes, apart = true, false // apart: not with Program.CharsApart
	for _, c := range []struct {
		body string
		want bool
	}{
		{"l->b = 1; t[in()] = 5;", apart},
		{"char *b = t; t[0] = 1; l->b = 1; sprintf(b, \"x\");", apart},
		// A fill may be of anything.
		{"t[0] = 1; l->b = 1; memset(t, 0, 4);", yes},
		{"t[0] = 1; void *v = t; l->b = 1; memset(v, 0, 4);", yes},
		// The program uses a pointer as both.
		{"t = (char *)get_led(); l->b = 1; t[0] = 5;", yes},
		{"t = (char *)get_led(); ((struct led *)t)->data = 0; l->b = 1; t[0] = 5;", yes},
		{"struct led *k = (struct led *)t; k->data = 0; l->b = 1; t[0] = 5;", yes},
		{"struct led *k = (struct led *)t; k->data = 0; l->b = 1; sprintf(t, \"x\");", yes},
		{"void *v = get(); t = v; struct led *k = v; k->data = 0; l->b = 1; t[3] = 5;", yes},
		{"t = (char *)get_box(); ((struct led *)t)->data = 0; l->b = 1; t[in()] = 5;", yes},
		// Numbers of more than a byte are no characters.
		{"l->b = 1; *(int *)t = 5;", yes},
	} {
		text := charactersHead + "int main(void) { struct led *l = get_led(); char *t = get_text(); " + c.body + " return 0; }"
		u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		prog := u.Program
		devirt.Resolve(prog)
		written := writes(prog.Proc("main"))
		if len(written) < 2 {
			t.Fatalf("%s: %d writes", c.body, len(written))
		}
		for _, prog.CharsApart = range []bool{false, true} {
			want := c.want || !prog.CharsApart
			if got := alias.Analyze(prog).MayAlias(written[len(written)-2], written[len(written)-1]); got != want {
				t.Errorf("%s, characters apart %v: the places may be one is %v", c.body, prog.CharsApart, got)
			}
		}
	}
}

// writes lists the places in memory that p writes.
func writes(p *core.Proc) (list []*core.Mem) {
	for _, n := range p.Nodes {
		switch s := n.Stmt.(type) {
		case *core.Assign:
			for _, l := range s.Lhs {
				if m, ok := l.(*core.Mem); ok {
					list = append(list, m)
				}
			}
		case *core.Fill:
			list = append(list, &core.Mem{Addr: s.Dst, Typ: core.Agg{Size: 4}, Chars: s.Chars})
		}
	}
	return list
}
