package interleave

import (
	"context"

	"c2bp/checker/zom"
)

// This file lists the transitions between states, for pictures.

// Edge is a transition. States have numbers from 1, in the order in which they are met breadth first.
type Edge struct {
	From, To int // To is 0 if the step fails or an assumption does not hold
	Move     Move
	Node     int32       // where the step begins
	Outcome  zom.Outcome // Stepped, or how it fails
}

// Graph explores a model breadth first, past failures, and returns all transitions beside the result.
func Graph(ctx context.Context, model Model, opts Options) (*Result, []Edge) {
	var list []Edge
	numbers := map[ID]int{}
	number := func(id ID) int {
		n, known := numbers[id]
		if !known {
			n = len(numbers) + 1
			numbers[id] = n
		}
		return n
	}
	opts.Search, opts.All = Breadth, true
	e := newEngine(ctx, model, opts)
	number(first)
	e.edge = func(from, to ID, mv Move, o zom.Outcome) {
		edge := Edge{From: number(from), Move: mv, Node: e.node, Outcome: o}
		if o == zom.Stepped {
			edge.To = number(to)
		}
		list = append(list, edge)
	}
	return e.explore(), list
}
