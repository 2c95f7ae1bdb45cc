package refexec

import (
	"context"
	"fmt"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/verdict"
)

// This file defines how a run that somebody else tells of is checked.

// Moment is a place on a run, and what is said to hold there: the values of the variables
// in scope, "*" where nothing is said, and the objects that they lead to, by any names.
type Moment struct {
	bpexec.Site
	Depth  int // frames below the top
	Values []verdict.Value
	Heap   []verdict.Object
}

// End is how a run ends behind its last moment.
type End int

// The ends of runs.
const (
	Anyhow End = iota // it has come there: that is all
	Failure
	NullDereference
)

// TooManyError says that what a run leaves open has more ways than are tried.
type TooManyError struct{ States int }

func (e *TooManyError) Error() string { return fmt.Sprintf("more than %d states to follow", e.States) }

// mostFollowed is how many states are followed side by side.
const mostFollowed = 3000

// Follow returns an error unless g has a run that goes by the moments, one after the other,
// and ends as told at a node. Nodes without a statement may come between them, and behind
// the last.
func Follow(ctx context.Context, g *boolprog.Graph, moments []Moment, end End, at bpexec.Site) error {
	x := &explorer{
		ctx: ctx, graph: g, opts: Options{MaxStates: mostFollowed, MaxDepth: 1 << 30, MaxHeap: 1 << 30},
		seen: map[string]bool{}, reached: map[bpexec.Site]bool{}, failing: map[bpexec.Site]bool{}, nulls: map[bpexec.Site]bool{},
	}
	x.tapes(x.start)
	for i, m := range moments {
		here := x.matching(m)
		if x.cut.States {
			return &TooManyError{mostFollowed}
		}
		if len(here) == 0 {
			return fmt.Errorf("no run comes to moment %d as told: %+v", i, m)
		}
		clear(x.seen)
		clear(x.failing)
		clear(x.nulls)
		for _, s := range here {
			x.tapes(func(t *tape) { x.step(s.clone(), t) })
		}
	}
	x.matching(Moment{Site: bpexec.Site{Proc: -1}})
	if end == Failure && !x.failing[at] || end == NullDereference && !x.nulls[at] {
		return fmt.Errorf("the run does not end as told, at %+v", at)
	}
	return nil
}

// matching empties the queue, goes on through nodes without a statement, and returns the
// states that are as m tells.
func (x *explorer) matching(m Moment) (here []*state) {
	for len(x.queue) > 0 && !x.stopped() {
		s := x.queue[0]
		x.queue = x.queue[1:]
		switch top := s.top(); {
		case top.proc.Nodes[top.node].Stmt == nil:
			x.tapes(func(t *tape) { x.step(s.clone(), t) })
		case siteOf(s) == m.Site && len(s.frames) == m.Depth+1 && s.matches(m):
			here = append(here, s)
		}
	}
	return here
}

// matches reports whether s has the values of m, different names standing for different
// objects.
func (s *state) matches(m Moment) bool {
	named, objects := map[string]*object{}, map[*object]string{}
	same := func(text string, v value) bool {
		switch v := v.(type) {
		case bool:
			return text == "*" || text == map[bool]string{false: "0", true: "1"}[v]
		case *object:
			switch {
			case text == "*":
				return true
			case v == nil || text == "null":
				return v == nil && text == "null"
			case named[text] == nil && objects[v] == "":
				named[text], objects[v] = v, text
			}
			return named[text] == v && objects[v] == text
		}
		return false
	}
	for _, v := range m.Values {
		if !same(v.Val, *s.variable(v.Name)) {
			return false
		}
	}
	for _, o := range m.Heap {
		at := named[o.Name]
		if at == nil || at.class.Name != o.Class {
			return false
		}
		for i, f := range o.Fields {
			if !same(f.Val, at.fields[i]) {
				return false
			}
		}
	}
	return true
}
