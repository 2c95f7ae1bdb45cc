package concretise

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/logic"
	"c2bp/prover"
	"c2bp/refine/cex"
	"c2bp/verdict"
)

// This file finds the unlikely choices of the environment that a failing run rests on: null where
// something else was possible, an error number in a pointer, two pointers to one object, a negative
// result of a function, an element of a list that does not point back, and a number other than 0 in a private struct that
// the program has not made: only the program knows such a struct, and most begin as zeros. The idea is that of angelic verification (Das et al. 2015): a failure that needs no
// such choice is worth more to a reader than one that does, and one that does must say so.
//
// Each choice has a formula that takes it away. The choices that the run rests on are the least that is
// left when as many as possible are taken away, with the path as it is:
//
//	int probe(struct dev *dev, struct dev *peer)
//	{
//		dev->users = 1;                   taken away: dev and peer far apart     impossible: named
//		peer->users = 2;
//		if (power_up(dev) < 0)            power_up() >= 0                        impossible: named
//			log(find(dev));               find() != null                         possible: the run is made so
//		assert(dev->users == 1);
//	}
//
// So each choice named is necessary for this path once the ones taken away are away, and the run that is
// reported makes no others.

// taken is a choice that can be taken away.
type taken struct {
	kind    verdict.ChoiceKind
	text    string
	at      *origin
	without []*logic.Term // formulas that take it away, the one for the likeliest run first
}

// grounds is the search for the choices that a path rests on.
type grounds struct {
	*outside
	ctx    context.Context
	prover *prover.Prover
	lits   []*logic.Term // the conditions of the path, and what is away
	hard   int           // how many of them are conditions
	model  *prover.Model // of lits
	rests  []taken
	back   map[*logic.Term]bool // pointers of elements that lead back to what has the list
	vague  bool                 // the prover could not tell
}

// mostOpen bounds the open values of a path that are looked at, mostSteps its steps.
const mostOpen, mostSteps = 48, 5000

// grounds returns the choices that p rests on, and the formulas by which all others are away; nil if that
// cannot be told.
func (c *Confirmer) grounds(ctx context.Context, p *cex.Path) *grounds {
	if len(p.Steps) > mostSteps {
		return nil
	}
	// 1. The path, with the open values that the environment decides.
	o := newOrigins(p)
	x := &outside{Execution: c.ExecuteObserved(ctx, logic.NewTable(), p, o.see)}
	if ctx.Err() != nil {
		return nil
	}
	all := x.roots()
	x.joinRelated()
	// 2. A model of the path, with the ways in which pointers may lie.
	first, step := c.layout()
	hard := slices.Concat(cex.Terms(x.Conds), x.wholeElements())
	asked := x.asked(hard)
	hard = append(hard, x.below(new(big.Int).Sub(first, step), asked)...)
	g := &grounds{outside: x, ctx: ctx, prover: c.Patient(), back: map[*logic.Term]bool{}}
	g.lits, g.model = x.growing(ctx, g.prover, hard, all, x.alone(all, first, step), mostNested, func(roots []*logic.Term) []*logic.Term {
		return x.nestedOrApart(roots, asked, asked, first, step)
	})
	g.hard = len(g.lits)
	if g.model == nil {
		return nil
	}
	// 3. The open values that matter in it: of the reads that a read after many writes may be, those that it is.
	formulas := slices.Concat(cex.Terms(x.Conds), x.Accessed)
	matter := map[*logic.Term]bool{}
	reads := decidingReads(formulas, g.model)
	for _, f := range reads {
		matter[f] = true
	}
	list, of := o.open(x.Execution, formulas)
	list = slices.DeleteFunc(list, func(f *logic.Term) bool {
		// An input of the program is no choice that is unlikely.
		input := !g.isPointer(f) && of[f].callee != nil && isNondet(of[f].callee)
		return input || f.Op == logic.OpApp && !matter[f]
	})
	if len(list) > mostOpen {
		return nil
	}
	// 4. Take away one after the other.
	pointers := g.nulls(list, of, first, step)
	g.pointBack(reads, o.backs)
	g.pairs(pointers, of, step)
	g.negatives(list, of)
	g.states(reads, o.states)
	if g.vague {
		return nil
	}
	return g
}

// away takes a choice away, if that is possible; otherwise the path rests on it.
func (g *grounds) away(t taken) (gone bool) {
	for _, f := range t.without {
		// 1. It is away in the present model, with all that was taken away before.
		if v, ok := g.model.Value(f); ok && v.Sign() != 0 {
			g.lits = append(g.lits, f)
			return true
		}
		// 2. It may be in another one.
		switch a, m := g.prover.Model(g.ctx, append(g.lits[:len(g.lits):len(g.lits)], f), g.Table); a {
		case prover.Sat:
			g.lits, g.model = append(g.lits, f), m
			return true
		case prover.Unknown:
			g.vague = true
		}
	}
	g.rests = append(g.rests, t)
	return false
}

// nulls takes null and error numbers away from pointers, and returns those that lead somewhere. A pointer
// that the path follows is none of these.
func (g *grounds) nulls(list []*logic.Term, of map[*logic.Term]*origin, first, step *big.Int) (pointers []*logic.Term) {
	t := g.Table
	last := new(big.Int).Mul(step, big.NewInt(mostApart))
	last.Add(last, first)
	errors := new(big.Int).Lsh(big.NewInt(1), uint(g.Bits))
	errors.Sub(errors, big.NewInt(4095))
	for _, p := range list {
		if !g.isPointer(p) {
			continue
		}
		somewhere := t.And(t.Le(t.Big(first), p), t.Le(p, t.Big(last)))
		notNull := t.Not(t.Eq(p, t.Int(0)))
		// 1. Null, unless the path follows it.
		if !g.away(taken{verdict.NullChoice, of[p].subject() + " null", of[p], []*logic.Term{t.And(notNull, somewhere), t.And(notNull, t.Lt(p, t.Big(errors))), notNull}}) {
			continue
		}
		// 2. An error number.
		if g.away(taken{verdict.ErrorPointerChoice, of[p].subject() + " an error number", of[p], []*logic.Term{t.Lt(p, t.Big(errors))}}) {
			pointers = append(pointers, p)
		}
	}
	return pointers
}

// isPointer reports whether an open value is a pointer.
func (g *grounds) isPointer(f *logic.Term) bool {
	return f.Op == logic.OpApp && g.readsPointer(f) || g.pointerInputs()[f]
}

// pairs takes pairs of pointers apart. Of pointers that lead into one object, the first stands for all.
func (g *grounds) pairs(pointers []*logic.Term, of map[*logic.Term]*origin, step *big.Int) {
	t := g.Table
	var alone []*logic.Term
pointers:
	for _, p := range pointers {
		if g.back[p] {
			continue
		}
		for _, q := range alone {
			if g.mate(p) == g.mate(q) {
				continue pointers // C says so
			}
			d := t.Big(step)
			if g.inProgram(p) && g.inProgram(q) {
				d = t.Int(1)
			}
			apart := t.Or(t.Le(t.Add(p, d), q), t.Le(t.Add(q, d), p))
			text := of[q].noun + " and " + of[p].noun + " lead to one object"
			if of[q].noun == of[p].noun {
				text = fmt.Sprintf("%s leads to the object of the one before, at line %d", of[p].noun, of[q].pos.Line)
			}
			if !g.away(taken{verdict.SameObjectChoice, text, of[p], []*logic.Term{apart}}) {
				continue pointers
			}
		}
		alone = append(alone, p)
	}
}

// inProgram reports whether a pointer leads to an object of the program in the present model.
func (g *grounds) inProgram(p *logic.Term) bool {
	v, ok := g.model.Value(p)
	return ok && v.BitLen() < 31
}

// negatives takes negative results of functions away. An input of the program, as __VERIFIER_nondet_int
// gives one, is no error.
func (g *grounds) negatives(list []*logic.Term, of map[*logic.Term]*origin) {
	t := g.Table
	for _, v := range list {
		at := of[v]
		if at.callee == nil || g.isPointer(v) || isNondet(at.callee) {
			continue
		}
		if w, ok := core.Word(at.callee.RetType); !ok || !w.Signed {
			continue
		}
		g.away(taken{verdict.NegativeChoice, at.subject() + " a negative number", at, []*logic.Term{t.Le(t.Int(0), v)}})
	}
}

// states takes numbers other than 0 away from private structs that the program has not made: reads of memory from outside
// that the program has not written. Whether they are of the start or of a later change tells nothing: a value that comes with an
// argument of an entry counts as changed by the function of the harness that gives it.
func (g *grounds) states(reads []*logic.Term, of map[*logic.Term]*origin) {
	for _, f := range reads {
		at := of[f]
		if at == nil || !g.Translator.Open(f) || inProgram(f.Args[0]) || g.isPointer(f) {
			continue
		}
		text := fmt.Sprintf("%s is not 0, in a %s that the program has not made", at.noun, at.private.Name)
		if at.led {
			text = fmt.Sprintf("%s is not 0, in an object that a %s leads to which the program has not made", at.noun, at.private.Name)
		}
		g.away(taken{verdict.StateChoice, text, at, []*logic.Term{g.Table.Eq(at.value, g.Table.Int(0))}})
	}
}

// isNondet reports whether a function gives inputs of the program, rather than results of something that
// can fail.
func isNondet(f *core.Proc) bool {
	return strings.HasPrefix(f.CName, "__VERIFIER_nondet") || strings.HasPrefix(f.CName, "klee_")
}

// necessary leaves of the choices those without which the path is impossible, whatever else is away or
// not: those that every run along the path makes.
func (g *grounds) necessary() (list []taken) {
	for _, t := range g.rests {
		alone := append(g.lits[:g.hard:g.hard], t.without[len(t.without)-1])
		if g.prover.Check(g.ctx, alone, g.Table) == prover.Unsat {
			list = append(list, t)
		}
	}
	return list
}

// choices returns choices as reports have them, with the calls back on the path.
func choices(list []taken, p *cex.Path) (out []verdict.Choice) {
	for _, t := range list {
		out = append(out, verdict.Choice{Kind: t.kind, Text: t.text, Pos: t.at.pos, Step: t.at.step})
	}
	return append(out, calledBack(p)...)
}

// calledBack lists the calls of functions of the program by those without a body that were given them.
func calledBack(p *cex.Path) (out []verdict.Choice) {
	for _, s := range p.Steps {
		if c, ok := s.Stmt().(*core.Call); ok && c.By != nil && s.Enter != nil {
			text := fmt.Sprintf("%s() calls %s before it returns", c.By.CName, s.Enter.Proc.CName)
			out = append(out, verdict.Choice{Kind: verdict.CalledBackChoice, Text: text, Pos: s.CoreNode().Pos})
		}
	}
	return out
}
