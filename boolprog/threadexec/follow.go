package threadexec

import (
	"fmt"

	"c2bp/boolprog"
)

// This file follows runs.

// Move is a step of a run: thread Thread, by the order of creation, executes the statement at Site or, with Back,
// assigns the results of the call there.
type Move struct {
	Thread int
	Site
	Back bool
}

// Follow reports whether the program has a run with these moves, the last of which makes an assertion fail or, if
// fails is not set, can be made. The error says which move is impossible.
func Follow(g *boolprog.Graph, moves []Move, fails bool) error {
	x := &program{g}
	now := x.initial()
	for i, m := range moves {
		seen := map[string]bool{}
		var next []state
		possible := false
		for _, s := range now {
			// 1. The thread is there, and may run.
			if m.Thread >= len(s.threads) || !s.runs(m.Thread) {
				continue
			}
			if at, back := s.at(m.Thread); at != m.Site || back != m.Back {
				continue
			}
			// 2. It makes the step; the last one need not lead on.
			possible = possible || !fails && !x.forbidden(s, m.Thread)
			for _, o := range x.step(s, m.Thread) {
				possible = possible || o.fails
				if key := o.next.key(); !o.ends && !seen[key] {
					seen[key] = true
					next = append(next, o.next)
				}
			}
		}
		if i == len(moves)-1 {
			if !possible {
				return fmt.Errorf("the last move, %+v, does not do that", m)
			}
			return nil
		}
		if now = next; len(now) == 0 {
			return fmt.Errorf("move %d, %+v, is impossible", i, m)
		}
	}
	return fmt.Errorf("no moves")
}
