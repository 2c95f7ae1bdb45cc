package ctree

import (
	"reflect"

	"modernc.org/cc/v4"
)

// This file walks syntax trees; cc has no walker.

// Walk calls visit for n and, while visit returns true, for the nodes below it,
// tokens excepted. Siblings come in the order of cc's fields, which is not
// always that of the source. Lists are walked in a loop, so the depth of
// recursion is the nesting depth of the program.
func Walk(n cc.Node, visit func(cc.Node) bool) {
	if !IsNil(n) {
		walkIn(n, fieldsFor(reflect.TypeOf(n)), visit)
	}
}

// walkIn is Walk of n, which is not nil, and whose fields are f.
func walkIn(n cc.Node, f *fields, visit func(cc.Node) bool) {
	for n != nil && visit(n) {
		var rest cc.Node // a list's tail
		// f is that of n also for the tails: they have its type.
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
			// The first node below of the type of n is the tail of a list: it comes last, in the
			// loop. Further ones are walked here.
			if rest == nil && (below == f || below.outside) && reflect.TypeOf(c) == own {
				rest = c
			} else {
				walkIn(c, below, visit)
			}
		}
		n = rest
	}
}

// fields are the indices of a node type's fields that hold nodes and tokens. An interface may hold
// any type of expression, which is looked up when the node is met.
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
	// Types of nodes only; a type that is seen again is in the table already, so circles end.
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
	// Now that all types are in the table, fields can lead to those of the nodes below.
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

// fieldsOf returns the fields of a node type t, a pointer to a struct, without those of the types
// below. Fields that are not exported are left out.
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

// fieldsFor returns the fields of a node type t, from the table if it is there. The table is not
// changed, so that walks need no lock.
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

// Children lists the nodes directly below n, in the order of cc's fields.
func Children(n cc.Node) (list []cc.Node) {
	v := reflect.ValueOf(n)
	for _, i := range fieldsFor(v.Type()).nodes {
		if c := nodeIn(v.Elem().Field(i)); c != nil {
			list = append(list, c)
		}
	}
	return list
}

// nodeIn returns the node in a field, a pointer or an interface; nil if there is none.
func nodeIn(f reflect.Value) cc.Node {
	if f.IsNil() {
		return nil
	}
	c, ok := f.Interface().(cc.Node)
	if !ok || f.Kind() != reflect.Pointer && IsNil(c) {
		return nil
	}
	return c
}

// IsNil reports whether n is nil or a nil pointer.
func IsNil(n cc.Node) bool {
	if n == nil {
		return true
	}
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// Span is the first and the last token of a node; ok is false if it has none.
type Span struct {
	First, Last cc.Token
	Ok          bool
}

// join extends s by the tokens from first to last. A token without a number is none.
func (s *Span) join(first, last cc.Token) {
	if first.Seq() == 0 {
		return
	}
	if !s.Ok || first.Seq() < s.First.Seq() {
		s.First = first
	}
	if !s.Ok || last.Seq() > s.Last.Seq() {
		s.Last = last
	}
	s.Ok = true
}

// SpanOf finds the ends of n by the numbers of its tokens, since fields are not always in the order
// of the source. Those of n and of the nodes below are kept in memo.
func SpanOf(n cc.Node, memo map[cc.Node]Span) Span {
	// 1. Down the list: n and its tails, with the spans of all but the tails.
	var lists []cc.Node // n and its tails: a list is a loop
	var own []Span      // their spans but for the tails
	var s Span
	for list := n; list != nil; {
		if known, seen := memo[list]; seen {
			s = known
			break
		}
		v := reflect.ValueOf(list)
		var part Span
		for _, i := range fieldsFor(v.Type()).tokens {
			t := v.Elem().Field(i).Interface().(cc.Token)
			part.join(t, t)
		}
		var rest cc.Node
		for _, c := range Children(list) {
			if reflect.TypeOf(c) == v.Type() && rest == nil {
				rest = c
			} else if t := SpanOf(c, memo); t.Ok {
				part.join(t.First, t.Last)
			}
		}
		lists, own = append(lists, list), append(own, part)
		list = rest
	}
	// 2. Up again: join each with its tail.
	for i := len(lists) - 1; i >= 0; i-- {
		if own[i].Ok {
			s.join(own[i].First, own[i].Last)
		}
		memo[lists[i]] = s
	}
	return s
}

// ReplaceOperands puts with(e) into the place of each expression e below n, inner ones first. It
// changes the tree; with returns e for expressions that stay.
func ReplaceOperands(n cc.Node, with func(cc.ExpressionNode) cc.ExpressionNode) {
	v := reflect.ValueOf(n)
	for _, i := range fieldsFor(v.Type()).nodes {
		f := v.Elem().Field(i)
		if f.IsNil() {
			continue
		}
		c, ok := f.Interface().(cc.Node)
		if !ok || IsNil(c) {
			continue
		}
		ReplaceOperands(c, with)
		// A field of one type of expression cannot hold another.
		if e, ok := c.(cc.ExpressionNode); ok && f.Kind() == reflect.Interface {
			f.Set(reflect.ValueOf(with(e)))
		}
	}
}
