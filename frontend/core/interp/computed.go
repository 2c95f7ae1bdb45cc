package interp

import (
	"bytes"
	"cmp"

	"c2bp/frontend/core"
)

// This file computes the results of library functions whose models leave them open although C defines them
// (core.ModelCall.Computed): a run has the memory that they read.
//
//	char name[8] = "eth0";
//	n = strlen(name);              4
//	memcmp(name, "eth1", 4)        not 0: any number that is less
//	strstr(name, "0")              name + 3
//
// The model of a search chooses first whether something is found, and then how far it is from the beginning.
//
// Bytes that are arbitrary, such as those of an object of the environment, are decided then, as by any read.

// mostComputed bounds the bytes that such a function reads.
const mostComputed = 1 << 12

// computePlace gives p, a place of type t that the model of call makes arbitrary, the result that C defines, or that of the
// request r if there is none.
func (m *Machine) computePlace(f *Frame, call *core.ModelCall, p place, t core.Type, r Request) error {
	ask := func() int64 { return m.askPlace(p, t, r) }
	v, ok := m.compute(f, call, ask)
	if m.computed = ok; !ok {
		v = ask()
	}
	p.set(m, v)
	return nil
}

// compute returns the result of call that C defines; of a search, the distance of the place that is found, or -1. ok is
// false if there is memory that cannot be read. How far the result of a comparison is from 0 is not defined: ask gives a
// number.
func (m *Machine) compute(f *Frame, call *core.ModelCall, ask func() int64) (v int64, ok bool) {
	args := make([]uint64, len(call.Args))
	for i, e := range call.Args {
		x, err := f.Eval(e)
		if err != nil || !x.IsUint64() {
			return 0, false
		}
		args[i] = x.Uint64()
	}
	name := core.Unprefixed(call.Computed)
	switch name {
	// 1. The first byte 0, and the first or last byte of some.
	case "strlen":
		text, ok := m.text(args[0], mostComputed)
		return int64(len(text)), ok
	case "strnlen":
		text, ok := m.text(args[0], args[1])
		return int64(len(text)), ok
	case "memchr":
		return m.search(args[0], args[2], byte(args[1]))
	case "strchr", "strrchr", "strstr", "strpbrk", "strspn", "strcspn":
		return m.find(name, args[0], args[1])
	}
	// 2. The first bytes that differ. Strings end at a byte 0.
	strings, most := name != "memcmp", uint64(mostComputed)
	if len(args) == 3 {
		if most = args[2]; most > mostComputed {
			return 0, false
		}
	}
	for i := range most {
		a, known := m.byteAt(args[0] + i)
		b, too := m.byteAt(args[1] + i)
		switch order := cmp.Compare(a, b); {
		case !known || !too:
			return 0, false
		case order != 0:
			if v = ask(); cmp.Compare(v, 0) != order {
				v = int64(order)
			}
			return v, true
		case strings && a == 0:
			return 0, true
		}
	}
	return 0, len(args) == 3
}

// text reads the bytes before the first 0 of a string of which no more than most are read; ok is false if they cannot be
// read, or are too many.
func (m *Machine) text(addr, most uint64) (text []byte, ok bool) {
	for n := range min(most, mostComputed) {
		b, ok := m.byteAt(addr + n)
		if !ok || b == 0 {
			return text, ok
		}
		text = append(text, b)
	}
	return text, most < mostComputed
}

// search returns how far the first byte c among n is from addr, -1 if there is none. Bytes after it are not read.
func (m *Machine) search(addr, n uint64, c byte) (at int64, ok bool) {
	for i := range min(n, mostComputed) {
		if b, ok := m.byteAt(addr + i); !ok || b == c {
			return int64(i), ok
		}
	}
	return -1, n <= mostComputed
}

// find returns how far from the beginning of the string at addr the function called name finds its second argument: a byte, or
// a byte of the string at that address, or this string. A search that finds nothing returns -1.
func (m *Machine) find(name string, addr, second uint64) (at int64, ok bool) {
	text, ok := m.text(addr, mostComputed)
	if !ok {
		return 0, false
	}
	// 1. A byte; the 0 at the end is one of them.
	c := []byte{byte(second)}
	switch name {
	case "strchr":
		return int64(bytes.Index(append(text, 0), c)), true
	case "strrchr":
		return int64(bytes.LastIndex(append(text, 0), c)), true
	}
	// 2. A string, or one of its bytes.
	other, ok := m.text(second, mostComputed)
	if !ok {
		return 0, false
	}
	if name == "strstr" {
		return int64(bytes.Index(text, other)), true
	}
	n := 0
	for n < len(text) && (bytes.IndexByte(other, text[n]) >= 0) == (name == "strspn") {
		n++
	}
	if name == "strpbrk" && n == len(text) {
		return -1, true
	}
	return int64(n), true
}

// chosen reduces open, the nodes at which a run may go on from an open branch of the model of call, to the one that C
// defines, if the branch says whether a search finds something and that can be computed: its first way is that it does.
func (m *Machine) chosen(f *Frame, call *core.ModelCall, open []int) []int {
	v, ok := m.compute(f, call, func() int64 { return 0 })
	if m.computed = ok && len(open) == 2; !m.computed {
		return open
	}
	if v >= 0 {
		return open[:1]
	}
	return open[1:]
}

// byteAt reads a byte of memory; ok is false if nothing is there, or nobody has stored it there.
func (m *Machine) byteAt(addr uint64) (b byte, ok bool) {
	s := spanOf(addr, core.Uint8, 0)
	o, off, ub := m.locate(s)
	if ub != Defined {
		return 0, false
	}
	if m.settle(o, off, 1) > 0 && origin(m.bytesAt(o, off, 1).unknown[0]&1) == indeterminate {
		return 0, false
	}
	return byte(m.load(o, off, s, false)), true
}
