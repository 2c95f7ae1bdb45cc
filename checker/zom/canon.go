package zom

import (
	"encoding/binary"
	"slices"
)

// This file encodes states in canonical form, and decodes them (Andrews et al. 2004;
// Qadeer–Rajamani 2005, §5).

// Canon writes canonical forms of states. It may be used for many, one after the other.
type Canon struct {
	Out  []byte // what was written since Begin
	Cuts []int  // where the parts that Multi has written end: globals, each process, each object

	// The object that was met last at the largest distance from the roots, by its number, and the
	// distance. See Path.
	Deepest, Depth int

	base     []byte // a form, see Base
	baseCuts []int
	plain    []bool // by process: no reference in it but null
	sorted   []Word // memory for Rest

	// See StepParts.
	Changed []int   // the parts that were written
	Renames bool    // objects may have other numbers
	refs    []Word  // the references of the base state, process after process
	refEnds []int   // by process: where its references end
	owner   []int32 // by index of words: the object, from 0
	same    bool    // the number of an object is its address

	s      *State
	number []int32 // by address-1 of objects made since the entry: the number; 0 if it was not met
	met    []met   // the objects that were met, by number-1
	from   int     // the object whose field is being written: an index of met, or -1 for a root
	root   int     // the index of the root being written
	field  int
}

// met is an object that was met, and the place where it was met first.
type met struct {
	at          Word
	from, field int // index in met, or -1 and the index of the root
	depth       int
}

// Begin starts the form of another state.
func (c *Canon) Begin(s *State) {
	c.s, c.Out, c.Cuts, c.met, c.from, c.root, c.Deepest, c.Depth = s, c.Out[:0], c.Cuts[:0], c.met[:0], -1, -1, -1, 0
	n := len(s.news)
	if cap(c.number) < n {
		c.number = make([]int32, n, 2*n)
	}
	c.number = c.number[:n]
	clear(c.number)
}

// Uint writes a number that is no reference.
func (c *Canon) Uint(n uint64) { c.Out = binary.AppendUvarint(c.Out, n) }

// Root writes a word of a kind, from which objects may be met.
func (c *Canon) Root(kind Kind, w Word) {
	c.root++
	c.word(kind, w)
}

// word writes a word. Absent differs from every other.
func (c *Canon) word(kind Kind, w Word) {
	switch {
	case kind == Ref:
		c.ref(w)
	// A zero byte distinguishes an integer from absentByte.
	case kind != Bool && w != Absent:
		c.Out = binary.AppendVarint(append(c.Out, 0), w)
	case w == Absent:
		c.Out = append(c.Out, absentByte)
	default:
		c.Out = append(c.Out, byte(w))
	}
}

// absentByte encodes Absent, except for references.
const absentByte = 255 // no Boolean

// ref writes a reference: null is 0, Absent is 1, Undecided is 2, the cell of the entry -k is 2k+2, the
// n-th object met is 2n+1.
func (c *Canon) ref(w Word) {
	switch {
	case w == Null:
		c.Out = append(c.Out, 0)
	case w == Absent:
		c.Out = append(c.Out, 1)
	case w == Undecided:
		c.Out = append(c.Out, 2)
	case w < 0:
		c.Uint(uint64(-w)*2 + 2)
	default:
		// An object that is met for the first time gets the next number.
		n := c.number[w-1]
		if n == 0 {
			n = c.meet(w)
		}
		c.Uint(uint64(n)*2 + 1)
	}
}

// meet gives an object its number.
func (c *Canon) meet(w Word) int32 {
	// The object is one step farther than the one in which it was met; an object met from a root
	// has depth 1.
	m := met{w, c.from, c.root, 1}
	if c.from >= 0 {
		m.field, m.depth = c.field, c.met[c.from].depth+1
	}
	c.met = append(c.met, m)
	n := int32(len(c.met))
	c.number[w-1] = n
	if m.depth > c.Depth {
		c.Depth, c.Deepest = m.depth, int(n)-1
	}
	return n
}

// Objects ends the form with the objects that were met, and those met from them: c.met grows
// meanwhile.
func (c *Canon) Objects() {
	for i := 0; i < len(c.met); i++ {
		c.from = i
		o := c.s.cell(c.met[i].at)
		c.Uint(uint64(o.class))
		for j := range c.s.prog.Classes[o.class].Fields {
			c.field = j
			c.word(c.s.prog.Classes[o.class].Fields[j].Kind, c.s.words[int(o.off)+j])
		}
	}
}

// Addresses appends to list the addresses of the objects that were met, in the order of their
// numbers.
func (c *Canon) Addresses(list []Word) []Word {
	for _, m := range c.met {
		list = append(list, m.at)
	}
	return list
}

// Path returns the path to the object Deepest: the index of the root, as counted by Root, and the
// fields from there on. It is nil if no object was met.
func (c *Canon) Path() (root int, fields []int) {
	if c.Deepest < 0 {
		return 0, nil
	}
	i := c.Deepest
	// Go back from object to object, collecting the fields.
	for ; c.met[i].from >= 0; i = c.met[i].from {
		fields = append(fields, c.met[i].field)
	}
	slices.Reverse(fields)
	return c.met[i].field, fields
}

// Reader decodes canonical forms: the objects of the state get their numbers as addresses.
type Reader struct{ In []byte }

// Uint reads the output of Canon.Uint.
func (r *Reader) Uint() uint64 {
	n, k := binary.Uvarint(r.In)
	r.In = r.In[k:]
	return n
}

// Word reads the output of Canon.Root.
func (r *Reader) Word(kind Kind) Word {
	b := r.In[0]
	// The encodings of word and ref, reversed.
	if kind == Ref {
		return decodeRef(r.Uint())
	}
	r.In = r.In[1:]
	switch {
	case b == absentByte:
		return Absent
	case kind != Bool:
		w, k := binary.Varint(r.In)
		r.In = r.In[k:]
		return w
	}
	return Word(b)
}

// decodeRef reads a reference; see Canon.ref.
func decodeRef(n uint64) Word {
	switch {
	case n == 0:
		return Null
	case n == 1:
		return Absent
	case n == 2:
		return Undecided
	case n%2 == 0:
		return 1 - Word(n/2)
	}
	return Word(n / 2)
}

// Objects reads the output of Canon.Objects into s, which has no objects yet.
func (r *Reader) Objects(s *State) {
	for len(r.In) > 0 {
		class := r.Uint()
		a := s.New(int(class))
		off := int(s.news[a-1].off)
		for j, f := range s.prog.Classes[class].Fields {
			s.words[off+j] = r.Word(f.Kind)
		}
	}
}
