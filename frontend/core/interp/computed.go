package interp

import (
	"cmp"

	"c2bp/frontend/core"
)

// This file computes the results of library functions whose models leave them open although C defines them
// (core.ModelCall.Computed): a run has the memory that they read.
//
//	char name[8] = "eth0";
//	n = strlen(name);              4
//	memcmp(name, "eth1", 4)        not 0: any number that is less
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

// compute returns the result of call that C defines; ok is false if there is memory that cannot be read. How far the
// result of a comparison is from 0 is not defined: ask gives a number.
func (m *Machine) compute(f *Frame, call *core.ModelCall, ask func() int64) (v int64, ok bool) {
	args := make([]uint64, len(call.Args))
	for i, e := range call.Args {
		x, err := f.Eval(e)
		if err != nil || !x.IsUint64() {
			return 0, false
		}
		args[i] = x.Uint64()
	}
	// 1. The first byte 0.
	name := core.Unprefixed(call.Computed)
	if name == "strlen" {
		for n := range uint64(mostComputed) {
			if b, ok := m.byteAt(args[0] + n); !ok || b == 0 {
				return int64(n), ok
			}
		}
		return 0, false
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
