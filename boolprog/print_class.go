package boolprog

import (
	"fmt"
	"slices"
	"strings"
)

// This file prints classes and types.

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

// refType returns the type in the declaration of a reference.
func refType(class string) string { return "ref " + class + " " }

// parameter returns v as a parameter, with its own type.
func parameter(v *Var) string {
	if v.Class != "" {
		return refType(v.Class) + v.Name
	}
	return v.Name
}

// areBooleans reports whether no result is a reference.
func areBooleans(classes []string) bool {
	return !slices.ContainsFunc(classes, func(class string) bool { return class != "" })
}

// results returns the result types of p, which come before its name.
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
	// A list with a type for each result.
	types := make([]string, p.Results)
	for i, class := range p.Returns {
		types[i] = "bool"
		if class != "" {
			types[i] = strings.TrimSuffix(refType(class), " ")
		}
	}
	return "(" + strings.Join(types, ", ") + ") "
}
