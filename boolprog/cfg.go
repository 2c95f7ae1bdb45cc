package boolprog

// This file defines control-flow graphs; build.go makes them.

// Graph is the control-flow graph of a program that passed Check: explicit
// control, Ball–Rajamani 2000, §2.3. Engines and interpreters run on it.
type Graph struct {
	Prog    *Program
	Globals []*Var       // slot i is global variable i
	Procs   []*ProcGraph // in program order
	Main    *ProcGraph
	Threads *Stmt // a statement about threads, the first one of a procedure; nil if the program is sequential
}

// ProcGraph is the graph of one procedure. If the procedure has results, control
// reaches Exit from returns only: where it can fall off its end, there is a return
// of arbitrary values and null references, without a statement.
type ProcGraph struct {
	Proc    *Proc
	Index   int    // in Graph.Procs
	Vars    []*Var // slot i is local variable i: the params, then the locals
	Nodes   []*Node
	Entry   int
	Exit    int             // the one node of kind NodeExit, the last
	locals  map[string]Slot // nil if there are few
	globals map[string]Slot // shared by all procedures
}

// Slot is the place of a variable: its index among the globals (Graph.Globals) or the local
// variables of a procedure (ProcGraph.Vars).
type Slot struct {
	Global bool
	Index  int
}

// Slot returns the slot of a variable that is visible in the procedure; locals hide globals.
func (p *ProcGraph) Slot(name string) (Slot, bool) {
	s, ok := p.local(name)
	if !ok {
		s, ok = p.globals[name]
	}
	return s, ok
}

// fewVars is the number of local variables up to which a linear search is faster than a map.
const fewVars = 8

// local returns the slot of a local variable; ok is false if there is none of that name.
func (p *ProcGraph) local(name string) (Slot, bool) {
	if p.locals != nil {
		s, ok := p.locals[name]
		return s, ok
	}
	for i, v := range p.Vars {
		if v.Name == name {
			return Slot{Index: i}, true
		}
	}
	return Slot{}, false
}

// NodeKind is the kind of a node.
type NodeKind int

const (
	NodeSkip   NodeKind = iota // also goto, print, labels
	NodeAssume                 // Cond; abortif e is assume !e
	NodeAssert                 // Cond; the successor is taken when it holds
	NodeBranch                 // Succ[0] when Cond evaluates to true, Succ[1] when to false
	NodeAssign                 // Assign
	NodeDead                   // Dead
	NodeCall                   // Call, Callee; control returns to Succ[0]; Lhs has one target, perhaps "_", for every result
	NodeReturn                 // Values are stored in the result slots; successor is Exit
	NodeExit                   // end of the procedure; no successor
	NodeStart                  // a thread begins at Succ[1], with copies of the locals, or in Callee by Call; Succ[0] is next
	NodeEnd                    // the thread ends; no successor
)

// Node is a vertex of the graph.
type Node struct {
	Kind   NodeKind
	Stmt   *Stmt // the statement it comes from (for Branch the if or while); nil for Exit and for the return at the end
	Cond   Expr  // Assume, Assert, Branch
	Assign *Assign
	Dead   *Dead
	Call   *Call
	Callee *ProcGraph
	Values []Expr // Return
	Succ   []int
	Labels []string // labels at which control reaches this node
	Inside bool     // in an atomic section: no other thread runs before it
}

// withTargets returns a call with explicit targets, "_", if it discards all results. The operation
// of the program is not changed: p() with two results becomes _, _ := p().
func withTargets(op *Call, results int) *Call {
	if len(op.Lhs) == results {
		return op
	}
	c := *op
	c.Lhs = make([]*Ref, results)
	for i := range c.Lhs {
		c.Lhs[i] = &Ref{Name: "_", Pos: op.Callee.Pos}
	}
	return &c
}
