package bpexec

import (
	"fmt"
	"strings"

	"c2bp/boolprog"
)

// This file defines a second semantics, independent of the first: it runs whole
// stacks of frames, and choices are dealt from a tape that is enumerated, so that
// no reasoning about sets of values or summaries is involved. It is bounded by the
// depth of the stack.

// tape deals choices; those behind its end are 0. next rewinds it and moves on to
// the following tape, in the order of binary numbers.
type tape struct {
	bits []bool
	pos  int
}

func (c *tape) choose() bool {
	if c.pos == len(c.bits) {
		c.bits = append(c.bits, false)
	}
	c.pos++
	return c.bits[c.pos-1]
}

func (c *tape) next() bool {
	c.bits = c.bits[:c.pos]
	c.pos = 0
	for i := len(c.bits) - 1; i >= 0; i-- {
		if !c.bits[i] {
			c.bits[i] = true
			c.bits = c.bits[:i+1]
			return true
		}
	}
	return false
}

// value evaluates e with the choices of c.
func (c *tape) value(e boolprog.Expr, lookup func(*boolprog.Ref) bool) bool {
	switch e := e.(type) {
	case *boolprog.Const:
		return e.Val
	case *boolprog.Ref:
		return lookup(e)
	case *boolprog.Nondet:
		return c.choose()
	case *boolprog.Not:
		return !c.value(e.X, lookup)
	case *boolprog.Binary:
		x, y := c.value(e.X, lookup), c.value(e.Y, lookup)
		switch e.Op {
		case boolprog.Implies:
			return y || !x
		case boolprog.Or:
			return x || y
		case boolprog.And:
			return x && y
		case boolprog.Eq:
			return x == y
		}
		return x != y
	case *boolprog.Choose:
		p, n := c.value(e.P, lookup), c.value(e.N, lookup)
		if e.Strict {
			return p || c.choose() && !n
		}
		if p || n {
			return p
		}
		return c.choose()
	}
	panic("expression")
}

// frame is an activation of a procedure.
type frame struct {
	proc, node int
	vars       string // of '0' and '1': the locals
}

// config is a state of the whole program: comparable, so that sets of them are maps.
type config struct {
	globals string
	stack   string // encoded frames below the top
	top     frame
}

// stackOracle explores configurations.
type stackOracle struct {
	g       *boolprog.Graph
	limit   int
	cut     bool // the limit cut something off
	below   map[string]below
	seen    map[config]bool
	work    []config
	failing map[Site]bool
}

// below is what an encoded stack stands for.
type below struct {
	rest  string
	frame frame
}

func newStackOracle(g *boolprog.Graph, depth int) *stackOracle {
	return &stackOracle{g: g, limit: depth, below: map[string]below{}, seen: map[config]bool{}, failing: map[Site]bool{}}
}

func bitString(word uint64, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0' + byte(word>>i&1)
	}
	return string(b)
}

func (o *stackOracle) run() {
	m := o.g.Main
	for globals := range uint64(1) << len(o.g.Globals) {
		for locals := range uint64(1) << len(m.Vars) {
			o.visit(config{bitString(globals, len(o.g.Globals)), "", frame{m.Index, m.Entry, bitString(locals, len(m.Vars))}})
		}
	}
	for len(o.work) > 0 && len(o.seen) < 200_000 {
		c := o.work[len(o.work)-1]
		o.work = o.work[:len(o.work)-1]
		if !o.call(c) {
			t := &tape{}
			for more := true; more; more = t.next() {
				o.step(c, t)
			}
		}
	}
	o.cut = o.cut || len(o.work) > 0
}

// get reads a variable of the top frame.
func (o *stackOracle) get(c config, name string) bool {
	slot, _ := o.g.Procs[c.top.proc].Slot(name)
	if slot.Global {
		return c.globals[slot.Index] == '1'
	}
	return c.top.vars[slot.Index] == '1'
}

func (o *stackOracle) set(c config, name string, v bool) config {
	slot, _ := o.g.Procs[c.top.proc].Slot(name)
	target := &c.top.vars
	if slot.Global {
		target = &c.globals
	}
	b := []byte(*target)
	b[slot.Index] = '0'
	if v {
		b[slot.Index] = '1'
	}
	*target = string(b)
	return c
}

// visit queues c unless an enforce clause forbids it under every tape.
func (o *stackOracle) visit(c config) {
	if o.seen[c] {
		return
	}
	if e := o.g.Procs[c.top.proc].Proc.Enforce; e != nil {
		t, ok := &tape{}, false
		for more := true; more && !ok; more = t.next() {
			ok = t.value(e, func(r *boolprog.Ref) bool { return o.get(c, r.Name) })
		}
		if !ok {
			return
		}
	}
	o.seen[c] = true
	o.work = append(o.work, c)
}

// call handles calls, whose fresh locals are enumerated rather than chosen.
func (o *stackOracle) call(c config) bool {
	n := o.g.Procs[c.top.proc].Nodes[c.top.node]
	if n.Kind != boolprog.NodeCall {
		return false
	}
	stack := fmt.Sprintf("%s%d/%d/%s;", c.stack, c.top.proc, c.top.node, c.top.vars)
	if strings.Count(stack, ";") > o.limit {
		o.cut = true
		return true
	}
	o.below[stack] = below{c.stack, c.top}
	t := &tape{}
	for more := true; more; more = t.next() {
		params := ""
		for _, a := range n.Call.Args {
			if t.value(a, func(r *boolprog.Ref) bool { return o.get(c, r.Name) }) {
				params += "1"
			} else {
				params += "0"
			}
		}
		rest := len(n.Callee.Vars) - len(params)
		for locals := range uint64(1) << rest {
			o.visit(config{c.globals, stack, frame{n.Callee.Index, n.Callee.Entry, params + bitString(locals, rest)}})
		}
	}
	return true
}

// step executes a node that is no call with the choices of t. A return goes to the
// exit and, in the same step, from there to the caller.
func (o *stackOracle) step(c config, t *tape) {
	p := o.g.Procs[c.top.proc]
	n := p.Nodes[c.top.node]
	before := c
	now := func(r *boolprog.Ref) bool { return o.get(before, r.Name) }
	to := 0
	switch n.Kind {
	case boolprog.NodeSkip:
		for _, s := range n.Succ {
			c.top.node = s
			o.visit(c)
		}
		return
	case boolprog.NodeAssume, boolprog.NodeAssert:
		if !t.value(n.Cond, now) {
			if n.Kind == boolprog.NodeAssert {
				o.failing[Site{c.top.proc, c.top.node}] = true
			}
			return
		}
	case boolprog.NodeBranch:
		if !t.value(n.Cond, now) {
			to = 1
		}
	case boolprog.NodeAssign:
		for i, r := range n.Assign.Lhs {
			c = o.set(c, r.Name, t.value(n.Assign.Rhs[i], now))
		}
		after := c
		if n.Assign.Constrain != nil && !t.value(n.Assign.Constrain, func(r *boolprog.Ref) bool {
			if r.Next {
				return o.get(after, r.Name)
			}
			return now(r)
		}) {
			return
		}
	case boolprog.NodeDead:
		for _, r := range n.Dead.Vars {
			c = o.set(c, r.Name, t.choose())
		}
	case boolprog.NodeReturn:
		o.leave(c, n.Succ[0], n.Values, t)
		return
	case boolprog.NodeExit:
		if p.Proc.Results == 0 {
			o.leave(c, c.top.node, nil, t)
		}
		return
	}
	c.top.node = n.Succ[to]
	o.visit(c)
}

// leave visits the exit and the place behind the call.
func (o *stackOracle) leave(c config, exit int, values []boolprog.Expr, t *tape) {
	var results []bool
	for _, e := range values {
		results = append(results, t.value(e, func(r *boolprog.Ref) bool { return o.get(c, r.Name) }))
	}
	c.top.node = exit
	o.visit(c)
	caller, ok := o.below[c.stack]
	if !o.seen[c] || !ok {
		return
	}
	if results == nil && o.g.Procs[c.top.proc].Proc.Results > 0 {
		panic("no results")
	}
	c.stack, c.top = caller.rest, caller.frame
	n := o.g.Procs[c.top.proc].Nodes[c.top.node]
	for i, r := range n.Call.Lhs {
		if r.Name != "_" {
			c = o.set(c, r.Name, results[i])
		}
	}
	c.top.node = n.Succ[0]
	o.visit(c)
}
