package boolprog

import (
	"testing"

	"c2bp/source"
)

// FuzzParse checks on any text that the parser returns, that its errors can be
// rendered, that accepted programs survive a round trip, and that programs which
// pass Check have valid graphs.
func FuzzParse(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s), false)
	}
	f.Add([]byte("decl a-b#1; void main() begin a-b#1 := 0; end"), true)
	f.Fuzz(func(t *testing.T, text []byte, boppo bool) {
		opts := ParseOptions{}
		if boppo {
			opts.Dialect = "boppo"
		}
		p, warns, err := Parse(source.NewFile("fuzz.bp", text), opts)
		_ = warns.Error()
		if err != nil {
			if !source.IsInput(err) || err.Error() == "" {
				t.Fatalf("error %T", err)
			}
			return
		}
		roundTrip(t, p, opts)
		if _, err := Check(p); err != nil {
			_ = err.Error()
			return
		}
		if err := BuildGraph(p).Validate(); err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
	})
}

var fuzzSeeds = []string{
	"", "\xef\xbb\xbf decl a;", "decl { x == 'x +\t1 }; // c\nvoid main() begin /* c */ skip; end",
	`//@ note made by hand
//@ assume nothing
//@ pred locked == 1
decl a, b;
bool<2> f(x, //@ pred y < 0
y) begin
  decl l; enforce !(l & x); enforce x | y;
  //@ f:17 dir/my file.c:120:5 x = x + 1;
  //@ origin branch-true
  //@ check dir/my file.c:121:7 division by zero: total / n
  L: M: if * then a, b := choose(x, y), schoose[a, b] constrain 'a ^ 'b; elsif (x = y) then goto L, M; else fi
  while (a => b => x) do a, _ := f(a, ?) od;
  dead a, b; print(a, *); abortif a != b; return 0, T
end;
main() begin a := *; b := * ; constrain 'b; assert(a | b = 0); end`,
	"dfs bool f() begin x: goto x; assume ((~a && !b || 1 ^ false)) end",
	"void main() begin if if a then x := (; od goto ; end end void f() begin {x",
	"class C { bool x; } ref C g; void main() begin g := new C; g.x := 1; end",
	`ref C g, h; decl a;
class C { bool x := *, y := 1; ref C next := null; bool {p  q}; }
(bool, ref C) f(ref C p, b, bool c) begin
  ref C l; decl m; ref D n; enforce l = null | m; if (p != null) then return p.x, p.next.next; fi
end
ref C k() begin end
void main() begin g, a := new C, !a; g.next, h := h, g.next; g.{p q}, g.next := f(g, 1, a); h := k(); g.y := * constrain a; end
class D {}`,
	"class C { bool x ref C y } class { bool z; } class E { bool := 1; ref F; void main() begin g.x.y := new; 'g.x",
	`decl async; void f(a) begin L: atomic_begin; a := async; atomic_end; start_thread goto L; async f(1); start_thread f(*); end_thread end
void main() begin ASYNC_1: M: f(0); start_thread end`,
	"decl class, ref, new, null; void main() begin ref: null := new & class; ref(new); class C {} end",
}
