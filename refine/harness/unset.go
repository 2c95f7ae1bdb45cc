package harness

import (
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file tracks variables without a value, or with one that no C function supplies: when the run
// reads one of them, it depends on a value that cannot be supplied.

// frameVar is a variable of the frame at a depth; the depth of globals is -1.
type frameVar struct {
	depth int
	v     *core.Var
}

// unset has the variables whose values nothing supplies, and descriptions of these values.
type unset struct {
	variables map[frameVar]string
	objects   map[*interp.Object]string // the same of those in memory
	now       *interp.Object            // the machine is about to store its value
}

// leave records that nothing supplies the value of q.Var; what is a description.
func (r *Recorder) leave(q interp.Request, what string) {
	if q.Object != nil {
		r.open.objects[q.Object] = what
		r.open.now = q.Object
		return
	}
	r.open.variables[frameVar{q.Owner, q.Var}] = what
}

// key returns the frameVar of v as seen from the frame at depth.
func key(depth int, v *core.Var) frameVar {
	if v.Kind == core.Global {
		depth = -1
	}
	return frameVar{depth, v}
}

// checkReads reports the variables outside of memory that node is about to read and that have not
// been set.
func (r *Recorder) checkReads(f *interp.Frame, node *core.Node) {
	if len(r.open.variables) == 0 {
		return
	}
	eachRead(node.Stmt, func(e core.Expr) {
		core.WalkVars(e, func(v *core.Var) { r.read(key(f.Depth(), v), node) })
	})
	// A return reads the result for its caller.
	if _, ok := node.Stmt.(*core.Return); ok && r.now.result != nil && r.now.result.Lhs != nil && f.Proc().Result != nil {
		r.read(key(f.Depth(), f.Proc().Result), node)
	}
}

// read reports a read of variable k by node, if it has not been set.
func (r *Recorder) read(k frameVar, node *core.Node) {
	if what, ok := r.open.variables[k]; ok {
		r.gap(what, node.Pos)
	}
}

// settle forgets the variables that node, whose execution ended in e, has set.
func (r *Recorder) settle(e interp.Event, node *core.Node) {
	switch s := node.Stmt.(type) {
	case *core.Assign:
		for _, l := range s.Lhs {
			r.set(e.Depth, l)
		}
	case *core.Alloc:
		r.set(e.Depth, s.Lhs)
	case *core.Havoc:
		if node.Input != nil || node.Model != nil {
			for _, l := range s.Locs {
				r.set(e.Depth, l)
			}
		}
	case *core.Call:
		if e.Kind == interp.Entered {
			r.entered(e.Depth + 1)
		} else {
			r.set(e.Depth, s.Lhs)
		}
	case *core.Return:
		if e.Kind == interp.Left && r.now.result != nil {
			r.set(e.Depth-1, r.now.result.Lhs)
		}
	}
}

// set forgets the variable that is the location l, if it is one.
func (r *Recorder) set(depth int, l core.Loc) {
	if v, ok := l.(*core.VarRef); ok {
		delete(r.open.variables, key(depth, v.Var))
	}
}

// entered forgets earlier frames at depth: the formals of the new one are set.
func (r *Recorder) entered(depth int) {
	r.stmts = r.stmts[:min(depth, len(r.stmts))]
	f := r.machine.Top()
	for _, v := range f.Proc().Formals {
		delete(r.open.variables, frameVar{depth, v})
	}
}

// access is called for every access to memory.
func (r *Recorder) access(a interp.Access) {
	if r.onAccess != nil {
		r.onAccess(a)
	}
	r.watcher.access(a, r.passes)
	// 1. Memory outside of the program is used.
	if l := r.recording.lent(a.Object); l != nil && l.object.Environment() {
		l.use(int64(a.Addr-a.Object.Start()), a.Size)
	}
	r.found(a)
	// 2. The store of an undefined value is no write by the program.
	// The machine stores the value right after it has chosen it.
	storing := a.Write && r.open.now == a.Object
	if storing {
		r.open.now = nil
	}
	if a.Write {
		r.memory.overwrite(a.Object, int64(a.Addr-a.Object.Start()), a.Size)
	}
	// 3. A read before a write is a gap.
	what, ok := r.open.objects[a.Object]
	if !ok || storing || r.machine == nil {
		return
	}
	if a.Write {
		delete(r.open.objects, a.Object)
	} else {
		r.gap(what, a.Proc.Nodes[a.Node].Pos)
	}
}

// eachRead calls f for the expressions that s evaluates, destinations excepted.
func eachRead(s core.Stmt, f func(core.Expr)) {
	// A destination is not read, but the address of one in memory is.
	written := map[core.Expr]bool{}
	for _, l := range core.Destinations(s) {
		written[l] = true
		if m, ok := l.(*core.Mem); ok {
			f(m.Addr)
		}
	}
	core.StmtExprs(s, func(e core.Expr) {
		if !written[e] {
			f(e)
		}
	})
}
