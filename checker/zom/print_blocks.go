package zom

import (
	"fmt"
	"strings"
)

// This file prints the parts of programs with processes. For
//
//	class A { static int g; activate static void b() { g = 4; } };
//
// the procedure is
//
//	proc A.b
//	    scratch 0  int
//	 *  0  #0 := 4
//	    1  globals A.g := #0
//	    2  jump 3
//	 *  3  return  [returns]
//
// After the first instruction of a block its properties follow in brackets: the level if it is 1, whether the
// step goes on, the scope if it is not that of the body, and where a process may wait.

// blockText returns the properties of the block at pc, in brackets, or "".
func (p *Program) blockText(proc *Proc, pc int) string {
	b := &proc.Blocks[pc]
	var list []string
	if b.Level > 0 {
		list = append(list, "atomic")
	}
	for i, name := range [...]string{"glued", "returns", "yields", "end state"} {
		if b.Flags>>i&1 != 0 {
			list = append(list, name)
		}
	}
	if b.Scope > 0 {
		list = append(list, fmt.Sprintf("scope %d", b.Scope))
	}
	if b.Wait >= 0 {
		list = append(list, fmt.Sprintf("waits at %d", b.Wait))
	}
	if list == nil {
		return ""
	}
	return "  [" + strings.Join(list, ", ") + "]"
}

// printScopes writes the scopes with variables, and the handlers of a procedure.
func (p *Program) printScopes(b *strings.Builder, proc *Proc) {
	for i, s := range proc.Scopes {
		if i > 0 && s.From < s.To {
			fmt.Fprintf(b, "    scope %d in %d, slots %d to %d\n", i, s.Parent, s.From, s.To-1)
		}
	}
	for i, h := range proc.Handlers {
		fmt.Fprintf(b, "    handler %d in %d:", i, h.Outer)
		for _, c := range h.Cases {
			name := "*"
			if c.Exception >= 0 {
				name = p.Exceptions[c.Exception]
			}
			fmt.Fprintf(b, " %s -> %d", name, c.PC)
		}
		b.WriteByte('\n')
	}
}

// elemText returns the text of a sequence.
func (p *Program) elemText(c *Class) string {
	var list []string
	for i := range c.Elem {
		list = append(list, strings.TrimSpace(p.slotText(&c.Elem[i])))
	}
	return [...]string{Array: "array", Set: "set", Channel: "channel"}[c.Form] + " of " + strings.Join(list, ", ")
}

var numberNames = [...]string{Byte: "byte", SByte: "sbyte", Short: "short", UShort: "ushort", Int32: "int",
	UInt32: "uint", Int64: "long", UInt64: "ulong", Float32: "float", Float64: "double"}

var calculationNames = [...]string{Plus: "+", Minus: "-", Times: "*", Quotient: "/", Remainder: "%", Negate: "-",
	Complement: "~", BitAnd: "&", BitOr: "|", BitXor: "^", ShiftLeft: "<<", ShiftRight: ">>", LessThan: "<",
	LessEqual: "<=", EqualTo: "=="}

// processText returns the text of an instruction that only programs with processes have.
func (p *Program) processText(proc *Proc, in *Instr) string {
	slot := func(i int32) string { return fmt.Sprintf("%s#%d", proc.Slots[i].Name, i) }
	slots := func(i, n int32) string {
		if n == 1 {
			return slot(i)
		}
		return fmt.Sprintf("%s…%d", slot(i), i+n-1)
	}
	class, at, n := unpackAt(in.Imm)
	switch in.Op {
	// Values.
	case CopyN:
		return fmt.Sprintf("%s := %s", slots(in.A, in.C), slots(in.B, in.C))
	case LoadGlobal:
		return fmt.Sprintf("%s := globals %s", slots(in.A, in.C), p.Globals[in.B].Name)
	case StoreGlobal:
		return fmt.Sprintf("globals %s := %s", p.Globals[in.A].Name, slots(in.B, in.C))
	case LoadField:
		return fmt.Sprintf("%s := %s.%s", slots(in.A, in.C), slot(in.B), p.Classes[class].Fields[at].Name)
	case StoreField:
		return fmt.Sprintf("%s.%s := %s", slot(in.A), p.Classes[class].Fields[at].Name, slots(in.B, in.C))
	case LoadElem:
		return fmt.Sprintf("%s := %s[%s].%d", slots(in.A, n), slot(in.B), slot(in.C), at)
	case StoreElem:
		return fmt.Sprintf("%s[%s].%d := %s", slot(in.A), slot(in.B), at, slots(in.C, n))
	case Calc:
		c := Calculation(in.Imm >> 8 & 0xff)
		if c == Negate || c == Complement {
			return fmt.Sprintf("%s := %s %s%s", slot(in.A), numberNames[Number(in.Imm)], calculationNames[c], slot(in.B))
		}
		return fmt.Sprintf("%s := %s %s %s %s", slot(in.A), numberNames[Number(in.Imm)], slot(in.B), calculationNames[c], slot(in.C))
	case Cast:
		return fmt.Sprintf("%s := %s as %s", slot(in.A), slot(in.B), numberNames[Number(in.Imm)])
	case Result:
		return fmt.Sprintf("%s := results %d", slots(in.A, in.C), in.B)
	case Self:
		return slot(in.A) + " := number of the process"
	}
	return p.actionText(proc, in, slot)
}

// actionText returns the text of an instruction on sequences, on processes or that chooses.
func (p *Program) actionText(proc *Proc, in *Instr, slot func(int32) string) string {
	switch in.Op {
	case NewN:
		return fmt.Sprintf("%s := new %s[%s]", slot(in.A), p.Classes[in.B].Name, slot(in.C))
	case Exists:
		if in.C != 0 {
			return fmt.Sprintf("exists %s[%s]", slot(in.A), slot(in.B))
		}
		return "exists " + slot(in.A)
	case Size:
		return fmt.Sprintf("%s := size of %s", slot(in.A), slot(in.B))
	case SendTo:
		return fmt.Sprintf("send %s to %s", slot(in.B), slot(in.A))
	case Receive:
		return fmt.Sprintf("%s := receive from %s", slot(in.A), slot(in.B))
	case HasMessage:
		return fmt.Sprintf("%s := %s has a message", slot(in.A), slot(in.B))
	case Insert, InsertAll:
		return fmt.Sprintf("insert %s into %s", slot(in.B), slot(in.A))
	case Remove, RemoveAll:
		return fmt.Sprintf("remove %s from %s", slot(in.B), slot(in.A))
	case Member:
		return fmt.Sprintf("%s := %s in %s", slot(in.A), slot(in.B), slot(in.C))
	// Procedures and processes.
	case CallVirtual:
		return fmt.Sprintf("call virtual %d arguments %d", in.B, in.A)
	case SpawnVirtual:
		return fmt.Sprintf("spawn virtual %d arguments %d", in.B, in.A)
	case Eval:
		return fmt.Sprintf("%s := evaluate %s arguments %d", slot(in.A), p.Procs[in.B].Name, in.C)
	case EvalVirtual:
		return fmt.Sprintf("%s := evaluate virtual %d arguments %d", slot(in.A), in.B, in.C)
	case Apply:
		return fmt.Sprintf("apply %s arguments %d", p.Procs[in.B].Name, in.A)
	// Choices and exceptions.
	case Select:
		word := "select"
		if in.Imm == 1 {
			word = "select first"
		}
		return fmt.Sprintf("%s %s %s", word, slot(in.A), targets(in))
	case ChooseNumber:
		return fmt.Sprintf("%s := choose %d to %d", slot(in.A), in.Imm, in.Imm+Word(in.B)-1)
	case ChooseFrom:
		return fmt.Sprintf("%s := choose from %s", slot(in.A), slot(in.B))
	case Raise:
		return fmt.Sprintf("raise %s in %d", p.Exceptions[in.B], in.A)
	case SetHandler:
		return fmt.Sprintf("set handler %d", in.A)
	case Accept:
		return "accept " + slot(in.A)
	case Observe:
		return "observe " + slot(in.A)
	case Print:
		return fmt.Sprintf("print %q %d from %d", p.Texts[in.B], in.C, in.A)
	}
	panic(fmt.Sprintf("zom: instruction %d", in.Op))
}
