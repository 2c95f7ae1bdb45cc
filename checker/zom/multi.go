package zom

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// This file encodes the states of programs with processes, whose code has blocks. The form is shorter than
// that of whole.go: places are numbers of blocks, and no word is absent.
//
// Sets of references are sorted by the order in which their elements were allocated. Two states that differ
// in the order of other objects only are the same; so the order is no part of the form, but is told by Rest,
// which a search must keep beside it, together with the handlers that are installed.

// Multi writes the canonical form of s.
func (c *Canon) Multi(s *State) {
	c.plain = c.plain[:0]
	c.MultiAfter(s, -1)
}

// Base makes the state whose form Multi has written last the one to which MultiAfter refers.
func (c *Canon) Base() {
	c.base, c.baseCuts = append(c.base[:0], c.Out...), append(c.baseCuts[:0], c.Cuts...)
	c.plain = c.plain[:0]
	for p := range c.s.Procs {
		c.plain = append(c.plain, !c.holdsRefs(p))
	}
}

// holdsRefs reports whether a variable of a process leads to an object.
func (c *Canon) holdsRefs(p int) bool {
	for _, f := range c.s.Procs[p].Frames {
		for j, kind := range c.s.prog.Procs[f.Proc].kinds {
			if kind == Ref && c.s.Procs[p].Stack[int(f.base)+j] != Null {
				return true
			}
		}
	}
	return false
}

// MultiAfter writes the canonical form of s, which differs from the state of Base by a step of a process. Those
// parts of the form that numbers of objects play no part in are taken over.
func (c *Canon) MultiAfter(s *State, process int) {
	c.Begin(s)
	// 1. Globals, and the process that chooses.
	c.globals()
	c.cut()
	// 2. Processes, the frame at the bottom first.
	for p := range s.Procs {
		if p != process && p < len(c.plain) && c.plain[p] {
			c.Out = append(c.Out, c.base[c.baseCuts[p]:c.baseCuts[p+1]]...)
		} else {
			c.process(p)
		}
		c.cut()
	}
	// 3. Objects: c.met grows meanwhile.
	for i := 0; i < len(c.met); i++ {
		c.from = i
		c.object(int32(c.met[i].at - 1))
		c.cut()
	}
}

// globals writes the first part: globals, the process that chooses, and the number of processes.
func (c *Canon) globals() {
	c.words(c.s.prog.kinds, c.s.Globals)
	c.Uint(uint64(c.s.Pending))
	c.Uint(uint64(len(c.s.Procs)))
}

// process writes the part of a process.
func (c *Canon) process(p int) {
	s := c.s
	frames := s.Procs[p].Frames
	c.Uint(uint64(len(frames)))
	for i := range frames {
		proc := s.prog.Procs[frames[i].Proc]
		c.Uint(uint64(proc.Blocks[frames[i].PC].Number))
		c.words(proc.kinds, s.Procs[p].Stack[frames[i].base:])
	}
}

// object writes the part of an object, by its address less 1.
func (c *Canon) object(k int32) {
	s := c.s
	o := s.news[k]
	class := s.prog.Classes[o.class]
	c.Uint(uint64(o.class))
	if class.Form != Fixed {
		c.Uint(uint64(o.n))
	}
	w := int32(len(class.kinds))
	for k := range class.repeats(o.n) {
		c.words(class.kinds, s.words[o.off+k*w:])
	}
}

// repeats returns how often the slots of the class stand in an object with n elements: records have one group.
func (c *Class) repeats(n int32) int32 {
	if c.Form == Fixed {
		return 1
	}
	return n
}

// cut ends a part.
func (c *Canon) cut() { c.Cuts = append(c.Cuts, len(c.Out)) }

// words writes words of kinds.
func (c *Canon) words(kinds []Kind, words []Word) {
	for j, kind := range kinds {
		w := words[j]
		// The most frequent words are small numbers.
		switch {
		case kind == Bool:
			c.Out = append(c.Out, byte(w))
		case (kind == Int || kind == Enum) && 0 <= w && w < 64:
			c.Out = append(c.Out, byte(w)<<1)
		default:
			c.compact(kind, w)
		}
	}
}

// compact writes a word that is no Boolean.
func (c *Canon) compact(kind Kind, w Word) {
	switch kind {
	case Ref:
		n := int32(w)
		if w != Null && !c.same {
			if n = c.number[w-1]; n == 0 {
				n = c.meet(w)
			}
		}
		c.Uint(uint64(n))
	// The last bits of most reals are 0.
	case Real:
		c.Uint(bits.Reverse64(uint64(w)))
	case Text:
		c.Uint(uint64(w))
	default:
		c.Out = binary.AppendVarint(c.Out, w)
	}
}

// Handles reports whether a procedure has a try statement.
func (p *Program) Handles() bool {
	for _, proc := range p.Procs {
		if len(proc.Handlers) > 0 {
			return true
		}
	}
	return false
}

// Ranks reports whether the order in which objects are allocated matters, because of sets of references.
func (p *Program) Ranks() bool {
	for _, c := range p.Classes {
		if c.Form == Set {
			for _, e := range c.Elem {
				if e.Kind == Ref {
					return true
				}
			}
		}
	}
	return false
}

// Rest appends to out the part of s that its form does not tell: the handlers that are installed, and with
// ranks the order in which the objects of the form were allocated. It must follow Multi.
func (c *Canon) Rest(out []byte, ranks bool) []byte {
	for p := range c.s.Procs {
		frames := c.s.Procs[p].Frames
		for i := range frames {
			if len(c.s.prog.Procs[frames[i].Proc].Handlers) > 0 {
				out = binary.AppendUvarint(out, uint64(frames[i].handler))
			}
		}
	}
	if ranks {
		// The place of each object in the order of addresses, as the difference to its number.
		c.sorted = c.Addresses(c.sorted[:0])
		slices.Sort(c.sorted)
		for i, m := range c.met {
			place, _ := slices.BinarySearch(c.sorted, m.at)
			out = binary.AppendVarint(out, int64(place-i))
		}
	}
	return out
}

// Multi reads the output of Canon.Multi, and of Canon.Rest, into s, which then has no log.
func (r *Reader) Multi(s *State, rest []byte, ranks bool) {
	s.clear()
	more := Reader{rest}
	for i := range s.Globals {
		s.Globals[i] = r.compact(s.prog.Globals[i].Kind)
	}
	s.Pending = int32(r.Uint())
	for p := range int(r.Uint()) {
		r.process(s, p, &more)
	}
	r.objects(s)
	if ranks {
		s.rank(&more)
	}
	s.log = s.log[:0]
}

// process reads a process.
func (r *Reader) process(s *State, p int, more *Reader) {
	// Reuse the memory of a process that was there before.
	if cap(s.Procs) > p {
		s.Procs = s.Procs[:p+1]
		s.Procs[p].Frames, s.Procs[p].Stack = s.Procs[p].Frames[:0], s.Procs[p].Stack[:0]
	} else {
		s.Procs = append(s.Procs, Process{})
	}
	frames, stack, level := s.Procs[p].Frames, s.Procs[p].Stack, int32(0)
	for range int(r.Uint()) {
		place := s.prog.Places[r.Uint()]
		proc := s.prog.Procs[place.Proc]
		f := Frame{Proc: place.Proc, PC: place.PC, base: int32(len(stack)), level: level}
		// A frame above has the level of the block after the call.
		level += proc.Blocks[f.PC].Level
		if len(proc.Handlers) > 0 {
			f.handler = int32(more.Uint())
		}
		frames = append(frames, f)
		stack = r.words(stack, proc.kinds)
		for range len(proc.Slots) - proc.Scratch {
			stack = append(stack, 0)
		}
	}
	s.Procs[p].Frames, s.Procs[p].Stack = frames, stack
}

// words reads words of kinds.
func (r *Reader) words(list []Word, kinds []Kind) []Word {
	for _, kind := range kinds {
		list = append(list, r.compact(kind))
	}
	return list
}

// objects reads the objects; their addresses are their numbers.
func (r *Reader) objects(s *State) {
	for len(r.In) > 0 {
		class := int32(r.Uint())
		c := s.prog.Classes[class]
		o := cell{class: class, off: int32(len(s.words))}
		if c.Form != Fixed {
			o.n = int32(r.Uint())
		}
		for range c.repeats(o.n) {
			s.words = r.words(s.words, c.kinds)
		}
		s.news = append(s.news, o)
	}
}

// compact reads a word.
func (r *Reader) compact(kind Kind) Word {
	b := r.In[0]
	switch kind {
	case Bool:
		r.In = r.In[1:]
		return Word(b)
	case Ref, Text:
		return Word(r.Uint())
	case Real:
		return Word(bits.Reverse64(r.Uint()))
	}
	if b < 0x80 && b&1 == 0 {
		r.In = r.In[1:]
		return Word(b >> 1)
	}
	w, k := binary.Varint(r.In)
	r.In = r.In[k:]
	return w
}

// Loses reports whether one of the objects that the form of Multi leaves out, as nothing leads to them, is one of a
// kind.
func (c *Canon) Loses(is func(at Word) bool) bool {
	for i, n := range c.number {
		if n == 0 && is(Word(i+1)) {
			return true
		}
	}
	return false
}
