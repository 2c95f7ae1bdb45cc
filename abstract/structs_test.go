package abstract

import (
	"context"
	"errors"
	"testing"

	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/source"
)

// Functions that return structs: into a variable, a member, an element, through a pointer,
// from a recursive call whose own result has the same name, and to nobody.
const structs = `
extern int __VERIFIER_nondet_int(void);
struct pair { int first, second; unsigned char flag; };
struct outer { int before; struct pair in; int after; } o;
struct pair table[2];
struct pair *where;
struct pair make(int a, int b)
{
    struct pair q = { a, b, a == b };
    if (a > 1) {
        struct pair inner = make(a - 1, b);
        q.second = inner.second + 1;
        q.flag = inner.flag;
    }
    return q;
}
struct pair turned(struct pair p)
{
    struct pair q = { p.second, p.first, p.flag };
    p.first = 0;
    return q;
}
int main(void)
{
    struct pair q = make(__VERIFIER_nondet_int() & 3, __VERIFIER_nondet_int() & 1);
    where = __VERIFIER_nondet_int() ? &q : &table[1];
    o.in = turned(q);
    table[1] = turned(o.in);
    *where = turned(*where);
    make(1, 2);
    q = make(q.second, q.first);
    return 0;
}
`

const structPredicates = `
global:
  o.in.first == 1, o.in.second == 1, table[1].second == 1, o.in.flag == 1,
  table[1].first == o.in.second
make:
  \result.first == 'a, \result.second == 'b, \result.flag == 1, \result.first == 1, q.first == 'a, q.second == 'b, inner.second == 1
turned:
  \result.first == '(p.second), \result.second == '(p.first), \result.first == 1, \result.second == o.in.first,
  \result.flag == 1, q.first == '(p.second), q.second == '(p.first), p.first == '(p.first), p.second == '(p.second)
main:
  q.first == 1, q.second == 1, q.flag == 1, where == &q, where->first == 1
`

// simulateStructs runs the program above until a violation.
func simulateStructs(t *testing.T, runs uint64, opts Options) (steps int, err error) {
	t.Helper()
	unit, err := frontend.Load(context.Background(), []*source.File{source.NewFile("s.c", []byte(structs))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	texts, err := ParsePredicates(source.NewFile("s.preds", []byte(structPredicates)))
	if err != nil {
		t.Fatal(err)
	}
	resolved, err := unit.Resolve(texts)
	if err != nil {
		t.Fatal(err)
	}
	var preds []*Predicate
	for _, q := range resolved {
		preds = append(preds, NewPredicate(q.Proc, q.Expr, q.Name))
	}
	s, err := newSimulation(unit.Program, preds, opts)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range runs {
		n, err := s.run(seed, 400)
		steps += n
		if err != nil && !errors.Is(err, errDiscarded) {
			return steps, err
		}
	}
	return steps, nil
}

func TestStructResults(t *testing.T) {
	opts := Options{Jobs: 1, MaxExact: campaignExact}
	steps, err := simulateStructs(t, testkit.Count[uint64](20, 200), opts)
	if err != nil {
		t.Fatal(err)
	}
	if steps < 1000 {
		t.Errorf("only %d steps were simulated", steps)
	}
}
