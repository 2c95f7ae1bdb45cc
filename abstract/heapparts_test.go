package abstract

import (
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// This file simulates programs with objects that lie in others.

// partHead begins these programs. A tag lies in a node, at its beginning and elsewhere, and a node in a hub.
const partHead = `#include <stdlib.h>
struct node;
struct tag { int t; struct node *up; };
struct node { struct tag first; int v; struct tag tag; };
struct hub { int k; struct node node; };
extern struct node *get_node(void);
extern struct tag *get_tag(void);
extern int __VERIFIER_nondet_int(void);
static struct tag *gt, *ge, st;
static struct node tab[2], sn, *n, *m;
static struct hub hub, *h;
static int g;
#define NODE(e) ((struct node *)((char *)(e) - __builtin_offsetof(struct node, tag)))
#define HUB(e) ((struct hub *)((char *)(e) - __builtin_offsetof(struct hub, node)))
static struct node *same(struct node *p) { g = 0; return p; }
static void set(struct tag *t, int x) { t->t = x; }
int main(void)
{
	g = 0;
`

// partCasePredicates are the predicates for these programs.
const partCasePredicates = `
struct tag:
    t == 1, up->v == 1
struct node:
    tag.t == 2, first.t == v, v == 1
global:
    g == 1
`

// TestPartCases simulates small programs in which a part of an object is read and written as one of its own, and
// in its owner.
func TestPartCases(t *testing.T) {
	for name, rest := range map[string]string{
		"through the part": `	n = &sn;
	gt = &n->tag;
	n->tag.t = 0;
	gt->t = 2;
	if (n->tag.t == 2) g = 1;
	gt = &n->first;
	gt->t = n->v;
`,
		"through the owner": `	gt = &sn.tag;
	gt->t = 1;
	tab[0].tag.t = 0;
	n = &sn;
	m = &tab[__VERIFIER_nondet_int() & 1];
	*n = *m;
	if (gt->t == 1) g = 1;
	m->tag = n->first;
`,
		"allocated": `	n = malloc(sizeof *n);
	if (!n) return 0;
	ge = &n->tag;
	ge->t = 1;
	m = NODE(ge);
	m->v = 1;
	if (m == n) g = 1;
	n = calloc(1, sizeof *n);
	if (!n) return 0;
	if (ge == &n->tag) g = 2;
	set(&n->first, 1);
	n->tag = *ge;
`,
		"in a member": `	n = calloc(1, sizeof *n);
	if (!n) return 0;
	n->tag.up = malloc(sizeof *n);
	if (!n->tag.up) return 0;
	gt = &n->tag.up->tag;
	gt->t = 1;
	n->tag.up->v = 1;
	if (n->tag.up->tag.t == 1) g = 1;
`,
		"not set": `	struct node *x = malloc(sizeof *x);
	if (!x) return 0;
	x->first.up = 0;
	x->tag.t = 1;
	x->first.t = x->v = 1;
	m = x->tag.up;
	if (m) g = 1;
`,
		"outside": `	n = get_node();
	m = get_node();
	if (!n || !m) return 0;
	gt = &n->tag;
	gt->t = 1;
	m->tag.t = 2;
	if (gt->t == 2) g = 1;
	if (gt == &m->tag) g = 1;
	gt = get_tag();
	if (!gt) return 0;
	gt->t = 0;
	if (n->first.t == 1) g = 1;
`,
		"an owner outside": `	ge = get_tag();
	n = get_node();
	if (!ge || !n) return 0;
	ge = &n->tag;
	m = NODE(ge);
	m->v = 1;
	NODE(ge)->first.t = 1;
	if (n->v == 1) g = 1;
`,
		"at the beginning": `	n = __VERIFIER_nondet_int() ? &sn : 0;
	gt = (struct tag *)n;
	if (gt) gt->t = 1;
	if ((void *)gt == (void *)n) g = 1;
	m = (struct node *)gt;
	if (m) m->v = 1;
	if (!m) g = 2;
`,
		"alone": `	gt = __VERIFIER_nondet_int() ? &st : &tab[1].tag;
	gt->t = 2;
	if (tab[1].tag.t == 2) g = 1;
	n = &tab[__VERIFIER_nondet_int() & 1];
	if (gt == &n->tag) n->v = 1;
`,
		"result of a call": `	n = __VERIFIER_nondet_int() ? &tab[0] : get_node();
	if (!n) return 0;
	m = &tab[1];
	n->tag.up = same(m);
	gt = &n->tag;
	gt->up = same(gt->up);
	if (gt->up == m) g = 1;
`,
		"in parts of others": `	n = &hub.node;
	gt = &n->tag;
	h = &hub;
	h->node.tag.t = 1;
	h->node.v = 2;
	if (gt->t == 1) g = 1;
	h = HUB(n);
	h->k = 1;
	n->v = 1;
	h = calloc(1, sizeof *h);
	if (!h) return 0;
	set(&h->node.tag, 1);
	n = &h->node;
	n->tag.up = n;
	if (n->v == 2) g = 1;
`,
		"copied with its parts": `	h = malloc(sizeof *h);
	if (!h) return 0;
	hub.node.tag.t = 1;
	gt = &h->node.tag;
	*h = hub;
	if (gt->t == 1) g = 1;
`,
	} {
		var n heapTally
		preds := partCasePredicates
		if strings.Contains(rest, "hub") {
			preds += "struct hub:\n    k == 1, node.v == 2\n"
		}
		if err := n.simulate(partHead+rest+"	return 0;\n}\n", preds, core.ExternArgs, 1, testkit.Count(60, 10_000)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n.classes < 2 || n.discarded > n.runs*3/4 {
			t.Errorf("%s: too little is simulated: %+v", name, n)
		}
	}
}
