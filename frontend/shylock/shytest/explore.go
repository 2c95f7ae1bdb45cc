package shytest

import (
	"encoding/binary"

	"c2bp/frontend/shylock"
)

// This file explores programs by brute force, up to a number of configurations.

// Graph are the configurations that a program reaches, the first of which is the initial one.
type Graph struct {
	Prog     *shylock.Program
	Nodes    []*Node
	Complete bool // no configuration was left out
	// Largest is the most visible objects of a configuration.
	Largest int
}

// Node is a configuration.
type Node struct {
	*state
	Next   []int  // where its steps lead; none after the last statement, or if it is blocked
	Error  string // "assertion" or "null dereference": its step to this node has failed; it has no steps
	Parent int    // the node from which it was found; -1 for the initial one
	Length int    // of the way to it
	Cut    bool   // what it leads to was left out
	Pos    int    // offset of the statement that failed
}

// Limits bound an exploration.
type Limits struct{ Nodes, Depth, Objects int }

// state is a configuration: a store, and what is still to be done.
type state struct {
	prog    *shylock.Program
	globals []int // 0 is nil
	result  int
	locals  []int
	links   [][]int // of objects, from 1
	todo    []item  // the last one is next
	rests   map[*shylock.Assign]*shylock.Assign
}

// item is something that is still to be done: a statement, or a return.
type item struct {
	stmt  shylock.Stmt
	saved []int        // locals of the caller
	to    *shylock.Var // for the result, or nil
}

// Explore explores a program. With lenient, fields of nil are nil and cannot be changed.
func Explore(p *shylock.Program, lenient bool, limits Limits) *Graph {
	first := &state{
		prog: p, globals: make([]int, len(p.Globals)), locals: make([]int, len(p.Locals)), links: make([][]int, 1),
		todo: []item{{stmt: p.Main.Body}}, rests: map[*shylock.Assign]*shylock.Assign{},
	}
	g := &Graph{Prog: p, Complete: true}
	ids := map[string]int{}
	stmts := map[shylock.Stmt]int{}
	add := func(s *state, failed string, pos, parent int) int {
		key := failed + s.key(stmts)
		if failed != "" {
			key += string(binary.AppendUvarint(nil, uint64(pos)))
		}
		id, ok := ids[key]
		if !ok {
			id = len(g.Nodes)
			ids[key] = id
			n := &Node{state: s, Error: failed, Parent: parent, Pos: pos}
			if parent >= 0 {
				n.Length = g.Nodes[parent].Length + 1
			}
			g.Nodes = append(g.Nodes, n)
			g.Largest = max(g.Largest, len(s.Visible()))
		}
		return id
	}
	add(first, "", 0, -1)
	for i := 0; i < len(g.Nodes); i++ {
		n := g.Nodes[i]
		if n.Error != "" {
			continue
		}
		if len(g.Nodes) > limits.Nodes || len(n.todo) > limits.Depth || len(n.Visible()) > limits.Objects {
			g.Complete, n.Cut = false, true
			continue
		}
		n.steps(lenient, func(s *state, failed string, pos int) {
			n.Next = append(n.Next, add(s, failed, pos, i))
		})
	}
	return g
}

// copied returns a copy that can be changed.
func (s *state) copied() *state {
	c := *s
	c.globals = append([]int{}, s.globals...)
	c.locals = append([]int{}, s.locals...)
	c.links = make([][]int, len(s.links))
	for i, l := range s.links {
		c.links[i] = append([]int{}, l...)
	}
	c.todo = append([]item{}, s.todo...)
	return &c
}

// Value returns the object to which a variable leads; 0 is nil.
func (s *state) Value(v *shylock.Var) int {
	switch v.Kind {
	case shylock.Global:
		return s.globals[v.Index]
	case shylock.Local:
		return s.locals[v.Index]
	}
	return 0
}

// Result returns the value that a procedure is about to return.
func (s *state) Result() int { return s.result }

// Link returns the object to which a field of an object leads.
func (s *state) Link(n, field int) int { return s.links[n][field] }

func (s *state) set(v *shylock.Var, n int) {
	if v.Kind == shylock.Global {
		s.globals[v.Index] = n
	} else {
		s.locals[v.Index] = n
	}
}

// steps calls yield for each step of a configuration.
func (s *state) steps(lenient bool, yield func(next *state, failed string, pos int)) {
	if len(s.todo) == 0 {
		return
	}
	c := s.copied()
	top := c.todo[len(c.todo)-1]
	c.todo = c.todo[:len(c.todo)-1]
	if top.stmt == nil {
		// A return.
		c.locals = append([]int{}, top.saved...)
		if top.to != nil {
			c.set(top.to, c.result)
		}
		c.result = 0
		yield(c, "", 0)
		return
	}
	c.begin(top.stmt, lenient, yield)
}

// with returns a copy with more to do, the first of the statements first.
func (s *state) with(list ...shylock.Stmt) *state {
	c := s.copied()
	for i := len(list) - 1; i >= 0; i-- {
		c.todo = append(c.todo, item{stmt: list[i]})
	}
	return c
}

// begin makes the first steps of a statement, which is not on the stack any more.
func (s *state) begin(stmt shylock.Stmt, lenient bool, yield func(next *state, failed string, pos int)) {
	off, _ := stmt.Span()
	c := s.copied()
	switch x := stmt.(type) {
	case *shylock.Seq:
		// No step of its own: the first statement begins at once.
		s.with(x.List[1:]...).begin(x.List[0], lenient, yield)
	case *shylock.Choice:
		for _, branch := range x.List {
			s.begin(branch, lenient, yield)
		}
	case *shylock.Test:
		if s.holds(x.Cond) {
			yield(s.with(x.Body), "", 0)
		}
	case *shylock.While:
		if s.holds(x.Cond) {
			yield(s.with(x.Body, x), "", 0)
		} else {
			yield(c, "", 0)
		}
	case *shylock.If:
		switch {
		case s.holds(x.Cond):
			yield(s.with(x.Then), "", 0)
		case x.Else != nil:
			yield(s.with(x.Else), "", 0)
		default:
			yield(c, "", 0)
		}
	case *shylock.Skip:
		yield(c, "", 0)
	case *shylock.Assert:
		if !s.holds(x.Cond) {
			yield(c, "assertion", off)
			return
		}
		yield(c, "", 0)
	case *shylock.New:
		c.links = append(c.links, make([]int, len(s.prog.Fields)))
		c.set(x.X.Var, len(c.links)-1)
		yield(c, "", 0)
	case *shylock.Return:
		c.result = s.Value(x.Y.Var)
		yield(c, "", 0)
	case *shylock.Store:
		n := s.Value(x.X.Var)
		if n == 0 && !lenient {
			yield(c, "null dereference", off)
			return
		}
		if n != 0 {
			c.links[n][x.Field.Var.Index] = s.Value(x.Y.Var)
		}
		yield(c, "", 0)
	case *shylock.Assign:
		s.assign(x, off, lenient, yield)
	case *shylock.Call:
		yield(s.called(x), "", 0)
	}
}

// assign makes the first step of an assignment.
func (s *state) assign(x *shylock.Assign, off int, lenient bool, yield func(next *state, failed string, pos int)) {
	if x.Call != nil {
		yield(s.called(x.Call), "", 0)
		return
	}
	c := s.copied()
	n := s.Value(x.Y.Var)
	if y := x.Y.Off; len(x.Fields) > 0 && y == x.Fields[0].Off {
		off = y
	}
	if len(x.Fields) > 0 {
		if n == 0 && !lenient {
			yield(c, "null dereference", off)
			return
		}
		if n != 0 {
			n = s.links[n][x.Fields[0].Var.Index]
		}
		if len(x.Fields) > 1 {
			c = s.with(s.restOf(x))
		}
	}
	c.set(x.X.Var, n)
	yield(c, "", 0)
}

// restOf returns the statement that remains after the first step of an assignment with several fields, the same
// one each time: configurations compare by it.
func (s *state) restOf(x *shylock.Assign) *shylock.Assign {
	if s.rests[x] == nil {
		rest := *x
		rest.Y, rest.Fields = x.X, x.Fields[1:]
		// Its place is that of the field.
		rest.Y.Off = x.Fields[1].Off
		s.rests[x] = &rest
	}
	return s.rests[x]
}

// called returns the configuration after a call.
func (s *state) called(x *shylock.Call) *state {
	c := s.copied()
	var to *shylock.Var
	if x.Result != nil {
		to = x.Result.Var
	}
	c.todo = append(c.todo, item{saved: s.locals, to: to}, item{stmt: x.Proc.Body})
	c.locals = make([]int, len(s.locals))
	for i := range x.Args {
		c.set(x.Proc.Params[i].Var, s.Value(x.Args[i].Var))
	}
	return c
}

func (s *state) holds(c shylock.Cond) bool {
	switch c := c.(type) {
	case *shylock.Compare:
		return (s.Value(c.X.Var) == s.Value(c.Y.Var)) == c.Equal
	case *shylock.Not:
		return !s.holds(c.X)
	case *shylock.And:
		return s.holds(c.X) && s.holds(c.Y)
	case *shylock.Or:
		return s.holds(c.X) || s.holds(c.Y)
	}
	panic("shytest: a condition of another kind")
}
