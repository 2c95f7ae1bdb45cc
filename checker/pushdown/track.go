package pushdown

import (
	"fmt"
	"slices"

	"c2bp/checker/temporal"
	"c2bp/checker/zom"
)

// This file follows objects through a run. Locations number them anew; a move that is made once more tells what
// has become of each.

// track is the fate of objects at a move.
type track struct {
	// objects tells for each object of the location after it: k, it was number k before; made, it is new; or
	// callers-j, it was object j of the caller's own, and the move is a return.
	objects []int
	own     []int // at a call: the objects that stay with the caller, by their numbers before
}

// The origins that are no numbers.
const made, callers = -1, -2

// kept returns the origins in a state that was loaded with n objects.
func kept(n int) func(zom.Word) int {
	return func(w zom.Word) int {
		if int(w) > n {
			return made
		}
		return int(w) - 1
	}
}

// cameBack returns the origins in the state after a return.
func cameBack(copied *copier, own []zom.Word) func(zom.Word) int {
	return func(w zom.Word) int {
		if from, ok := copied.from[w]; ok {
			return int(from) - 1
		}
		if j := slices.Index(own, w); j >= 0 {
			return callers - j
		}
		return made
	}
}

// note keeps the track of a move to the state whose form was written last.
func (x *System) note() {
	if !x.tracking {
		return
	}
	var t track
	for _, w := range x.canon.Addresses(nil) {
		t.objects = append(t.objects, x.origin(w))
	}
	x.tracks = append(x.tracks, t)
}

// notePush adds to the last track the objects that stay with a caller.
func (x *System) notePush(own []zom.Word, origin func(zom.Word) int) {
	if !x.tracking {
		return
	}
	t := &x.tracks[len(x.tracks)-1]
	for _, w := range own {
		t.own = append(t.own, origin(w))
	}
}

// namer gives the objects of a run names that they keep.
type namer struct {
	x     *System
	next  int        // the number of the next name
	now   []string   // by object of the present location
	stack [][]string // of callers: by object of their own
}

// fresh returns a new name: A0 is the first one.
func (n *namer) fresh() string {
	n.next++
	return fmt.Sprintf("A%d", n.next-1)
}

// at makes sure that n objects of a location have names.
func (n *namer) at(objects int) {
	for len(n.now) < objects {
		n.now = append(n.now, n.fresh())
	}
}

// step moves on by a step of a run.
func (n *namer) step(s temporal.Step) {
	if s.Move < 0 {
		return
	}
	// 1. Make the moves once more.
	x := n.x
	x.tracking, x.tracks = true, nil
	moves, err := x.Moves(s.Loc, s.Symbol)
	x.tracking = false
	if err != nil || s.Move >= len(x.tracks) {
		return
	}
	t := x.tracks[s.Move]
	var own []string // that come back
	if last := len(n.stack) - 1; s.Symbol >= firstCaller && last >= 0 {
		own, n.stack = n.stack[last], n.stack[:last]
	}
	// 2. The names of each object.
	name := func(k int) string {
		switch j := callers - k; {
		case k >= 0 && k < len(n.now):
			return n.now[k]
		case k <= callers && j < len(own):
			return own[j]
		}
		return n.fresh()
	}
	if len(moves.List[s.Move].Word) == 2 { // a call
		var left []string
		for _, k := range t.own {
			left = append(left, name(k))
		}
		n.stack = append(n.stack, left)
	}
	var then []string
	for _, k := range t.objects {
		then = append(then, name(k))
	}
	n.now = then
	// 3. Of a call that is one step nothing is known: the callee has come to its end.
	if s.Collapsed {
		n.now = nil
	}
}
