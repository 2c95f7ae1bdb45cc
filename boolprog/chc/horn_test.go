package chc

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// This file solves clauses by brute force: it reads the text that Write wrote, of
// which it knows nothing but SMT-LIB, and computes the least solution fact by fact.

// sexpr is a symbol or a list.
type sexpr struct {
	word string
	list []sexpr
}

func (s sexpr) is(word string) bool { return len(s.list) > 0 && s.list[0].word == word }

func readAll(t testing.TB, text string) (all []sexpr) {
	t.Helper()
	stack := [][]sexpr{nil}
	top := func() *[]sexpr { return &stack[len(stack)-1] }
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\n':
			i++
		case c == ';':
			i += strings.IndexByte(text[i:], '\n')
		case c == '(':
			stack = append(stack, []sexpr{})
			i++
		case c == ')':
			list := *top()
			stack = stack[:len(stack)-1]
			*top() = append(*top(), sexpr{list: list})
			i++
		case c == '|':
			end := i + 1 + strings.IndexByte(text[i+1:], '|')
			*top() = append(*top(), sexpr{word: text[i+1 : end]})
			i = end + 1
		default:
			end := i + strings.IndexAny(text[i:], " \n()")
			*top() = append(*top(), sexpr{word: text[i:end]})
			i = end
		}
	}
	if len(stack) != 1 {
		t.Fatal("parentheses do not match")
	}
	return stack[0]
}

// formula is a compiled term over the variables of a clause.
type formula func([]bool) bool

type application struct {
	predicate string
	args      []formula
	vars      []int // of the arguments that are variables, else -1
}

// rule is a clause.
type rule struct {
	vars  []string
	body  []application
	conds []formula
	defs  map[int]formula // variables that a condition defines
	head  application     // predicate "" is false
	fired bool
}

// horn is a system of clauses and its least solution.
type horn struct {
	t       testing.TB
	arity   map[string]int
	rules   []*rule
	facts   map[string]map[string]bool // by predicate: tuples of '0' and '1'
	list    map[string][]string        // the same in order of discovery
	uses    map[string][]use
	pending []fact
}

type fact struct{ predicate, tuple string }

type use struct {
	r    *rule
	atom int
}

// solveHorn reads and solves a text.
func solveHorn(t testing.TB, text string) *horn {
	t.Helper()
	h := &horn{t: t, arity: map[string]int{}, facts: map[string]map[string]bool{}, list: map[string][]string{}, uses: map[string][]use{}}
	for _, s := range readAll(t, text) {
		switch {
		case s.is("declare-fun"):
			if _, twice := h.arity[s.list[1].word]; twice {
				t.Fatalf("%s is declared twice", s.list[1].word)
			}
			h.arity[s.list[1].word] = len(s.list[2].list)
			h.facts[s.list[1].word] = map[string]bool{}
		case s.is("assert"):
			h.rule(s.list[1])
		case !s.is("set-logic") && !s.is("check-sat") && !s.is("exit"):
			t.Fatalf("unknown command %v", s)
		}
	}
	for _, r := range h.rules {
		for i, a := range r.body {
			h.uses[a.predicate] = append(h.uses[a.predicate], use{r, i})
		}
		if len(r.body) == 0 {
			h.match(r, -1, 0, make([]bool, len(r.vars)), make([]bool, len(r.vars)))
		}
	}
	for len(h.pending) > 0 {
		f := h.pending[len(h.pending)-1]
		h.pending = h.pending[:len(h.pending)-1]
		for _, u := range h.uses[f.predicate] {
			vals, bound := make([]bool, len(u.r.vars)), make([]bool, len(u.r.vars))
			if u.r.body[u.atom].bind(f.tuple, vals, bound) {
				h.match(u.r, u.atom, 0, vals, bound)
			}
		}
	}
	return h
}

func (h *horn) rule(s sexpr) {
	r := &rule{defs: map[int]formula{}}
	if s.is("forall") {
		for _, v := range s.list[1].list {
			if slices.Contains(r.vars, v.list[0].word) || v.list[1].word != "Bool" {
				h.t.Fatalf("bad quantifier %v", s.list[1])
			}
			r.vars = append(r.vars, v.list[0].word)
		}
		s = s.list[2]
	}
	body, head := s.list[1], s.list[2]
	conjuncts := []sexpr{body}
	if body.is("and") {
		conjuncts = body.list[1:]
	}
	inAtoms, inDefs := map[int]bool{}, map[int]bool{}
	for _, c := range conjuncts {
		if a, ok := h.application(r, c); ok {
			r.body = append(r.body, a)
			for _, v := range a.vars {
				inAtoms[v] = true
			}
		}
	}
	for _, c := range conjuncts {
		if _, ok := h.application(r, c); ok {
			continue
		}
		if c.is("=") {
			// A definition, unless the order of definitions would matter.
			v, uses := slices.Index(r.vars, c.list[1].word), map[int]bool{}
			c.list[2].variables(r, uses)
			ok := v >= 0 && !inAtoms[v] && r.defs[v] == nil && !uses[v] && !inDefs[v]
			for u := range uses {
				ok = ok && r.defs[u] == nil
			}
			if ok {
				r.defs[v] = h.compile(r, c.list[2])
				maps.Copy(inDefs, uses)
				continue
			}
		}
		r.conds = append(r.conds, h.compile(r, c))
	}
	if head.word != "false" {
		a, ok := h.application(r, head)
		if !ok {
			h.t.Fatalf("bad head %v", head)
		}
		r.head = a
	}
	h.rules = append(h.rules, r)
}

// variables adds those in s to a set.
func (s sexpr) variables(r *rule, set map[int]bool) {
	if v := slices.Index(r.vars, s.word); v >= 0 {
		set[v] = true
	}
	for _, sub := range s.list {
		sub.variables(r, set)
	}
}

func (h *horn) application(r *rule, s sexpr) (application, bool) {
	name, args := s.word, []sexpr(nil)
	if len(s.list) > 0 {
		name, args = s.list[0].word, s.list[1:]
	}
	n, ok := h.arity[name]
	if !ok || slices.Contains(r.vars, name) {
		return application{}, false
	}
	if n != len(args) {
		h.t.Fatalf("%s with %d arguments, not %d", name, len(args), n)
	}
	a := application{predicate: name}
	for _, x := range args {
		a.args = append(a.args, h.compile(r, x))
		a.vars = append(a.vars, slices.Index(r.vars, x.word))
	}
	return a, true
}

func (h *horn) compile(r *rule, s sexpr) formula {
	if s.word != "" {
		if v := slices.Index(r.vars, s.word); v >= 0 {
			return func(vals []bool) bool { return vals[v] }
		}
		if s.word != "true" && s.word != "false" {
			h.t.Fatalf("unknown constant %q", s.word)
		}
		return func([]bool) bool { return s.word == "true" }
	}
	var x []formula
	for _, sub := range s.list[1:] {
		x = append(x, h.compile(r, sub))
	}
	two := func(op func(a, b bool) bool) formula {
		if len(x) != 2 {
			h.t.Fatalf("%s of %d", s.list[0].word, len(x))
		}
		return func(vals []bool) bool { return op(x[0](vals), x[1](vals)) }
	}
	switch s.list[0].word {
	case "not":
		return func(vals []bool) bool { return !x[0](vals) }
	case "and":
		return func(vals []bool) bool { return !slices.ContainsFunc(x, func(f formula) bool { return !f(vals) }) }
	case "or":
		return func(vals []bool) bool { return slices.ContainsFunc(x, func(f formula) bool { return f(vals) }) }
	case "=>":
		return two(func(a, b bool) bool { return !a || b })
	case "xor":
		return two(func(a, b bool) bool { return a != b })
	case "=":
		return two(func(a, b bool) bool { return a == b })
	}
	h.t.Fatalf("unknown function %q", s.list[0].word)
	return nil
}

// bind gives the variables among the arguments the values of a tuple; it reports
// whether that is possible.
func (a application) bind(tuple string, vals, bound []bool) bool {
	for i, v := range a.vars {
		want := tuple[i] == '1'
		switch {
		case v < 0:
			if a.args[i](vals) != want { // a constant
				return false
			}
		case bound[v] && vals[v] != want:
			return false
		case !bound[v]:
			vals[v], bound[v] = want, true
		}
	}
	return true
}

// match matches the atoms of r from the one given on; done is matched already.
func (h *horn) match(r *rule, done, atom int, vals, bound []bool) {
	if atom == done {
		h.match(r, done, atom+1, vals, bound)
		return
	}
	if atom < len(r.body) {
		for _, tuple := range h.list[r.body[atom].predicate] {
			v, b := slices.Clone(vals), slices.Clone(bound)
			if r.body[atom].bind(tuple, v, b) {
				h.match(r, done, atom+1, v, b)
			}
		}
		return
	}
	var free []int
	for v := range r.vars {
		if !bound[v] && r.defs[v] == nil {
			free = append(free, v)
		}
	}
	for bits := range 1 << len(free) {
		for i, v := range free {
			vals[v] = bits>>i&1 == 1
		}
		h.derive(r, vals)
	}
}

// derive applies r with the values given.
func (h *horn) derive(r *rule, vals []bool) {
	for v, f := range r.defs {
		vals[v] = f(vals)
	}
	for _, f := range r.conds {
		if !f(vals) {
			return
		}
	}
	r.fired = true
	if r.head.predicate == "" {
		return
	}
	var b strings.Builder
	for _, f := range r.head.args {
		if f(vals) {
			b.WriteByte('1')
		} else {
			b.WriteByte('0')
		}
	}
	tuple := b.String()
	if !h.facts[r.head.predicate][tuple] {
		h.facts[r.head.predicate][tuple] = true
		h.list[r.head.predicate] = append(h.list[r.head.predicate], tuple)
		h.pending = append(h.pending, fact{r.head.predicate, tuple})
	}
}

// queries lists which clauses with the head false fire, by the predicate in the body
// and their number among those with it.
func (h *horn) queries() map[string]bool {
	found, count := map[string]bool{}, map[string]int{}
	for _, r := range h.rules {
		if r.head.predicate == "" {
			p := r.body[0].predicate
			found[fmt.Sprintf("%s/%d", p, count[p])] = r.fired
			count[p]++
		}
	}
	return found
}

// The solver itself must be right.
func TestHorn(t *testing.T) {
	h := solveHorn(t, `; three facts
(set-logic HORN)
(declare-fun p (Bool Bool) Bool)
(declare-fun |q r| () Bool)
(assert (forall ((a Bool) (b Bool)) (=> (and (or a b) (=> a (xor b true))) (p a b))))
(assert (forall ((a Bool)) (=> (and (p a true) (p true a)) |q r|)))
(assert (forall ((a Bool)) (=> (p a a) false)))
(assert (forall ((a Bool)) (=> (p a (not a)) false)))
(check-sat)
`)
	if got := fmt.Sprint(h.list["p"], h.list["q r"]); got != "[10 01] []" {
		t.Error(got)
	}
}
