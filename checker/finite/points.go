package finite

import (
	"math/bits"

	"c2bp/boolprog"
)

// This file finds the objects to which each reference may lead, whatever the order of statements.

// set is a set of objects; MostObjects fit.
type set uint64

func one(o int) set { return 1 << o }

func (s set) has(o int) bool { return s&one(o) != 0 }

func (s set) size() int { return bits.OnesCount64(uint64(s)) }

// list returns the objects of s in order.
func (s set) list() (list []int) {
	for ; s != 0; s &= s - 1 {
		list = append(list, bits.TrailingZeros64(uint64(s)))
	}
	return list
}

// points is the objects to which references may lead.
type points struct {
	*heap
	globals []set
	locals  [][]set // by procedure and slot
	results [][]set
	fields  [][]set // by object and field
	grew    bool
}

// newPoints finds the objects to which references may lead.
func newPoints(h *heap) *points {
	x := &points{heap: h, globals: make([]set, len(h.g.Globals))}
	for _, p := range h.g.Procs {
		x.locals = append(x.locals, make([]set, len(p.Vars)))
		x.results = append(x.results, make([]set, p.Proc.Results))
	}
	for _, o := range h.objects {
		x.fields = append(x.fields, make([]set, len(o.class.Fields)))
	}
	// Statements add objects until nothing changes.
	for x.grew = true; x.grew; {
		x.grew = false
		for _, p := range h.g.Procs {
			for v, n := range p.Nodes {
				x.node(p, v, n)
			}
		}
	}
	return x
}

// add adds objects to a reference.
func (x *points) add(to *set, s set) {
	if s&^*to != 0 {
		*to |= s
		x.grew = true
	}
}

// variable returns the set of a variable.
func (x *points) variable(p *boolprog.ProcGraph, name string) *set {
	s, _ := p.Slot(name)
	if s.Global {
		return &x.globals[s.Index]
	}
	return &x.locals[p.Index][s.Index]
}

// node adds the references that a node stores.
func (x *points) node(p *boolprog.ProcGraph, v int, n *boolprog.Node) {
	at := x.places[p.Index][v]
	// 1. Reads decide fields, and give no error if their object leads nowhere.
	for _, list := range [][]*site{at.clause, at.stmt} {
		for _, s := range list {
			if e, is := s.expr.(*boolprog.Select); is {
				x.decides(p, e, s)
			}
		}
	}
	// 2. Statements store values.
	switch n.Kind {
	case boolprog.NodeAssign:
		for i, r := range n.Assign.Lhs {
			if x.g.TargetType(p, r).Ref {
				x.store(p, r, x.of(p, n.Assign.Rhs[i], at.stmt))
			}
		}
	case boolprog.NodeCall:
		for i, e := range n.Call.Args {
			x.add(&x.locals[n.Callee.Index][i], x.of(p, e, nil))
		}
		for i, r := range n.Call.Lhs {
			if r.Name != "_" && n.Callee.Proc.Result(i).Ref {
				x.store(p, r, x.results[n.Callee.Index][i])
			}
		}
	case boolprog.NodeReturn:
		for i, e := range n.Values {
			x.add(&x.results[p.Index][i], x.of(p, e, nil))
		}
	}
}

// decides adds the objects that a field may get when it is read.
func (x *points) decides(p *boolprog.ProcGraph, e *boolprog.Select, s *site) {
	for _, o := range x.of(p, e.X, nil).list() {
		f, i := x.objects[o].class.Field(e.Field)
		if x.undecides(o, f) {
			x.add(&x.fields[o][i], x.ofClass[s.class])
		}
	}
}

// store adds objects to a target.
func (x *points) store(p *boolprog.ProcGraph, r *boolprog.Ref, s set) {
	v := x.variable(p, r.Name)
	if r.Field == "" {
		x.add(v, s)
		return
	}
	for _, o := range v.list() {
		_, i := x.objects[o].class.Field(r.Field)
		x.add(&x.fields[o][i], s)
	}
}

// of returns the objects to which an expression may lead; it is empty for a Boolean.
func (x *points) of(p *boolprog.ProcGraph, e boolprog.Expr, at []*site) (s set) {
	switch e := e.(type) {
	case *boolprog.Ref:
		return *x.variable(p, e.Name)
	case *boolprog.Select:
		for _, o := range x.of(p, e.X, at).list() {
			_, i := x.objects[o].class.Field(e.Field)
			s |= x.fields[o][i]
		}
	case *boolprog.Any:
		return x.ofClass[e.Class]
	case *boolprog.New:
		for _, t := range at {
			if t.expr == boolprog.Expr(e) {
				for _, o := range t.objects {
					s |= one(o)
				}
			}
		}
	}
	return s
}
