package certificate_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/refine/certificate"
	"c2bp/source"
)

// This file is about formulas that occur in several places.

// shared is a random graph of formulas over so many predicates, of which the first few have
// a truth at the entry; each is made of some before it.
func shared(rng *rand.Rand, size, preds, atEntry int) []*certificate.Formula {
	list := []*certificate.Formula{certificate.True(), certificate.False()}
	some := func() *certificate.Formula {
		last := min(len(list), 8) // mostly of late ones
		return list[len(list)-1-rng.IntN(last)]
	}
	for range size {
		f := &certificate.Formula{Op: certificate.Op(rng.IntN(int(certificate.Held) + 1))}
		switch f.Op {
		case certificate.Holds:
			f.Pred = rng.IntN(preds)
		case certificate.Held:
			f.Pred = rng.IntN(atEntry)
		case certificate.Not:
			f.Args = []*certificate.Formula{some()}
		case certificate.Iff:
			f.Args = []*certificate.Formula{some(), some()}
		default:
			for range 1 + rng.IntN(4) {
				f.Args = append(f.Args, some())
			}
		}
		list = append(list, f)
	}
	return list
}

// truths evaluates formulas.
func truths(list []*certificate.Formula, now, entry []bool) (out []bool) {
	for _, f := range list {
		out = append(out, holds(f, now, entry))
	}
	return out
}

// Random formulas that share parts are read as they were written, have a text that stays the
// same, and mean as terms what they mean. A definition that is another shows.
func TestSharedFormulas(t *testing.T) {
	const preds, atEntry = 6, 4
	prog := loaded(t, tiny)
	claimed := certificate.Certificate{}
	for _, q := range prog.Procs {
		if q.HasBody() {
			claimed.Procedures = append(claimed.Procedures, &certificate.Procedure{Proc: q})
		}
	}
	main := claimed.Procedures[len(claimed.Procedures)-1]
	for i := range preds {
		v := prog.Globals[0]
		if i >= atEntry {
			v = main.Proc.Result
		}
		e := &core.Binary{Op: core.Eq, X: v.Ref(), Y: &core.Const{Typ: v.Type.(core.Int), Val: big.NewInt(int64(i))}}
		name := fmt.Sprintf("f%d", 2*i) // which the definitions have to avoid
		main.Predicates = append(main.Predicates, &certificate.Predicate{Name: name, Expr: e})
	}
	rng := rand.New(rand.NewPCG(3, 3))
	defined, noticed := 0, 0
	for range 60 {
		list := shared(rng, 40, preds, atEntry)
		for _, p := range claimed.Procedures {
			p.Invariants = nil
			for i := range p.Proc.Nodes {
				f := certificate.True()
				if p == main {
					f = list[len(list)-1-i]
				}
				p.Invariants = append(p.Invariants, f)
			}
		}
		text := textOf(t, certificate.Proof{&claimed})
		again := reread(t, text, prog)
		if got := textOf(t, certificate.Proof{again}); got != text {
			t.Fatalf("read and written again it is\n%s\nnot\n%s", got, text)
		}
		invariants := again.Procedures[len(again.Procedures)-1].Invariants
		var other []*certificate.Formula
		if first := definition.FindStringSubmatch(text); first != nil {
			defined++
			changed := strings.Replace(text, first[0], "    (formula "+first[1]+" (not "+first[2]+"))", 1)
			c := reread(t, changed, prog)
			other = c.Procedures[len(c.Procedures)-1].Invariants
		}
		differs := false
		for range 40 {
			now, entry := booleans(rng, preds), booleans(rng, preds)
			want := truths(main.Invariants, now, entry)
			if got := truths(invariants, now, entry); !slices.Equal(got, want) {
				t.Fatalf("%v became %v in\n%s", want, got, text)
			}
			if got := underTruth(main.Invariants, now, entry); !slices.Equal(got, want) {
				t.Fatalf("%v is %v as terms of\n%s", want, got, text)
			}
			differs = differs || other != nil && !slices.Equal(truths(other, now, entry), want)
		}
		if differs {
			noticed++
		}
	}
	if t.Logf("%d texts with definitions, of %d is seen that one is changed", defined, noticed); defined < 20 || noticed < defined/2 {
		t.Errorf("too little was tested: %d, %d", defined, noticed)
	}
}

func reread(t *testing.T, text string, prog *core.Program) *certificate.Certificate {
	t.Helper()
	p, err := certificate.Read(source.NewFile("t.cert", []byte(text)), prog)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p[0]
}

func booleans(rng *rand.Rand, n int) (list []bool) {
	for range n {
		list = append(list, rng.IntN(2) == 1)
	}
	return list
}

// underTruth is truths by way of terms, in which a predicate is an unknown being 1.
func underTruth(list []*certificate.Formula, now, entry []bool) (out []bool) {
	t := logic.NewTable()
	values := map[*logic.Term]*big.Int{}
	unknowns := func(kind string, truth []bool) func(int) *logic.Term {
		return func(i int) *logic.Term {
			s := t.Sym(fmt.Sprint(kind, i), big.NewInt(0), big.NewInt(1))
			if values[s] = new(big.Int); truth[i] {
				values[s] = big.NewInt(1)
			}
			return t.Eq(s, t.Int(1))
		}
	}
	for _, f := range list {
		term := f.Under(t, unknowns("now", now), unknowns("entry", entry))
		value := term.Eval(func(s *logic.Term) *big.Int { return values[s] }, nil)
		out = append(out, value.Sign() != 0)
	}
	return out
}

// A chain of formulas of which each has the one before it twice is a long text as a tree.
func TestChain(t *testing.T) {
	const length = 2000
	prog := loaded(t, tiny)
	var b strings.Builder
	b.WriteString("(certificate 1 (global (predicate p (== (var g) (const int32 0)))) (procedure f (formula f0 p)")
	for i := range length {
		fmt.Fprintf(&b, "(formula f%d (iff f%d (and p (not f%d))))", i+1, i, i)
	}
	for i := range prog.Proc("f").Nodes {
		fmt.Fprintf(&b, "(node %d f%d)", i, length)
	}
	b.WriteString(") (procedure main")
	for i := range prog.Proc("main").Nodes {
		fmt.Fprintf(&b, "(node %d true)", i)
	}
	b.WriteString("))")
	if text := textOf(t, certificate.Proof{reread(t, b.String(), prog)}); len(text) > 2*b.Len() {
		t.Errorf("%d bytes became %d", b.Len(), len(text))
	}
	validate(t, b.String(), tiny, options)
}
