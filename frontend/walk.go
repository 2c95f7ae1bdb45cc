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
	if !isNil(n) {
		walkIn(n, fieldsFor(reflect.TypeOf(n)), visit)
	}
}

// walkIn is walk of n, which is not nil, and whose fields are f.
func walkIn(n cc.Node, f *fields, visit func(cc.Node) bool) {
	for n != nil && visit(n) {
		var rest cc.Node // a list's tail
		v := reflect.ValueOf(n)
		own := v.Type()
		v = v.Elem()
		for k, i := range f.nodes {
			c := nodeIn(v.Field(i))
			if c == nil {
				continue
			}
			below := f.below[k]
			if below == nil { // an interface
				below = fieldsFor(reflect.TypeOf(c))
			}
			if rest == nil && (below == f || below.outside) && reflect.TypeOf(c) == own {
				rest = c
			} else {
				walkIn(c, below, visit)
			}
		}
		n = rest
	}
}

// fields are the indices of a node type's fields that hold nodes and tokens.
type fields struct {
	nodes, tokens []int
	below         []*fields // of the types of nodes; nil for interfaces
	outside       bool      // not in the table
}

// fieldTable has the fields of all node types: those that can be reached from a
// translation unit and the kinds of expressions.
var fieldTable = func() map[reflect.Type]*fields {
	table := map[reflect.Type]*fields{}
	var add func(reflect.Type)
	add = func(t reflect.Type) {
		if _, seen := table[t]; seen || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct || !t.Implements(nodeType) {
			return
		}
		f := fieldsOf(t)
		table[t] = f
		for _, i := range f.nodes {
			add(t.Elem().Field(i).Type)
		}
	}
	for _, n := range []cc.Node{
		&cc.TranslationUnit{}, &cc.ExpressionList{}, &cc.AssignmentExpression{}, &cc.ConditionalExpression{},
		&cc.LogicalOrExpression{}, &cc.LogicalAndExpression{}, &cc.InclusiveOrExpression{}, &cc.ExclusiveOrExpression{},
		&cc.AndExpression{}, &cc.EqualityExpression{}, &cc.RelationalExpression{}, &cc.ShiftExpression{},
		&cc.AdditiveExpression{}, &cc.MultiplicativeExpression{}, &cc.CastExpression{}, &cc.UnaryExpression{},
		&cc.PostfixExpression{}, &cc.PrimaryExpression{}, &cc.ConstantExpression{},
	} {
		add(reflect.TypeOf(n))
	}
	for t, f := range table {
		for _, i := range f.nodes {
			f.below = append(f.below, table[t.Elem().Field(i).Type])
		}
	}
	return table
}()

var (
	tokenType = reflect.TypeOf(cc.Token{})
	nodeType  = reflect.TypeOf((*cc.Node)(nil)).Elem()
)

func fieldsOf(t reflect.Type) *fields {
	f := &fields{}
	for i := 0; i < t.Elem().NumField(); i++ {
		sf := t.Elem().Field(i)
		switch k := sf.Type.Kind(); {
		case !sf.IsExported():
		case sf.Type == tokenType:
			f.tokens = append(f.tokens, i)
		case (k == reflect.Pointer || k == reflect.Interface) && sf.Type.Implements(nodeType):
			f.nodes = append(f.nodes, i)
		}
	}
	return f
}

func fieldsFor(t reflect.Type) *fields {
	if f, ok := fieldTable[t]; ok {
		return f
	}
	f := &fields{}
	if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		f = fieldsOf(t)
	}
	f.outside, f.below = true, make([]*fields, len(f.nodes))
	return f
}

// children lists the nodes directly below n.
func children(n cc.Node) (list []cc.Node) {
	v := reflect.ValueOf(n)
	for _, i := range fieldsFor(v.Type()).nodes {
		if c := nodeIn(v.Elem().Field(i)); c != nil {
			list = append(list, c)
		}
	}
	return list
}

// nodeIn is the node in a field, nil if there is none.
func nodeIn(f reflect.Value) cc.Node {
	if f.IsNil() {
		return nil
	}
	c, ok := f.Interface().(cc.Node)
	if !ok || f.Kind() != reflect.Pointer && isNil(c) {
		return nil
	}
	return c
}

// isNil reports whether n is nil or a nil pointer.
func isNil(n cc.Node) bool {
	if n == nil {
		return true
	}
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// span is the first and the last token of a node; ok is false if it has none.
type span struct {
	first, last cc.Token
	ok          bool
}

// join extends s by the tokens from first to last.
func (s *span) join(first, last cc.Token) {
	if first.Seq() == 0 {
		return
	}
	if !s.ok || first.Seq() < s.first.Seq() {
		s.first = first
	}
	if !s.ok || last.Seq() > s.last.Seq() {
		s.last = last
	}
	s.ok = true
}

// spanOf finds the ends of n. Those of n and of the nodes below are kept in memo.
func spanOf(n cc.Node, memo map[cc.Node]span) span {
	var lists []cc.Node // n and its tails: a list is a loop
	var own []span      // their spans but for the tails
	var s span
	for list := n; list != nil; {
		if known, seen := memo[list]; seen {
			s = known
			break
		}
		v := reflect.ValueOf(list)
		var part span
		for _, i := range fieldsFor(v.Type()).tokens {
			t := v.Elem().Field(i).Interface().(cc.Token)
			part.join(t, t)
		}
		var rest cc.Node
		for _, c := range children(list) {
			if reflect.TypeOf(c) == v.Type() && rest == nil {
				rest = c
			} else if t := spanOf(c, memo); t.ok {
				part.join(t.first, t.last)
			}
		}
		lists, own = append(lists, list), append(own, part)
		list = rest
	}
	for i := len(lists) - 1; i >= 0; i-- {
		if own[i].ok {
			s.join(own[i].first, own[i].last)
		}
		memo[lists[i]] = s
	}
	return s
}

// replaceOperands puts with(e) into the place of each expression e below n, inner ones first.
func replaceOperands(n cc.Node, with func(cc.ExpressionNode) cc.ExpressionNode) {
	v := reflect.ValueOf(n)
	for _, i := range fieldsFor(v.Type()).nodes {
		f := v.Elem().Field(i)
		if f.IsNil() {
			continue
		}
		c, ok := f.Interface().(cc.Node)
		if !ok || isNil(c) {
			continue
		}
		replaceOperands(c, with)
		if e, ok := c.(cc.ExpressionNode); ok && f.Kind() == reflect.Interface {
			f.Set(reflect.ValueOf(with(e)))
		}
	}
}
