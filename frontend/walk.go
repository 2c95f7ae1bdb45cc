package frontend

import (
	"reflect"

	"modernc.org/cc/v4"
)

// This file walks syntax trees; cc has no walker.

// walk calls visit for n and, while visit returns true, for the nodes below it,
// tokens excepted. Siblings come in the order of cc's fields, which is not
// always that of the source. Lists are walked in a loop, so the depth of
// recursion is the nesting depth of the program.
func walk(n cc.Node, visit func(cc.Node) bool) {
	for !isNil(n) && visit(n) {
		var rest cc.Node // a list's tail
		own := reflect.TypeOf(n)
		for _, c := range children(n) {
			if reflect.TypeOf(c) == own && rest == nil {
				rest = c
			} else {
				walk(c, visit)
			}
		}
		n = rest
	}
}

var tokenType = reflect.TypeOf(cc.Token{})

// children lists the nodes directly below n.
func children(n cc.Node) (list []cc.Node) {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	s := v.Elem()
	t := s.Type()
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		if !f.IsExported() || f.Type == tokenType {
			continue
		}
		if k := f.Type.Kind(); k != reflect.Pointer && k != reflect.Interface {
			continue
		}
		if c, ok := s.Field(i).Interface().(cc.Node); ok && !isNil(c) {
			list = append(list, c)
		}
	}
	return list
}

// isNil reports whether n is nil or a nil pointer.
func isNil(n cc.Node) bool {
	if n == nil {
		return true
	}
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
