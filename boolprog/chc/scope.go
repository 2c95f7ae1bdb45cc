package chc

import (
	"slices"

	"c2bp/boolprog"
)

// This file finds the arguments of the predicates of each procedure.

// proc is a procedure that control may enter.
type proc struct {
	graph   *boolprog.ProcGraph
	name    string       // symbols of predicates start with it
	reached []bool       // nodes that some path leads to, for any values
	callers []*proc      // calling procedures, each once
	enforce map[int]bool // variables of the enforce clause

	// Sets of variables: global i is i, local i is -1-i.
	mentions map[int]bool // read or written here; of globals: in callees, too
	writes   map[int]bool
	reads    map[int]bool // here only

	vars   []int          // arguments that are the state: globals, then locals
	at     map[int]int    // index in vars
	inputs []int          // arguments that are the entry state: those of vars that change
	live   []bits         // by node: those of vars that are arguments there
	now    map[int]string // symbols of variables
	in     map[int]string // symbols of inputs
}

// number numbers a variable in a set: global i is i, local i is -1-i.
func number(s boolprog.Slot) int {
	if s.Global {
		return s.Index
	}
	return -1 - s.Index
}

// isGlobal reports whether v is a global.
func isGlobal(v int) bool { return v >= 0 }

// find returns the variable that a name denotes in p.
func (p *proc) find(r *boolprog.Ref) int {
	slot, ok := p.graph.Slot(r.Name)
	if !ok {
		panic("chc: no variable " + r.Name + " in " + p.graph.Proc.Name)
	}
	return number(slot)
}

// edge leads to another node if its condition holds.
type edge struct {
	to   int
	cond literal
}

// edges returns the edges from a node whose conditions are not constantly false. The edge of a call
// leads to the node after it; the condition of an assertion must hold.
func edges(n *boolprog.Node) (list []edge) {
	for i, to := range n.Succ {
		e := edge{to, literal{n.Cond, n.Kind == boolprog.NodeBranch && i == 1}}
		if !e.cond.never() && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}

// scopes returns the procedures that control may enter, in program order; the others are nil.
func scopes(g *boolprog.Graph) []*proc {
	procs := make([]*proc, len(g.Procs))
	enter := func(pg *boolprog.ProcGraph) *proc {
		if procs[pg.Index] == nil {
			procs[pg.Index] = &proc{
				graph: pg, name: pg.Proc.Name, reached: make([]bool, len(pg.Nodes)),
				enforce: map[int]bool{}, mentions: map[int]bool{}, writes: map[int]bool{}, reads: map[int]bool{},
			}
		}
		return procs[pg.Index]
	}
	// 1. Find the procedures, the nodes that are reached and the variables that they mention.
	work := []*proc{enter(g.Main)}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		// Each procedure is entered once, and knows each caller once.
		called := make(map[int]bool)
		p.explore(func(callee *boolprog.ProcGraph) {
			if called[callee.Index] {
				return
			}
			called[callee.Index] = true
			if procs[callee.Index] == nil {
				work = append(work, enter(callee))
			}
			c := procs[callee.Index]
			c.callers = append(c.callers, p)
		})
	}
	// 2. Callers mention and write the globals that their callees do.
	propagate(procs)
	// 3. Choose the arguments: globals that nothing reads are none.
	read := map[int]bool{} // globals read anywhere
	for _, p := range procs {
		if p != nil {
			for v := range p.reads {
				read[v] = read[v] || isGlobal(v)
			}
		}
	}
	for _, p := range procs {
		if p != nil {
			p.choose(g, read)
		}
	}
	// 4. Find the live ones.
	for _, p := range procs {
		if p != nil {
			p.liveness(procs)
		}
	}
	return procs
}

// explore visits the nodes of p that can be reached, and collects the variables that they mention.
// It calls call for each call.
func (p *proc) explore(call func(*boolprog.ProcGraph)) {
	read := func(e boolprog.Expr) {
		boolprog.InspectRefs(e, func(r *boolprog.Ref) { p.reads[p.find(r)] = true })
	}
	write := func(list []*boolprog.Ref) {
		for _, r := range list {
			if r.Name != "_" {
				p.writes[p.find(r)] = true
			}
		}
	}
	boolprog.InspectRefs(p.graph.Proc.Enforce, func(r *boolprog.Ref) { p.enforce[p.find(r)] = true })
	read(p.graph.Proc.Enforce)
	p.reached[p.graph.Entry] = true
	// Search from the entry.
	for work := []int{p.graph.Entry}; len(work) > 0; {
		n := p.graph.Nodes[work[len(work)-1]]
		work = work[:len(work)-1]
		read(n.Cond)
		for _, e := range n.Values {
			read(e)
		}
		switch n.Kind {
		case boolprog.NodeAssign:
			write(n.Assign.Lhs)
			for _, e := range n.Assign.Rhs {
				read(e)
			}
			read(n.Assign.Constrain)
		case boolprog.NodeDead:
			write(n.Dead.Vars)
		case boolprog.NodeCall:
			write(n.Call.Lhs)
			for _, e := range n.Call.Args {
				read(e)
			}
			call(n.Callee)
		}
		// Only edges that some values allow.
		for _, e := range edges(n) {
			if !p.reached[e.to] {
				p.reached[e.to] = true
				work = append(work, e.to)
			}
		}
	}
	for _, set := range []map[int]bool{p.reads, p.writes} {
		for v := range set {
			p.mentions[v] = true
		}
	}
}

// propagate adds to the sets of callers the globals that their callees mention and write, until
// nothing changes.
func propagate(procs []*proc) {
	var work []*proc
	for _, p := range procs {
		if p != nil {
			work = append(work, p)
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range p.callers {
			// A caller that has learned something passes it on.
			grown := addGlobals(c.mentions, p.mentions)
			if addGlobals(c.writes, p.writes) || grown {
				work = append(work, c)
			}
		}
	}
}

// addGlobals adds the globals of from to a set and reports whether it has grown.
func addGlobals(to, from map[int]bool) (grown bool) {
	for v := range from {
		if isGlobal(v) && !to[v] {
			to[v], grown = true, true
		}
	}
	return grown
}

// choose chooses the arguments of p's predicates: variables that are read, and entry copies of
// inputs that change, if p has callers.
func (p *proc) choose(g *boolprog.Graph, readGlobals map[int]bool) {
	p.at, p.now, p.in = map[int]int{}, map[int]string{}, map[int]string{}
	// add makes v an argument, with an entry copy if it is an input that changes.
	add := func(v int, name, suffix string) {
		p.at[v] = len(p.vars)
		p.vars = append(p.vars, v)
		p.now[v] = symbol(name, suffix)
		if len(p.callers) > 0 && p.isInput(v) && p.writes[v] {
			p.inputs = append(p.inputs, v)
			p.in[v] = symbol(name, suffix+".in")
		}
	}
	for i, x := range g.Globals {
		if p.mentions[i] && readGlobals[i] {
			add(i, x.Name, p.hidden(x))
		}
	}
	for i, x := range p.graph.Vars {
		if p.reads[-1-i] {
			add(-1-i, x.Name, "")
		}
	}
}

// hidden returns the suffix of a global that a local variable hides.
func (p *proc) hidden(x *boolprog.Var) string {
	if slot, _ := p.graph.Slot(x.Name); !slot.Global {
		return ".global"
	}
	return ""
}

// isInput reports whether v is a global or a parameter.
func (p *proc) isInput(v int) bool { return isGlobal(v) || -1-v < len(p.graph.Proc.Params) }

// outputs returns the globals that a call of p changes.
func (p *proc) outputs() (list []int) {
	for _, v := range p.vars {
		if isGlobal(v) && p.writes[v] {
			list = append(list, v)
		}
	}
	return list
}
