package movers

import "c2bp/checker/zom"

// This file finds blocks that may run in the middle of a step. A select there does not wait.

// middle computes Facts.Middle.
func (f *Facts) middle() {
	inside := f.inside()
	for i, p := range f.prog.Procs {
		at := func(pc int32) zom.Place { return zom.Place{Proc: int32(i), PC: pc} }
		for _, h := range p.Handlers {
			for _, c := range h.Cases {
				f.Middle[at(c.PC)] = true
			}
		}
		// An edge from block to block leads into the middle of a step unless the step ends there. A label in
		// front of a select counts as the select, so it hands on how it was reached.
		for grew := true; grew; {
			grew = false
			for pc := range p.Code {
				if !p.Starts[pc] {
					continue
				}
				b := &p.Blocks[pc]
				label := b.Wait >= 0 && b.Wait != int32(pc)
				here := f.Middle[at(int32(pc))]
				if !here && inside[i] {
					f.Middle[at(int32(pc))], here, grew = true, true, true
				}
				for _, t := range f.blocksAfter(i, int32(pc)) {
					into := b.Level > 0 || f.glued(b)
					if label && t == b.Wait {
						into = here || b.Level > 0 && p.Blocks[t].Level == 0
					}
					if into && !f.Middle[at(t)] {
						f.Middle[at(t)], grew = true, true
					}
				}
			}
		}
	}
}

// inside returns, by procedure, whether it may run inside an atomic region or instruction of another one.
func (f *Facts) inside() []bool {
	list := make([]bool, len(f.prog.Procs))
	for grew := true; grew; {
		grew = false
		for i, p := range f.prog.Procs {
			level := int32(0)
			for pc := range p.Code {
				if p.Starts[pc] {
					level = p.Blocks[pc].Level
				}
				in := &p.Code[pc]
				switch in.Op {
				case zom.Spawn, zom.SpawnVirtual:
					continue
				case zom.Call, zom.CallVirtual:
					if level == 0 && !list[i] && !f.cooperative {
						continue
					}
				}
				for _, c := range f.callees(nil, in) {
					grew = grew || !list[c]
					list[c] = true
				}
			}
		}
	}
	return list
}

// glued reports whether the step goes on after a block outside of atomic regions.
func (f *Facts) glued(b *zom.Block) bool {
	return b.Flags&zom.Yields == 0 && (f.cooperative || b.Flags&(zom.Glued|zom.Returns) != 0)
}

// blocksAfter returns the starts to which the block at a start leads in its procedure.
func (f *Facts) blocksAfter(proc int, start int32) (list []int32) {
	p := f.prog.Procs[proc]
	seen := map[int32]bool{}
	var visit func(pc int32)
	visit = func(pc int32) {
		for _, t := range p.Code[pc].Next(pc) {
			switch {
			case seen[t]:
			case p.Starts[t]:
				seen[t] = true
				list = append(list, t)
			default:
				seen[t] = true
				visit(t)
			}
		}
	}
	visit(start)
	return list
}

// Select returns the Select that ends the block in which a place lies, or nil.
func (f *Facts) Select(at zom.Place) *zom.Instr {
	p := f.prog.Procs[at.Proc]
	for pc := f.start(at); ; pc++ {
		switch {
		case int(pc) == len(p.Code), pc > at.PC && p.Starts[pc]:
			return nil
		case p.Code[pc].Op == zom.Select:
			return &p.Code[pc]
		}
	}
}

// start returns the start of the block in which a place lies.
func (f *Facts) start(at zom.Place) int32 {
	pc := at.PC
	for !f.prog.Procs[at.Proc].Starts[pc] {
		pc--
	}
	return pc
}

// LooksOn reports whether a HasMessage belongs to a select that goes on with another alternative, whatever the
// order, if the channel is empty, and that waits if there is none.
func (f *Facts) LooksOn(at zom.Place) bool {
	in := f.Select(at)
	return in != nil && in.Imm == 0 && !f.Middle[zom.Place{Proc: at.Proc, PC: f.start(at)}]
}

// tests reports whether the effect of a select depends on the channel of a HasMessage being empty.
func (f *Facts) tests(at zom.Place) bool {
	in := f.Select(at)
	if in == nil || in.Imm == 1 && len(in.Targets) > 1 || f.Middle[zom.Place{Proc: at.Proc, PC: f.start(at)}] {
		return true
	}
	// A second receive of the same alternative fails if there is one message only.
	p := f.prog.Procs[at.Proc]
	for _, pc := range in.Targets {
		n := 0
		for ; p.Code[pc].Op != zom.Jump; pc++ {
			if p.Code[pc].Op == zom.Receive {
				n++
			}
		}
		if n > 1 {
			return true
		}
	}
	return false
}
