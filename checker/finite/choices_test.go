package finite

import "testing"

// TestTwoChoices: two choices in one statement lead to one object only if that existed before. Here it is garbage,
// which nothing led to. So the program is refused, or c is never wrong.
func TestTwoChoices(t *testing.T) {
	var c tally
	for _, choices := range []string{"p, q := any C new, any C new;", "p, r := any C new, g.next;", "g.next, q := any C new, g.next;"} {
		p := parse(t, []byte(`class C { bool x; ref C next; }
ref C g;
void main() begin
  ref C p, q, r;
  g := any C new;
  p := any C new;
  p := null;
  if (g != null) then
    `+choices+`
    assert(p = null | p != q & p != r | p = g);
  fi
end`))
		if err := c.agree(p, true); err != nil {
			t.Errorf("%s: %v", choices, err)
		}
	}
	if c.refused+c.complete < c.programs {
		t.Errorf("brute force is not complete: %+v", c)
	}
}

// TestFreshAfterDead: an object has its first values, whatever was made arbitrary before.
func TestFreshAfterDead(t *testing.T) {
	var c tally
	for _, text := range []string{
		"class C { bool x; bool y := 1; ref C next; } void main() begin ref C p; dead C.x, C.y, C.next; p := new C; assert(!p.x & p.y & p.next = null); end",
		"class C { bool x; bool y := *; ref C next; } void main() begin ref C p; p := new C; dead C.x; assert(!p.x); end",
	} {
		if err := c.agree(parse(t, []byte(text)), true); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	}
	if c.safe != 1 || c.failing != 1 {
		t.Errorf("%+v", c)
	}
}
