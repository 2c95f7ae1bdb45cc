package interleave

import "c2bp/checker/zom"

// This file looks for messages that nobody receives.
//
// A message can no longer be received once nothing leads to its channel, and then the channel is no part of the form of
// a state. So a search for stuck states adds a part to forms, of one byte: whether a message was lost in this way. What
// was lost since the present state was loaded is still among its objects.

// mark is the byte that such a form ends with.
const (
	nothingLost byte = iota
	messageLost
)

// writeForm writes the form of the present state.
func (e *engine) writeForm() {
	c := &e.canon
	c.Multi(e.s)
	if !e.opts.Stuck {
		return
	}
	last := nothingLost
	if e.lost || c.Loses(func(at zom.Word) bool { return e.holdsMessage(at) }) {
		last = messageLost
	}
	c.Out = append(c.Out, last)
	c.Cuts = append(c.Cuts, len(c.Out))
}

// withoutMark returns a stored form as zom.Reader expects it, and notes whether a message was lost.
func (e *engine) withoutMark(form []byte) []byte {
	if !e.opts.Stuck {
		return form
	}
	n := len(form) - 1
	e.lost = form[n] == messageLost
	return form[:n]
}

// holdsMessage reports whether the object at an address is a channel with a message.
func (e *engine) holdsMessage(at zom.Word) bool {
	return e.model.Prog.Classes[e.s.Class(at)].Form == zom.Channel && e.s.Size(at) > 0
}

// orphans reports whether a message was not received.
func (e *engine) orphans() bool {
	for at := zom.Word(1); at <= zom.Word(e.s.News()); at++ {
		if e.holdsMessage(at) {
			return true
		}
	}
	return e.lost
}
