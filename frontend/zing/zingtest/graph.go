package zingtest

import "c2bp/frontend/zing"

// This file defines the graphs of blocks that stand for the bodies of methods.

// block is a piece of a method between two places at which a step may end.
type block struct {
	id      int    // unique in the program
	name    string // for people
	level   int    // 1 inside an atomic region
	glued   bool   // the step goes on to the next block
	returns bool   // a return: the step goes on in the caller
	yields  bool   // a yield
	label   bool   // a label
	scope   *zing.Scope
	pos     zing.Node

	// next is where control goes if do is nil; do performs the block and returns where control goes,
	// or nil if it has moved the process itself.
	next *block
	do   func(*run) *block

	prolog *selection // the select whose prolog this is
}

// selection is a select: the alternatives in the order in which they are tried.
type selection struct {
	node          *zing.Select
	joins         []*zing.Join
	deterministic bool
}

// handlers is the list of handlers of a try.
type handlers struct {
	entry     *block    // the first test
	enclosing *handlers // of the try around it in the same method; nil if there is none
}

// graph has the entry block of each method of a program.
type graph struct {
	program *zing.Program
	entry   []*block // by Method.Index
	blocks  int
}

// buildGraph makes the blocks of all methods of p.
func buildGraph(p *zing.Program) *graph {
	g := &graph{program: p}
	for _, m := range p.Methods {
		b := &builder{graph: g, method: m, labels: map[*zing.Labeled]*block{}}
		g.entry = append(g.entry, b.body())
	}
	return g
}
