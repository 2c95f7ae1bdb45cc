package ltlcheck

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"c2bp/boolprog/bptest"
	"c2bp/source"
	"c2bp/verdict"
)

const (
	flip = `decl x;
void main() begin
  x := 0;
  while (*) do x := !x; od
  E: skip;
end`
	list = `class C { bool done; ref C next; }
ref C first;
void main() begin
  ref C p;
  while (*) do
    p := new C;
    p.next := first;
    first := p;
  od
end`
	endless = `class C { bool b; }
void main() begin p(); end
void p() begin ref C x; x := new C; p(); end`
	// The callee of the first program replaces g once, so that its new object may get the name of the caller's own;
	// that of the second one does so twice (Rot et al. 2012, §3).
	once = `class C { ref C f; }
ref C g;
void main() begin ref C l; l := new C; g := new C; l.f := g; p(); E: skip; end
void p() begin g := new C; end`
	twice = `class C { ref C f; }
ref C g;
void main() begin ref C l; l := new C; g := new C; l.f := g; p(); E: skip; end
void p() begin g := new C; g := new C; end`
	never = `class C { ref C f; }
ref C g;
void main() begin ref C l; l := new C; g := new C; l.f := g; p(); E: skip; end
void p() begin skip; end`
)

// The verdicts on small programs.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, program, formula string
		fair                   []string
		want                   string
	}{
		{"globals are arbitrary", "decl x; void main() begin skip; end", "{x?}", nil, "FALSE"},
		{"the other way", "decl x; void main() begin skip; end", "!{x?}", nil, "FALSE"},
		{"both values", flip, "G F x? & G F !x?", nil, "FALSE"},
		{"a run that ends stays", flip, "F (@E & X X G (x? | !x?))", []string{"E"}, "TRUE"},
		{"the loop may go on for ever", flip, "F @E", nil, "FALSE"},
		{"a name without a mark", flip, "X X G (x -> X x)", nil, "FALSE"},
		{"after the assignment", flip, "X !x?", nil, "TRUE"},
		{"a predicate is a variable", "decl {n == 1}; void main() begin {n == 1} := 1; end", "X G {n == 1}", nil, "TRUE"},
		{"a predicate in an expression", "decl {n == 1}; void main() begin {n == 1} := 1; end", "X G {{n == 1}? + nil.nil}", nil, "TRUE"},

		{"a failed assumption is no run", "decl x; void main() begin x := 0; assume(x); end", "F x?", nil, "TRUE"},
		{"what it violated before counts", "decl x; void main() begin x := 1; x := 0; assume(x); end", "X G x?", nil, "FALSE"},
		{"but an exit of C is the end of a run", `decl x; void main() begin x := 0;
//@ main:1 a.c:3:1 exit(1);
assume(0);
end`, "F x?", nil, "FALSE"},
		{"an assumption of C is none", `decl x; void main() begin x := 0;
//@ main:1 a.c:3:1 __VERIFIER_assume(0);
//@ origin assume
assume(0);
end`, "X F x?", nil, "TRUE"},
		{"but an exit beside one is", `decl x; void main() begin x := 0;
//@ main:1 a.c:3:1 __VERIFIER_assume(1), exit(1);
assume(0);
end`, "X F x?", nil, "FALSE"},
		{"inside of a statement of C", `decl x, y; void main() begin
//@ main:0 a.c:3:1 x = y;
x, y := 0, 0;
//@ main:1 a.c:4:1 y = x, x = 0;
x := 1;
//@ main:1 a.c:4:1 y = x, x = 0;
x, y := 0, 1;
end`, "X G !x?", nil, "TRUE"},
		{"an exit inside of a statement of C", `decl x; void main() begin x := 0;
//@ main:1 a.c:3:1 exit(f());
x := 1;
//@ main:1 a.c:3:1 exit(f());
assume(0);
end`, "X F x?", nil, "TRUE"},
		{"after a call of C", `decl x; void main() begin x := 0;
//@ main:1 a.c:3:1 f();
//@ origin call
f();
//@ main:1 a.c:3:1 f();
//@ origin return
x := 0;
end
void f() begin x := 0;
//@ f:1 a.c:3:1 f();
x := 1;
//@ f:1 a.c:3:1 f();
x := 1;
end`, "F (x? & X !x?)", nil, "TRUE"},
		{"a branch of C that cannot be taken", `decl x; void main() begin x := 0;
if (*) then
//@ main:1 a.c:3:1 x
//@ origin branch-true
L: assume(x);
fi
end`, "G (@L -> x?)", nil, "TRUE"},
		{"a goto to a statement of C is none of its own", `decl x; void main() begin
//@ main:0 a.c:3:1 x = 0;
L0: x := 0;
//@ main:1 a.c:4:1 x = 1;
x := 1;
//@ main:0 a.c:3:1 x = 0;
goto L0;
end`, "X X (x? & X !x?)", nil, "TRUE"},
		{"nor is an arm without statements", `decl x; void main() begin
//@ main:0 a.c:3:1 x = 0;
x := 0;
//@ main:1 a.c:4:1 if (x) x = 0;
if (x) then
//@ main:2 a.c:4:1 if (x) x = 0;
x := 0;
else skip; fi
//@ main:3 a.c:5:1 x = 1;
x := 1;
end`, "X X (!x? & X x?)", nil, "TRUE"},
		{"a variable of C", "decl {x != 0}; void main() begin {x != 0} := 1; end", "X G (x? & {x?} & {nil.x? + x?})", nil, "TRUE"},
		{"nor one whose condition cannot hold", `decl x; void main() begin x := 0;
if (*) then
//@ main:1 a.c:3:1 x
//@ origin branch-true
assume(0);
fi
x := 1;
end`, "F x?", nil, "TRUE"},
		{"an enforce clause forbids the state", "decl x; void main() begin enforce x; x := 0; end", "G x?", nil, "TRUE"},
		{"a failed assertion ends the run", "decl x; void main() begin x := 0; assert(x); x := 1; end", "X F x?", nil, "FALSE"},
		{"a null dereference ends the run", "class C { bool b; } ref C r; decl x; void main() begin x := 0; r.b := 1; x := 1; end", "X F x?", nil, "FALSE"},

		{"a call is a step", "decl x; void main() begin f(); end void f() begin x := 1; x := 0; end", "X @A | X X x?", nil, "error"},
		{"a call and a return are steps", "decl x; void main() begin x := 0; f(); B: skip; end void f() begin A: x := 1; end", "X X (@A & X (x? & X @B))", nil, "TRUE"},
		{"a local that cannot be seen is 0", "void main() begin decl y; y := 1; f(); B: skip; end void f() begin A: skip; end", "X (y? & X (@A & !y? & X (!y? & X (@B & y?))))", nil, "TRUE"},
		{"a qualified local", "void main() begin decl y; y := 1; f(); end void f() begin decl y; y := 1; skip; end", "F main::y?", nil, "TRUE"},
		{"the other one", "void main() begin decl y; y := 0; end void f() begin decl y; y := 1; skip; end", "G !f::y?", nil, "TRUE"},

		{"lists grow", list, "G {first.next*.nil + !first}", nil, "UNKNOWN (heap path longer than 100"},
		{"allocation on the stack", endless, "G {nil.!nil + ε}", nil, "TRUE"},
		{"without objects every atom holds", endless, "G F {x}", nil, "TRUE"},
		{"one object at most", endless, "G {x + main::x + !x}", nil, "error"},

		{"replaced once: l.f is not g", once, "F (@E & {!l + f.!g.f.nil})", nil, "TRUE"},
		{"replaced twice: l.f is not g", twice, "F (@E & {!l + f.!g.f.nil})", nil, "TRUE"},
		{"not replaced: l.f is g", never, "F (@E & {!l + f.g})", nil, "TRUE"},
		{"not replaced: l.f is g, and nothing else", never, "F (@E & {!l + f.!g})", nil, "FALSE"},

		{"through two calls: l.f is g", `class C { ref C f; }
ref C g;
void main() begin ref C l; l := new C; g := new C; l.f := g; p(); E: skip; end
void p() begin ref C k; k := g; g := null; q(); g := k; end
void q() begin g := new C; end`, "F (@E & {!l + f.g})", nil, "TRUE"},
		{"dead variables count", "class C { bool b; } void main() begin ref C a, b; a := new C; b := new C; skip; E: skip; end", "G (@E -> !{a})", nil, "TRUE"},
		{"two callers", `class C { ref C f; }
ref C g;
void main() begin ref C l; g := new C; p(); l := g; A: skip; p(); B: skip; end
void p() begin g := new C; end`, "F (@A & {l}) & F (@B & {g.f.nil + l.!g})", nil, "TRUE"},

		{"any object, those of callers too", "class C { bool b; } ref C g; void main() begin ref C l; l := new C; f(); end void f() begin g := any C; end", "F {!g + b? + g}", nil, "TRUE"},
		{"an undecided reference", "class C { ref C n; } ref C g; void main() begin g := any C new; skip; end", "G {g.n*.nil}", nil, "UNKNOWN (an atom asks for a reference"},
		{"calls without an end, with any object", "class C { bool b; } ref C g; void main() begin g := any C; main(); end", "G {nil.b? + ε}", nil, "UNKNOWN (calls nested more than 200 deep"},
		{"calls without an end", "decl x; void main() begin x := 1; main(); end", "X G F x?", nil, "TRUE"},
		{"threads", "void main() begin start_thread goto L; L: skip; end", "true", nil, "UNKNOWN (the program has threads)"},
	} {
		g := bptest.Parsed(t, c.program)
		r, err := Check(context.Background(), g.Prog, c.formula, Options{Fair: c.fair})
		got := "error"
		if err == nil {
			got = r.Summary()
		} else if !source.IsInput(err) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, want := strings.SplitN(got, " (formula", 2)[0], c.want; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s of\n%s\n%s, want %s (%v)", c.name, c.formula, c.program, got, want, err)
		}
	}
}

// The place of a violation, limits, and errors.
func TestResult(t *testing.T) {
	g := bptest.Parsed(t, flip)
	r, err := Check(context.Background(), g.Prog, "X G !x?", Options{})
	if err != nil || r.Summary() != "FALSE (formula, test.bp:4)" || r.Trace.Loop == 0 {
		t.Error(r, err)
	}
	r, err = Check(context.Background(), bptest.Parsed(t, list).Prog, "G F {first.next*.nil + !first}", Options{MaxStates: 1})
	if err != nil || r.Summary() != "UNKNOWN (more than 1 states)" {
		t.Error(r.Summary(), err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), -time.Second)
	defer cancel()
	r, err = Check(ctx, g.Prog, "G F x?", Options{})
	if err != nil || r.Summary() != "UNKNOWN (time limit reached)" {
		t.Error(r, err)
	}
	for _, c := range []struct{ program, formula, want string }{
		{flip, "G y?", `--ltl:1:3: error: there is no Boolean "y"`},
		{flip, "G {x}", `--ltl:1:4: error: "x" is a Boolean: write x?`},
		{flip, "G @F", `--ltl:1:3: error: no label "F"; expected one of: E`},
		{flip, "G @f::E", `--ltl:1:3: error: no label "f::E"; expected one of: E`},
		{list, "{firs}", `--ltl:1:2: error: there is no variable or field "firs"; did you mean "first"?`},
		{list, "{first?}", `--ltl:1:2: error: "first" is no Boolean but leads to objects`},
		{list, "{first.p*}", ""},
		{"class C { bool b; } decl b; void main() begin skip; end", "{nil.b?}", `--ltl:1:6: error: "b" is a variable and a field`},
	} {
		_, err := Check(context.Background(), bptest.Parsed(t, c.program).Prog, c.formula, Options{HeapPath: 3})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.formula, err)
		}
	}
	if _, err := Check(context.Background(), g.Prog, "true", Options{Fair: []string{"L"}}); err == nil || err.Error() != `--fair: error: no label "L"; expected one of: E` {
		t.Error(err)
	}
}

// A terminated run is shown as one that stays at the end.
func TestTrace(t *testing.T) {
	r, err := Check(context.Background(), bptest.Parsed(t, "decl x; void main() begin x := 0; end").Prog, "F (x? & X true) & F x?", Options{})
	if err != nil {
		t.Fatal(err)
	}
	last := r.Trace.Steps[len(r.Trace.Steps)-1]
	if r.Verdict != verdict.False || r.Trace.Loop != len(r.Trace.Steps) || last.Note != "the run ends here" || last.Text != "the end of main" {
		t.Errorf("%+v", r.Trace)
	}
	var diagnostic *source.Diagnostic
	if _, err := Check(context.Background(), bptest.Parsed(t, flip).Prog, "G (", Options{}); !errors.As(err, &diagnostic) || diagnostic.Pos.Col != 4 {
		t.Error(err)
	}
}

// Objects keep their names through calls and returns.
func TestNames(t *testing.T) {
	for _, whole := range []bool{false, true} {
		r, err := Check(context.Background(), bptest.Parsed(t, once).Prog, "G !@E", Options{Whole: whole})
		if err != nil || r.Verdict != verdict.False {
			t.Fatal(r, err)
		}
		var got []string
		for _, s := range r.Trace.Steps {
			line := s.Text + ":"
			for _, v := range s.Values {
				line += " " + v.Name + "=" + v.Val
			}
			for _, o := range s.Heap {
				for _, f := range o.Fields {
					line += " " + o.Name + "." + f.Name + "=" + f.Val
				}
			}
			got = append(got, line)
		}
		want := []string{
			"l := new C: g=* l=*",
			"g := new C: g=* l=A0 A0.f=null",
			"l.f := g: g=A1 l=A0 A1.f=null A0.f=null",
			"p(): g=* l=*",
			"g := new C: g=*",
			"the end of p: g=*",
			"skip: g=* l=*",
		}
		// With an atom about the heap no variable is dead.
		if strings.Join(got[:len(want)], "\n") != strings.Join(want, "\n") {
			t.Errorf("whole %v:\n%s", whole, strings.Join(got, "\n"))
		}
		r, err = Check(context.Background(), bptest.Parsed(t, once).Prog, "G (@E -> {l.f.g + !l})", Options{Whole: whole})
		if err != nil || r.Verdict != verdict.False {
			t.Fatal(r, err)
		}
		last := r.Trace.Steps[len(want)-1]
		if s := last.Text; s != "skip" || last.Values[0].Val != "A2" || last.Values[1].Val != "A0" || len(last.Heap) != 3 || last.Heap[1].Fields[0].Val != "A1" {
			t.Errorf("whole %v: %+v", whole, last)
		}
	}
}
