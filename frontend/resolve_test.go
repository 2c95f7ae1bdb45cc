package frontend

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/source"
)

// predicateLines reads "scope: text" lines.
func predicateLines(text string) (list []core.PredicateText) {
	file := source.NewFile("preds", []byte(text))
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		scope, pred, _ := strings.Cut(line, ": ")
		if scope == "global" {
			scope = ""
		}
		list = append(list, core.PredicateText{
			Scope: scope, Text: pred, File: file,
			Pos: source.Pos{File: "preds", Line: i + 1, Col: len(line) - len(pred) + 1},
		})
	}
	return list
}

func TestResolve(t *testing.T) {
	for _, path := range archives(t, "testdata/resolve/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a := readArchive(t, path)
			a.opts.Whole = true
			u, err := Load(context.Background(), a.c, a.opts)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			for _, p := range predicateLines(a.section("preds")) {
				fmt.Fprintf(&out, "%s: %s\n", p.Scope, p.Text)
				r, err := u.Resolve([]core.PredicateText{p})
				if err != nil {
					fmt.Fprintf(&out, "%v\n", err)
					continue
				}
				proc := "global"
				switch {
				case r[0].Proc != nil:
					proc = r[0].Proc.Name
				case r[0].This != nil:
					proc = r[0].This.To.Name
				}
				fmt.Fprintf(&out, "    %s: %s\n    named %s\n", proc, core.ExprString(r[0].Expr), r[0].Name)
				if err := core.ValidatePredicate(u.Program, r[0].Proc, r[0].Expr); err != nil {
					t.Errorf("%s: %v", p.Text, err)
				}
			}
			a.check(t, "out/resolved", out.String())
			a.save(t)
			allAtOnce(t, u, a, strings.Count(out.String(), "error: "))
		})
	}
}

// allAtOnce resolves the predicates of a in one call: the result must not depend
// on the company, and every error must be found.
func allAtOnce(t *testing.T, u *Unit, a *archive, errors int) {
	t.Helper()
	texts := predicateLines(a.section("preds"))
	all, err := u.Resolve(texts)
	if errors > 0 {
		list, ok := err.(source.List)
		if !ok || len(list) != errors {
			t.Errorf("together: %d errors, want %d:\n%v", len(list), errors, err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range texts {
		one, err := u.Resolve([]core.PredicateText{p})
		if err != nil {
			t.Fatal(err)
		}
		if core.ExprString(one[0].Expr) != core.ExprString(all[i].Expr) || one[0].Name != all[i].Name || one[0].Proc != all[i].Proc || one[0].This != all[i].This {
			t.Errorf("%s: alone %s, together %s", p.Text, core.ExprString(one[0].Expr), core.ExprString(all[i].Expr))
		}
	}
}

// TestGhosts: a symbolic constant is one variable for its procedure.
func TestGhosts(t *testing.T) {
	u := mustLoad(t, "int g; int f(int x) { return x + g; } int h(int x) { return x; } int main(void) { return f(1) + h(2); }", Options{})
	r, err := u.Resolve(predicateLines("f: x == 'x\nf: 'x + 'g == 1\nh: x == 'x"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := u.Resolve(predicateLines("f: 'x"))
	if err != nil {
		t.Fatal(err)
	}
	ghost := func(e core.Expr) *core.Var { return e.(*core.VarRef).Var }
	x1 := ghost(r[0].Expr.(*core.Binary).Y)
	x2 := ghost(r[1].Expr.(*core.Binary).X.(*core.Binary).X)
	hx := ghost(r[2].Expr.(*core.Binary).Y)
	if x1 != x2 || x1 != ghost(again[0].Expr) {
		t.Error("'x of f is several variables")
	}
	if hx == x1 || hx.Proc.Name != "h" || x1.Proc.Name != "f" {
		t.Error("'x of f and of h are not two variables of their procedures")
	}
	if x1.Kind != core.Ghost || x1.Name != "'x" || x1.Type != core.Type(core.Int32) || core.ExprString(x1.Init) != "x" {
		t.Errorf("'x is %+v", x1)
	}
}

// TestEntryConstants: equal symbolic constants over memory are one variable, whatever
// their spelling, and different ones are not.
func TestEntryConstants(t *testing.T) {
	u := mustLoad(t, "struct s { int f, g; }; void f(struct s *p, char *q) { } void h(struct s *p) { } int main(void) { return 0; }", Options{Whole: true})
	resolve := func(line string) *core.Var {
		r, err := u.Resolve(predicateLines(line))
		if err != nil {
			t.Fatal(err)
		}
		x := r[0].Expr.(*core.Binary).X
		if c, ok := x.(*core.Conv); ok {
			x = c.X
		}
		return x.(*core.VarRef).Var
	}
	f := resolve("f: '(p->f) == 0")
	if f.Kind != core.Ghost || f.Name != "'(p->f)" || f.Type != core.Type(core.Int32) || core.ExprString(f.Init) != "{int32}p->f" || f.Proc.Name != "f" {
		t.Errorf("'(p->f) is %+v", f)
	}
	if p := resolve("f: 'p == 0"); p.Type != core.Type(core.Ptr{Bits: 64}) || core.ExprString(p.Init) != "p" {
		t.Errorf("'p is %+v", p)
	}
	for _, same := range []string{"f: '((*p).f) == 0", "f: '( p -> f ) == 1", "f: '((p)->f) < 1"} {
		if resolve(same) != f {
			t.Errorf("%s: another variable than %s", same, f.Name)
		}
	}
	seen := map[*core.Var]string{f: "f: '(p->f)"}
	names := map[string]bool{}
	for _, other := range []string{"f: '(p->g) == 0", "h: '(p->f) == 0", "f: '(&p->f) == 0", "f: '(p->f + 1) == 0",
		"f: '(*(short *)p) == 0", "f: '(*(char *)p) == 0", "f: '(*(unsigned char *)p) == 0", "f: '(p + 1) == 0", "f: '((char *)p + 1) == 0", "f: '*q != 0"} {
		v := resolve(other)
		if seen[v] != "" {
			t.Errorf("%s is the same variable as %s", other, seen[v])
		}
		if v.Proc.Name == "f" && names[v.Name] {
			t.Errorf("%s: two variables are named %s", other, v.Name)
		}
		seen[v], names[v.Name] = other, true
	}
}

// TestObjectPredicates: with a pointer in place of that to the object, an object predicate is the
// one about what the pointer leads to.
func TestObjectPredicates(t *testing.T) {
	u := mustLoad(t, meaningPrelude+meaningMain, Options{Whole: true})
	var d *core.Var
	for _, v := range u.Program.Proc("f").Formals {
		if v.Name == "d" {
			d = v
		}
	}
	for _, test := range []struct{ object, pointer string }{
		{"lock == 1 && x != y", "d->lock == 1 && d->x != d->y"},
		{"list.next->value < wide || table[lock] == grid[1][2]", "d->list.next->value < wide || table[d->lock] == d->grid[1][2]"},
		{"ops->open == my_open && !priv", "d->ops->open == my_open && !d->priv"},
		{"low + high > far", "d->low + d->high > d->far"},
		{"&list == list.next->prev", "&d->list == d->list.next->prev"},
		{"part[lock] == (signed char)whole", "d->part[d->lock] == (signed char)d->whole"},
		{"frame.length == sizeof frame", "d->frame.length == sizeof d->frame"},
		{"container_of(list.next, struct dev, list)->lock == 1", "container_of(d->list.next, struct dev, list)->lock == 1"},
		{"u > 3", "u > 3"},
	} {
		r, err := u.Resolve([]core.PredicateText{{Scope: "struct dev", Text: test.object}, {Scope: "f", Text: test.pointer}})
		if err != nil {
			t.Errorf("%s: %v", test.object, err)
			continue
		}
		this := r[0].This
		if this == nil || this.Kind != core.Ghost || this.Proc != nil || this.Init != nil || this.Type != core.Type(core.Ptr{Bits: 64}) || this.To != d.To {
			t.Fatalf("%s is about %+v", test.object, this)
		}
		got := core.Replace(r[0].Expr, func(e core.Expr) core.Expr {
			if o, ok := e.(*core.Offset); ok && core.Mentions(o.X, func(v *core.Var) bool { return v == this }) && o.Of == nil {
				t.Errorf("%s: %s has no type", test.object, core.ExprString(o))
			}
			if ref, ok := e.(*core.VarRef); ok && ref.Var == this {
				return d.Ref()
			}
			return nil
		})
		if !core.Equal(got, r[1].Expr) {
			t.Errorf("%s is %s, not %s", test.object, core.ExprString(got), core.ExprString(r[1].Expr))
		}
	}
}

// TestObjects: the pointer to the object is one variable for its type, however that is called.
func TestObjects(t *testing.T) {
	u := mustLoad(t, resolveProgram+"typedef struct node node_t;", Options{Whole: true})
	r, err := u.Resolve(predicateLines("struct node: val == 1\nnode_t: next == 0\nstruct s: a\nglobal: g"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := u.Resolve(predicateLines("struct node: g == 2"))
	if err != nil {
		t.Fatal(err)
	}
	if r[0].This == nil || r[0].This != r[1].This || r[0].This != again[0].This {
		t.Error("the pointer to a struct node is several variables")
	}
	if r[2].This == nil || r[2].This == r[0].This || r[2].This.Name == r[0].This.Name || r[3].This != nil {
		t.Error("objects of two types, or none, are one variable")
	}
}

// TestResolveBehindMacrosAndLines: predicates find their place in bodies that
// #line moves, in included files, and several on one line.
func TestResolveBehindMacrosAndLines(t *testing.T) {
	main := source.NewFile("m.c", []byte(`#include "f.h"
# 7 "gen.c"
int one(int x) { return x; } int two(int x) { if (x) { } return x; }
#line 7 "gen.c"
int three(int x) { L: return x; }
#define END }
int four(int x) { return x; END
int next(void);
int main(void) { return one(1) + two(2) + three(3) + four(4) + inc(5) + next(); }
#include "late.h"
`))
	headers := map[string]string{"f.h": "static int inc(int x) { return x + 1; }\n", "late.h": "int late; int next(void) { return ++late; }\n"}
	u, err := Load(context.Background(), []*source.File{main}, Options{ReadFile: func(name string) ([]byte, error) {
		if s, ok := headers[name]; ok {
			return []byte(s), nil
		}
		return noFiles(name)
	}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := u.Resolve(predicateLines("one: x == 1\ntwo: x == 2\nthree: x == 3\ninc: x == 'x\nglobal: late == 3\nmain: \\result == 1"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"one", "two", "three", "inc"} {
		if r[i].Proc.Name != want {
			t.Errorf("predicate %d is in %s, want %s", i, r[i].Proc.Name, want)
		}
	}
	if _, err := u.Resolve(predicateLines("four: x == 4")); err == nil || !strings.Contains(err.Error(), "comes from a macro") {
		t.Errorf("four: %v", err)
	}
}

// TestHostilePredicates: an answer within seconds, whatever the text.
func TestHostilePredicates(t *testing.T) {
	u := mustLoad(t, resolveProgram, Options{Whole: true})
	for _, test := range []struct {
		name, text string
		ok         bool
	}{
		{"parentheses", strings.Repeat("(", 10_000) + "x" + strings.Repeat(")", 10_000), true},
		{"not", strings.Repeat("!", 3_000) + "x", true},
		{"minus", strings.Repeat("- ", 3_000) + "x", true},
		{"conjunction", "x" + strings.Repeat(" && x", 3_000), true},
		{"brackets", strings.Repeat("([", 50_000), false},
		{"quotes", strings.Repeat("'", 10_000), false},
		{"newlines", strings.Repeat("\n", 10_000) + "x", true},
		{"a long line", "x == 1" + strings.Repeat(" ", 1_000_000), true},
		{"control characters", "x \x00 y", false},
		{"no character set", "\xff\xfe\xfd", false},
		{"line directive", "x\n#line 3 \"y\"\n", false},
		{"include", "x\n#include \"y\"\n", false},
		{"end of the block", "x); } } int y; int z(void) { { (void)(y", false},
		{"a hundred of them", strings.Repeat("x == 1 || ", 100) + "unknown", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := u.Resolve([]core.PredicateText{{Scope: "f", Text: test.text, Pos: source.Pos{File: "p", Line: 1, Col: 1}}})
			if test.ok != (err == nil) {
				t.Errorf("accepted: %v, want %v: %.300v", err == nil, test.ok, err)
			}
			if err != nil && !source.IsInput(err) {
				t.Errorf("not an input error: %.300v", err)
			}
		})
	}
}
