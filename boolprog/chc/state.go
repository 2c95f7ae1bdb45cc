package chc

import (
	"fmt"
	"slices"

	"c2bp/boolprog"
)

// This file applies predicates to states of a procedure.

// predicate returns the symbol of a node's predicate, and summary that of the summary.
func (p *proc) predicate(node int) string { return symbol(p.name, fmt.Sprintf(".%d", node)) }
func (p *proc) summary() string           { return symbol(p.name, ".summary") }

// state is a term for every variable of the predicates of a procedure.
type state struct {
	p   *proc
	in  []string // terms of p.inputs
	now []string // terms of p.vars; not all are arguments at every node
}

// state returns the state in which all terms are variables of the clause.
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

// use returns terms as the arguments of an atom: variables among them are quantified.
func (c *clause) use(terms ...string) []string {
	for _, t := range terms {
		if t != "true" && t != "false" {
			c.variable(t)
		}
	}
	return terms
}

// get returns the term of a variable.
func (s state) get(r *boolprog.Ref) string { return s.now[s.p.at[s.p.find(r)]] }

// set changes the term of a variable, if it is an argument.
func (s state) set(v int, term string) {
	if i, ok := s.p.at[v]; ok {
		s.now[i] = term
	}
}

// copy returns a state that can be changed.
func (s state) copy() state {
	s.now = append([]string(nil), s.now...)
	return s
}

// at returns the atom that control is at a node in this state.
func (c *clause) at(s state, node int) string {
	return atom(s.p.predicate(node), c.use(s.at(node)...))
}

// at returns the arguments of a node's predicate.
func (s state) at(node int) []string {
	args := slices.Clone(s.in)
	for i, t := range s.now {
		if s.p.live[node].has(i) {
			args = append(args, t)
		}
	}
	return args
}

// call returns the summary of p, with terms for its inputs, outputs and results.
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
