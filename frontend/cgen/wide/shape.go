package wide

import (
	"fmt"
	"slices"
	"strings"
)

// This file represents types of objects, and places in them, for initialisers.

// shape is a type that is initialised.
type shape struct {
	kind    string   // "int" and so on, "pointer", "function", "struct", "union", "array", "chars"
	name    string   // of a scalar type
	bits    int      // of a bit-field; 0 is none
	fields  []string // of a struct or union; "" is anonymous
	members []*shape // likewise; of an array its element
	len     int      // of an array
}

// count returns the number of members or elements.
func (s *shape) count() int {
	if s.kind == "array" || s.kind == "chars" {
		return s.len
	}
	return len(s.members)
}

// member returns the shape of member or element i.
func (s *shape) member(i int) *shape {
	if s.kind == "array" || s.kind == "chars" {
		return s.members[0]
	}
	return s.members[i]
}

// scalar reports whether s has no members.
func (s *shape) scalar() bool { return s.members == nil }

// declare returns a declaration of name with the type.
func (s *shape) declare(name string) string {
	switch s.kind {
	case "array", "chars":
		return s.members[0].declare(fmt.Sprintf("%s[%d]", name, s.len))
	case "pointer":
		return "int *" + name
	case "function":
		return "int (*" + name + ")(void)"
	case "struct", "union":
		return strings.TrimSpace(s.kind + " " + s.text() + " " + name)
	}
	if s.bits > 0 {
		return fmt.Sprintf("%s %s : %d", s.name, name, s.bits)
	}
	return s.name + " " + name
}

// text returns the members of a struct or union in braces, as C declares them.
func (s *shape) text() string {
	var b strings.Builder
	b.WriteString("{ ")
	for i, m := range s.members {
		b.WriteString(m.declare(s.fields[i]) + "; ")
	}
	b.WriteString("}")
	return b.String()
}

// place is a scalar in an object.
type place struct {
	path  string // ".a.b[1]"
	shape *shape
}

// scalars lists the scalars of an object.
func (s *shape) scalars(path string) (out []place) {
	if s.scalar() {
		return []place{{path, s}}
	}
	for i := range s.count() {
		out = append(out, s.member(i).scalars(path+s.step(i))...)
	}
	return out
}

// step returns the designator of member i.
func (s *shape) step(i int) string {
	switch {
	case s.kind == "array" || s.kind == "chars":
		return fmt.Sprintf("[%d]", i)
	case s.fields[i] == "":
		return ""
	}
	return "." + s.fields[i]
}

// at returns the shape of the part at path.
func (s *shape) at(path []int) *shape {
	for _, i := range path {
		s = s.member(i)
	}
	return s
}

// next returns the path of the part that an initialiser without designator initialises after path; nil
// after the last part.
func (s *shape) next(path []int) []int {
	// Take the next part of the innermost aggregate that has one.
	for n := len(path); n > 0; n-- {
		in, i := s.at(path[:n-1]), path[n-1]
		// Of a union only one member is initialised.
		if in.kind != "union" && i+1 < in.count() {
			return append(slices.Clone(path[:n-1]), i+1)
		}
	}
	return nil
}
