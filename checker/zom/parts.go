package zom

import "encoding/binary"

// This file writes only those parts of a canonical form that a step has changed, as nearly all steps change two
// or three of them: the process that steps, an object or the globals.
//
// It is for states that were read from their forms, in which the address of an object is its number. As long as
// a step makes no object and no process, and leaves every reference as it was, all objects keep their numbers;
// so the other parts stay the same, byte for byte. After a step that changes a reference, the parts are written with
// the former numbers of objects; the new ones follow from the references in all parts (Program.Rename).

// BaseParts makes s, which Reader.Multi has read without ranks and nothing has changed, the state to which
// StepParts refers.
func (c *Canon) BaseParts(s *State) {
	c.refs, c.refEnds, c.owner = c.refs[:0], c.refEnds[:0], c.owner[:0]
	for p := range s.Procs {
		c.refs = s.refs(c.refs, p)
		c.refEnds = append(c.refEnds, len(c.refs))
	}
	for i := range s.news {
		o := &s.news[i]
		for range s.prog.Classes[o.class].repeats(o.n) * int32(len(s.prog.Classes[o.class].kinds)) {
			c.owner = append(c.owner, int32(i))
		}
	}
}

// refs appends to list the references in the variables of a process that are not null, in the order of the form.
func (s *State) refs(list []Word, p int) []Word {
	stack := s.Procs[p].Stack
	for _, f := range s.Procs[p].Frames {
		for _, j := range s.prog.Procs[f.Proc].refs {
			if w := stack[f.base+j]; w != Null {
				list = append(list, w)
			}
		}
	}
	return list
}

// StepParts writes the parts of the form of s that may differ from those of the state of BaseParts, which had the
// mark m, after a step of a process: Changed has their numbers in ascending order, and Out and Cuts their
// contents. Renames reports whether objects may have other numbers; then these are not the contents in the form, but
// have the numbers before the step. StepParts returns false if there are other processes or objects; then Multi must
// write all parts.
func (c *Canon) StepParts(s *State, m Mark, process int) bool {
	c.Renames = false
	if len(s.news) > m.news || !c.touch(s, m) {
		return false
	}
	c.Renames = c.Renames || !c.sameRefs(s, process)
	c.s, c.Out, c.Cuts, c.same = s, c.Out[:0], c.Cuts[:0], true
	first := 1 + len(s.Procs)
	for _, k := range c.Changed {
		switch {
		case k == 0:
			c.globals()
		case k < first:
			c.process(k - 1)
		default:
			c.object(int32(k - first))
		}
		c.cut()
	}
	c.same = false
	return true
}

// touch sets Changed to the parts that the changes since m concern, and Renames if references outside of processes may
// have changed. It reports false if the number of processes may have changed.
func (c *Canon) touch(s *State, m Mark) bool {
	c.Changed = c.Changed[:0]
	first := 1 + len(s.Procs)
	for i := m.log; i < len(s.log); i++ {
		e := &s.log[i]
		switch e.area {
		case inGlobals:
			c.change(0)
			if s.prog.kinds[e.index] == Ref && s.Globals[e.index] != e.old {
				c.Renames = true
			}
		case inPending:
			c.change(0)
		case inWords:
			// Words that the step has added belong to objects that have moved there.
			if int(e.index) >= m.words {
				continue
			}
			o := c.owner[e.index]
			c.change(first + int(o))
			if s.words[e.index] != e.old && s.isRef(o, e.index) {
				c.Renames = true
			}
		case inNews:
			c.change(first + int(e.index))
			if s.prog.Classes[s.news[e.index].class].refs {
				c.Renames = true
			}
		case inStack, inPC, inFrame, pushed, popped:
			c.change(1 + int(e.process))
		default:
			return false
		}
	}
	return true
}

// isRef reports whether a word of an object is a reference, or the object has references and has moved.
func (s *State) isRef(k, word int32) bool {
	o := &s.news[k]
	class := s.prog.Classes[o.class]
	at := word - o.off
	return class.refs && (at < 0 || class.kinds[int(at)%len(class.kinds)] == Ref)
}

// change puts a part into Changed, which is sorted and short.
func (c *Canon) change(part int) {
	i := len(c.Changed)
	for i > 0 && c.Changed[i-1] > part {
		i--
	}
	if i > 0 && c.Changed[i-1] == part {
		return
	}
	c.Changed = append(c.Changed, 0)
	copy(c.Changed[i+1:], c.Changed[i:])
	c.Changed[i] = part
}

// sameRefs reports whether the references of a process are those of BaseParts.
func (c *Canon) sameRefs(s *State, process int) bool {
	from := 0
	if process > 0 {
		from = c.refEnds[process-1]
	}
	before := c.refs[from:c.refEnds[process]]
	stack := s.Procs[process].Stack
	for _, f := range s.Procs[process].Frames {
		for _, j := range s.prog.Procs[f.Proc].refs {
			w := stack[f.base+j]
			if w == Null {
				continue
			}
			if len(before) == 0 || before[0] != w {
				return false
			}
			before = before[1:]
		}
	}
	return len(before) == 0
}

// BaseForm makes a form, whose parts end at cuts, that of the state to which MultiAfter refers. It is that of
// the state of BaseParts.
func (c *Canon) BaseForm(form []byte, cuts []int) {
	c.base, c.baseCuts, c.plain = append(c.base[:0], form...), append(c.baseCuts[:0], cuts...), c.plain[:0]
	from := 0
	for _, end := range c.refEnds {
		c.plain = append(c.plain, from == end)
		from = end
	}
}

// Tail returns the end of the first part of a form: 1 + the number of the process that chooses, or 0, and the
// number of processes.
func Tail(part []byte) (pending, procs int) {
	// All but the last byte of a number are at least 0x80, and every word ends in a byte that is less.
	number := func() int {
		i := len(part) - 1
		for i > 0 && part[i-1] >= 0x80 {
			i--
		}
		n, _ := binary.Uvarint(part[i:])
		part = part[:i]
		return int(n)
	}
	procs = number()
	return number(), procs
}

// ReadPart changes s, whose form has as many parts, so that part k becomes another one. It reports false if
// objects would get another place; then all must be read.
func (s *State) ReadPart(k int, part []byte) bool {
	r := Reader{part}
	first := 1 + len(s.Procs)
	switch {
	case k == 0:
		for i, kind := range s.prog.kinds {
			s.Globals[i] = r.compact(kind)
		}
		s.Pending = int32(r.Uint())
		return int(r.Uint()) == len(s.Procs)
	case k < first:
		n := len(s.Procs)
		s.Procs = s.Procs[:k-1]
		r.process(s, k-1, nil)
		s.Procs = s.Procs[:n]
		return true
	}
	// An object of the same class and size has the same place.
	o := &s.news[k-first]
	c := s.prog.Classes[r.Uint()]
	if c != s.prog.Classes[o.class] || c.Form != Fixed && int32(r.Uint()) != o.n {
		return false
	}
	words := s.words[o.off:o.off]
	for range c.repeats(o.n) {
		words = r.words(words, c.kinds)
	}
	return true
}
