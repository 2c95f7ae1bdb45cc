package zom

import "encoding/binary"

// This file gives access to the parts of a state that a summary of a procedure reads and writes.

// SetElements replaces the words of the elements of the object at an address, which is a set or a channel.
func (s *State) SetElements(at Word, words []Word) {
	off := int32(len(s.words))
	s.words = append(s.words, words...)
	n := int32(0)
	if w := len(s.prog.Classes[s.Class(at)].Elem); w > 0 {
		n = int32(len(words) / w)
	}
	s.move(at, off, n)
}

// Enter pushes a frame of a process that stands at pc of a procedure, outside of atomic regions. The slots from
// Scratch on are not in words.
func (s *State) Enter(process, proc int, pc int32, words []Word) {
	copy(s.push(process, proc), words)
	s.Top(process).PC = pc
}

// Visible writes the form of the part of s that the procedure of the top frame of a process can use: globals, the
// frame, and the objects to which they lead.
func (c *Canon) Visible(s *State, process int) {
	c.Begin(s)
	c.words(s.prog.kinds, s.Globals)
	f := s.Top(process)
	proc := s.prog.Procs[f.Proc]
	c.Out = binary.AppendUvarint(c.Out, uint64(proc.Blocks[f.PC].Number))
	c.words(proc.kinds, s.Procs[process].Stack[f.base:])
	for i := 0; i < len(c.met); i++ {
		c.from = i
		c.object(int32(c.met[i].at - 1))
	}
}
