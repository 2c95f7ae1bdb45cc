package boolprog

import (
	"fmt"
	"slices"
	"strings"
)

// This file defines the printed form of classes and types.

// class prints a class, one field a line.
func (out *printer) class(c *Class) {
	out.line(0, "class ", c.Name, " {")
	for _, f := range c.Fields {
		head, value := "bool ", ""
		if f.Class != "" {
			head = refType(f.Class)
		}
		if f.Init != nil {
			value = " := " + ExprString(f.Init)
		}
		out.line(1, head, f.Name, value, ";")
	}
	out.line(0, "}")
}

// refType is what stands in front of a reference that is declared.
func refType(class string) string { return "ref " + class + " " }

// parameter prints v as a parameter: each has its own type.
func parameter(v *Var) string {
	if v.Class != "" {
		return refType(v.Class) + v.Name
	}
	return v.Name
}

// areBooleans reports whether the classes of results name none.
func areBooleans(classes []string) bool {
	return !slices.ContainsFunc(classes, func(class string) bool { return class != "" })
}

// results prints what p returns, as it stands in front of its name.
func results(p *Proc) string {
	switch {
	case p.Results == 0:
		return "void "
	case areBooleans(p.Returns) && p.Results == 1:
		return "bool "
	case areBooleans(p.Returns):
		return fmt.Sprintf("bool<%d> ", p.Results)
	case p.Results == 1:
		return refType(p.Returns[0])
	}
	types := make([]string, p.Results)
	for i, class := range p.Returns {
		types[i] = "bool"
		if class != "" {
			types[i] = strings.TrimSuffix(refType(class), " ")
		}
	}
	return "(" + strings.Join(types, ", ") + ") "
}
