package zom

// This file encodes whole states.

// Whole writes the canonical form of s: its globals, the frames of its processes and the objects
// reached from them. Slots and globals that are not live are written as 0.
func (c *Canon) Whole(s *State) {
	c.Begin(s)
	// With one process, dead globals are left out.
	var globals Bitset
	if len(s.Procs) == 1 { // another process may read what this one does not
		if f := s.Top(0); f != nil {
			globals = s.prog.Procs[f.Proc].Globals[f.PC]
		}
	}
	for i := range s.Globals {
		c.rootIf(globals == nil || globals.Has(i), s.prog.Globals[i].Kind, s.Globals[i])
	}
	// Frames from the bottom, with the numbers of processes and frames first so that forms are
	// unambiguous.
	c.Uint(uint64(len(s.Procs)))
	for p := range s.Procs {
		c.Uint(uint64(len(s.Procs[p].Frames)))
		for i, f := range s.Procs[p].Frames {
			c.frame(s, f, s.Slots(p, i))
		}
	}
	c.Objects()
}

// frame writes a frame.
func (c *Canon) frame(s *State, f Frame, slots []Word) {
	c.Uint(uint64(f.Proc))
	c.Uint(uint64(f.PC))
	c.Slots(s.prog.Procs[f.Proc], f.PC, slots)
}

// Slots writes the slots of a frame at pc.
func (c *Canon) Slots(p *Proc, pc int32, slots []Word) {
	live := p.Live[pc]
	for i := range p.Scratch {
		c.rootIf(live.Has(i), p.Slots[i].Kind, slots[i])
	}
}

// Whole reads the output of Canon.Whole into s, which then has no log.
func (r *Reader) Whole(s *State) {
	s.clear()
	for i := range s.Globals {
		s.Globals[i] = r.Word(s.prog.Globals[i].Kind)
	}
	for p := range int(r.Uint()) {
		// With the memory of a process that was there before.
		if cap(s.Procs) > p {
			s.Procs = s.Procs[:p+1]
			s.Procs[p].Frames, s.Procs[p].Stack = s.Procs[p].Frames[:0], s.Procs[p].Stack[:0]
		} else {
			s.Procs = append(s.Procs, Process{})
		}
		for i := range int(r.Uint()) {
			proc, pc := int(r.Uint()), int32(r.Uint())
			slots := s.push(p, proc)
			s.Procs[p].Frames[i].PC = pc
			r.Slots(s.prog.Procs[proc], slots)
		}
	}
	r.Objects(s)
	s.log = s.log[:0]
}

// Slots reads the output of Canon.Slots.
func (r *Reader) Slots(p *Proc, slots []Word) {
	for i := range p.Scratch {
		slots[i] = r.Word(p.Slots[i].Kind)
	}
}

// rootIf writes w, or 0 if it is not live.
func (c *Canon) rootIf(live bool, kind Kind, w Word) {
	if !live {
		w = 0
	}
	c.Root(kind, w)
}
