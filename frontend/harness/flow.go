package harness

import (
	"cmp"
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/ctree"
)

// This file follows functions that are arguments of calls, through functions with bodies, to external
// functions.

// call notes the function that is called, and those that are passed to functions outside of the driver.
func (f *finder) call(n *cc.PostfixExpression) {
	name := ctree.CalleeName(n)
	for i, a := range ctree.Arguments(n) {
		for _, fn := range f.given(a) {
			to := &flow{finder: f, seen: map[passed]bool{}}
			to.call(n, i)
			if !to.leaves {
				continue
			}
			how := "passed to a function by pointer"
			if name != "" {
				how = fmt.Sprintf("passed to %s()", name)
			}
			m := &mention{fn: fn, how: how, pos: ccfix.At(n.Position()), in: f.inside, passed: to.externals}
			if to.unknown {
				m.passed = nil
			}
			f.mentions = append(f.mentions, m)
		}
	}
}

// flow follows an argument through functions with bodies.
type flow struct {
	*finder
	seen      map[passed]bool
	leaves    bool // it gets out of the driver
	unknown   bool // also by another way than to external functions
	externals []passed
}

// call follows argument i of a call.
func (w *flow) call(n *cc.PostfixExpression, i int) {
	name := ctree.CalleeName(n)
	def := w.headers[name]
	if fn := cmp.Or(w.own[name], w.shared[name]); fn != nil {
		def = fn.def
	}
	to := passed{name, i}
	switch {
	case w.seen[to]:
		return
	case def != nil:
		w.seen[to] = true
		w.body(def, i)
	default:
		w.seen[to] = true
		w.leaves = true
		if name == "" || w.declared[name] == nil {
			w.unknown = true
		} else if !slices.Contains(w.externals, to) {
			w.externals = append(w.externals, to)
		}
	}
}

// body follows parameter i of a function through its body.
func (w *flow) body(def *cc.FunctionDefinition, i int) {
	params := ctree.FunctionType(def.Declarator.Type()).Parameters()
	if i >= len(params) {
		w.leaves, w.unknown = true, true // a variable argument
		return
	}
	name := params[i].Name()
	is := func(e cc.ExpressionNode) bool {
		return slices.ContainsFunc(values(e), func(id *cc.PrimaryExpression) bool { return isParameter(id, name) })
	}
	ctree.Walk(def.CompoundStatement, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionCall {
				for j, a := range ctree.Arguments(n) {
					if is(a) {
						w.call(n, j)
					}
				}
			}
		case *cc.AssignmentExpression:
			if n.Case == cc.AssignmentExpressionAssign && is(n.AssignmentExpression) {
				w.leaves, w.unknown = true, true
			}
		case *cc.Initializer:
			if n.Case == cc.InitializerExpr && is(n.AssignmentExpression) {
				w.leaves, w.unknown = true, true
			}
		}
		return true
	})
}
