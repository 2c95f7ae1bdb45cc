package harness

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file records calls of functions that have models. The nodes of a model choose what C
// functions decide: whether there is memory, which data a device delivers. The harness repeats the
// effect of the call as a whole.

// modelRun is one execution of a model.
type modelRun struct {
	call    *core.ModelCall
	at      interp.Place // of its first node
	depth   int
	stmt    int
	args    arguments
	effects []effect
	freed   []int
	open    bool // it has made a choice
	lost    bool // it did what the harness cannot repeat
}

// model tracks the models that the frame f executes: node is about to be executed; again says that
// it starts a call anew.
func (r *Recorder) model(f *interp.Frame, node *core.Node, again bool) {
	depth := f.Depth()
	// 1. Finish the models that this node does not belong to; those of frames that are gone have no
	// end.
	for len(r.models) > 0 {
		// A model ends when its frame executes a node of another call, or the same call again.
		m := r.models[len(r.models)-1]
		if m.depth < depth || m.depth == depth && m.call == node.Model && !again {
			break
		}
		r.models = r.models[:len(r.models)-1]
		if m.depth == depth {
			r.finish(m, f)
		}
	}
	// 2. Start one.
	if node.Model == nil || r.current(depth) != nil {
		return
	}
	at := interp.Place{Proc: f.Proc(), Node: f.Node(), Depth: depth}
	r.models = append(r.models, &modelRun{call: node.Model, at: at, depth: depth, stmt: r.stmts[depth], args: evaluate(f, node.Model.Args)})
}

// current returns the model that the frame at depth executes, or nil.
func (r *Recorder) current(depth int) *modelRun {
	if n := len(r.models); n > 0 && r.models[n-1].depth == depth {
		return r.models[n-1]
	}
	return nil
}

// finish records the call m by f as an input: its result and its effects.
func (r *Recorder) finish(m *modelRun, f *interp.Frame) {
	node := m.at.Proc.Nodes[m.at.Node]
	name := m.call.Func.CName
	// The library's own function is called: its result is that of the model only if that has no
	// choice.
	if byLibrary(m.call.Func) {
		if m.open {
			r.gap("what "+name+" does in "+quoted(node)+", which its model leaves open", node.Pos)
		}
		return
	}
	// The call is an input like any other, with the effects that were collected.
	in := Input{Func: m.call.Func, Pos: node.Pos, Text: node.Text, stmt: m.stmt, effects: m.effects, freed: m.freed}
	if m.call.Result != nil {
		if v, err := f.Eval(m.call.Result); err == nil {
			in.Value = v
			in.Type, _ = core.Word(m.call.Result.Type())
			_, pointer := m.call.Result.Type().(core.Ptr)
			r.addressOf(&in, pointer, m.args, node)
		}
	}
	if m.lost {
		r.gap("what "+name+" does to memory in "+quoted(node), node.Pos)
	}
	r.recording.Inputs = append(r.recording.Inputs, in)
}

// modelled records the effect on memory of a node of the model m.
func (r *Recorder) modelled(m *modelRun, b *before) {
	switch s := b.node.Stmt.(type) {
	case *core.Alloc:
		// The new object is that at the address which was assigned.
		a, err := r.machine.Top().Eval(s.Lhs)
		// Allocated memory is an object of the harness.
		if o := r.object(a); err == nil && o != nil && !byLibrary(m.call.Func) {
			img := newImage(o.Size())
			r.memory.made[o] = len(r.recording.objects)
			r.recording.objects = append(r.recording.objects, madeObject{image: img, name: m.call.Func.CName, pos: b.node.Pos})
			r.memory.supply(o, 0, o.Size(), img)
		}
	case *core.Fill:
		img := newImage(b.size)
		if s.Byte != nil {
			img = filledImage(b.size, byte(b.value.Uint64()))
		}
		r.store(m, b.dst, b.size, img, nil)
	case *core.Copy:
		r.store(m, b.dst, b.size, nil, b.src)
	case *core.Data:
		r.store(m, b.dst, int64(len(s.Bytes)), knownImage(s.Bytes), nil)
	case *core.Assign:
		for i, l := range s.Lhs {
			// Variables are results, not effects; a bit-field is not written to in models.
			if place, ok := l.(*core.Mem); ok && place.Bit == 0 {
				t, _ := core.Word(place.Typ)
				r.store(m, b.places[i], core.Bytes(t), littleEndian(b.values[i], t), nil)
			}
		}
	case *core.Havoc:
		for _, x := range b.stores {
			r.store(m, x.addr, x.image.size, x.image, nil)
		}
	case *core.Free:
		if b.freed != nil {
			r.freed(m, b.freed)
		}
	case *core.Skip, *core.Branch, *core.Assume, *core.Assert:
	default:
		m.lost = true
	}
}

// store records that m stores the size bytes of img, or those at src, at dst.
func (r *Recorder) store(m *modelRun, dst *big.Int, size int64, img *image, src *big.Int) {
	o := r.object(dst)
	if o == nil || size == 0 {
		return
	}
	// 1. The function must know both addresses.
	to, ok := r.locate(dst, m.args)
	// A copy within memory that the function knows is a copy in C, too.
	e := effect{to: to, size: size, image: img}
	if img == nil {
		from, known := r.locate(src, m.args)
		e.from = &from
		ok = ok && known && from.base != number
	}
	if !ok || to.base == number {
		m.lost = true
		return
	}
	// 2. The destination is set, and its bytes have an origin.
	m.effects = append(m.effects, e)
	delete(r.open.objects, o)
	at := int64(dst.Uint64() - o.Start())
	if from := r.object(src); img == nil && from != nil {
		r.memory.move(o, at, from, int64(src.Uint64()-from.Start()), size)
	} else {
		r.memory.supply(o, at, size, img)
	}
}

// littleEndian returns the bytes of v, a value of t; nil if v is nil.
func littleEndian(v *big.Int, t core.Int) *image {
	if v == nil {
		return nil
	}
	bits := core.Uint64.Convert(v).Uint64()
	img := newImage(core.Bytes(t))
	for i := range img.size {
		img.set[i] = imageByte{true, byte(bits >> (8 * i))}
	}
	return img
}
