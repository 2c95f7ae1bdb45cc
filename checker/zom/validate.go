package zom

import "fmt"

// This file defines the sanity passes over programs and states. They run in tests; a violation is a
// defect of the program's maker, or of the machine.

// Validate checks that p refers only to things that exist, and that steps end. It returns the first
// violation.
func (p *Program) Validate() error {
	if p.Main < 0 || p.Main >= len(p.Procs) {
		return fmt.Errorf("main is procedure %d of %d", p.Main, len(p.Procs))
	}
	// Slots of classes and globals, then procedures.
	for _, c := range p.Classes {
		for _, slots := range [][]Slot{c.Fields, c.Elem} {
			if err := p.validateSlots(slots); err != nil {
				return fmt.Errorf("class %s: %w", c.Name, err)
			}
		}
	}
	if err := p.validateSlots(p.Globals); err != nil {
		return err
	}
	for _, proc := range p.Procs {
		if err := p.validateProc(proc); err != nil {
			return fmt.Errorf("procedure %s: %w", proc.Name, err)
		}
	}
	return nil
}

// validateSlots checks kinds and initial values.
func (p *Program) validateSlots(slots []Slot) error {
	for _, s := range slots {
		switch {
		case s.Kind > Text:
			return fmt.Errorf("slot %s of kind %d", s.Name, s.Kind)
		case s.Kind == Ref && (s.Init != Null || s.Class >= len(p.Classes)):
			return fmt.Errorf("reference %s starts as %d, of class %d", s.Name, s.Init, s.Class)
		case s.Kind == Bool && (s.Init < 0 || s.Init > Unknown):
			return fmt.Errorf("slot %s, a Boolean, starts as %d", s.Name, s.Init)
		}
	}
	return nil
}

// validateProc checks the layout of a procedure, its instructions, and that scratch slots are dead
// between steps.
func (p *Program) validateProc(proc *Proc) error {
	if err := p.validateSlots(proc.Slots); err != nil {
		return err
	}
	if proc.Blocks != nil {
		return p.validateBlocks(proc)
	}
	// The layout of the frame, and the facts about instructions.
	n := len(proc.Code)
	switch {
	case proc.Params > proc.Scratch, proc.Scratch > len(proc.Slots), proc.Result+proc.Results > proc.Scratch:
		return fmt.Errorf("%d parameters, results at %d, scratch from %d of %d slots", proc.Params, proc.Result, proc.Scratch, len(proc.Slots))
	case len(proc.Starts) != n, len(proc.Live) != n, len(proc.Globals) != n:
		return fmt.Errorf("%d instructions, but %d, %d and %d facts about them", n, len(proc.Starts), len(proc.Live), len(proc.Globals))
	case int(proc.Entry) >= n || !proc.Starts[proc.Entry]:
		return fmt.Errorf("no step begins at the entry, %d", proc.Entry)
	}
	// Instructions; scratch slots are dead between steps.
	for pc := range proc.Code {
		if err := p.validateInstr(proc, pc); err != nil {
			return fmt.Errorf("instruction %d, %s: %w", pc, p.instrText(proc, &proc.Code[pc]), err)
		}
		for i := proc.Scratch; proc.Starts[pc] && i < len(proc.Slots); i++ {
			if proc.Live[pc].Has(i) {
				return fmt.Errorf("scratch slot %d is live where a step begins, at %d", i, pc)
			}
		}
	}
	return nil
}

// validateInstr checks the targets of an instruction (a step must begin where control goes back)
// and the kinds of its operands.
func (p *Program) validateInstr(proc *Proc, pc int) error {
	in := &proc.Code[pc]
	// 1. Targets: control may go back to starts only, so that steps end.
	next := in.Next(int32(pc))
	if in.Op == Jump && len(next) == 0 || (in.Op == Branch || in.Op == Fork) && len(next) != 2 {
		return fmt.Errorf("%d targets", len(next))
	}
	if in.Op == Fork && !proc.Starts[next[1]] {
		return fmt.Errorf("a process begins at %d, where no step begins", next[1])
	}
	for _, t := range next {
		if t < 0 || int(t) >= len(proc.Code) {
			return fmt.Errorf("leads to %d of %d", t, len(proc.Code))
		}
		if int(t) <= pc && !proc.Starts[t] {
			return fmt.Errorf("leads back to %d, where no step begins", t)
		}
	}
	// 2. Operands: slots fit, and have the kinds that the instruction needs.
	switch in.Op {
	case Call, Spawn:
		callee := p.Procs[in.B]
		if int(in.A)+callee.Params > proc.Scratch || in.Op == Call && (int(in.C)+callee.Results > proc.Scratch || !proc.Starts[pc+1]) {
			return fmt.Errorf("arguments or results do not fit")
		}
		for i := range callee.Params {
			if proc.Slots[int(in.A)+i].Kind != callee.Slots[i].Kind {
				return fmt.Errorf("argument %d is of another kind than the parameter", i)
			}
		}
	case Assume, Assert, Wait, Branch, Decide:
		return p.kind(proc, in.A, Bool)
	case Object:
		return p.kind(proc, in.A, Ref)
	case Field:
		return p.kind(proc, in.B, Ref)
	case SetField:
		return p.kind(proc, in.A, Ref)
	case Global:
		return p.kind(proc, in.A, p.Globals[in.B].Kind)
	case SetGlobal:
		return p.kind(proc, in.B, p.Globals[in.A].Kind)
	case Copy, Move:
		return p.kind(proc, in.A, proc.Slots[in.B].Kind)
	case New, AnyObject:
		return p.kind(proc, in.A, Ref)
	}
	return nil
}

// kind checks that a slot has a kind.
func (p *Program) kind(proc *Proc, slot int32, want Kind) error {
	if k := proc.Slots[slot].Kind; k != want {
		return fmt.Errorf("slot %d holds %s, not %s", slot, k, want)
	}
	return nil
}

// Validate checks that every slot of s holds a value that its kind allows, and returns the first
// violation. Scratch slots hold anything.
func (s *State) Validate() error {
	// word checks one value.
	word := func(what string, i int, slot *Slot, w Word) error {
		ok := true
		switch slot.Kind {
		case Bool:
			ok = w == Absent || 0 <= w && w <= Unknown
		case Ref:
			ok = w == Absent || w == Undecided && what == "field" || -Word(len(s.olds)) <= w && w <= Word(len(s.news))
			if ok && w != Null && w != Absent && w != Undecided && slot.Class >= 0 && s.Class(w) != slot.Class {
				ok = false
			}
		}
		if !ok {
			return fmt.Errorf("%s %d, %s, holds %d", what, i, slot.Name, w)
		}
		return nil
	}
	// Globals, slots of all frames, fields of all objects.
	for i, w := range s.Globals {
		if err := word("global", i, &s.prog.Globals[i], w); err != nil {
			return err
		}
	}
	for p := range s.Procs {
		for k, f := range s.Procs[p].Frames {
			proc := s.prog.Procs[f.Proc]
			slots := s.Slots(p, k)
			for i := range proc.Scratch {
				if err := word("slot", i, &proc.Slots[i], slots[i]); err != nil {
					return fmt.Errorf("%s: %w", proc.Name, err)
				}
			}
		}
	}
	for _, c := range append(s.olds[:len(s.olds):len(s.olds)], s.news...) {
		for j := range s.prog.Classes[c.class].Fields {
			if c.off == noWords {
				continue
			}
			if err := word("field", j, &s.prog.Classes[c.class].Fields[j], s.words[int(c.off)+j]); err != nil {
				return err
			}
		}
	}
	return nil
}
