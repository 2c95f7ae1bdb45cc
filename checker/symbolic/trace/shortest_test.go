package trace

import (
	"c2bp/boolprog"
	"c2bp/boolprog/bpexec"
)

// This file computes the length of shortest hierarchical trajectories state by state,
// with nothing of the engine.

// brute is the summaries of a program, state by state.
type brute struct {
	graph *boolprog.Graph
	outs  map[start]map[outcome]bool
	order []start
}

// start is a procedure with a state at its entry.
type start struct {
	proc int
	st   bpexec.State
}

// outcome is what a call comes back with.
type outcome struct{ globals, results uint64 }

// explicit is a state of the hierarchical supergraph.
type explicit struct {
	proc, node int
	st         bpexec.State
}

func newBrute(g *boolprog.Graph) *brute {
	b := &brute{graph: g, outs: map[start]map[outcome]bool{}}
	for _, e := range b.starts() {
		b.meet(start{e.proc, e.st})
	}
	for grown := true; grown; {
		grown = false
		for i := 0; i < len(b.order); i++ {
			grown = b.run(b.order[i]) || grown
		}
	}
	return b
}

// starts is the states in which main can start.
func (b *brute) starts() []explicit {
	var out []explicit
	main := b.graph.Main
	for gl := range uint64(1) << len(b.graph.Globals) {
		for lo := range uint64(1) << len(main.Vars) {
			if st := (bpexec.State{Globals: gl, Locals: lo}); bpexec.Enforced(main, st) {
				out = append(out, explicit{main.Index, main.Entry, st})
			}
		}
	}
	return out
}

func (b *brute) meet(s start) {
	if b.outs[s] == nil {
		b.outs[s] = map[outcome]bool{}
		b.order = append(b.order, s)
	}
}

// run explores a procedure from s with the outcomes known so far; it reports whether
// anything is new.
func (b *brute) run(s start) bool {
	starts, outs := len(b.order), len(b.outs[s])
	p := b.graph.Procs[s.proc]
	first := bpexec.Step{Node: p.Entry, State: s.st}
	seen := map[bpexec.Step]bool{first: true}
	for work := []bpexec.Step{first}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if at.Node == p.Exit {
			b.outs[s][outcome{at.State.Globals, at.Results}] = true
			continue
		}
		for _, step := range append(bpexec.Successors(p, at.Node, at.State), b.over(p, at.Node, at.State)...) {
			if !seen[step] {
				seen[step] = true
				work = append(work, step)
			}
		}
	}
	return len(b.order) > starts || len(b.outs[s]) > outs
}

// entered is the states in which the callee of a call starts; none if it is no call.
func (b *brute) entered(p *boolprog.ProcGraph, node int, st bpexec.State) []explicit {
	n := p.Nodes[node]
	if n.Kind != boolprog.NodeCall {
		return nil
	}
	var out []explicit
	for _, e := range bpexec.Enter(p, node, st) {
		if bpexec.Enforced(n.Callee, e) {
			out = append(out, explicit{n.Callee.Index, n.Callee.Entry, e})
		}
	}
	return out
}

// over is the steps over a call; none if it is no call.
func (b *brute) over(p *boolprog.ProcGraph, node int, st bpexec.State) []bpexec.Step {
	var out []bpexec.Step
	for _, e := range b.entered(p, node, st) {
		s := start{e.proc, e.st}
		b.meet(s)
		for o := range b.outs[s] {
			after := bpexec.Return(p, node, st, o.globals, o.results)
			if bpexec.Enforced(p, after) {
				out = append(out, bpexec.Step{Node: p.Nodes[node].Succ[0], State: after})
			}
		}
	}
	return out
}

// shortest is the length of the shortest hierarchical trajectory to a target, breadth
// first; -1 if there is none.
func (b *brute) shortest(x Target) int {
	front := b.starts()
	seen := map[explicit]bool{}
	for _, e := range front {
		seen[e] = true
	}
	for dist := 0; len(front) > 0; dist++ {
		var after []explicit
		visit := func(e explicit) {
			if !seen[e] {
				seen[e] = true
				after = append(after, e)
			}
		}
		for _, e := range front {
			p := b.graph.Procs[e.proc]
			if e.proc == x.Proc && e.node == x.Node && (!x.Fails || bpexec.Failing(p, e.node, e.st)) {
				return dist
			}
			for _, step := range append(bpexec.Successors(p, e.node, e.st), b.over(p, e.node, e.st)...) {
				visit(explicit{e.proc, step.Node, step.State})
			}
			for _, in := range b.entered(p, e.node, e.st) {
				visit(in)
			}
		}
		front = after
	}
	return -1
}
