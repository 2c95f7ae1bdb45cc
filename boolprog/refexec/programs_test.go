package refexec

// semantics states the semantics by example. Assertions that can fail stand on lines
// that end with "// fails", statements that can dereference a null on lines that end
// with "// null"; labels are those that are reachable. The programs whose names end with
// "…" have infinitely many states.
var semantics = []struct{ name, labels, text string }{
	{"fields of a new object", "A B C D", `
class Box { bool zero; bool one := 1; bool any := *; ref Box next; }
void main() begin
  ref Box b;
  b := new Box;
  assert(!b.zero & b.one & b.next = null);
  if (b.any) then A: skip; else B: skip; fi
  b := new Box;
  if (b.any) then C: skip; else D: skip; fi
end`},
	{"what variables start with", "A B C D E G", `
class Box { bool x; }
ref Box g;
decl h;
void main(p, ref Box q) begin
  ref Box r;
  decl l;
  assert(g = null & q = null & r = null);
  if (h) then A: skip; else B: skip; fi
  if (p) then C: skip; else D: skip; fi
  if (l) then E: skip; else G: skip; fi
end`},
	{"results without a return", "A B", `
class Box { bool x; }
void main() begin
  decl a;
  ref Box r;
  r := new Box;
  a, r := f();
  assert(r = null);
  if (a) then A: skip; else B: skip; fi
end
(bool, ref Box) f() begin skip; end`},
	{"two names of one object", "", `
class Box { bool x; ref Box next; }
void main() begin
  ref Box a, b;
  a := new Box;
  b := a;
  b.x := 1;
  assert(a.x);
  assert(a = b);
  a.next := b;
  b := a.next.next.next;
  b.x := 0;
  assert(!a.x & a = b);
  b := new Box;
  assert(a = b); // fails
end`},
	{"objects that look alike are different", "A", `
class Box { bool x; }
ref Box g, h;
void main() begin
  g := new Box;
  if (*) then h := g; else h := new Box; fi
  g.x := 1;
  if (!h.x) then A: skip; fi
  assert(h.x | h != g);
  assert(h.x); // fails
end`},
	{"any object is null or one that a variable leads to", "A B C D", `
class Box { bool x; ref Box next; }
ref Box g;
void main() begin
  ref Box a, b;
  a := any Box;
  assert(a = null);
  g := new Box;
  g.next := new Box;
  a := any Box;
  if (a = null) then A: skip; return; fi
  if (a = g) then B: skip; fi
  if (a = g.next) then C: skip; fi
  assert(a = g | a = g.next);
  assert(!a.x);
  g := null;
  b := any Box;
  if (b != null) then if (b != a) then D: assert(a.next = b); fi fi
end`},
	{"any object, or a new one with any fields", "A B C D E", `
class Box { bool x; bool y := 1; ref Box next; }
void main() begin
  ref Box a, b;
  a := any Box new;
  if (a = null) then A: skip; return; fi
  if (a.x & !a.y) then B: skip; fi
  b := a.next;
  assert(a.next = b);
  if (b = null) then C: skip; fi
  if (b = a) then D: skip; fi
  if (b != null) then if (b != a) then E: a.x, b.x := 1, 0; assert(a.x); fi fi
end`},
	{"any object may be one that only a caller knows", "A", `
class Box { bool x; }
void main() begin
  ref Box a;
  a := new Box;
  f();
  assert(!a.x); // fails
end
void f() begin
  ref Box b;
  b := any Box;
  if (b != null) then A: b.x := 1; fi
end`},
	{"any object is one of the moment before the assignment", "A", `
class Box { bool x; }
void main() begin
  ref Box a, b;
  a, b := new Box, any Box;
  assert(b = null);
  a, b := any Box new, any Box new;
  if (b != null) then if (b = a) then A: skip; fi fi
end`},
	{"a field of all objects is made arbitrary", "A B C D", `
class Box { bool x; bool y; ref Box next; }
void main() begin
  ref Box a, b;
  a, b := new Box, new Box;
  dead Box.x, Box.next;
  assert(!a.y & !b.y);
  if (a.x & !b.x) then A: skip; fi
  if (!a.x & b.x) then B: skip; fi
  if (a.next = b) then C: skip; fi
  if (b.next != null) then if (b.next != a) then if (b.next != b) then D: skip; fi fi fi
end`},
	{"a null dereference ends the run", "A", `
class Box { bool x; ref Box next; }
void main() begin
  ref Box r;
  A: r.x := 1; // null
  B: skip;
end`},
	{"null dereferences everywhere", "", `
class Box { bool x; ref Box next; }
ref Box r;
void main() begin
  decl b;
  if (*) then b := r.x; assert(0); fi // null
  if (*) then assert(r.x); fi // null
  if (*) then assume(r.x); assert(0); fi // null
  if (*) then if (r.x) then assert(0); fi fi // null
  if (*) then while (!r.x) do assert(0); od fi // null
  if (*) then use(r.x); assert(0); fi // null
  if (*) then b := r.next.x; assert(0); fi // null
  if (*) then b := give(); assert(0); fi
  if (*) then abortif r.x; assert(0); fi // null
  if (*) then b := * constrain r.x; assert(0); fi // null
  if (*) then b, r.x := 1, 1 constrain 0; assert(0); fi // null
  assert(r = null);
end
void use(b) begin assert(0); end
bool give() begin return r.x; end // null`},
	{"all operands are evaluated", "", `
class Box { bool x; ref Box next; }
void main() begin
  decl b;
  ref Box r;
  if (*) then b := 0 & r.x; assert(0); fi // null
  if (*) then b := 1 | r.x; assert(0); fi // null
  if (*) then b := 0 => r.x; assert(0); fi // null
  if (*) then b := choose(1, r.x); assert(0); fi // null
  if (*) then b := schoose[1, r.x]; assert(0); fi // null
  if (*) then assert(!(r = null) & r.x); fi // null
  if (*) then assert(* | r.x | *); fi // null
end`},
	{"choose and schoose", "A B C D", `
class Box { bool x; }
void main() begin
  ref Box a, b;
  decl c;
  a, b := new Box, new Box;
  b.x := 1;
  c := choose(b.x, a.x); assert(c);
  c := choose(a.x, b.x); assert(!c);
  c := choose(b.x, b.x); assert(c);
  c := choose(a.x, a.x);
  if (c) then A: skip; else B: skip; fi
  c := schoose[b.x, b.x]; assert(c);
  c := schoose[a.x, b.x]; assert(!c);
  c := schoose[a.x, a.x];
  if (c) then C: skip; else D: skip; fi
end`},
	{"a print evaluates nothing", "A", `
class Box { bool x; }
void main() begin
  ref Box r;
  print(r.x);
  A: skip;
end`},
	{"assignments read before they write", "", `
class Box { bool x; ref Box next; }
void main() begin
  ref Box a, b, c;
  a, b := new Box, new Box;
  c := a;
  a, b := b, a;
  assert(b = c & a != c);
  a.next, b.next := b, a;
  a, a.x := b, 1;
  assert(!a.x & a.next.x);
  a.next, a := null, a.next;
  assert(a.x & c.next = null);
end`},
	{"assignments write from left to right", "", `
class Box { bool x; }
void main() begin
  ref Box a, b;
  a := new Box;
  b := a;
  a.x, b.x := 0, 1;
  assert(a.x);
  b.x, a.x := 1, 0;
  assert(!a.x);
end`},
	{"constrain", "A B", `
class Box { bool x; }
void main() begin
  decl b;
  ref Box g, h;
  g := new Box;
  b, g.x := *, 1 constrain g.x | 'b;
  assert(b);
  if (*) then
    h := g constrain 'h != h;
    A: assert(h = g);
    h := g constrain 'h != h;
    assert(0);
  else
    g, h := h, g constrain h = null & 'g = null;
    B: assert(h.x);
  fi
end`},
	{"calls pass values", "", `
class Box { bool x; ref Box next; }
void main() begin
  ref Box a, b;
  decl c;
  a := new Box;
  b, c := change(a, 0);
  assert(a.x & b != a & !c & !b.x);
  _, c := change(a, 1);
  assert(c);
end
(ref Box, bool) change(ref Box p, q) begin
  p.x := 1;
  p := new Box;
  return p, q;
end`},
	{"targets of calls are found after the call", "", `
class Box { bool x; ref Box next; }
ref Box g;
void main() begin
  ref Box old;
  g := new Box;
  old := g;
  g.x := renew();
  assert(g.x & !old.x & old != g);
  g.next, g := both();
  assert(g = null & old.next = null);
  g := new Box;
  g.x := drop(); // null
  assert(0);
end
bool renew() begin g := new Box; return 1; end
(ref Box, ref Box) both() begin return g, null; end
bool drop() begin g := null; return 1; end`},
	{"a target that is null before the call", "", `
class Box { bool x; }
ref Box g;
void main() begin
  g.x := make();
  assert(g.x);
end
bool make() begin g := new Box; return 1; end`},
	{"targets of one call", "", `
class Box { bool x; ref Box next; }
void main() begin
  ref Box a, b;
  a := new Box;
  b := a;
  a, a.next := two();
  assert(a != b);
  assert(b.next != null);
  assert(a.next = null);
  assert(a != b.next);
end
(ref Box, ref Box) two() begin
  ref Box x, y;
  x, y := new Box, new Box;
  return x, y;
end`},
	{"enforce", "A B C", `
class Box { bool x; }
ref Box g;
void main() begin
  g := new Box;
  f();
  A: assert(!g.x);
  if (*) then
    h();
    assert(0);
  fi
  C: skip;
end
void f() begin
  enforce !g.x;
  set();
  assert(!g.x);
  if (*) then g.x := 1; assert(0); fi
end
void set() begin g.x := 1; B: g.x := 0; end
void h() begin
  enforce g = null;
  assert(0);
end`},
	{"enforce behind a call", "A", `
class Box { bool x; }
ref Box g, spare;
void main() begin
  g, spare := new Box, new Box;
  f();
end
void f() begin
  enforce !g.x;
  A: flip();
  B: assert(0);
end
void flip() begin g.x := 1; end`},
	{"a null dereference in enforce", "A", `
class Box { bool x; }
ref Box g;
void main() begin
  g := new Box;
  f();
end
void f() begin
  enforce g.x | !g.x;
  A: drop();
  B: assert(0); // null
end
void drop() begin g := null; end`},
	{"an assertion that can hold and fail", "A", `
class Box { bool x := *; }
void main() begin
  ref Box b;
  b := new Box;
  assert(b.x | *); // fails
  A: assert(b.x | !b.x);
end`},
	{"recursion keeps its locals", "Deep", `
class Box { bool x; ref Box next; }
ref Box g;
void main() begin
  g := new Box;
  down(1, 1);
  assert(g.x & g.next = null);
  assert(!g.x); // fails
end
void down(again, more) begin
  ref Box mine;
  mine := g;
  if (again) then
    g := new Box;
    g.next := mine;
    down(more, 0);
    assert(mine = g.next);
    if (*) then assert(mine.next = null); fi // fails
    g := mine;
  else
    mine := mine.next;
    mine := mine.next;
    Deep: mine.x := 1;
  fi
end`},
	{"a list of any length …", "", `
class Box { bool x; ref Box next; }
void main() begin
  ref Box list, b;
  list := new Box;
  list.x := 1;
  while (*) do
    b := new Box;
    b.next := list;
    list := b;
  od
  if (list.next != null) then assert(list.x | list.next.x); fi // fails
  assert(list.x); // fails
end`},
	{"garbage does not count", "A", `
class Box { bool x; ref Box next; }
void main() begin
  ref Box b;
  while (*) do b := new Box; b.next := b; od
  if (b != null) then A: assert(b.next.next = b); fi
end`},
}
