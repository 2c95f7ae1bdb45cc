package zom

import "slices"

// This file defines the objects that have elements: arrays, sets and channels.
//
// The elements of an object lie in State.words, one after the other, each in as many words as the class has
// slots for one. An object that grows moves to the end of the words; one whose first element goes away only
// begins later. Both are one entry of the log.

// width returns the number of words of an element of a class.
func (p *Program) width(class int32) int32 { return int32(len(p.Classes[class].Elem)) }

// NewSequence makes an object with n elements, as the class says, and returns its address.
func (s *State) NewSequence(class int32, n int32) Word {
	s.news = append(s.news, cell{class, int32(len(s.words)), n})
	elem := s.prog.Classes[class].Elem
	for range n {
		for i := range elem {
			s.words = append(s.words, elem[i].Init)
		}
	}
	return Word(len(s.news))
}

// Size returns the number of elements of the object at an address.
func (s *State) Size(at Word) int32 { return s.news[at-1].n }

// Elements returns the words of the elements of the object at an address. They are shared.
func (s *State) Elements(at Word) []Word {
	c := s.news[at-1]
	return s.words[c.off : c.off+c.n*s.prog.width(c.class)]
}

// move gives the object at an address another place and number of elements.
func (s *State) move(at Word, off, n int32) {
	c := &s.news[at-1]
	s.log = append(s.log, change{area: inNews, index: int32(at - 1), old: Word(c.off)<<32 | Word(c.n)})
	c.off, c.n = off, n
}

// insert puts an element into the object at an address, before element i.
func (s *State) insert(at Word, i int32, elem []Word) {
	c, w := s.news[at-1], int32(len(elem))
	off := int32(len(s.words))
	s.words = append(s.words, s.words[c.off:c.off+i*w]...)
	s.words = append(s.words, elem...)
	s.words = append(s.words, s.words[c.off+i*w:c.off+c.n*w]...)
	s.move(at, off, c.n+1)
}

// remove takes element i out of the object at an address.
func (s *State) remove(at Word, i int32) {
	c := s.news[at-1]
	w := s.prog.width(c.class)
	off := c.off + w
	// The head is dropped in place; else the others move to a place of their own.
	if i > 0 {
		off = int32(len(s.words))
		s.words = append(s.words, s.words[c.off:c.off+i*w]...)
		s.words = append(s.words, s.words[c.off+(i+1)*w:c.off+c.n*w]...)
	}
	s.move(at, off, c.n-1)
}

// find returns the index of an element in the set at an address or, if it is not there, that at which it
// belongs.
func (s *State) find(at Word, elem []Word) (i int32, found bool) {
	words, w := s.Elements(at), len(elem)
	lo, hi := 0, int(s.news[at-1].n)
	// Bisect: the elements before lo are less, those from hi on are not.
	for lo < hi {
		mid := (lo + hi) / 2
		if slices.Compare(words[mid*w:mid*w+w], elem) < 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return int32(lo), lo*w < len(words) && slices.Equal(words[lo*w:lo*w+w], elem)
}

// setElem writes a word of the elements of the object at an address.
func (s *State) setElem(at Word, i int32, w Word) {
	k := s.news[at-1].off + i
	s.log = append(s.log, change{area: inWords, index: k, old: s.words[k]})
	s.words[k] = w
}

// noteFrame logs the level and the handler of the top frame of a process.
func (s *State) noteFrame(process int) {
	p := &s.Procs[process]
	i := len(p.Frames) - 1
	f := p.Frames[i]
	s.log = append(s.log, change{area: inFrame, process: int32(process), index: int32(i), old: Word(f.level)<<32 | Word(f.handler)})
}

// setHandler installs a handler in the top frame of a process.
func (s *State) setHandler(process int, handler int32) {
	p := &s.Procs[process]
	s.noteFrame(process)
	p.Frames[len(p.Frames)-1].handler = handler
}

// setPending makes a process choose, or none.
func (s *State) setPending(pending int32) {
	s.log = append(s.log, change{area: inPending, index: s.Pending})
	s.Pending = pending
}
