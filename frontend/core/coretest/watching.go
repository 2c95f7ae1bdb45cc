package coretest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file compares checks that watch one object with the interpreter: it runs a program with them by the choices
// of a run without them.

// Marks tells what of a program was there before a check was put into it.
type Marks struct {
	Own   map[*core.Node]bool // nodes
	Ghost map[*core.Var]bool  // variables that were not
}

// Mark returns the marks of p, into which check puts a check.
func Mark(p *core.Program, check func() error) (Marks, error) {
	m := Marks{map[*core.Node]bool{}, map[*core.Var]bool{}}
	each := func(do func(*core.Var)) {
		for _, g := range p.Globals {
			do(g)
		}
		for _, q := range p.Procs {
			for _, v := range q.Locals {
				do(v)
			}
		}
	}
	// 1. What is there.
	before := map[*core.Var]bool{}
	each(func(v *core.Var) { before[v] = true })
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			m.Own[n] = true
		}
	}
	// 2. What is new.
	err := check()
	each(func(v *core.Var) {
		if !before[v] {
			m.Ghost[v] = true
		}
	})
	return m, err
}

// Watching makes the choices of Random for a program without a check, which has no marks, or for one with it; there it
// also chooses the object to watch: number Watch, from 0, of those that could be.
type Watching struct {
	*interp.Random
	Marks
	Watch int // below 0 when it is chosen
}

// Branch is [interp.Choices].
func (w *Watching) Branch(at interp.Place, next []int) int {
	n := at.Proc.Nodes[at.Node]
	if w.Own == nil || w.Own[n] {
		return w.Random.Branch(at, next)
	}
	if !n.Free || len(next) < 2 { // a condition decides, or an object is watched already
		return next[len(next)-1]
	}
	if w.Watch--; w.Watch == -1 {
		return next[0]
	}
	return next[1]
}

// Value is [interp.Choices].
func (w *Watching) Value(r interp.Request) *big.Int {
	if w.Ghost[r.Var] {
		return new(big.Int)
	}
	return w.Random.Value(r)
}

// Blocks writes two blocks of random statements to b, as the body of a function in C, with nested ones on condition.
// statement writes a statement, a line, or returns false if a nested block is to be there.
func Blocks(rng *rand.Rand, b *strings.Builder, condition string, statement func() bool) {
	var block func(depth int)
	block = func(depth int) {
		for range 2 + rng.IntN(4) {
			indent := strings.Repeat("\t", depth)
			b.WriteString(indent)
			switch {
			case statement():
			case depth < 3:
				fmt.Fprintf(b, "%s (%s) {\n", []string{"if", "while"}[rng.IntN(2)], condition)
				block(depth + 1)
				b.WriteString(indent + "}\n")
			default:
				b.WriteString(";\n")
			}
		}
	}
	block(1)
	block(1)
}
