package threads

import "c2bp/checker/zom"

// This file defines the set of states.

// nowhere stands for no state.
const nowhere = -1

// write writes the form of the present state to x.canon. The first byte is 1 + the index of the thread that made
// the last step, if the search needs it, and 0 if that thread has ended.
func (x *search) write(process int) {
	c := &x.canon
	c.Begin(x.s)
	running := 0
	var alone *zom.Frame
	for p := range x.s.Procs {
		if f := x.s.Top(p); f != nil {
			running, alone = running+1, f
		}
	}
	// 1. Who was last.
	last := uint64(0)
	if x.opts.Contexts != nil && x.s.Top(process) != nil {
		last = uint64(process) + 1
	}
	c.Uint(last)
	// 2. Globals. Those that are dead are left out if no other thread may read them.
	for i := range x.s.Globals {
		w := x.s.Globals[i]
		if running == 1 && !x.prog.Procs[alone.Proc].Globals[alone.PC].Has(i) {
			w = 0
		}
		c.Root(x.prog.Globals[i].Kind, w)
	}
	// 3. Threads that have not ended: the frame at the bottom first.
	c.Uint(uint64(running))
	for p := range x.s.Procs {
		frames := x.s.Procs[p].Frames
		if len(frames) == 0 {
			continue
		}
		c.Uint(uint64(len(frames)))
		for i, f := range frames {
			c.Uint(uint64(f.Proc))
			c.Uint(uint64(f.PC))
			c.Slots(x.prog.Procs[f.Proc], f.PC, x.s.Slots(p, i))
		}
	}
	// 4. Objects.
	c.Objects()
}

// add puts the state whose form is written into the set, and reports whether it is new.
func (x *search) add(by arrival) bool {
	if _, known := x.ids[string(x.canon.Out)]; known {
		return false
	}
	key := string(x.canon.Out)
	x.ids[key] = int32(len(x.keys))
	x.keys, x.moves = append(x.keys, key), append(x.moves, by)
	x.bytes += len(key)
	return true
}

// load makes state id the present one, and returns the thread that made the last step, or nowhere.
func (x *search) load(id int32) (last int) {
	x.buffer = append(x.buffer[:0], x.keys[id]...)
	r := zom.Reader{In: x.buffer}
	last = int(r.Uint()) - 1
	r.Whole(x.s)
	return last
}
