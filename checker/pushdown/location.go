package pushdown

import (
	"fmt"
	"strings"

	"c2bp/checker/zom"
)

// This file encodes locations in canonical form, and decodes them.

// location is a control location.
type location struct {
	form    string
	atoms   uint64
	silent  bool   // results of a call are about to be taken, or control is inside of a statement of C: no state
	unknown string // why the location is not explored; "" if it is not
}

// intern returns the number of the location of s, whose callers have references to cuts. running is false at a
// return: only the results are left of the procedure.
func (x *System) intern(s *zom.State, cuts []zom.Word, running bool) int {
	c := &x.canon
	frames := s.Procs[0].Frames
	// 1. The places, the variables, the cut points, and the objects.
	c.Begin(s)
	goes := uint64(0)
	if running {
		goes = 1
	}
	c.Uint(uint64(len(frames))<<1 | goes)
	top := frames[len(frames)-1]
	live := x.prog.Procs[top.Proc].Globals[top.PC]
	for i, w := range s.Globals {
		if !live.Has(i) && !x.atoms.keepsGlobal(i) {
			w = 0
		}
		c.Root(x.prog.Globals[i].Kind, w)
	}
	for k, f := range frames {
		p := x.prog.Procs[f.Proc]
		c.Uint(uint64(f.Proc))
		c.Uint(uint64(f.PC))
		for i, w := range s.Slots(0, k)[:p.Scratch] {
			if !p.Live[f.PC].Has(i) && !(running && x.atoms.keepsSlot(int(f.Proc), i)) {
				w = 0
			}
			c.Root(p.Slots[i].Kind, w)
		}
	}
	c.Uint(uint64(len(cuts)))
	for _, w := range cuts {
		c.Root(zom.Ref, w)
	}
	c.Objects()
	// 2. A location that is known.
	if n, ok := x.numbers[string(c.Out)]; ok {
		return n
	}
	// 3. A new one, with its atoms.
	l := location{form: string(c.Out)}
	if running {
		code := x.prog.Procs[top.Proc].Code
		l.silent = top.PC > 0 && code[top.PC-1].Op == zom.Call || x.parts[top.Proc][code[top.PC].Node]
		l.unknown = x.beyond(s)
		l.atoms = x.atoms.hold(s)
	}
	n := len(x.locations)
	x.numbers[l.form] = n
	x.locations = append(x.locations, l)
	return n
}

// beyond says why a state, whose form was written last, is not to be explored; "" if it is not.
func (x *System) beyond(s *zom.State) string {
	switch {
	case x.canon.Depth > x.opts.HeapPath:
		return fmt.Sprintf("heap path longer than %d: %s", x.opts.HeapPath, x.pathName(s))
	case len(s.Procs[0].Frames) > x.opts.Calls:
		return fmt.Sprintf("calls nested more than %d deep", x.opts.Calls)
	case x.atoms.heap && x.atoms.undecidedReference(s):
		return "an atom asks for a reference that the program has not decided"
	}
	return ""
}

// load makes s the state of a location, and returns the references to cut points.
func (x *System) load(s *zom.State, loc int) (cuts []zom.Word) {
	in := zom.Reader{In: []byte(x.locations[loc].form)}
	frames := int(in.Uint() >> 1)
	s.Reset()
	for i := range s.Globals {
		s.Globals[i] = in.Word(x.prog.Globals[i].Kind)
	}
	for k := range frames {
		proc, pc := int(in.Uint()), int32(in.Uint())
		if k == 0 {
			s.Start(proc)
		} else {
			s.Push(0, proc)
		}
		s.SetPC(0, pc)
		in.Slots(x.prog.Procs[proc], s.Slots(0, k))
	}
	for range in.Uint() {
		cuts = append(cuts, in.Word(zom.Ref))
	}
	in.Objects(s)
	return cuts
}

// mostNamed is the number of fields of a path that are named.
const mostNamed = 8

// pathName names the longest path of the form that was written last, that of s.
func (x *System) pathName(s *zom.State) string {
	root, fields := x.canon.Path()
	slots := x.prog.Globals[:len(x.prog.Globals):len(x.prog.Globals)]
	for _, f := range s.Procs[0].Frames {
		p := x.prog.Procs[f.Proc]
		slots = append(slots, p.Slots[:p.Scratch]...)
	}
	if root >= len(slots) {
		return "an object of a caller"
	}
	name, class := []string{slots[root].Name}, slots[root].Class
	for _, f := range fields[:min(len(fields), mostNamed)] {
		if class < 0 {
			break
		}
		field := x.prog.Classes[class].Fields[f]
		name, class = append(name, field.Name), field.Class
	}
	return strings.Join(name, ".") + "…"
}
