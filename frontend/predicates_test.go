package frontend

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// meaningPrelude and meaningMain are the program around the predicates of
// TestPredicatesMeanWhatStatementsMean.
const (
	meaningPrelude = `
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
typedef unsigned char byte;
typedef struct node { int value; struct node *next, *prev; } node;
struct ops { int (*open)(int); void (*close)(void); };
struct __attribute__((packed)) frame { byte kind; unsigned length; byte data[5]; };
struct dev {
  struct ops *ops; void *priv; int lock; byte bytes[4]; _Bool on;
  struct { short x, y; }; union { unsigned whole; signed char part[4]; };
  int low : 3; unsigned high : 7; unsigned long long far : 40; node list; int grid[2][3]; struct frame frame;
};
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
int x, *gp; unsigned u; struct dev card, *cards[2]; int table[10]; long long wide; static short small;
int my_open(int n) { return n; }
int your_open(int n) { return n + 1; }
void my_close(void) { }
struct ops mine = { my_open, my_close };
void f(struct dev *d, int *p, int **pp, int n, node a, int arr[], char c)
{
  int local = n, *q = &local, *near = p; node *it = &d->list; struct dev copy = *d;
  struct dev **dd = &d; int inside[3] = { n, 1, x };
`
	meaningMain = `
}
int main(void)
{
  node a, b; struct ops other = { your_open, my_close }; int here, *where = &here;
  card.ops = __VERIFIER_nondet_int() ? &mine : &other; card.priv = __VERIFIER_nondet_int() ? (void *)&a : (void *)0;
  card.lock = __VERIFIER_nondet_int(); card.on = __VERIFIER_nondet_int(); card.whole = __VERIFIER_nondet_int();
  for (int i = 0; i < 4; i++) card.bytes[i] = __VERIFIER_nondet_int();
  card.x = __VERIFIER_nondet_int(); card.y = 3; card.low = __VERIFIER_nondet_int(); card.high = __VERIFIER_nondet_int(); card.far = __VERIFIER_nondet_int();
  a.value = __VERIFIER_nondet_int(); a.next = &b; a.prev = 0; b = a; b.prev = &a; b.next = &a;
  card.list = __VERIFIER_nondet_int() ? a : b; card.grid[1][2] = __VERIFIER_nondet_int(); card.grid[0][1] = 1;
  card.frame.kind = __VERIFIER_nondet_int(); card.frame.length = __VERIFIER_nondet_int(); card.frame.data[4] = 7;
  cards[0] = &card; cards[1] = 0; here = __VERIFIER_nondet_int(); u = __VERIFIER_nondet_int(); small = __VERIFIER_nondet_int();
  x = __VERIFIER_nondet_int(); wide = __VERIFIER_nondet_int(); gp = __VERIFIER_nondet_int() ? &x : &here;
  for (int i = 0; i < 10; i++) table[i] = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int(); if (n < 0 || n > 2) n = 1;
  f(&card, __VERIFIER_nondet_int() ? &here : gp, &where, n, b, table, __VERIFIER_nondet_int());
  return 0;
}
`
)

// meanings are conditions over what f can see.
var meanings = strings.Split(strings.TrimSpace(`
d->lock == 1
(&d->grid[0])[1][2] == (*(&d->grid[0] + 1))[2] && *(&d->grid[1] - 1)[0] == d->grid[0][0]
&card.grid[1] - card.grid == 1 && (char *)(&d->grid[0] + 1) - (char *)d->grid == 12
*p == 5 || *p < x
arr[n] < n && arr[0] == table[0]
table[n] == table[n + 1]
card.x != 0 && d->y == 3
p == &x
p == gp
p == near
*q == local
p != 0 && !d->priv
d->priv
!card.priv || n
NULL == d->priv
(*dd)->list.next == it
d->ops->open == my_open
d->ops == &mine
d->ops->close == &my_close && *d->ops->open != *my_open
&d->lock == p
&d->list == it && &card.list == it
**pp == *p
*pp + 1 == p + 1
near - p < 1
it->next && it->next->value >= 0
d->bytes[n] == 'a' || d->bytes[n] > 200
d->grid[1][n] == 0 && n == 2
*d->grid[0] == 0 || (*d->grid)[1] == 1
d->whole == 0 || d->part[1] < 0
d->on
d->on == 1
d->low < 0
d->low + d->high > 3
-d->high > 0
d->far << 8 >> 8 == d->far
cards[0]->lock == card.lock
cards[1] == 0 ? n : cards[n]->lock
*&card.lock == 0
(*d).lock > n
n[table] < 0
a.value < card.list.value
a.prev == 0 ? a.next != 0 : a.next == 0
(byte *)&card == (byte *)d
((byte *)&card.whole)[0] == card.part[0]
(unsigned long)p % 4 == 0
(int)(long)d->priv == 0
(void *)(long)d == (void *)&card
container_of(it, struct dev, list)->lock == d->lock
container_of(it, struct dev, list) == d
sizeof *d == sizeof(struct dev) && sizeof d->frame == 10
offsetof(struct dev, frame) > offsetof(struct dev, list)
n ? p == q : p == gp
(n ? p : q) == q
copy.lock == d->lock && copy.list.next == it->next
small == 0 || small > u
x < u
-1 < u
c < 0
c == (signed char)x
(byte)x == (unsigned char)c
wide > x && wide > u
wide / 2 == x
(short)wide == small
d->frame.kind == 0 || d->frame.length > 100
d->frame.data[4] == 7
&d->frame.length == (unsigned *)((char *)&d->frame + 1)
inside[0] == n && inside[2] == x
*(inside + 1) && (inside + 2)[-1] == 1
&inside[2] - inside == 2
inside + n == &inside[n]
n == 0 || n - 1 < u - 1
`), "\n")

// entryMeanings are expressions whose value on entry the program keeps in a variable.
var entryMeanings = strings.Split(strings.TrimSpace(`
n
*p
**pp
d->lock
d->list.next->value
d->ops->open
x
*gp
table[n]
d->frame.length
card.low
(byte)x
p + 1
`), "\n")

// meaning is the program and the predicates, each with the variable of the program that
// has its value.
func meaning() (program string, preds []core.PredicateText, vars []string) {
	var entry, last strings.Builder
	for i, e := range entryMeanings {
		fmt.Fprintf(&entry, "  __typeof__(%s) e%d = %s;\n", e, i, e)
		preds = append(preds, core.PredicateText{Scope: "f", Text: fmt.Sprintf("'(%s) == e%d", e, i)})
		vars = append(vars, "always")
	}
	for i, e := range meanings {
		fmt.Fprintf(&last, "  int r%d = !!(%s);\n", i, e)
		preds = append(preds, core.PredicateText{Scope: "f", Text: e})
		vars = append(vars, fmt.Sprintf("r%d", i))
	}
	change := "  x = (unsigned)x + 1; *p = *p / 2; **pp = 3; d->lock = d->lock == 0; table[n] = 4; d->list.value = 8; n = (n + 1) % 3; d->frame.length++; card.low = 1;\n"
	return meaningPrelude + entry.String() + change + last.String() + "  int always = 1;" + meaningMain, preds, vars
}

// mismatches runs the program and counts the predicates that were true and false at the
// end of f, and those whose value there is not that of the program's expression.
func mismatches(t *testing.T, bits32 bool, report func(seed uint64, i int)) (truths [2]int) {
	t.Helper()
	program, preds, vars := meaning()
	u := mustLoad(t, program, Options{Bits32: bits32})
	resolved, err := u.Resolve(preds)
	if err != nil {
		t.Fatal(err)
	}
	var ghosts []*core.Var
	seen := map[*core.Var]bool{}
	for _, r := range resolved {
		core.WalkVars(r.Expr, func(v *core.Var) {
			if v.Kind == core.Ghost && !seen[v] {
				seen[v] = true
				ghosts = append(ghosts, v)
			}
		})
	}
	f := u.Program.Proc("f")
	const seeds = 40
	undefined := 0
runs:
	for seed := uint64(1); seed <= seeds; seed++ {
		machine := interp.New(u.Program, interp.NewRandom(u.Program, seed), interp.Options{Ghosts: ghosts})
		for machine.Top().Proc() != f || machine.Top().Node() != f.Exit() {
			event, err := machine.Step()
			var ub *interp.UBError
			if errors.As(err, &ub) {
				undefined++
				continue runs
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if event.Kind.Final() {
				t.Fatalf("seed %d: f was not called", seed)
			}
		}
		state := machine.Top().State()
		for i, r := range resolved {
			got := core.EvalIn(r.Expr, state).Sign() != 0
			for _, v := range f.Locals {
				if v.Name == vars[i] && got != (machine.Top().Value(v).Sign() != 0) {
					report(seed, i)
				}
			}
			if got {
				truths[1]++
			} else {
				truths[0]++
			}
		}
	}
	if undefined > seeds/4 {
		t.Errorf("%d of %d runs have undefined behaviour", undefined, seeds)
	}
	return truths
}

// TestPredicatesMeanWhatStatementsMean: a predicate has the value that the program
// computes of the same expression.
func TestPredicatesMeanWhatStatementsMean(t *testing.T) {
	_, preds, _ := meaning()
	for _, bits32 := range []bool{false, true} {
		truths := mismatches(t, bits32, func(seed uint64, i int) {
			t.Errorf("seed %d, 32 bits: %v: the predicate %s has another value than the statement", seed, bits32, preds[i].Text)
		})
		t.Logf("32 bits: %v: %d predicates false, %d true", bits32, truths[0], truths[1])
		if truths[0] < 500 || truths[1] < 500 {
			t.Errorf("hardly any predicate changes: %v", truths)
		}
	}
}
