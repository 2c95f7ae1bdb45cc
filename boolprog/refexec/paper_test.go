package refexec

// fromPaper is the programs of Qadeer–Rajamani 2005, and programs on which its algorithm, taken to the
// letter, goes wrong; in the form of semantics.
var fromPaper = []struct{ name, labels, text string }{
	{"Qadeer–Rajamani 2005, Figure 1 …", "L0 L2 L4", `
class BoolBox { bool x := 1; }
ref BoolBox g1, g2;
void main() begin
  g1 := new BoolBox;
  g2 := g1;
  g1.x := 0;
  M();
  assert(!g1.x & !g2.x);
end
void M() begin
  ref BoolBox f;
  L0: f := new BoolBox;
  if (*) then
    L2: f.x := g1.x;
    g1 := f;
    L4: M();
  fi
end`},
	{"Figure 1 with a last call", "", `
class BoolBox { bool x := 1; }
ref BoolBox g1, g2;
void main() begin
  g1 := new BoolBox;
  g2 := g1;
  g1.x := 0;
  M(1, 1);
  assert(!g1.x & !g2.x);
  assert(g1 = g2); // fails
end
void M(more, yet) begin
  ref BoolBox f;
  f := new BoolBox;
  if (more & *) then
    f.x := g1.x;
    g1 := f;
    M(yet, 0);
  fi
end`},
	{"Qadeer–Rajamani 2005, Figure 2", "", `
decl x, y, z;
void main() begin
  x, y, z := 0, 0, 0;
  foo();
  y := 1;
  foo();
end
void foo() begin
  if (*) then
    assume(!x);
    z := 1;
  else
    assume(y);
    assert(0); // fails
  fi
end`},
	{"Qadeer–Rajamani 2005, Figure 10 for N = 3", "", `
class Foo { bool x; }
ref Foo g;
void main() begin
  g := new Foo;
  M0();
  assert(!g.x);
end
void M0() begin
  ref Foo f; decl b;
  f := clone(g); b := *; g.x := b; M1(); assert(g.x = b); g.x := f.x;
end
void M1() begin
  ref Foo f; decl b;
  f := clone(g); b := *; g.x := b; M2(); assert(g.x = b); g.x := f.x;
end
void M2() begin
  ref Foo f; decl b;
  f := clone(g); b := *; g.x := b; M3(); assert(g.x = b); g.x := f.x;
end
void M3() begin skip; end
ref Foo clone(ref Foo this) begin
  ref Foo t;
  t := new Foo;
  t.x := this.x;
  return t;
end`},
	{"visited states without their effects: a read after a branch", "", `
decl g;
void main() begin
  g := 0; foo();
  g := 1; foo();
end
void foo() begin
  if (*) then g := 0; fi
  assert(!g); // fails
end`},
	{"reads of a callee that returns nothing", "", `
decl y;
void main() begin
  if (*) then y := 0; foo(); else y := 1; foo(); fi
end
void foo() begin bar(); end
void bar() begin assume(y); assert(0); end // fails`},
	{"entry cells are not interchangeable", "", `
class C { bool x; }
ref C g1, g2;
void main() begin
  ref C c;
  g1, g2 := new C, new C;
  c := g1;
  M();
  assert(c = g1); // fails
end
void M() begin
  if (*) then g2 := null; else g1 := g2; g2 := null; fi
end`},
	{"addresses of a callee's pattern are the callee's", "", `
class C { bool x; }
ref C g1, g2;
decl k;
void main() begin
  ref C a, b;
  a, b := new C, new C;
  g1, g2, k := a, b, 0;
  foo();
  g1, g2, a.x, k := b, a, 1, 1;
  foo();
  b.x := 1;
  foo();
end
void foo() begin
  if (k) then skip; fi
  if (g2 = null) then skip; fi
  bar();
end
void bar() begin assert(!g1.x); end // fails`},
	{"a caller goes on with its effect", "", `
decl g;
void main() begin
  g := 0;
  foo();
  assert(!g); // fails
end
void foo() begin g := 1; bar(); end
void bar() begin skip; end`},
}
