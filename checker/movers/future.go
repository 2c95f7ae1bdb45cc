package movers

import "c2bp/checker/zom"

// This file finds how a process may still use which locations.

// future computes Facts.Future as a least fixpoint, backwards.
func (f *Facts) future() {
	size := int(f.locations) * int(uses)
	// 1. The uses of each instruction alone.
	for i, p := range f.prog.Procs {
		sets := make([]zom.Bitset, len(p.Code))
		for pc := range p.Code {
			sets[pc] = zom.NewBitset(size)
			f.own(sets[pc], zom.Place{Proc: int32(i), PC: int32(pc)})
		}
		f.Future = append(f.Future, sets)
	}
	// 2. Those of instructions that come after, of callees, and of handlers, to which an exception may send
	// control from anywhere.
	var list []int32
	for grew := true; grew; {
		grew = false
		for i, p := range f.prog.Procs {
			sets := f.Future[i]
			for pc := len(p.Code) - 1; pc >= 0; pc-- {
				in := &p.Code[pc]
				for _, t := range in.Next(int32(pc)) {
					grew = sets[pc].Union(sets[t]) || grew
				}
				list = f.callees(list[:0], in)
				for _, c := range list {
					grew = sets[pc].Union(f.Future[c][f.prog.Procs[c].Entry]) || grew
				}
				for _, h := range p.Handlers {
					for _, c := range h.Cases {
						grew = sets[pc].Union(sets[c.PC]) || grew
					}
				}
			}
		}
	}
}

// own adds the uses of one instruction.
func (f *Facts) own(set zom.Bitset, at zom.Place) {
	in := &f.prog.Procs[at.Proc].Code[at.PC]
	globals := func(u Use, from int32) {
		for i := range in.C {
			set.Set(f.Bit(from+i, u))
		}
	}
	switch in.Op {
	case zom.LoadGlobal:
		globals(Reads, in.B)
	case zom.StoreGlobal:
		globals(Writes, in.A)
	case zom.LoadField:
		f.fields(set, in, Reads, in.C)
	case zom.StoreField:
		f.fields(set, in, Writes, in.C)
	case zom.LoadElem:
		f.content(set, zom.ClassOf(in), Reads)
	case zom.StoreElem:
		f.content(set, zom.ClassOf(in), Writes)
	case zom.Exists, zom.Size, zom.Member, zom.ChooseFrom:
		f.content(set, int32(in.Imm), Reads, Asks)
	case zom.HasMessage:
		if f.tests(at) {
			f.content(set, int32(in.Imm), Tests)
		}
	case zom.SendTo:
		f.content(set, int32(in.Imm), Sends)
	case zom.Receive:
		f.content(set, int32(in.Imm), Receives)
	case zom.Insert, zom.Remove, zom.InsertAll, zom.RemoveAll:
		f.content(set, int32(in.Imm), Reads, Writes)
	}
}

// fields adds a use of n fields.
func (f *Facts) fields(set zom.Bitset, in *zom.Instr, u Use, n int32) {
	class, slot := zom.ClassOf(in), zom.SlotOf(in)
	for i := range n {
		set.Set(f.Bit(f.base[class]+slot+i, u))
	}
}

// content adds uses of the content of the objects of a class; -1 is any.
func (f *Facts) content(set zom.Bitset, class int32, how ...Use) {
	for c := range f.prog.Classes {
		if f.prog.Classes[c].Form == zom.Fixed || class >= 0 && int(class) != c {
			continue
		}
		for _, u := range how {
			set.Set(f.Bit(f.base[c], u))
		}
	}
}

// heads computes Facts.Heads: the targets of edges back to a block on the path of a depth-first search, the
// entries of recursive procedures, and the cases of handlers.
func (f *Facts) heads() {
	for i, p := range f.prog.Procs {
		const open, done = 1, 2
		state := make([]int8, len(p.Code))
		var visit func(pc int32)
		visit = func(pc int32) {
			state[pc] = open
			for _, t := range p.Code[pc].Next(pc) {
				switch state[t] {
				case open:
					f.head(i, t)
				case 0:
					visit(t)
				}
			}
			state[pc] = done
		}
		visit(p.Entry)
		for _, h := range p.Handlers {
			for _, c := range h.Cases {
				f.head(i, c.PC)
				if state[c.PC] == 0 {
					visit(c.PC)
				}
			}
		}
		if f.recursive(int32(i)) {
			f.head(i, p.Entry)
		}
	}
}

// head makes the block in which a place lies one of the heads. A cycle inside a block is no cycle of blocks.
func (f *Facts) head(proc int, pc int32) {
	if p := f.prog.Procs[proc]; p.Starts[pc] {
		f.Heads.Set(int(p.Blocks[pc].Number))
	}
}

// recursive reports whether a procedure may call itself.
func (f *Facts) recursive(proc int32) bool {
	seen := make([]bool, len(f.prog.Procs))
	var reaches func(p int32) bool
	reaches = func(p int32) bool {
		for pc := range f.prog.Procs[p].Code {
			in := &f.prog.Procs[p].Code[pc]
			if in.Op != zom.Call && in.Op != zom.CallVirtual {
				continue
			}
			for _, c := range f.callees(nil, in) {
				if c == proc {
					return true
				}
				if !seen[c] {
					if seen[c] = true; reaches(c) {
						return true
					}
				}
			}
		}
		return false
	}
	return reaches(proc)
}
