package alias

import (
	"fmt"
	"strings"

	"c2bp/frontend/core"
)

// Result answers questions about one program. It is read-only, and safe for
// concurrent use.
type Result struct {
	prog    *core.Program
	globals map[*core.Var]int // position in prog.Globals
	region  []*core.Var
	effects map[*core.Proc]*effect // shared within a component
	mutated mutation
}

// effect is what the procedures of one component may change.
type effect struct {
	globals bitset // by name, directly or in a callee
	region  bool
}

// mutation breaks one rule, so that tests can see that they would notice.
type mutation int

const (
	noDestinations mutation = iota + 1 // destinations of calls are not counted as written
	quietExternals                     // externals write nothing
	notTransitive                      // callees' effects are left out
	regionByName                       // a region write does not reach globals
)

// Analyze analyses p, which must be valid.
func Analyze(p *core.Program) *Result { return analyze(p, 0) }

func analyze(p *core.Program, m mutation) *Result {
	r := &Result{
		prog:    p,
		mutated: m,
		globals: map[*core.Var]int{},
		effects: map[*core.Proc]*effect{},
	}
	for i, g := range p.Globals {
		r.globals[g] = i
	}
	r.collectRegion()
	for _, component := range components(p.Procs, callees) {
		e := &effect{globals: newBitset(len(p.Globals))}
		for _, q := range component {
			r.effects[q] = e
		}
		for _, q := range component {
			r.addDirect(e, q)
			for _, callee := range callees(q) {
				if m != notTransitive {
					e.add(r.effects[callee]) // callees come first, or are in component
				}
			}
		}
		if e.region && m != regionByName {
			r.addRegion(e)
		}
	}
	return r
}

// collectRegion lists the address-taken variables.
func (r *Result) collectRegion() {
	add := func(list []*core.Var) {
		for _, v := range list {
			if v.AddrTaken {
				r.region = append(r.region, v)
			}
		}
	}
	add(r.prog.Globals)
	for _, q := range r.prog.Procs {
		add(q.Formals)
		add(q.Locals)
	}
}

// addDirect adds what the nodes of q themselves change.
func (r *Result) addDirect(e *effect, q *core.Proc) {
	if !q.HasBody() {
		e.region = r.mutated != quietExternals
		return
	}
	for _, n := range q.Nodes {
		switch s := n.Stmt.(type) {
		case *core.Assign:
			r.addLocs(e, s.Lhs)
		case *core.Havoc:
			r.addLocs(e, s.Locs)
			e.region = e.region || s.Region
		case *core.Call:
			if s.Lhs != nil && r.mutated != noDestinations {
				r.addLocs(e, []core.Loc{s.Lhs})
			}
		}
	}
}

// addLocs adds the globals among locs.
func (r *Result) addLocs(e *effect, locs []core.Loc) {
	for _, l := range locs {
		if i, ok := r.globals[l.(*core.VarRef).Var]; ok {
			e.globals.set(i)
		}
	}
}

// addRegion adds the globals of the region.
func (r *Result) addRegion(e *effect) {
	for _, v := range r.region {
		if i, ok := r.globals[v]; ok {
			e.globals.set(i)
		}
	}
}

func (e *effect) add(other *effect) {
	e.globals.union(other.globals)
	e.region = e.region || other.region
}

// callees returns the procedures that q calls, in order, each once.
func callees(q *core.Proc) []*core.Proc {
	var out []*core.Proc
	seen := map[*core.Proc]bool{}
	for _, n := range q.Nodes {
		if c, ok := n.Stmt.(*core.Call); ok && !seen[c.Callee] {
			seen[c.Callee] = true
			out = append(out, c.Callee)
		}
	}
	return out
}

// Region is the address-taken variables of the whole program: globals first,
// then procedure by procedure formals and locals, in order of declaration.
func (r *Result) Region() []*core.Var { return r.region }

// WrittenBy is the globals that a call of p may write, transitively, through
// pointers and in externals included, in order of declaration.
func (r *Result) WrittenBy(p *core.Proc) []*core.Var {
	var out []*core.Var
	e := r.effect(p)
	for i, g := range r.prog.Globals {
		if e.globals.has(i) {
			out = append(out, g)
		}
	}
	return out
}

// WritesRegion reports whether a call of p may write address-taken variables of
// its callers through pointers, transitively.
func (r *Result) WritesRegion(p *core.Proc) bool { return r.effect(p).region }

// MayWrite reports whether a call of p may change v as the caller sees it: v is a
// global, or a variable of the caller's frame. The destination of the call is
// the caller's doing and not counted.
func (r *Result) MayWrite(p *core.Proc, v *core.Var) bool {
	e := r.effect(p)
	if i, ok := r.globals[v]; ok {
		return e.globals.has(i)
	}
	return v.AddrTaken && e.region
}

func (r *Result) effect(p *core.Proc) *effect {
	e, ok := r.effects[p]
	if !ok {
		panic("alias: procedure " + p.Name + " is not in the program")
	}
	return e
}

// String is the result for people, --dump alias:
//
//	region: g, main.buf
//	release writes: locked
//	step writes: locked, n, [region]
func (r *Result) String() string {
	var b strings.Builder
	var names []string
	for _, v := range r.region {
		if v.Proc != nil {
			names = append(names, v.Proc.Name+"."+v.Name)
		} else {
			names = append(names, v.Name)
		}
	}
	fmt.Fprintf(&b, "region: %s\n", list(names))
	for _, p := range r.prog.Procs {
		var names []string
		for _, g := range r.WrittenBy(p) {
			names = append(names, g.Name)
		}
		if r.WritesRegion(p) {
			names = append(names, "[region]")
		}
		fmt.Fprintf(&b, "%s writes: %s\n", p.Name, list(names))
	}
	return b.String()
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
