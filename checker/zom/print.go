package zom

import (
	"fmt"
	"io"
	"strings"
)

// This file prints programs. For the procedure M of Qadeer–Rajamani 2005, Fig. 1,
//
//	proc M
//	    slot f ref BoolBox
//	    scratch ref
//	    scratch bool
//	 *  0  visit 0
//	    1  scratch#1 := new BoolBox
//	    2  f := move scratch#1
//	    3  jump 4
//
// The star marks the starts of steps; the live globals and slots there follow in brackets, if there
// are any.

// Fprint writes p.
func Fprint(w io.Writer, p *Program) error {
	var b strings.Builder
	for _, c := range p.Classes {
		fmt.Fprintf(&b, "class %s\n", c.Name)
		for i := range c.Fields {
			fmt.Fprintf(&b, "    field %s\n", p.slotText(&c.Fields[i]))
		}
		if c.Form != Fixed {
			fmt.Fprintf(&b, "    %s\n", p.elemText(c))
		}
	}
	for i := range p.Globals {
		fmt.Fprintf(&b, "global %s\n", p.slotText(&p.Globals[i]))
	}
	for i, proc := range p.Procs {
		p.printProc(&b, proc, i == p.Main)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// slotText returns the name, type and initial value of a slot.
func (p *Program) slotText(s *Slot) string {
	text := s.Name + " " + s.Kind.String()
	if s.Kind == Ref && s.Class >= 0 {
		text += " " + p.Classes[s.Class].Name
	}
	switch {
	case s.Kind == Bool && s.Init == Unknown:
		text += " = any"
	case s.Init != 0:
		text += fmt.Sprintf(" = %d", s.Init)
	}
	return text
}

// printProc writes a procedure.
func (p *Program) printProc(b *strings.Builder, proc *Proc, main bool) {
	fmt.Fprintf(b, "proc %s", proc.Name)
	if main {
		b.WriteString(" (the program starts here)")
	}
	b.WriteByte('\n')
	// The frame: parameters, slots, scratch slots.
	for i := range proc.Slots {
		word := "slot"
		switch {
		case i < proc.Params:
			word = "param"
		case i >= proc.Scratch:
			word = "scratch"
		}
		fmt.Fprintf(b, "    %s %d %s\n", word, i, p.slotText(&proc.Slots[i]))
	}
	p.printScopes(b, proc)
	// The code; a star marks the starts.
	for pc := range proc.Code {
		mark, live := " ", ""
		if proc.Starts[pc] {
			mark = "*"
			if proc.Blocks == nil {
				live = p.liveText(proc, pc)
			} else {
				live = p.blockText(proc, pc)
			}
		}
		fmt.Fprintf(b, " %s %3d  %s%s\n", mark, pc, p.instrText(proc, &proc.Code[pc]), live)
	}
}

// liveText lists the live globals and slots at pc.
func (p *Program) liveText(proc *Proc, pc int) string {
	var names []string
	for i := range p.Globals {
		if proc.Globals[pc].Has(i) {
			names = append(names, p.Globals[i].Name)
		}
	}
	for i := range proc.Scratch {
		if proc.Live[pc].Has(i) {
			names = append(names, fmt.Sprintf("%s#%d", proc.Slots[i].Name, i))
		}
	}
	if names == nil {
		return ""
	}
	return "  [" + strings.Join(names, " ") + "]"
}

var opNames = [...]string{
	Copy: "", Move: "move ", Not: "not ", And: "and", Or: "or", Xor: "xor", Implies: "implies", Eq: "=", Choose: "choose",
	Add: "+", Sub: "-", Mul: "*", Div: "/", Rem: "%", Less: "<",
	Decide: "decide ", Object: "object ", Assume: "assume ", Assert: "assert ", Wait: "wait ", Branch: "branch ",
}

// instrText returns the text of an instruction.
func (p *Program) instrText(proc *Proc, in *Instr) string {
	// slot names a slot by its name and number, since scratch slots share names.
	slot := func(i int32) string { return fmt.Sprintf("%s#%d", proc.Slots[i].Name, i) }
	switch {
	case in.Op >= CopyN:
		return p.processText(proc, in)
	case in.Op == Call && len(in.Targets) > 0:
		return fmt.Sprintf("call %s arguments %d, then %s", p.Procs[in.B].Name, in.A, targets(in))
	}
	switch in.Op {
	case Skip:
		return "skip"
	case Const:
		return fmt.Sprintf("%s := %d", slot(in.A), in.Imm)
	case Copy, Move, Not:
		return fmt.Sprintf("%s := %s%s", slot(in.A), opNames[in.Op], slot(in.B))
	case Any:
		return slot(in.A) + " := any"
	case Decide, Object, Assume, Assert, Wait:
		return opNames[in.Op] + slot(in.A)
	case Global:
		return fmt.Sprintf("%s := global %s", slot(in.A), p.Globals[in.B].Name)
	case SetGlobal:
		return fmt.Sprintf("global %s := %s", p.Globals[in.A].Name, slot(in.B))
	case Field:
		return fmt.Sprintf("%s := %s.%d", slot(in.A), slot(in.B), in.C)
	case SetField:
		return fmt.Sprintf("%s.%d := %s", slot(in.A), in.B, slot(in.C))
	case New:
		return fmt.Sprintf("%s := new %s", slot(in.A), p.Classes[in.B].Name)
	case AnyField:
		return fmt.Sprintf("field %d of all %s := any", in.B, p.Classes[in.A].Name)
	case AnyObject:
		text := fmt.Sprintf("%s := any %s", slot(in.A), p.Classes[in.B].Name)
		if in.C != 0 {
			text += " new"
		}
		return text
	case Jump:
		return "jump " + targets(in)
	case Branch:
		return "branch " + slot(in.A) + " " + targets(in)
	case Visit:
		return fmt.Sprintf("visit %d", in.Node)
	case Call:
		return fmt.Sprintf("call %s arguments %d results %d", p.Procs[in.B].Name, in.A, in.C)
	case Return:
		return "return"
	case Fork:
		return "fork " + targets(in)
	case Halt:
		return "halt"
	case Spawn:
		return fmt.Sprintf("spawn %s arguments %d", p.Procs[in.B].Name, in.A)
	}
	return fmt.Sprintf("%s := %s %s %s", slot(in.A), opNames[in.Op], slot(in.B), slot(in.C))
}

func targets(in *Instr) string { return strings.Trim(fmt.Sprint(in.Targets), "[]") }
