package boolprog

import (
	"maps"
	"slices"
	"strings"

	"c2bp/source"
)

// This file checks classes, and types that name them.

// declareClasses collects the classes of p, then checks their fields, which may refer to any class.
func (c *checker) declareClasses(p *Program) {
	for _, class := range p.Classes {
		if strings.HasPrefix(class.Name, "{") {
			c.errorf(class.Pos, `%q cannot be the name of a class: expected an identifier`, class.Name)
		}
		c.name(class.Name, class.Pos)
		if first, ok := c.classes[class.Name]; ok {
			c.errorf(class.Pos, `class "%s" is declared twice: first at %s`, class.Name, first.Pos)
			continue
		}
		c.classes[class.Name] = class
	}
	// Types in the text, which have positions of their own.
	for _, m := range p.types {
		c.known(m.class, m.pos)
	}
	for _, class := range p.Classes {
		c.fields(class)
	}
}

// fields checks the fields of a class.
func (c *checker) fields(class *Class) {
	first := make(map[string]source.Pos, len(class.Fields))
	for _, f := range class.Fields {
		c.name(f.Name, f.Pos)
		if pos, ok := first[f.Name]; ok {
			c.errorf(f.Pos, `field "%s" of class "%s" is declared twice: first at %s`, f.Name, class.Name, pos)
			continue
		}
		first[f.Name] = f.Pos
		c.known(f.Class, f.Pos)
		// A Boolean may start as a constant or anything, a reference as null only.
		switch f.Init.(type) {
		case nil:
			continue
		case *Const, *Nondet:
			if f.Class == "" {
				continue
			}
		}
		c.errorf(f.Pos, `field "%s" cannot start as %s: expected 0, 1 or * for a Boolean and nothing for a reference`, f.Name, ExprString(f.Init))
	}
}

// known reports whether a class exists; "" is no class. It reports each unknown class once.
func (c *checker) known(class string, pos source.Pos) bool {
	if class == "" || c.classes[class] != nil {
		return true
	}
	if !c.unknown[class] {
		c.unknown[class] = true
		c.errorf(pos, `class "%s" is not declared%s`, class, nearest(class, slices.Collect(maps.Keys(c.classes))))
	}
	return false
}

// resultTypes checks the types of the results of p.
func (c *checker) resultTypes(p *Proc) {
	if p.Returns == nil {
		return
	}
	if len(p.Returns) != p.Results {
		c.errorf(p.Pos, `procedure "%s" has %s, but types for %d`, p.Name, count(p.Results, "result"), len(p.Returns))
	}
	for _, class := range p.Returns {
		c.known(class, p.Pos)
	}
}

// result returns the type of result i of p, and whether it is known: not if there is no such
// result, or its class does not exist.
func (c *checker) result(p *Proc, i int) (Type, bool) {
	switch {
	case i >= p.Results, p.Returns != nil && i >= len(p.Returns):
		return Type{}, false
	case p.Returns == nil:
		return Type{}, true
	}
	return c.declared(p.Returns[i])
}

// declared returns the type of a variable that is declared with a class, and whether that class
// exists.
func (c *checker) declared(class string) (Type, bool) {
	return typeOf(class), class == "" || c.classes[class] != nil
}

// field returns the type of a field, and whether it exists. t is the type of the value before it,
// and name its name: for x.next.f the type of x.next, next, and f.
func (c *checker) field(t Type, name, field string, pos source.Pos) (Type, bool) {
	if !t.Ref {
		c.errorf(pos, `"%s" is a Boolean: expected a reference in front of ".%s"`, name, field)
		return Type{}, false
	}
	// A reference has a class that exists.
	class := c.classes[t.Class]
	f, _ := class.Field(field)
	if f == nil {
		var names []string
		for _, f := range class.Fields {
			names = append(names, f.Name)
		}
		c.errorf(pos, `class "%s" has no field "%s"%s`, class.Name, field, nearest(field, names))
		return Type{}, false
	}
	return c.declared(f.Class)
}
