package refexec

import (
	"strconv"
	"sync/atomic"

	"c2bp/boolprog"
)

// This file defines states and their texts.

// value is a bool, a *object, or undecided; the nil *object is null.
type value any

// undecided is the value of an arbitrary field that was not read yet.
type undecided struct{}

var null value = (*object)(nil)

// object is an object on the heap. The heap of a state is the objects that it reaches.
type object struct {
	class  *boolprog.Class
	fields []value

	// One walk over the heap of a state notes here that it met the object: its copy, or its number.
	met    uint64 // the walk
	copied *object
	number int
}

// walks numbers the walks.
var walks atomic.Uint64

// frame is an activation of a procedure.
type frame struct {
	proc    *boolprog.ProcGraph
	node    int // the next node; in frames below the top, the call that is being executed
	vars    []value
	results []value // at the exit: the values returned
}

// state is a state of the whole program.
type state struct {
	globals []value
	frames  []*frame // from main upwards
}

// top returns the frame that is executed.
func (s *state) top() *frame { return s.frames[len(s.frames)-1] }

// variable returns the place of a variable visible in the top frame.
func (s *state) variable(name string) *value {
	slot, ok := s.top().proc.Slot(name)
	switch {
	case !ok:
		panic("refexec: no variable " + name)
	case slot.Global:
		return &s.globals[slot.Index]
	}
	return &s.top().vars[slot.Index]
}

// clone copies s with all its objects.
func (s *state) clone() *state {
	// All parts share one cloner, so that aliases stay aliases.
	c := cloner(walks.Add(1))
	t := &state{globals: c.values(s.globals)}
	for _, f := range s.frames {
		t.frames = append(t.frames, &frame{f.proc, f.node, c.values(f.vars), c.values(f.results)})
	}
	return t
}

// cloner is a walk that copies objects.
type cloner uint64

// values copies a list, with the objects that it leads to.
func (c cloner) values(list []value) []value {
	copies := make([]value, len(list))
	for i, v := range list {
		if o, ok := v.(*object); ok {
			v = c.object(o)
		}
		copies[i] = v
	}
	return copies
}

// object returns the copy of an object; it copies each object once, so cycles end.
func (c cloner) object(o *object) *object {
	// Null, or an object that was copied before.
	if o == nil {
		return nil
	}
	if o.met == uint64(c) {
		return o.copied
	}
	copied := &object{class: o.class}
	o.met, o.copied = uint64(c), copied
	copied.fields = c.values(o.fields)
	return copied
}

// text describes s exactly except for the addresses of objects: they are numbered in the order in
// which the text meets them, in the globals, then in the frames from the bottom, then in the
// objects themselves. objects is their number.
func (s *state) text() (text string, objects int) {
	w := s.write()
	return string(w.text), len(w.objects)
}

// live returns the objects of a class that the variables of s lead to.
func (s *state) live(class string) (list []*object) {
	for _, o := range s.write().objects {
		if o.class.Name == class {
			list = append(list, o)
		}
	}
	return list
}

// write writes s, and collects its objects.
func (s *state) write() *writer {
	w := &writer{walk: walks.Add(1), text: make([]byte, 0, 256)}
	// The order fixes the numbers of objects.
	w.values(s.globals)
	for _, f := range s.frames {
		w.int('/', f.proc.Index)
		w.int(':', f.node)
		w.values(f.vars)
		w.values(f.results)
	}
	// The fields of the objects, which may lead to further ones.
	for i := 0; i < len(w.objects); i++ { // the list grows on the way
		w.text = append(w.text, '\n')
		w.text = append(w.text, w.objects[i].class.Name...)
		w.values(w.objects[i].fields)
	}
	return w
}

// writer writes the text of a state.
type writer struct {
	text    []byte
	objects []*object // in the order in which they are met
	walk    uint64
}

// int writes a number after a character.
func (w *writer) int(before byte, n int) {
	w.text = strconv.AppendInt(append(w.text, before), int64(n), 10)
}

// values writes a list of values.
func (w *writer) values(list []value) {
	w.text = append(w.text, ' ')
	for _, v := range list {
		switch v := v.(type) {
		case bool:
			w.text = strconv.AppendBool(w.text, v)
		case *object:
			w.reference(v)
		case undecided:
			w.text = append(w.text, "any"...)
		}
		w.text = append(w.text, ',')
	}
}

// reference writes null or the number of an object, which is new if it was not met yet.
func (w *writer) reference(o *object) {
	if o == nil {
		w.text = append(w.text, "null"...)
		return
	}
	if o.met != w.walk {
		o.met, o.number = w.walk, len(w.objects)
		w.objects = append(w.objects, o)
	}
	w.int('#', o.number)
}
