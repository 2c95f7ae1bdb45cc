package zom

import "fmt"

// This file defines the sanity pass over procedures with blocks. Scratch slots hold values of all kinds
// there, so that kinds are not checked.

// validateBlocks checks the layout of a procedure, its blocks, scopes and handlers, and that instructions
// name things that exist.
func (p *Program) validateBlocks(proc *Proc) error {
	n := len(proc.Code)
	switch {
	case proc.Params > proc.Scratch, proc.Scratch > len(proc.Slots), proc.Result+proc.Results > proc.Scratch:
		return fmt.Errorf("%d parameters, results at %d, scratch from %d of %d slots", proc.Params, proc.Result, proc.Scratch, len(proc.Slots))
	case len(proc.Starts) != n, len(proc.Blocks) != n:
		return fmt.Errorf("%d instructions, but %d and %d facts about them", n, len(proc.Starts), len(proc.Blocks))
	case int(proc.Entry) >= n || !proc.Starts[proc.Entry]:
		return fmt.Errorf("no block begins at the entry, %d", proc.Entry)
	}
	for i, s := range proc.Scopes {
		if int(s.Parent) >= i || s.From > s.To || int(s.To) > proc.Scratch {
			return fmt.Errorf("scope %d of slots %d to %d in %d", i, s.From, s.To, s.Parent)
		}
	}
	for _, h := range proc.Handlers {
		for _, c := range h.Cases {
			if !proc.Starts[c.PC] {
				return fmt.Errorf("a handler leads to %d, where no block begins", c.PC)
			}
		}
	}
	for pc := range proc.Code {
		if err := p.validateBlock(proc, pc); err != nil {
			return fmt.Errorf("instruction %d, %s: %w", pc, p.instrText(proc, &proc.Code[pc]), err)
		}
	}
	return nil
}

// validateBlock checks an instruction, and the block that begins there, if one does.
func (p *Program) validateBlock(proc *Proc, pc int) error {
	in := &proc.Code[pc]
	// 1. The block.
	if b := &proc.Blocks[pc]; proc.Starts[pc] {
		switch place := p.Places[b.Number]; {
		case int(place.PC) != pc || p.Procs[place.Proc] != proc:
			return fmt.Errorf("block %d is at %v", b.Number, place)
		case b.Level < 0 || b.Level > 1 || int(b.Scope) >= len(proc.Scopes):
			return fmt.Errorf("level %d, scope %d", b.Level, b.Scope)
		case b.Wait >= 0 && !proc.Starts[b.Wait]:
			return fmt.Errorf("waits at %d, where no block begins", b.Wait)
		}
	}
	// 2. Targets. Code does not run into the next block, and a call returns to a block.
	want := 0
	switch in.Op {
	case Jump, Call, CallVirtual:
		want = 1
	case Branch:
		want = 2
	case Select:
		want = len(in.Targets)
	case Return, Raise:
	default:
		if pc+1 >= len(proc.Code) || proc.Starts[pc+1] {
			return fmt.Errorf("runs into the next block")
		}
	}
	if len(in.Targets) != want {
		return fmt.Errorf("%d targets", len(in.Targets))
	}
	for _, t := range in.Targets {
		switch {
		case t < 0 || int(t) >= len(proc.Code):
			return fmt.Errorf("leads to %d of %d", t, len(proc.Code))
		case (in.Op == Call || in.Op == CallVirtual) && !proc.Starts[t]:
			return fmt.Errorf("returns to %d, where no block begins", t)
		}
	}
	// 3. Operands.
	for _, o := range p.operands(in) {
		if o.from < 0 || int(o.from+o.n) > len(proc.Slots) {
			return fmt.Errorf("slots %d to %d of %d", o.from, o.from+o.n, len(proc.Slots))
		}
	}
	return nil
}

// slotRange is n slots.
type slotRange struct{ from, n int32 }

// operands returns the slots that an instruction of a block names.
func (p *Program) operands(in *Instr) []slotRange {
	a, b, c := slotRange{in.A, 1}, slotRange{in.B, 1}, slotRange{in.C, 1}
	elem := func(at int32) slotRange { return slotRange{at, p.width(int32(in.Imm))} }
	_, _, n := unpackAt(in.Imm)
	switch in.Op {
	case Skip, Visit, Jump, Return, Raise, SetHandler:
		return nil
	case Const, New, Object, Assume, Assert, Wait, Branch, Self, Accept, ChooseNumber:
		return []slotRange{a}
	case Copy, Not, Exists, Size, HasMessage, InsertAll, RemoveAll, Cast:
		return []slotRange{a, b}
	case CopyN:
		return []slotRange{{in.A, in.C}, {in.B, in.C}}
	case LoadGlobal, Result:
		return []slotRange{{in.A, in.C}}
	case StoreGlobal:
		return []slotRange{{in.B, in.C}}
	case LoadField:
		return []slotRange{{in.A, in.C}, b}
	case StoreField:
		return []slotRange{a, {in.B, in.C}}
	case LoadElem:
		return []slotRange{{in.A, n}, b, c}
	case StoreElem:
		return []slotRange{a, b, {in.C, n}}
	case NewN:
		return []slotRange{a, c}
	case SendTo, Insert, Remove:
		return []slotRange{a, elem(in.B)}
	case Receive, ChooseFrom:
		return []slotRange{elem(in.A), b}
	case Member:
		return []slotRange{a, elem(in.B), c}
	case Call, Spawn, Apply:
		return []slotRange{{in.A, int32(p.Procs[in.B].Params)}}
	case Eval:
		return []slotRange{a, {in.C, int32(p.Procs[in.B].Params)}}
	case CallVirtual, SpawnVirtual:
		return []slotRange{a}
	case EvalVirtual:
		return []slotRange{a, c}
	case Select:
		return []slotRange{{in.A, int32(len(in.Targets))}}
	case Print:
		return []slotRange{{in.A, in.C}}
	case Observe:
		return []slotRange{{in.A, 3}}
	}
	return []slotRange{a, b, c}
}
