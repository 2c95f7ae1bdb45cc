package refexec

import (
	"context"
	"fmt"

	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
	"c2bp/verdict"
)

// This file checks a run that another engine reports.

// Moment is a place on a reported run, with the values of the variables in scope ("*" for any
// value) and the objects that they lead to, under any names.
type Moment struct {
	bpexec.Site
	Depth  int // frames below the top
	Values []verdict.Value
	Heap   []verdict.Object
	// Below has values of variables in the frames below, from main upwards, as far as they are told.
	Below [][]verdict.Value
}

// End is the reported end of a run after its last moment.
type End int

// The ends of runs.
const (
	Anyhow End = iota // the run reaches the last moment
	Failure
	NullDereference
)

// TooManyError reports that a run leaves open more values than are tried.
type TooManyError struct{ States int }

func (e *TooManyError) Error() string { return fmt.Sprintf("more than %d states to follow", e.States) }

// mostFollowed is the number of states that are followed side by side.
const mostFollowed = 3000

// Follow returns an error unless g has a run through the moments, one after the other, that ends as
// reported at a node. Nodes without a statement may come between the moments, and after the last.
func Follow(ctx context.Context, g *boolprog.Graph, moments []Moment, end End, at bpexec.Site) error {
	return follow(ctx, g, moments, end, at, (*state).matches)
}

// FollowEager is Follow for a report that tells the values of arbitrary fields before they are read.
func FollowEager(ctx context.Context, g *boolprog.Graph, moments []Moment, end End, at bpexec.Site) error {
	return follow(ctx, g, moments, end, at, func(s *state, m Moment) bool {
		s.decide(g.Prog, m)
		return s.matches(m)
	})
}

// follow is Follow or FollowEager, by the function that compares a state with a moment.
func follow(ctx context.Context, g *boolprog.Graph, moments []Moment, end End, at bpexec.Site, like func(*state, Moment) bool) error {
	x := &explorer{
		ctx: ctx, graph: g, opts: Options{MaxStates: mostFollowed, MaxDepth: 1 << 30, MaxHeap: 1 << 30},
		seen: map[string]bool{}, reached: map[bpexec.Site]bool{}, failing: map[bpexec.Site]bool{}, nulls: map[bpexec.Site]bool{},
	}
	x.tapes(x.start)
	// Keep the set of states that agree with the report so far.
	for i, m := range moments {
		// 1. The states that agree with this moment.
		here := x.matching(m, like)
		if x.cut.States {
			return &TooManyError{mostFollowed}
		}
		if len(here) == 0 {
			return fmt.Errorf("no run comes to moment %d as told: %+v", i, m)
		}
		// 2. Their successors, which may have been seen at an earlier moment.
		clear(x.seen)
		clear(x.failing)
		clear(x.nulls)
		for _, s := range here {
			x.tapes(func(t *tape) { x.step(s.clone(), t) })
		}
	}
	// 3. Pass the nodes without a statement after the last moment, and compare the end.
	x.matching(Moment{Site: bpexec.Site{Proc: -1}}, like)
	if end == Failure && !x.failing[at] || end == NullDereference && !x.nulls[at] {
		return fmt.Errorf("the run does not end as told, at %+v", at)
	}
	return nil
}

// matching empties the queue, steps over nodes without a statement, and returns the states that
// are like m.
func (x *explorer) matching(m Moment, like func(*state, Moment) bool) (here []*state) {
	for len(x.queue) > 0 && !x.stopped() {
		s := x.queue[0]
		x.queue = x.queue[1:]
		switch top := s.top(); {
		case top.proc.Nodes[top.node].Stmt == nil:
			x.tapes(func(t *tape) { x.step(s.clone(), t) })
		case siteOf(s) == m.Site && len(s.frames) == m.Depth+1 && like(s, m):
			here = append(here, s)
		}
	}
	return here
}

// matches reports whether s has the values of m. Different names stand for different objects.
func (s *state) matches(m Moment) bool { return s.like(m, false) }

// agrees reports whether s may have the values of m: a reference that is undecided may lead to any object,
// a Boolean gets the value that m tells, and of an object whose name no value leads to, nothing is asked.
func (s *state) agrees(m Moment) bool { return s.like(m, true) }

// like is matches or, with open, agrees.
func (s *state) like(m Moment, open bool) bool {
	named, objects := map[string]*object{}, map[*object]string{}
	// same compares a value with its text, and binds a name to an object when it is met first.
	same := func(text string, v value) bool {
		switch v := v.(type) {
		case bool:
			return text == "*" || text == map[bool]string{false: "0", true: "1"}[v]
		case undecided:
			return open || text == "*"
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
	for i, values := range m.Below {
		for _, v := range values {
			slot, _ := s.frames[i].proc.Slot(v.Name)
			if !same(v.Val, s.frames[i].vars[slot.Index]) {
				return false
			}
		}
	}
	for _, o := range m.Heap {
		// A variable must have led to each object of the report.
		at := named[o.Name]
		if at == nil && open {
			continue
		}
		if at == nil || at.class.Name != o.Class {
			return false
		}
		for i, f := range o.Fields {
			if !same(f.Val, at.fields[i]) {
				return false
			}
			// A Boolean that is told is decided.
			if f.Val == "0" || f.Val == "1" {
				at.fields[i] = f.Val == "1"
			}
		}
	}
	return true
}
