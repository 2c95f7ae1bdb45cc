package lower

import (
	"c2bp/checker/zom"
	"c2bp/internal/graph"
)

// This file computes live slots and globals: those that may be read before they are written. Slots
// live within their procedure. The effect of a call on the globals is summarised by two sets: those
// that the callee may read first, and those that are live before it if they are live after it. At
// the end of a procedure those globals are live that are live after one of its calls.
// (Ball–Rajamani 2000, §2, has this for local variables; a global that is written and not read
// again before the next write belongs to no summary.)

// live computes Live and Globals of all procedures.
func live(p *zom.Program) {
	l := &liveness{prog: p, procs: make([]flow, len(p.Procs))}
	for i := range l.procs {
		l.procs[i] = l.flowOf(i)
	}
	// 1. Summarise procedures, callees first, until the sets are stable.
	order := l.calleesFirst()
	for again := true; again; {
		again = false
		for _, i := range order {
			again = l.summarise(i) || again
		}
	}
	// 2. Distribute the live globals after calls to the callees' exits, callers first, until stable.
	for again := true; again; {
		again = false
		for k := len(order) - 1; k >= 0; k-- {
			again = l.distribute(order[k]) || again
		}
	}
	// 3. Keep the results.
	for i, proc := range p.Procs {
		proc.Live = l.slots(i)
		proc.Globals = l.procs[i].live
	}
	// 4. Where objects are chosen from all that variables lead to, these are read, so to speak.
	if p.Chooses() {
		keepReferences(p)
	}
}

// keepReferences makes all references in variables live. (Those on their way into a call or out of one
// have no class, and live as long as they are needed.)
func keepReferences(p *zom.Program) {
	keep := func(slots []zom.Slot, live []zom.Bitset) {
		for i := range slots {
			for pc := range live {
				if slots[i].Kind == zom.Ref && slots[i].Class >= 0 {
					live[pc].Set(i)
				}
			}
		}
	}
	for _, proc := range p.Procs {
		keep(p.Globals, proc.Globals)
		keep(proc.Slots[:proc.Scratch], proc.Live)
	}
}

// liveness is the state of the analysis.
type liveness struct {
	prog  *zom.Program
	procs []flow
}

// flow is the facts about a procedure.
type flow struct {
	order   []int32      // pcs, most of them after their successors
	live    []zom.Bitset // by pc: the live globals, if those of exit are live at the end
	exit    zom.Bitset
	reads   zom.Bitset // the globals that it may read first
	through zom.Bitset // reads, and the globals that are live before it if they are live after it
	callees []int
}

// globals returns an empty set of globals.
func (l *liveness) globals() zom.Bitset { return zom.NewBitset(len(l.prog.Globals)) }

// flowOf collects the order and the callees of procedure i.
func (l *liveness) flowOf(i int) flow {
	// Code is mostly in program order, so backwards is a good order.
	f := flow{exit: l.globals(), reads: l.globals(), through: l.globals()}
	code := l.prog.Procs[i].Code
	for pc := len(code) - 1; pc >= 0; pc-- {
		f.order = append(f.order, int32(pc))
		if code[pc].Op == zom.Call || code[pc].Op == zom.Spawn {
			f.callees = append(f.callees, int(code[pc].B))
		}
	}
	return f
}

// calleesFirst orders the procedures so that callees come before their callers, except in
// recursion.
func (l *liveness) calleesFirst() []int {
	all := make([]int, len(l.procs))
	for i := range all {
		all[i] = i
	}
	return graph.Postorder(len(l.procs), all, func(i int) []int { return l.procs[i].callees })
}

// summarise computes reads and through of a procedure, and reports whether they grew.
func (l *liveness) summarise(i int) bool {
	f := &l.procs[i]
	// A global is let through if it is live before whenever it is live after.
	all := l.globals()
	for g := range l.prog.Globals {
		all.Set(g)
	}
	entry := l.prog.Procs[i].Entry
	grew := f.reads.Union(l.solve(i, l.globals())[entry])
	return f.through.Union(l.solve(i, all)[entry]) || grew
}

// distribute computes the live globals of a procedure, adds those after calls to the exits of its
// callees, and reports whether those grew.
func (l *liveness) distribute(i int) (grew bool) {
	f := &l.procs[i]
	f.live = l.solve(i, f.exit)
	// Globals that are live after a call are live at the callee's end.
	for pc, in := range l.prog.Procs[i].Code {
		if in.Op == zom.Call {
			grew = l.procs[in.B].exit.Union(f.live[pc+1]) || grew
		}
	}
	return grew
}

// solve returns the live globals before each instruction, if those of exit are live at the end.
func (l *liveness) solve(i int, exit zom.Bitset) []zom.Bitset {
	code := l.prog.Procs[i].Code
	// The sets grow until they are stable.
	live := make([]zom.Bitset, len(code))
	for pc := range live {
		live[pc] = l.globals()
	}
	now := l.globals()
	for again := true; again; {
		again = false
		// Backwards over the code, so that few iterations are needed.
		for _, pc := range l.procs[i].order {
			clear(now)
			in := &code[pc]
			for _, s := range in.Next(pc) {
				now.Union(live[s])
			}
			l.before(in, now, exit)
			again = live[pc].Union(now) || again
		}
	}
	return live
}

// before turns the globals that are live after an instruction into those before it.
func (l *liveness) before(in *zom.Instr, now, exit zom.Bitset) {
	switch in.Op {
	case zom.Global:
		now.Set(int(in.B))
	case zom.SetGlobal:
		now.Clear(int(in.A))
	case zom.Return:
		now.Union(exit)
	case zom.Spawn: // the process reads at any later time
		now.Union(l.procs[in.B].reads)
	// Live before a call: what the callee reads first, and what it lets through.
	case zom.Call:
		callee := &l.procs[in.B]
		for k := range now {
			now[k] = now[k]&callee.through[k] | callee.reads[k]
		}
	}
}

// slots returns the live slots before each instruction.
func (l *liveness) slots(i int) []zom.Bitset {
	p := l.prog.Procs[i]
	live := make([]zom.Bitset, len(p.Code))
	for pc := range live {
		live[pc] = zom.NewBitset(len(p.Slots))
	}
	now := zom.NewBitset(len(p.Slots))
	// As in solve, but calls have no summaries: slots are local.
	for again := true; again; {
		again = false
		for _, pc := range l.procs[i].order {
			clear(now)
			in := &p.Code[pc]
			for _, s := range in.Next(pc) {
				now.Union(live[s])
			}
			l.effect(p, in, now)
			again = live[pc].Union(now) || again
		}
	}
	return live
}

// effect turns the slots that are live after an instruction into those before it.
func (l *liveness) effect(p *zom.Proc, in *zom.Instr, now zom.Bitset) {
	use := func(slots ...int32) {
		for _, s := range slots {
			now.Set(int(s))
		}
	}
	switch in.Op {
	// A slot that is written is dead before; a slot that is read is live before.
	case zom.Skip, zom.Jump, zom.Visit, zom.AnyField, zom.Fork, zom.Halt:
	case zom.Const, zom.Any, zom.Global, zom.New, zom.AnyObject:
		now.Clear(int(in.A))
	case zom.Decide, zom.Object, zom.Branch, zom.Assume, zom.Assert, zom.Wait:
		use(in.A)
	case zom.SetGlobal:
		use(in.B)
	case zom.SetField:
		use(in.A, in.C)
	case zom.Copy, zom.Move, zom.Field, zom.Not:
		now.Clear(int(in.A))
		use(in.B)
	// A call reads the argument slots and writes the result slots.
	case zom.Call, zom.Spawn:
		callee := l.prog.Procs[in.B]
		if in.Op == zom.Call {
			for k := range callee.Results {
				now.Clear(int(in.C) + k)
			}
		}
		for k := range callee.Params {
			now.Set(int(in.A) + k)
		}
	case zom.Return:
		for k := range p.Results {
			now.Set(p.Result + k)
		}
	default: // a := b op c
		now.Clear(int(in.A))
		use(in.B, in.C)
	}
}
