package lowerzing

import (
	"slices"

	"c2bp/checker/zom"
	"c2bp/frontend/zing"
	"c2bp/source"
)

// This file translates programs: types, globals and the list of procedures.

// Options change the meaning of programs.
type Options struct {
	Unchecked bool // an integer overflow wraps around
}

// Lowered is a program of the object model, and where its parts come from.
type Lowered struct {
	Prog     *zom.Program
	Activate []int                  // the procedures of the initial processes
	Nodes    []Node                 // by Node of blocks and instructions
	Asserts  []int32                // the nodes of assertions, in the order of the text
	Methods  []*zing.Method         // by procedure; nil for those of initialisers
	Prints   map[int32][][]zom.Slot // by node of a trace statement: the slots of each argument
}

// Node is a piece of the source text.
type Node struct {
	Pos    source.Pos
	Text   string
	Method string // "Class.method", or "" for initialisers
}

// Program translates a program that zing.Check has accepted.
func Program(src *zing.Program, o Options) *Lowered {
	b := &builder{src: src, opts: o, out: &Lowered{Prog: &zom.Program{}, Prints: map[int32][][]zom.Slot{}}, classes: map[*zing.Type]int32{}, texts: map[string]int{}, exceptions: map[string]int32{}, virtual: map[*zing.Method]int32{}, files: map[string]*source.File{}}
	for _, f := range src.Files {
		b.files[f.Name] = f
	}
	b.collectTexts()
	// 1. Types. References may lead to any class, so classes are numbered first.
	b.declare()
	p := b.out.Prog
	for _, f := range src.Globals {
		p.Globals = append(p.Globals, b.slots(f.Owner.Name+"."+f.Name.Name, f.Type)...)
	}
	// 2. Procedures: methods by their index, then the initialisers of classes, then that of static fields.
	b.initialisers()
	for _, m := range src.Methods {
		p.Procs = append(p.Procs, b.method(m))
		b.out.Methods = append(b.out.Methods, m)
	}
	for _, t := range b.initialised {
		p.Procs = append(p.Procs, b.fieldInit(t))
		b.out.Methods = append(b.out.Methods, nil)
	}
	p.Main = len(p.Procs)
	p.Procs = append(p.Procs, b.staticInit())
	b.out.Methods = append(b.out.Methods, nil)
	// 3. The processes of the initial state.
	for _, m := range src.Activate {
		b.out.Activate = append(b.out.Activate, m.Index)
	}
	p.Link()
	slices.Sort(b.out.Asserts)
	return b.out
}

// builder translates a program.
type builder struct {
	src   *zing.Program
	opts  Options
	out   *Lowered
	files map[string]*source.File

	classes     map[*zing.Type]int32 // the classes of objects
	globals     []int32              // by Field.Index: the first global
	fields      map[*zing.Field]int32
	initialised []*zing.Type   // the classes whose fields have initialisers
	texts       map[string]int // index in Texts
	exceptions  map[string]int32
	virtual     map[*zing.Method]int32 // the numbers of the methods of interfaces
}

// declare makes the classes of objects.
func (b *builder) declare() {
	p := b.out.Prog
	for _, t := range b.src.Types {
		switch t.Kind {
		case zing.KindClass, zing.KindArray, zing.KindSet, zing.KindChan:
			b.classes[t] = int32(len(p.Classes))
			p.Classes = append(p.Classes, &zom.Class{Name: t.Name})
		}
	}
	b.fields = map[*zing.Field]int32{}
	for t, i := range b.classes {
		b.class(p.Classes[i], t)
	}
	// The fields of structs have places in them, and static fields among the globals.
	n := int32(0)
	for _, t := range b.src.Types {
		if t.Kind == zing.KindStruct {
			b.place(t)
		}
	}
	for _, f := range b.src.Globals {
		b.globals = append(b.globals, n)
		n += b.width(f.Type)
	}
}

// place numbers the slots of the fields of a class or struct.
func (b *builder) place(t *zing.Type) {
	n := int32(0)
	for _, f := range t.Fields {
		b.fields[f] = n
		n += b.width(f.Type)
	}
}

// class fills in the fields or elements of a class of objects.
func (b *builder) class(c *zom.Class, t *zing.Type) {
	switch t.Kind {
	case zing.KindArray:
		c.Form = zom.Array
	case zing.KindSet:
		c.Form = zom.Set
	case zing.KindChan:
		c.Form = zom.Channel
	}
	if c.Form != zom.Fixed {
		c.Elem = b.slots("", t.Elem)
		return
	}
	b.place(t)
	for _, f := range t.Fields {
		c.Fields = append(c.Fields, b.slots(f.Name.Name, f.Type)...)
	}
}

// slots returns the slots of a variable: one, or of a struct those of its fields.
func (b *builder) slots(name string, t *zing.Type) []zom.Slot {
	if t.Kind != zing.KindStruct {
		return []zom.Slot{b.slot(name, t)}
	}
	var list []zom.Slot
	for _, f := range t.Fields {
		field := f.Name.Name
		if name != "" {
			field = name + "." + field
		}
		list = append(list, b.slots(field, f.Type)...)
	}
	// A struct without fields has a slot that is always 0, so that every value has a place.
	if len(list) == 0 {
		list = []zom.Slot{{Name: name, Kind: zom.Int, Class: -1}}
	}
	return list
}

// slot returns the slot of a variable that is no struct.
func (b *builder) slot(name string, t *zing.Type) zom.Slot {
	s := zom.Slot{Name: name, Kind: kindOf(t), Class: -1}
	if c, ok := b.classes[t]; ok {
		s.Class = int(c)
	}
	for _, m := range t.Enum {
		s.Names = append(s.Names, m.Name)
	}
	return s
}

// kindOf returns the kind of the values of a type that is no struct.
func kindOf(t *zing.Type) zom.Kind {
	switch {
	case t.Kind == zing.KindBool:
		return zom.Bool
	case t.Kind == zing.KindEnum:
		return zom.Enum
	case t.IsInteger():
		return zom.Int
	case t.IsNumeric():
		return zom.Real
	case t.Kind == zing.KindString:
		return zom.Text
	}
	return zom.Ref
}

// width returns the number of slots of a value.
func (b *builder) width(t *zing.Type) int32 {
	switch t.Kind {
	case zing.KindVoid:
		return 0
	case zing.KindStruct:
		n := int32(0)
		for _, f := range t.Fields {
			n += b.width(f.Type)
		}
		return max(n, 1) // see slots
	}
	return 1
}

// exception returns the number of an exception.
func (b *builder) exception(name string) int32 {
	n, ok := b.exceptions[name]
	if !ok {
		n = int32(len(b.exceptions))
		b.exceptions[name] = n
		b.out.Prog.Exceptions = append(b.out.Prog.Exceptions, name)
	}
	return n
}

// virtualOf returns the number of a method of an interface.
func (b *builder) virtualOf(m *zing.Method) int32 {
	if n, ok := b.virtual[m]; ok {
		return n
	}
	// Which method does a class have for it?
	p := b.out.Prog
	table := make([]int32, len(p.Classes))
	for i := range table {
		table[i] = -1
	}
	for t, c := range b.classes {
		if slices.Contains(t.Implements, m.Owner) {
			table[c] = int32(t.Implementation(m).Index)
		}
	}
	n := int32(len(p.Virtual))
	b.virtual[m] = n
	p.Virtual = append(p.Virtual, table)
	return n
}
