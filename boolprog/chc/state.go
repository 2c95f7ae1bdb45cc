package chc

import (
	"fmt"
	"slices"

	"c2bp/boolprog"
)

// This file defines predicates applied to the state of a procedure.

func (p *proc) predicate(node int) string { return symbol(p.name, fmt.Sprintf(".%d", node)) }
func (p *proc) summary() string           { return symbol(p.name, ".summary") }

// state is a term for every variable that the predicates of a procedure are about.
type state struct {
	p   *proc
	in  []string // as p.inputs
	now []string // as p.vars; not all are arguments at every node
}

// state is the state in which all of them are variables of the clause.
func (p *proc) state() state {
	s := state{p: p}
	for _, v := range p.inputs {
		s.in = append(s.in, p.in[v])
	}
	for _, v := range p.vars {
		s.now = append(s.now, p.now[v])
	}
	return s
}

// use makes the arguments of an atom: variables among them are quantified.
func (c *clause) use(terms ...string) []string {
	for _, t := range terms {
		if t != "true" && t != "false" {
			c.variable(t)
		}
	}
	return terms
}

// get is the term of a variable.
func (s state) get(r *boolprog.Ref) string { return s.now[s.p.at[s.p.find(r)]] }

// set changes the term of a variable; one that is no argument is forgotten.
func (s state) set(v int, term string) {
	if i, ok := s.p.at[v]; ok {
		s.now[i] = term
	}
}

// copy is a state that can be changed.
func (s state) copy() state {
	s.now = append([]string(nil), s.now...)
	return s
}

// atom says that control is at a node in this state.
func (c *clause) at(s state, node int) string {
	return atom(s.p.predicate(node), c.use(s.at(node)...))
}

// at is the arguments of a node's predicate.
func (s state) at(node int) []string {
	args := slices.Clone(s.in)
	for i, t := range s.now {
		if s.p.live[node].has(i) {
			args = append(args, t)
		}
	}
	return args
}

// call is the summary of p, given terms for its inputs, outputs and results.
func (c *clause) call(p *proc, in, out func(int) string, results []string) string {
	var args []string
	for _, v := range p.vars {
		if p.isInput(v) {
			args = append(args, in(v))
		}
	}
	for _, v := range p.outputs() {
		args = append(args, out(v))
	}
	return atom(p.summary(), c.use(append(args, results...)...))
}
