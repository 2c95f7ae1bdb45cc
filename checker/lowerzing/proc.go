package lowerzing

import (
	"c2bp/checker/zom"
	"c2bp/frontend/zing"
)

// This file translates procedures: their frames, and their beginnings and ends.

// coder translates a procedure.
type coder struct {
	b      *builder
	method *zing.Method // nil for initialisers
	proc   *zom.Proc

	this   int32   // the slot of the object, or -1
	params []int32 // by Param.Index: the first slot
	locals []int32 // by Local.Index
	outs   []*zing.Param
	result int32 // the first slot of the value of the method

	level   int32 // 1 inside an atomic region
	scope   int32 // the present one
	handler int32 // the innermost try around, or -1
	scopes  map[*zing.Scope]int32
	labels  map[*zing.Labeled]*block
	gotos   []jump
	cases   []entry
}

// jump is a goto, whose level depends on that of its label.
type jump struct{ from, to *block }

// entry is a case of a handler.
type entry struct {
	handler, exception int32
	entry              *block
}

// newCoder returns a coder for a procedure without a frame.
func (b *builder) newCoder(name string, m *zing.Method) *coder {
	return &coder{b: b, method: m, proc: &zom.Proc{Name: name}, this: -1, handler: -1, scopes: map[*zing.Scope]int32{}, labels: map[*zing.Labeled]*block{}}
}

// method translates a method.
func (b *builder) method(m *zing.Method) *zom.Proc {
	c := b.newCoder(m.Owner.Name+"."+m.Name.Name, m)
	c.frame()
	// 1. The end of the body. An atomic method leaves its region first.
	end := c.block(m, 0, zom.Returns, "}")
	end.node(c.b.node(zing.Span{Start: lastOf(m.Body), End: m.Body.End}, "}", c.name()))
	c.emit(end, zom.Return, 0, 0, 0)
	next := end
	if m.Atomic {
		next = c.skip(m, 0, zom.Glued, end)
		c.level = 1
	}
	// 2. The body, whose scope is that of the method.
	first := c.body(m.Body, next)
	// 3. A goto out of an atomic region ends it.
	for _, j := range c.gotos {
		j.from.Level = min(j.from.Level, j.to.Level)
	}
	c.layout(first)
	return c.proc
}

// name returns the name of the method, or "".
func (c *coder) name() string {
	if c.method == nil {
		return ""
	}
	return c.method.Owner.Name + "." + c.method.Name.Name
}

// frame lays out the frame of a method: the object, parameters by value, results, local variables.
func (c *coder) frame() {
	m, p := c.method, c.proc
	if !m.Static {
		c.this = 0
		p.Slots = append(p.Slots, c.b.slot("this", m.Owner))
	}
	c.params = make([]int32, len(m.Params))
	for _, q := range m.Params {
		if !q.Out {
			c.params[q.Index] = c.variable(q.Name.Name, q.Type)
		}
	}
	p.Params = len(p.Slots)
	p.Result = len(p.Slots)
	for _, q := range m.Params {
		if q.Out {
			c.params[q.Index] = c.variable(q.Name.Name, q.Type)
			c.outs = append(c.outs, q)
		}
	}
	c.result = int32(len(p.Slots))
	if m.Result.Kind != zing.KindVoid {
		c.variable("result", m.Result)
	}
	p.Results = len(p.Slots) - p.Result
	c.variables(m)
	p.Scratch = len(p.Slots)
}

// variable adds the slots of a variable and returns the first one.
func (c *coder) variable(name string, t *zing.Type) int32 {
	at := int32(len(c.proc.Slots))
	c.proc.Slots = append(c.proc.Slots, c.b.slots(name, t)...)
	return at
}

// variables adds the local variables, those of a scope together, and the scopes.
func (c *coder) variables(m *zing.Method) {
	c.locals = make([]int32, len(m.Locals))
	c.scopeOf(m.Body.Scope)
	for _, l := range m.Locals {
		s := &c.proc.Scopes[c.scopeOf(l.Scope)]
		if s.To > 0 {
			continue // they are there already
		}
		s.From = int32(len(c.proc.Slots))
		for _, v := range l.Scope.Locals {
			name := v.Name.Name
			if name == "" {
				name = "foreach"
			}
			c.locals[v.Index] = c.variable(name, v.Type)
		}
		s.To = int32(len(c.proc.Slots))
	}
}

// scopeOf returns the number of a scope, after numbering those around it.
func (c *coder) scopeOf(s *zing.Scope) int32 {
	if n, ok := c.scopes[s]; ok {
		return n
	}
	parent := int32(-1)
	if s.Parent != nil {
		parent = c.scopeOf(s.Parent)
	}
	n := int32(len(c.proc.Scopes))
	c.scopes[s] = n
	c.proc.Scopes = append(c.proc.Scopes, zom.Scope{Parent: parent})
	return n
}

// initialisers finds the classes whose new objects run initialisers. A class all of whose initialisers are
// constants has none: the constants are the values with which its fields begin.
func (b *builder) initialisers() {
	for _, t := range b.src.Types {
		if t.Kind != zing.KindClass {
			continue
		}
		constants := true
		for _, f := range t.Fields {
			constants = constants && (f.Init == nil || isConstant(f.Init))
		}
		if !constants {
			b.initialised = append(b.initialised, t)
			continue
		}
		for _, f := range t.Fields {
			if f.Init != nil {
				b.out.Prog.Classes[b.classes[t]].Fields[b.fields[f]].Init = b.constant(f.Init)
			}
		}
	}
}

// isConstant reports whether e is a literal with a value of one slot.
func isConstant(e zing.Expr) bool {
	switch e.(type) {
	case *zing.IntLit, *zing.BoolLit, *zing.NullLit, *zing.StringLit, *zing.RealLit:
		return true
	}
	return false
}

// fieldInit returns the procedure that initialises the fields of a new object.
func (b *builder) fieldInit(t *zing.Type) *zom.Proc {
	c := b.newCoder(t.Name+" initialisers", nil)
	c.this = 0
	c.proc.Slots = []zom.Slot{b.slot("this", t)}
	c.proc.Params, c.proc.Result, c.proc.Scratch = 1, 1, 1
	return c.initialiser(t.Fields)
}

// staticInit returns the procedure that initialises static fields.
func (b *builder) staticInit() *zom.Proc {
	return b.newCoder("static initialisers", nil).initialiser(b.src.Globals)
}

// initialiser ends a procedure that assigns the initial values of fields, in one block.
func (c *coder) initialiser(fields []*zing.Field) *zom.Proc {
	c.proc.Scopes = []zom.Scope{{Parent: -1}}
	var at *block
	for _, f := range fields {
		if f.Init == nil {
			continue
		}
		n := c.b.node(f.Span, "", "")
		if at == nil {
			at = &block{Block: zom.Block{Flags: zom.Returns, Node: n}}
		}
		w := c.writer(at, n)
		v := w.expr(f.Init)
		w.store(c.field(f), v, f.Type)
	}
	if at == nil {
		at = &block{Block: zom.Block{Flags: zom.Returns, Node: c.b.node(zing.Span{}, "", "")}}
	}
	c.emit(at, zom.Return, 0, 0, 0)
	c.layout(at)
	return c.proc
}

// field returns the place of a field of this, or of a static field.
func (c *coder) field(f *zing.Field) place {
	if f.Static {
		return place{form: global, slot: c.b.globals[f.Index]}
	}
	return place{form: field, object: c.this, class: c.b.classes[f.Owner], slot: c.b.fields[f]}
}
