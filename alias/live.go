package alias

import "c2bp/frontend/core"

// This file finds variables whose values the program may read though it has not set
// them. An analysis that does not look at the order of statements would take every
// pointer for one from outside because of what it held before it was set.

// indeterminate returns the variables of p outside of memory, in order of
// declaration, that may be read while they hold what they began with (formals
// excepted) or what a Havoc gave them.
func indeterminate(p *core.Proc) []*core.Var {
	if !p.HasBody() {
		return nil
	}
	f := newFlow(p)
	var out []*core.Var
	for i, v := range f.vars {
		if f.reaches(i) {
			out = append(out, v)
		}
	}
	return out
}

// flow is the uses and definitions of a procedure's variables outside of memory.
type flow struct {
	proc    *core.Proc
	vars    []*core.Var
	number  map[*core.Var]int
	reads   [][]int32     // by variable: nodes
	writes  []map[int]how // by node
	pred    [][]int32
	visited []int32 // by node: the variable, from 1, that it was visited for last
	budget  int     // of visits; when it is spent, the answer is yes
}

// how says what a node does to a variable.
type how uint8

const (
	byHavoc how = iota + 1
	byValue
)

func newFlow(p *core.Proc) *flow {
	f := &flow{
		proc: p, number: map[*core.Var]int{},
		writes:  make([]map[int]how, len(p.Nodes)),
		pred:    make([][]int32, len(p.Nodes)),
		visited: make([]int32, len(p.Nodes)),
		budget:  1_000_000 + 100*len(p.Nodes),
	}
	for _, list := range [][]*core.Var{p.Formals, p.Locals} {
		for _, v := range list {
			if !v.InMemory() {
				f.number[v] = len(f.vars)
				f.vars = append(f.vars, v)
			}
		}
	}
	f.reads = make([][]int32, len(f.vars))
	for i, n := range p.Nodes {
		for _, m := range n.Succ {
			f.pred[m] = append(f.pred[m], int32(i))
		}
		f.node(i, n.Stmt)
	}
	return f
}

// node notes what node i reads and writes.
func (f *flow) node(i int, s core.Stmt) {
	write := func(l core.Loc, h how) {
		if r, ok := l.(*core.VarRef); ok {
			f.write(i, r.Var, h)
		} else if l != nil {
			f.read(i, l.(*core.Mem).Addr)
		}
	}
	switch s := s.(type) {
	case *core.Assign:
		for j, l := range s.Lhs {
			write(l, byValue)
			f.read(i, s.Rhs[j])
		}
	case *core.Havoc:
		for _, l := range s.Locs {
			write(l, byHavoc)
		}
	case *core.Alloc:
		write(s.Lhs, byValue)
		f.read(i, s.Size)
	case *core.Call:
		write(s.Lhs, byValue)
		for _, list := range [][]core.Expr{{s.Target}, s.Args, s.Extra} {
			for _, e := range list {
				f.read(i, e)
			}
		}
	case *core.Return:
		if r := f.proc.Result; r != nil {
			f.read(i, r.Ref())
		}
	default:
		core.StmtExprs(s, func(e core.Expr) { f.read(i, e) })
	}
}

func (f *flow) write(node int, v *core.Var, h how) {
	if n, ok := f.number[v]; ok {
		if f.writes[node] == nil {
			f.writes[node] = map[int]how{}
		}
		f.writes[node][n] = h
	}
}

func (f *flow) read(node int, e core.Expr) {
	if e == nil {
		return
	}
	core.Walk(e, func(e core.Expr) bool {
		if r, ok := e.(*core.VarRef); ok {
			if n, ok := f.number[r.Var]; ok {
				f.reads[n] = append(f.reads[n], int32(node))
			}
		}
		return true
	})
}

// reaches walks back from the reads of variable v to what sets it.
func (f *flow) reaches(v int) bool {
	formal := f.vars[v].Kind == core.Formal
	todo := append([]int32(nil), f.reads[v]...)
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if f.visited[n] == int32(v+1) {
			continue
		}
		f.visited[n] = int32(v + 1)
		f.budget--
		if n == 0 && !formal || f.budget < 0 {
			return true
		}
		for _, m := range f.pred[n] {
			switch f.writes[m][v] {
			case byHavoc:
				return true
			case 0:
				todo = append(todo, m)
			}
		}
	}
	return false
}

// initialised returns the globals that the entry sets completely in its first nodes,
// before anything reads them: C's initialisers.
func initialised(p *core.Program) map[*core.Var]bool {
	out := map[*core.Var]bool{}
	seen := map[int]bool{}
	nodes := p.Entry.Nodes
	for i := 0; !seen[i]; i = nodes[i].Succ[0] {
		seen[i] = true
		if !initialiser(nodes[i].Stmt, out) || len(nodes[i].Succ) != 1 {
			break
		}
	}
	return out
}

// initialiser adds what s sets completely; ok is false if s may read a global that
// is not set, or do anything but initialise.
func initialiser(s core.Stmt, set map[*core.Var]bool) bool {
	ok := true
	check := func(e core.Expr) {
		core.Walk(e, func(e core.Expr) bool {
			if l, isLoc := e.(core.Loc); isLoc {
				r, isVar := l.(*core.VarRef)
				ok = ok && isVar && (r.Var.Kind != core.Global || set[r.Var])
			}
			return true
		})
	}
	switch s := s.(type) {
	case *core.Skip:
	case *core.Assign:
		for i, l := range s.Lhs {
			check(s.Rhs[i])
			if m, isMem := l.(*core.Mem); isMem {
				check(m.Addr)
			}
		}
		for _, l := range s.Lhs {
			if r, isVar := l.(*core.VarRef); isVar && ok {
				set[r.Var] = true
			}
		}
	case *core.Fill:
		size, known := constant(s.Size)
		a, whole := s.Dst.(*core.AddrOf)
		if whole && known && s.Byte != nil && size >= core.Bytes(a.Var.Type) {
			set[a.Var] = true
		}
	case *core.Data:
		a, whole := s.Dst.(*core.AddrOf)
		if whole && int64(len(s.Bytes)) >= core.Bytes(a.Var.Type) {
			set[a.Var] = true
		}
	case *core.Havoc:
		ok = !s.Region
	default:
		ok = false
	}
	return ok
}
