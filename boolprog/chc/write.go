package chc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"c2bp/boolprog"
)

// This file makes the clauses of a program.

// Target is something that must not be reached: a node or, with Fails, the failure of the assertion
// there.
type Target struct {
	Proc  int // index in Graph.Procs
	Node  int // index in ProcGraph.Nodes
	Fails bool
}

// Write writes clauses that are satisfiable if and only if none of the targets is reached; without
// targets they always are. The same program and targets yield the same bytes. Write fails with an
// error of w or of ctx, after which the text is incomplete, and for a program with references.
func Write(ctx context.Context, w io.Writer, g *boolprog.Graph, targets []Target) error {
	if err := g.Prog.WithoutReferences("the export of Horn clauses"); err != nil {
		return err
	}
	if err := g.WithoutThreads("the export of Horn clauses"); err != nil {
		return err
	}
	// 1. Find the procedures that control may enter and the arguments of their predicates.
	out := bufio.NewWriter(w)
	e := &encoder{out: out, prog: g.Prog, procs: scopes(g), targets: map[Target]bool{}}
	for _, t := range targets {
		e.targets[t] = true
	}
	// 2. Declare the predicates.
	e.header()
	for _, p := range e.procs {
		if p != nil {
			e.declare(p)
		}
	}
	// 3. Write the clauses, node by node.
	e.start(e.procs[g.Main.Index])
	for _, p := range e.procs {
		if p == nil {
			continue
		}
		for i, n := range p.graph.Nodes {
			if err := ctx.Err(); err != nil {
				return err
			}
			if p.reached[i] && n.Kind != boolprog.NodeExit {
				e.node(p, i, n)
			}
		}
	}
	e.print("\n(check-sat)\n(exit)\n")
	return out.Flush()
}

// encoder writes the clauses of one program.
type encoder struct {
	out     *bufio.Writer // keeps its first error
	prog    *boolprog.Program
	procs   []*proc
	targets map[Target]bool
}

// print writes text.
func (e *encoder) print(format string, args ...any) { fmt.Fprintf(e.out, format, args...) }

// comment writes a line that solvers skip. Very long lines are shortened.
func (e *encoder) comment(text string) {
	const most = 300
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " ..."
	}
	e.print("; %s\n", strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text))
}

// header writes the meaning of the answers, the assumptions of the program and the logic.
func (e *encoder) header() {
	p, name := e.prog, ""
	if p.File != nil {
		name = p.File.Name + ", "
	}
	e.comment(name + "a Boolean program as constrained Horn clauses")
	e.comment("sat: no assertion can fail, no error label is reached; unsat: one can, or is")
	for _, a := range p.Ledger {
		e.comment("assume " + a)
	}
	e.print("\n(set-logic HORN)\n")
}

// declare declares the predicates of p: one for each node but the exit, and the summary.
func (e *encoder) declare(p *proc) {
	e.print("\n")
	// fun declares one predicate.
	fun := func(name string, arity int) {
		e.print("(declare-fun %s (%s) Bool)\n", name, strings.TrimPrefix(strings.Repeat(" Bool", arity), " "))
	}
	for i, n := range p.graph.Nodes {
		switch {
		case !p.reached[i]:
		case n.Kind != boolprog.NodeExit:
			fun(p.predicate(i), len(p.state().at(i)))
		}
	}
	// The summary has inputs, outputs and results.
	if len(p.callers) > 0 {
		count := p.graph.Proc.Results + len(p.outputs())
		for _, v := range p.vars {
			if p.isInput(v) {
				count++
			}
		}
		fun(p.summary(), count)
	}
}

// from returns a clause whose body says that control is at a node, and the state there.
func (e *encoder) from(p *proc, node int) (*clause, state) {
	c, s := e.clause(), p.state()
	c.atoms = append(c.atoms, c.at(s, node))
	return c, s
}

// clause returns an empty clause.
func (e *encoder) clause() *clause { return &clause{seen: map[string]bool{}} }

// enforce adds the enforce clause to the body if it mentions a changed variable; nil is all
// variables.
func (e *encoder) enforce(c *clause, s state, changed []int) {
	about := changed == nil
	for _, v := range changed {
		about = about || s.p.enforce[v]
	}
	if about && s.p.graph.Proc.Enforce != nil {
		c.assume(literal{e: s.p.graph.Proc.Enforce}, s.get)
	}
}

// lead finishes a clause: control goes to a node in state s. If that is the exit, the procedure
// returns the results, and its summary holds.
func (e *encoder) lead(c *clause, s state, node int, results []string) {
	p := s.p
	switch {
	case p.graph.Nodes[node].Kind != boolprog.NodeExit:
		e.print("%s", c.String(c.at(s, node)))
	// The exit: the summary of the procedure. Nobody needs that of a procedure without callers.
	case len(p.callers) > 0:
		in := map[int]string{}
		for i, v := range p.inputs {
			in[v] = s.in[i]
		}
		e.print("%s", c.String(c.call(p, func(v int) string {
			if t, ok := in[v]; ok {
				return t
			}
			return s.now[p.at[v]]
		}, func(v int) string { return s.now[p.at[v]] }, results)))
	}
}

// start writes the clause that main starts in every state.
func (e *encoder) start(main *proc) {
	e.print("\n")
	e.comment("start")
	c := e.clause()
	s := main.state()
	e.enter(c, s)
}

// enter finishes a clause: control enters s.p with the present state s.
func (e *encoder) enter(c *clause, s state) {
	// The state at the entry is the present one.
	for i, v := range s.p.inputs {
		s.in[i] = s.now[s.p.at[v]]
	}
	e.enforce(c, s, nil)
	e.lead(c, s, s.p.graph.Entry, nil)
}

// node writes the clauses of the edges from a node, and those of the targets there.
func (e *encoder) node(p *proc, i int, n *boolprog.Node) {
	e.print("\n")
	e.comment(p.describe(i, n))
	if e.targets[Target{p.graph.Index, i, false}] {
		c, _ := e.from(p, i)
		e.print("%s", c.String("false"))
	}
	// Edges, by the kind of the node.
	switch n.Kind {
	case boolprog.NodeAssign:
		e.assign(p, i, n)
	case boolprog.NodeDead:
		// A dead variable gets any next value.
		c, s := e.from(p, i)
		s = s.copy()
		for _, r := range n.Dead.Vars {
			s.set(p.find(r), next(r.Name))
		}
		e.leadChanged(c, s, n)
	case boolprog.NodeCall:
		e.enterCallee(p, i, n)
		e.callReturns(p, i, n)
	case boolprog.NodeReturn:
		c, s := e.from(p, i)
		// 1. Results go to their targets, or are discarded.
		var results []string
		for k, x := range n.Values {
			results = append(results, c.value(x, symbol("*result", fmt.Sprint(k+1)), s.get))
		}
		e.lead(c, s, n.Succ[0], results)
	default:
		for _, to := range edges(n) {
			c, s := e.from(p, i)
			c.assume(to.cond, s.get)
			e.lead(c, s, to.to, nil)
		}
	}
	// The failure of the assertion, if it is a target.
	fails := literal{n.Cond, true}
	if e.targets[Target{p.graph.Index, i, true}] && !fails.never() {
		c, s := e.from(p, i)
		c.assume(fails, s.get)
		e.print("%s", c.String("false"))
	}
}

// next returns the symbol for the next value of a variable.
func next(name string) string { return symbol(name, ".next") }

// leadChanged finishes the clause of a node that changes variables.
func (e *encoder) leadChanged(c *clause, s state, n *boolprog.Node) {
	changed := s.p.changes(e.procs, n)
	if len(changed) > 0 {
		e.enforce(c, s, changed)
	}
	e.lead(c, s, n.Succ[0], nil)
}

// assign writes the clause of an assignment: all right sides are read in the state before.
func (e *encoder) assign(p *proc, i int, n *boolprog.Node) {
	c, s := e.from(p, i)
	// The state after the statement, with the targets replaced.
	after := s.copy()
	for k, r := range n.Assign.Lhs {
		if v := p.find(r); p.needs(n, v) {
			after.set(v, c.value(n.Assign.Rhs[k], next(r.Name), s.get))
		}
	}
	c.assume(literal{e: n.Assign.Constrain}, func(r *boolprog.Ref) string {
		if r.Next {
			return after.get(r)
		}
		return s.get(r)
	})
	e.leadChanged(c, after, n)
}

// passed returns the terms of the parameters that the callee of a call reads, by parameter.
func (e *encoder) passed(c *clause, s state, n *boolprog.Node) map[int]string {
	callee := e.procs[n.Callee.Index]
	args := map[int]string{}
	for k, x := range n.Call.Args {
		if _, ok := callee.at[-1-k]; ok {
			args[-1-k] = c.value(x, symbol(n.Callee.Proc.Params[k].Name, ".arg"), s.get)
		}
	}
	return args
}

// enterCallee writes the clause that a call enters its callee: globals as they are, parameters as
// passed, other locals arbitrary.
func (e *encoder) enterCallee(p *proc, i int, n *boolprog.Node) {
	c, s := e.from(p, i)
	args := e.passed(c, s, n)
	// The state inside the callee, from that of the caller.
	inside := e.procs[n.Callee.Index].state()
	for k, v := range inside.p.vars {
		switch {
		case isGlobal(v):
			inside.now[k] = s.now[p.at[v]]
		case inside.p.isInput(v):
			inside.now[k] = args[v]
		default:
			inside.now[k] = symbol(inside.p.graph.Vars[-1-v].Name, ".local")
		}
	}
	e.enter(c, inside)
}

// callReturns writes the clause that a call returns by the summary of its callee.
func (e *encoder) callReturns(p *proc, i int, n *boolprog.Node) {
	c, s := e.from(p, i)
	callee := e.procs[n.Callee.Index]
	args := e.passed(c, s, n)
	after := s.copy()
	stored := map[int]bool{} // variables that a result is stored in
	var results []string
	for _, r := range n.Call.Lhs {
		if r.Name == "_" {
			results = append(results, c.choice())
			continue
		}
		results = append(results, next(r.Name))
		stored[p.find(r)] = true
		after.set(p.find(r), next(r.Name))
	}
	// 2. Globals get the callee's values, unless a result displaces them.
	out := map[int]string{} // globals as the callee leaves them
	for _, v := range callee.outputs() {
		name := e.prog.Globals[v]
		suffix := p.hidden(name) + ".next"
		if stored[v] {
			suffix = ".out"
		}
		out[v] = symbol(name.Name, suffix)
		if !stored[v] {
			after.set(v, out[v])
		}
	}
	// 3. Conjoin the summary.
	c.atoms = append(c.atoms, c.call(callee, func(v int) string {
		if isGlobal(v) {
			return s.now[p.at[v]]
		}
		return args[v]
	}, func(v int) string { return out[v] }, results))
	e.leadChanged(c, after, n)
}

// describe names a node and quotes its statement.
func (p *proc) describe(i int, n *boolprog.Node) string {
	name := fmt.Sprintf("%s.%d", p.name, i)
	if n.Stmt == nil {
		return name + ": end"
	}
	// A branch shows its own condition only.
	text := boolprog.StmtString(n.Stmt.Op)
	if n.Kind == boolprog.NodeBranch {
		text = "if (" + boolprog.ExprString(n.Cond) + ")"
	}
	if n.Stmt.Pos.IsValid() {
		text = fmt.Sprintf("line %d: %s", n.Stmt.Pos.Line, text)
	}
	return name + ", " + text
}
