package lowerzing

import (
	"math"

	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file translates calls and choices.

// call translates a call: one block passes the arguments, another one takes the results.
func (c *coder) call(s *zing.CallStmt, next *block) *block {
	m := s.Call.Method
	// 1. The results: out parameters from left to right, then the value.
	take := c.block(s, c.level, 0, "")
	w := c.writer(take, take.Node)
	from := int32(0)
	for i, a := range s.Call.Args {
		if a.Out {
			t := m.Params[i].Type
			w.take(a.X, t, &from)
		}
	}
	if s.Lhs != nil {
		v := w.results(m.Result, &from)
		at := w.prepare(s.Lhs)
		if s.Convert {
			v = w.convert(v, m.Result, s.Lhs.TypeOf())
		}
		w.store(at, v, s.Lhs.TypeOf())
	}
	c.jump(take, next)
	// 2. The arguments.
	b := c.block(s, c.level, 0, "")
	w = c.writer(b, b.Node)
	if s.Call.Kind == zing.InstanceCall {
		w.emit(zom.Object, w.expr(s.Call.Receiver), 0, 0)
	}
	w.invoke(s.Call, zom.Call, zom.CallVirtual).to = []target{flow(take)}
	return b
}

// take assigns a result to a place.
func (w *writer) take(lhs zing.Expr, t *zing.Type, from *int32) {
	v := w.results(t, from)
	w.store(w.prepare(lhs), v, t)
}

// results returns the slots with a result, from the place that is given, which moves on.
func (w *writer) results(t *zing.Type, from *int32) int32 {
	n := w.b.width(t)
	at := w.alloc(n)
	w.emit(zom.Result, at, *from, n)
	*from += n
	return at
}

// arguments evaluates the object and the arguments of a call into neighbouring slots.
func (w *writer) arguments(call *zing.Call) int32 {
	n := int32(0)
	if call.Kind != zing.StaticCall {
		n = 1
	}
	for i, a := range call.Args {
		if !a.Out {
			n += w.b.width(call.Method.Params[i].Type)
		}
	}
	at := w.alloc(n)
	to := at
	if call.Kind != zing.StaticCall {
		w.copy(to, w.expr(call.Receiver), 1)
		to++
	}
	for i, a := range call.Args {
		if !a.Out {
			width := w.b.width(call.Method.Params[i].Type)
			w.copy(to, w.expr(a.X), width)
			to += width
		}
	}
	return at
}

// invoke calls a method, or makes a process that does.
func (w *writer) invoke(call *zing.Call, direct, virtual zom.Op) *instr {
	at := w.arguments(call)
	if call.Kind == zing.VirtualCall {
		return w.emit(virtual, at, w.b.virtualOf(call.Method), 0)
	}
	return w.emit(direct, at, int32(call.Method.Index), 0)
}

// evaluate translates a call in a condition.
func (w *writer) evaluate(call *zing.Call) int32 {
	at := w.arguments(call)
	if call.Kind == zing.VirtualCall {
		return w.result1(zom.EvalVirtual, w.b.virtualOf(call.Method), at).A
	}
	if call.Kind == zing.InstanceCall {
		w.emit(zom.Object, at, 0, 0)
	}
	return w.result1(zom.Eval, int32(call.Method.Index), at).A
}

// choose translates a choice.
func (c *coder) choose(s *zing.ChooseStmt, next *block) *block {
	b := c.block(s, c.level, 0, "")
	w := c.writer(b, b.Node)
	var v int32
	if of := s.Choose.Of; of != nil {
		lo, n := zom.Word(0), int32(2)
		switch of.Kind {
		case zing.KindEnum:
			n = int32(len(of.Enum))
		// Nobody waits for more alternatives.
		case zing.KindRange:
			lo, n = zom.Word(of.Lo), int32(min(of.Hi-of.Lo+1, math.MaxInt32))
		}
		in := w.result1(zom.ChooseNumber, n, 0)
		in.Imm = lo
		v = in.A
	} else {
		coll := w.expr(s.Choose.X)
		v = w.alloc(c.b.width(s.Choose.Type))
		w.emit(zom.ChooseFrom, v, coll, 0).Imm = w.class(s.Choose.X.TypeOf())
	}
	at := w.prepare(s.Lhs)
	if s.Convert {
		v = w.convert(v, s.Choose.Type, s.Lhs.TypeOf())
	}
	w.store(at, v, s.Lhs.TypeOf())
	c.jump(b, next)
	return b
}

// print translates a trace statement.
func (w *writer) print(s *zing.Trace) {
	n := int32(0)
	for _, a := range s.Args {
		n += w.b.width(a.TypeOf())
	}
	at := w.alloc(n)
	to := at
	for _, a := range s.Args {
		width := w.b.width(a.TypeOf())
		w.copy(to, w.expr(a), width)
		to += width
		w.b.out.Prints[w.node] = append(w.b.out.Prints[w.node], w.b.slots("", a.TypeOf()))
	}
	w.emit(zom.Print, at, int32(w.b.texts[s.Format.Value]), n)
}
