package coregen

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

var memoryConfigs = []Config{
	{Memory: true},
	{Memory: true, Procs: 1, Stmts: 3, Nesting: 1, Globals: 1, Preds: 2},
	{Memory: true, Procs: 5, Stmts: 8, Nesting: 3, Globals: 6, Preds: 8},
}

// TestMemoryValid checks that programs with memory and their predicates are
// well-formed, and that equal seeds give equal programs.
func TestMemoryValid(t *testing.T) {
	for i, c := range memoryConfigs {
		for seed := range uint64(700) {
			p, preds := generate(seed, c)
			if err := core.Validate(p); err != nil {
				t.Fatalf("config %d, seed %d: %v", i, seed, err)
			}
			for _, q := range preds {
				if err := core.ValidatePredicate(p, q.Proc, q.Expr); err != nil {
					t.Fatalf("config %d, seed %d: %s: %v", i, seed, core.ExprString(q.Expr), err)
				}
			}
			if seed%50 == 0 {
				if again, _ := generate(seed, c); again.String() != p.String() {
					t.Fatalf("config %d, seed %d: two programs", i, seed)
				}
			}
		}
	}
}

// survey counts what runs do.
type survey struct {
	count   map[string]int
	machine *interp.Machine
	written map[uint64]int64 // size of the last scalar written at an address
}

func (s *survey) add(what string) { s.count[what]++ }

func (s *survey) addIf(c bool, what string) {
	if c {
		s.count[what]++
	}
}

// access counts an executed access.
func (s *survey) access(a interp.Access) {
	o := a.Object
	kind := map[bool]string{false: "read", true: "write"}[a.Write]
	s.addIf(o.Alloc() != nil, kind+" of the heap")
	s.addIf(o.External(), kind+" of the external object")
	s.addIf(o.Var() != nil && o.Var().Foreign, kind+" of a foreign variable")
	s.addIf(o.Var() != nil && o.Var().Literal && !a.Write, "read of a string literal")
	s.addIf(o.Depth() >= 0 && o.Depth() < a.Depth, kind+" of a caller's variable")
	s.addIf(a.Extern != nil, "write by an external")
	if a.Loc == nil {
		s.addIf(!a.Write && a.Base != nil, "read of a block")
		return
	}
	if m, ok := a.Loc.(*core.Mem); ok {
		t, isInt := m.Typ.(core.Int)
		s.addIf(isInt && t.Bits%8 != 0, kind+" of a bit-field")
		s.addIf(o.Var() != nil && !mentions(m.Addr, o.Var()), kind+" of a variable through a pointer")
		s.addIf(o.Var() != nil && s.frames(o.Var()) > 1, kind+" of one of several x")
	}
	if a.Write {
		s.written[a.Addr] = a.Size
	} else if size, ok := s.written[a.Addr]; ok && size != a.Size {
		s.add("read in another width than written")
	}
}

// frames is how many live frames have a variable v.
func (s *survey) frames(v *core.Var) (n int) {
	for _, f := range s.machine.Frames() {
		if f.Proc() == v.Proc {
			n++
		}
	}
	return n
}

func mentions(e core.Expr, v *core.Var) bool {
	return core.Mentions(e, func(x *core.Var) bool { return x == v })
}

// node counts what the node that was executed is.
func (s *survey) node(n *core.Node, e interp.Event) {
	switch x := n.Stmt.(type) {
	case *core.Assign:
		s.addIf(len(x.Lhs) > 1 && (isMem(x.Lhs[0]) || isMem(x.Lhs[1])), "parallel assignment to memory")
	case *core.Copy:
		s.addIf(len(x.Parts) > 1, "struct assignment")
		s.addIf(len(x.Parts) < 2, "memcpy")
	case *core.Fill:
		s.addIf(x.Byte == nil, "arbitrary bytes")
		s.addIf(x.Byte != nil, "memset")
	case *core.Data:
		s.add("data")
	case *core.Alloc:
		s.addIf(x.Stack, "alloca")
		s.addIf(!x.Stack, "malloc")
	case *core.Free:
		s.add("free")
	case *core.Havoc:
		s.addIf(x.Region, "region havoc")
		s.addIf(len(x.Locs) > 0 && isMem(x.Locs[0]), "havoc of a place")
		s.addIf(x.Begin, "begin")
	case *core.Call:
		s.call(x, e)
	}
	core.StmtExprs(n.Stmt, s.expr)
}

func isMem(l core.Loc) bool {
	_, ok := l.(*core.Mem)
	return ok
}

func (s *survey) call(x *core.Call, e interp.Event) {
	s.addIf(x.Target != nil, "call through a pointer")
	s.addIf(len(x.Extra) > 0, "variadic call")
	if e.Kind == interp.Ran {
		s.add("call of an external")
		return
	}
	if e.Kind != interp.Entered {
		return
	}
	top := s.machine.Top()
	for _, v := range top.Proc().Formals {
		switch v.Type.(type) {
		case core.Agg:
			s.add("struct by value")
		case core.Ptr:
			s.add("pointer argument")
			o := s.machine.Object(top.Value(v).Uint64())
			s.addIf(o != nil && o.Var() != nil && o.Depth() >= 0, "address of a local as argument")
			s.addIf(o != nil && o.Var() != nil && o.Var().Proc == top.Proc(), "address of x passed to another frame with x")
			s.addIf(o != nil && o.Proc() != nil, "callback")
		}
	}
	switch {
	case x.Lhs == nil:
	case x.Lhs.Type() == core.Type(core.Ptr{Bits: 64}), x.Lhs.Type() == core.Type(core.Ptr{Bits: 32}):
		s.add("pointer result")
	case !isMem(x.Lhs):
	default:
		_, agg := x.Lhs.Type().(core.Agg)
		s.addIf(agg, "struct result")
		s.addIf(!agg, "result into memory")
	}
}

// expr counts what an executed expression consists of.
func (s *survey) expr(e core.Expr) {
	core.Walk(e, func(e core.Expr) bool {
		switch e := e.(type) {
		case *core.ToInt:
			s.add("pointer to int")
		case *core.ToPtr:
			_, isConst := e.X.(*core.Const)
			s.addIf(isConst, "null")
			s.addIf(!isConst, "int to pointer")
		case *core.Diff:
			s.add("pointer difference")
		case *core.Index:
			_, isConst := e.I.(*core.Const)
			s.addIf(!isConst, "variable index")
		case *core.FuncAddr:
			s.add("address of a procedure")
		case *core.Mem:
			_, isPtr := e.Typ.(core.Ptr)
			s.addIf(isPtr, "pointer in memory")
			s.addIf(len(core.Loads(e.Addr)) > 0, "pointer to pointer followed")
		case *core.Binary:
			if _, ok := e.X.Type().(core.Ptr); ok {
				s.addIf(e.Op <= core.Ne, "pointers compared")
				s.addIf(e.Op > core.Ne, "pointers ordered")
			}
		}
		return true
	})
}

// run makes one run and evaluates the predicates on the way, as follow does.
func (s *survey) run(p *core.Program, preds []Pred, values []int, seed uint64) (steps int, end string) {
	s.written = map[uint64]int64{}
	opts := interp.Options{MaxFrames: 50, Ghosts: Ghosts(preds), OnAccess: s.accessOf}
	s.machine = nil
	m := interp.New(p, interp.NewRandom(p, seed), opts)
	s.machine = m
	for m.Steps() < 500 {
		f := m.Top()
		state := f.State()
		for i, q := range preds {
			if q.Proc == nil || q.Proc == f.Proc() {
				values[i] |= 1 + core.EvalIn(q.Expr, state).Sign()&1
			}
		}
		n := f.Proc().Nodes[f.Node()]
		e, err := m.Step()
		var ub *interp.UBError
		switch {
		case errors.As(err, &ub):
			s.add("undefined: " + ub.Kind.String())
			return m.Steps(), "undefined"
		case err != nil:
			return m.Steps(), strings.TrimLeft(err.Error(), "more than0123456789")
		}
		s.node(n, e)
		if e.Kind.Final() {
			return m.Steps(), e.Kind.String()
		}
	}
	return m.Steps(), "too long"
}

func (s *survey) accessOf(a interp.Access) {
	if s.machine != nil { // not yet while the initial values are stored
		s.access(a)
	}
}

// TestMemoryRuns runs programs with memory: runs must mostly be defined and go on for
// a while, every construct must be executed, and predicates must change their values.
func TestMemoryRuns(t *testing.T) {
	const programs, runs = 1000, 4
	s := &survey{count: map[string]int{}}
	ends := map[string]int{}
	steps, evaluated, both := 0, 0, 0
	for seed := range uint64(programs) {
		p, preds := generate(seed, Config{Memory: true})
		values := make([]int, len(preds))
		for run := range uint64(runs) {
			n, end := s.run(p, preds, values, run)
			steps += n
			ends[end]++
		}
		for _, v := range values {
			evaluated += min(v, 1)
			both += v / 3
		}
	}
	summary := fmt.Sprintf("%d runs, %d steps, ends %v; of %d predicates %d took both values",
		programs*runs, steps, ends, evaluated, both)
	t.Log(summary)
	if steps < 80*programs*runs || ends["undefined"] > programs*runs/3 || ends["finished"] < programs*runs*2/5 || both < evaluated*2/5 {
		t.Error("poor runs: " + summary)
	}
	for _, name := range strings.Split(constructs, "\n") {
		if s.count[name] < 100 {
			t.Errorf("%s: %d times", name, s.count[name])
		}
		delete(s.count, name)
	}
	for name := range s.count {
		if !strings.HasPrefix(name, "undefined: ") {
			t.Errorf("a construct that is not expected: %s", name)
		}
	}
	for _, kind := range []interp.UB{interp.BadAccess, interp.BadPointer, interp.BadFree, interp.BadCall} {
		if s.count["undefined: "+kind.String()] == 0 {
			t.Errorf("%s does not occur", kind)
		}
	}
}

// constructs lists what runs must execute.
const constructs = `address of a local as argument
address of a procedure
address of x passed to another frame with x
alloca
arbitrary bytes
begin
call of an external
call through a pointer
callback
data
free
havoc of a place
int to pointer
malloc
memcpy
memset
null
parallel assignment to memory
pointer argument
pointer difference
pointer in memory
pointer result
pointer to int
pointer to pointer followed
pointers compared
pointers ordered
read in another width than written
read of a bit-field
read of a block
read of a caller's variable
read of a foreign variable
read of a string literal
read of a variable through a pointer
read of one of several x
read of the external object
read of the heap
region havoc
result into memory
struct assignment
struct by value
struct result
variable index
variadic call
write by an external
write of a bit-field
write of a caller's variable
write of a foreign variable
write of a variable through a pointer
write of one of several x
write of the external object
write of the heap`

// TestMemoryPredicates counts what predicates are about.
func TestMemoryPredicates(t *testing.T) {
	count := map[string]int{}
	total := 0
	for seed := range uint64(1000) {
		_, preds := generate(seed, Config{Memory: true})
		for _, q := range preds {
			total++
			for what := range subjects(q) {
				count[what]++
			}
		}
	}
	t.Log(total, count)
	for _, want := range []string{"global", "ghost", "through a ghost", "ghost of what a pointer points to", "member", "element",
		"pointers equal", "address of a variable", "address of a procedure", "null", "pointer followed", "two pointers followed"} {
		if count[want] < total/100 {
			t.Errorf("%s: in %d of %d predicates", want, count[want], total)
		}
		delete(count, want)
	}
	for what := range count {
		t.Errorf("not expected: %s", what)
	}
}

// subjects is what q is about.
func subjects(q Pred) map[string]bool {
	has := map[string]bool{}
	if q.Proc == nil {
		has["global"] = true
	}
	core.Walk(q.Expr, func(e core.Expr) bool {
		switch e := e.(type) {
		case *core.VarRef:
			if e.Var.Kind == core.Ghost {
				has["ghost"] = true
				if _, ok := e.Var.Init.(*core.Mem); ok {
					has["ghost of what a pointer points to"] = true
				}
			}
		case *core.Mem:
			loads := core.Locs(e.Addr)
			if len(loads) > 0 {
				has["pointer followed"] = true
			}
			for _, l := range loads {
				r, ok := l.(*core.VarRef)
				if !ok {
					has["two pointers followed"] = true
				} else if r.Var.Kind == core.Ghost {
					has["through a ghost"] = true
				}
			}
			if o, ok := e.Addr.(*core.Offset); ok && o.Field != "" {
				has["member"] = true
			}
			if _, ok := e.Addr.(*core.Index); ok {
				has["element"] = true
			}
		case *core.Binary:
			if _, ok := e.X.Type().(core.Ptr); !ok {
				break
			}
			switch core.ExprString(e.Y)[0] {
			case 'n':
				has["null"] = true
			case '&':
				if _, ok := e.Y.(*core.FuncAddr); ok {
					has["address of a procedure"] = true
				} else {
					has["address of a variable"] = true
				}
			default:
				has["pointers equal"] = true
			}
		}
		return true
	})
	return has
}
