package movers

import "c2bp/checker/zom"

// This file finds selects that wait until one location has one value.

// Acquire is the condition of a select that may take a lock.
type Acquire struct {
	PC       int32 // of the instruction that reads the location
	Location int32
	Free     zom.Word // the value for which the select waits
}

// locks computes Facts.Acquire.
func (f *Facts) locks() {
	for i, p := range f.prog.Procs {
		for pc := range p.Code {
			at := zom.Place{Proc: int32(i), PC: int32(pc)}
			if p.Starts[pc] && p.Blocks[pc].Wait == int32(pc) {
				if a, ok := f.acquire(at); ok {
					f.Acquire[at] = a
				}
			}
		}
	}
}

// fact is what is known of a slot while a condition is followed: a constant, the value of the location, or the
// truth of the value being a constant.
type fact struct {
	kind  factKind
	value zom.Word
}

type factKind int8

const (
	unknown factKind = iota
	constant
	loaded
	equals
)

// acquire returns the condition of the select of the block at a place, if it is of the form.
func (f *Facts) acquire(at zom.Place) (Acquire, bool) {
	sel := f.Select(at)
	if sel == nil || len(sel.Targets) != 1 {
		return Acquire{}, false
	}
	// Follow the condition with the test being true, and being false. Only one of both may let the select go on.
	yes, ok := f.follow(at, true)
	no, ok2 := f.follow(at, false)
	switch {
	case !ok || !ok2 || yes.runs == no.runs || yes.test != no.test:
		return Acquire{}, false
	case yes.runs:
		return Acquire{yes.pc, yes.location, yes.test}, true
	case yes.bool:
		return Acquire{yes.pc, yes.location, 1 - yes.test}, true
	}
	return Acquire{}, false
}

// path is a way through a condition.
type path struct {
	pc       int32
	location int32
	bool     bool
	test     zom.Word // the value with which that of the location is compared
	runs     bool
}

// follow follows a condition up to its select. The last thing that it reads is the location; things read before
// lead to the object. It fails if the condition has another form.
func (f *Facts) follow(at zom.Place, truth bool) (r path, ok bool) {
	p := f.prog.Procs[at.Proc]
	slots := map[int32]fact{}
	r.pc = -1
	branched := false
	for pc, n := at.PC, 0; n < len(p.Code); n++ {
		in := &p.Code[pc]
		pc++
		switch in.Op {
		case zom.Const:
			slots[in.A] = fact{constant, in.Imm}
		case zom.Copy:
			slots[in.A] = slots[in.B]
		case zom.LoadGlobal, zom.LoadField:
			// Nothing is read after the test. A value read before is at most the object of the next one.
			if branched || in.C != 1 {
				return r, false
			}
			for s := range slots {
				if slots[s].kind == loaded {
					delete(slots, s)
				}
			}
			slots[in.A] = fact{kind: loaded}
			r.pc, r.location, r.bool = pc-1, in.B, false
			kind := zom.Int
			if in.Op == zom.LoadGlobal {
				kind = f.prog.Globals[in.B].Kind
			} else {
				r.location = f.base[zom.ClassOf(in)] + zom.SlotOf(in)
				kind = f.prog.Classes[zom.ClassOf(in)].Fields[zom.SlotOf(in)].Kind
			}
			r.bool = kind == zom.Bool
		case zom.Eq, zom.Calc:
			x, y := slots[in.B], slots[in.C]
			if x.kind == constant {
				x, y = y, x
			}
			if in.Op == zom.Calc && !zom.IsEqual(in) || x.kind != loaded || y.kind != constant {
				return r, false
			}
			slots[in.A] = fact{equals, y.value}
		case zom.Jump:
			pc = in.Targets[0]
		case zom.Branch:
			c := slots[in.A]
			if c.kind == loaded && r.bool {
				c = fact{equals, 1}
			}
			if c.kind != equals || branched && c.value != r.test {
				return r, false
			}
			branched, r.test = true, c.value
			pc = in.Targets[0]
			if !truth {
				pc = in.Targets[1]
			}
		case zom.Select:
			c := slots[in.A]
			r.runs = c.value == 1
			return r, branched && c.kind == constant
		default:
			return r, false
		}
		// An object that is tested for being there is no part of the condition.
		if p.Starts[pc] {
			return r, false
		}
	}
	return r, false
}
