package threadexec

import (
	"fmt"

	"c2bp/boolprog"
)

// This file explores all states.

// Found says which sites were found, and with how few context switches.
type Found struct {
	Reached map[Site]int // sites whose statements threads execute
	Failing map[Site]int // assertions that fail
	Most    int          // the greatest number of switches that a state, or a site, needs
	States  int
}

// node is a state with the thread that made the last step.
type node struct {
	s    state
	last int
}

// Explore explores the states of a program that passed Check. It fails if there are more states than most.
func Explore(g *boolprog.Graph, most int) (*Found, error) {
	x := &program{g}
	out := &Found{Reached: map[Site]int{}, Failing: map[Site]int{}}
	seen := map[string]bool{}
	var now, later []node // with so many switches, with one more
	for _, s := range x.initial() {
		now = append(now, node{s, 0})
	}
	for switches := 0; len(now) > 0; switches++ {
		for len(now) > 0 {
			// 1. A state that was not seen with the same last thread.
			n := now[len(now)-1]
			now = now[:len(now)-1]
			key := fmt.Sprint(n.last, " ", n.s.key())
			if seen[key] {
				continue
			}
			seen[key] = true
			out.Most = switches
			if len(seen) > most {
				return nil, fmt.Errorf("more than %d states", most)
			}
			// 2. The steps of all threads. Those of another one cost a switch.
			for t := range n.s.threads {
				if !n.s.runs(t) {
					continue
				}
				if t != n.last {
					later = append(later, node{n.s, t})
					continue
				}
				for _, o := range x.visit(out, n.s, t, switches) {
					if !o.ends {
						now = append(now, node{o.next, t})
					}
				}
			}
		}
		now, later = later, nil
	}
	out.States = len(seen)
	return out, nil
}

// visit returns the outcomes of a step, and notes its findings.
func (x *program) visit(out *Found, s state, t, switches int) []outcome {
	at, returned := s.at(t)
	list := x.step(s, t)
	if !returned && !x.forbidden(s, t) {
		note(out.Reached, at, switches)
	}
	for _, o := range list {
		if o.fails {
			note(out.Failing, at, switches)
		}
	}
	return list
}

// note notes a site, unless it was found with fewer switches.
func note(sites map[Site]int, at Site, switches int) {
	if _, known := sites[at]; !known {
		sites[at] = switches
	}
}
