package zingcheck

import (
	"c2bp/checker/interleave"
	"c2bp/checker/zom"
)

// This file finds where the messages were sent that nobody receives.

// senders returns the nodes that have sent the messages that are left at the end of a run, those of the channel that
// was made first, the oldest message first.
func senders(model interleave.Model, opts interleave.Options, f *interleave.Failure) []int32 {
	r, _ := interleave.NewReplay(model, opts)
	sent := map[zom.Word][]int32{} // by channel
	r.Machine.Observed = func(a zom.Access) {
		// Conditions leave no effect.
		if a.Use == zom.SendAt && !a.Inner {
			sent[a.Obj] = append(sent[a.Obj], r.Machine.Record.Node)
		}
	}
	for _, mv := range f.Moves {
		r.Move(mv)
	}
	// Channels are first in, first out: the messages that are left were sent last.
	for at := zom.Word(1); at <= zom.Word(r.State.News()); at++ {
		if list := sent[at]; len(list) > 0 && r.State.Size(at) > 0 {
			return list[len(list)-int(r.State.Size(at)):]
		}
	}
	panic("zingcheck: a run leaves no message")
}
