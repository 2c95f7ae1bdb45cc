package interp

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/core"
)

// TestAggregates passes a struct by value and returns it: neither the argument nor
// the destination is the callee's.
func TestAggregates(t *testing.T) {
	l := newLab()
	f := newProc("f", agg(32))
	a := formal(f, "a", agg(32))
	f.Result = a
	line(f, store(at(addr(a), 4, core.Int32), bin(at(addr(a), 4, core.Int32), core.Add, num(1))),
		store(at(addr(l.s), 0, core.Int32), num(50)))
	l.others = []*core.Proc{f}
	dst := &core.Mem{Addr: addr(l.t), Typ: agg(32)}
	m, e, err := l.run(t,
		store(at(addr(l.s), 0, core.Int32), num(40)), store(at(addr(l.s), 4, core.Int32), num(41)),
		&core.Call{Lhs: dst, Callee: f, Args: []core.Expr{addr(l.s)}},
		&core.Call{Callee: f, Args: []core.Expr{addr(l.s)}})
	if err != nil || e.Kind != Finished {
		t.Fatal(e, err)
	}
	for _, test := range []struct {
		v         *core.Var
		off, want int64
	}{{l.s, 0, 50}, {l.s, 4, 41}, {l.t, 0, 40}, {l.t, 4, 42}} {
		got := core.EvalIn(at(addr(test.v), test.off, core.Int32), m.State())
		wantValue(t, fmt.Sprintf("%s at %d", test.v.Name, test.off), got, test.want)
	}
}

// TestFrames writes the caller's x through a pointer in a deeper frame of the same
// procedure.
func TestFrames(t *testing.T) {
	f := newProc("f", core.Int32)
	p, x := formal(f, "arg", ptr), taken(local(f, "x", core.Int32))
	y := local(f, "y", core.Int32)
	f.Result = y
	f.Nodes = []*core.Node{
		node(set(x, num(5)), 1),
		node(&core.Branch{}, 2, 4),
		node(&core.Assume{Cond: bin(p.Ref(), core.Eq, core.Null(ptr))}, 3),
		node(&core.Call{Callee: f, Args: []core.Expr{addr(x)}}, 6),
		node(&core.Assume{Cond: bin(p.Ref(), core.Ne, core.Null(ptr))}, 5),
		node(store(at(p.Ref(), 0, core.Int32), bin(at(p.Ref(), 0, core.Int32), core.Add, bin(x.Ref(), core.Add, num(1)))), 6),
		node(set(y, x.Ref()), 7),
		node(&core.Return{}),
	}
	l := newLab()
	l.others = []*core.Proc{f}
	m, e, err := l.run(t, &core.Call{Lhs: l.i.Ref(), Callee: f, Args: []core.Expr{core.Null(ptr)}})
	if err != nil || e.Kind != Finished {
		t.Fatal(e, err)
	}
	wantValue(t, "x of the first frame", m.Global(l.i), 11)
}

// TestVariadic adds two arguments of different sizes after the formals.
func TestVariadic(t *testing.T) {
	f := newProc("f", core.Int32)
	n := formal(f, "n", core.Int32)
	rest := local(f, "...", core.Agg{Name: "va_list"})
	rest.AddrTaken = true
	ap := local(f, "ap", ptr)
	f.Variadic, f.Result = rest, n
	line(f, set(ap, addr(rest)),
		set(n, bin(n.Ref(), core.Add, at(ap.Ref(), 0, core.Int32))), set(ap, &core.Offset{X: ap.Ref(), Off: 8}),
		set(n, bin(n.Ref(), core.Add, &core.Conv{X: at(ap.Ref(), 0, core.Int64), To: core.Int32})), set(ap, &core.Offset{X: ap.Ref(), Off: 8}))
	l := newLab()
	l.others = []*core.Proc{f}
	call := &core.Call{Lhs: l.i.Ref(), Callee: f, Args: []core.Expr{num(100)}, Extra: []core.Expr{num(20), c(3, core.Int64)}}
	m, e, err := l.run(t, call)
	if err != nil || e.Kind != Finished {
		t.Fatal(e, err)
	}
	wantValue(t, "the sum", m.Global(l.i), 123)
	call.Extra = call.Extra[:1]
	l.choices = nil
	if _, _, err := l.run(t, call); err == nil || !strings.Contains(err.Error(), "access outside of a live object in") {
		t.Errorf("a read behind the last argument: %v", err)
	}
}

// TestIndirect calls through a table of procedures.
func TestIndirect(t *testing.T) {
	l := newLab()
	for i := range int64(3) {
		f := newProc(fmt.Sprintf("f%d", i), core.Int32)
		x := formal(f, "x", core.Int32)
		f.Result = x
		line(f, set(x, bin(x.Ref(), core.Add, num(10*i))))
		l.others = append(l.others, f)
	}
	slot := func(i int64) *core.Mem { return at(addr(l.s), 8*i, ptr) }
	u8 := core.Uint8
	l.globals = append(l.globals, global("b", core.Uint8))
	b := l.globals[len(l.globals)-1]
	m, e, err := l.run(t,
		store(slot(0), &core.FuncAddr{Proc: l.others[0], Typ: ptr}), store(slot(1), &core.FuncAddr{Proc: l.others[1], Typ: ptr}),
		store(slot(2), &core.FuncAddr{Proc: l.others[2], Typ: ptr}),
		&core.Call{Lhs: l.i.Ref(), Target: slot(2), RetType: core.Int32, Args: []core.Expr{num(1)}},
		&core.Call{Lhs: b.Ref(), ResultConv: &u8, Target: slot(1), RetType: core.Int32, Args: []core.Expr{num(250)}})
	if err != nil || e.Kind != Finished {
		t.Fatal(e, err)
	}
	wantValue(t, "f2(1)", m.Global(l.i), 21)
	wantValue(t, "(uint8)f1(250)", m.Global(b), 4)
}

// TestDestination takes the address of the destination before the call, which
// moves the pointer, or ends the life of what it points to.
func TestDestination(t *testing.T) {
	l := newLab()
	f := newProc("f", core.Int32)
	one := local(f, "one", core.Int32)
	f.Result = one
	line(f, set(l.p, addr(l.h)), &core.Free{Ptr: l.r.Ref()}, set(one, num(1)))
	l.others = []*core.Proc{f}
	call := &core.Call{Lhs: at(l.p.Ref(), 0, core.Int32), Callee: f}
	m, _, err := l.run(t, set(l.r, core.Null(ptr)), set(l.h, num(0)), set(l.p, addr(l.g)), call)
	if err != nil {
		t.Fatal(err)
	}
	wantValue(t, "g", m.Global(l.g), 1)
	wantValue(t, "h", m.Global(l.h), 0)
	l.choices = nil
	_, _, err = l.run(t, &core.Alloc{Lhs: l.r.Ref(), Size: num(4)}, set(l.p, l.r.Ref()), call)
	if err == nil || !strings.Contains(err.Error(), "access outside of a live object") {
		t.Errorf("a destination that is freed: %v", err)
	}
}

// asked runs stmts with values for what is asked after the initial values and
// returns the requests.
func (l *lab) asked(t *testing.T, values []int64, stmts ...core.Stmt) (*Machine, []string) {
	t.Helper()
	initial := 0
	for _, g := range l.globals {
		if _, ok := core.Word(g.Type); ok {
			initial++
		}
	}
	s := &script{values: append(make([]int64, initial), values...)}
	l.choices = s
	m, e, err := l.run(t, stmts...)
	if err != nil || e.Kind != Finished {
		t.Fatal(e, err)
	}
	return m, s.log[initial:]
}

func wantLog(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestContents reads memory that nobody wrote, in several types.
func TestContents(t *testing.T) {
	l := newLab()
	s, d := addr(l.s), addr(l.t)
	i32 := func(e core.Expr) core.Expr { return &core.Conv{X: e, To: core.Int32} }
	m, log := l.asked(t, []int64{7}, set(l.i, at(s, 8, core.Int32)), set(l.i, at(s, 8, core.Int32)))
	wantValue(t, "i", m.Global(l.i), 7)
	wantLog(t, "one int", log, "main:0 contents of memory - of -1 int32 old 0")

	_, log = l.asked(t, []int64{7, 1, 1}, set(l.i, i32(at(s, 8, core.Uint8))), set(l.i, i32(at(s, 8, core.Int16))),
		set(l.i, i32(at(s, 10, core.Bool))))
	wantLog(t, "bytes", log, "main:0 contents of memory - of -1 uint8 old 0", "main:1 contents of memory - of -1 uint8 old 0",
		"main:2 contents of memory - of -1 bool old 0")

	for name, order := range map[string][2]core.Expr{"copy first": {d, s}, "original first": {s, d}} {
		m, log = l.asked(t, []int64{7}, &core.Copy{Dst: d, Src: s, Size: num(32)},
			set(l.i, bin(at(order[0], 8, core.Int32), core.Eq, at(order[1], 8, core.Int32))))
		wantValue(t, name, m.Global(l.i), 1)
		wantLog(t, name, log, "main:1 contents of memory - of -1 int32 old 0")
	}

	m, log = l.asked(t, []int64{9}, store(at(s, 0, core.Int32), num(5)), &core.Fill{Dst: s, Size: num(8)},
		set(l.i, at(s, 0, core.Int32)))
	wantValue(t, "filled", m.Global(l.i), 9)
	wantLog(t, "filled", log, "main:2 contents of memory - of -1 int32 old 5")

	field := &core.Mem{Addr: s, Typ: core.Int{Bits: 2}, Bit: 1}
	m, log = l.asked(t, []int64{255}, store(field, c(0, core.Int{Bits: 2})), set(l.i, i32(at(s, 0, core.Uint8))))
	wantValue(t, "around a bit-field", m.Global(l.i), 0xf9)
	wantLog(t, "around a bit-field", log, "main:0 contents of memory - of -1 uint8 old 0")
}

// TestHavocMemory havocs places and everything that pointers may point to.
func TestHavocMemory(t *testing.T) {
	l := newLab()
	s := addr(l.s)
	private := global("private", agg(8))
	l.globals = append(l.globals, private)
	m, log := l.asked(t, []int64{3, 4, 5, 0, 0, 6, 7},
		store(at(s, 0, core.Int32), num(1)),
		store(at(addr(private), 0, core.Int32), num(2)),
		&core.Alloc{Lhs: l.p.Ref(), Size: num(8)},
		store(at(l.p.Ref(), 0, core.Int32), num(8)),
		&core.Havoc{Locs: []core.Loc{at(s, 0, core.Int32), at(s, 8, core.Opaque{Name: "double", Size: 8})}},
		&core.Havoc{Region: true},
		set(l.i, bin(at(s, 0, core.Int32), core.Add, at(l.p.Ref(), 0, core.Int32))))
	wantLog(t, "requests", log, "main:4 havoc - of -1 int32 old 1",
		"main:5 region havoc g of -1 int32 old 0", "main:5 region havoc h of -1 int32 old 0", "main:5 region havoc r of -1 uint64 old 0",
		"main:6 contents of memory - of -1 int32 old 3", "main:6 contents of memory - of -1 int32 old 8")
	wantValue(t, "i", m.Global(l.i), 6)
	wantValue(t, "private", core.EvalIn(at(addr(private), 0, core.Int32), m.State()), 2)
}

// spy is choices that look at calls of externals.
type spy struct {
	script
	reached []string
	writes  func(ExternalCall) []Write
	targets []string
	result  func(Request) *big.Int
	// contents, if not nil, is asked instead for contents of memory.
	contents func(Request) *big.Int
	havoc    func(Request) *big.Int // the same for what a Havoc names
}

func names(list []*Object) (out []string) {
	for _, o := range list {
		s, _, _ := strings.Cut(o.String(), " at ")
		out = append(out, s[strings.Index(s, " ")+1:])
	}
	slices.Sort(out)
	return out
}

func (s *spy) External(c ExternalCall) []Write {
	s.reached = append(s.reached, fmt.Sprintf("%d: %s", c.Node, strings.Join(names(c.Reached), ", ")))
	if s.writes != nil {
		return s.writes(c)
	}
	return nil
}

func (s *spy) Value(r Request) *big.Int {
	if r.Why == Contents && s.contents != nil {
		return s.contents(r)
	}
	if r.Why == Havocked && s.havoc != nil {
		return s.havoc(r)
	}
	if r.Why == ExternalResult {
		s.targets = append(s.targets, fmt.Sprintf("%d: %s", r.Node, strings.Join(names(r.Targets()), ", ")))
		if s.result != nil {
			return s.result(r)
		}
	}
	return s.script.Value(r)
}

// TestExternal looks at what externals reach: g through r through s, a procedure,
// and what earlier calls left known.
func TestExternal(t *testing.T) {
	run := func(x core.Extern) (*Machine, *lab, *spy) {
		l := newLab()
		local := taken(local(l.main, "x", core.Int32))
		quiet := taken(global("quiet", core.Int32))
		private := global("private", agg(8))
		l.globals = append(l.globals, quiet, private)
		s := &spy{writes: func(c ExternalCall) (out []Write) {
			for _, o := range c.Reached {
				switch o.Var() {
				case l.g:
					out = append(out, Write{Addr: o.Start(), Size: 4, Bytes: []byte{1, 2, 0, 0}})
				case l.h:
					out = append(out, Write{Addr: o.Start(), Size: 4})
				}
			}
			return out
		}}
		line(l.main,
			store(at(addr(l.s), 16, ptr), addr(l.r)), set(l.r, addr(l.g)),
			store(at(addr(l.s), 8, core.Uint64), &core.ToInt{X: &core.FuncAddr{Proc: l.main, Typ: ptr}, To: core.Uint64}),
			&core.Call{Lhs: l.p.Ref(), Callee: l.ext, Args: []core.Expr{&core.Offset{X: addr(l.s), Off: 32}}},
			set(local, num(0)),
			set(l.h, num(7)),
			&core.Call{Lhs: l.q.Ref(), Callee: l.ext, Args: []core.Expr{addr(l.h)}},
			set(l.i, l.h.Ref()))
		p := program(t, l.globals, l.ext, l.main)
		p.Extern = x
		var writes []string
		m := New(p, s, Options{OnAccess: func(a Access) {
			if a.Extern != nil {
				writes = append(writes, fmt.Sprintf("%s writes %s", a.Extern.Name, a.Object.v.Name))
			}
		}})
		finish(t, m, Finished)
		if x == core.ExternArgs {
			wantLog(t, "writes", writes, "ext writes g", "ext writes h")
		}
		return m, l, s
	}
	m, l, s := run(core.ExternArgs)
	wantLog(t, "reached", s.reached, "3: g, r, s", "6: h")
	wantLog(t, "known", s.targets, "3: external, g, main, r, s", "6: external, g, h, main, r, s")
	wantValue(t, "g", m.Global(l.g), 0x201)
	if last := s.log[len(s.log)-1]; last != "main:7 contents of memory h of -1 int32 old 7" {
		t.Errorf("an arbitrary write of an external: %s", last)
	}

	m, l, s = run(core.ExternPure)
	wantLog(t, "pure: reached", s.reached)
	wantLog(t, "pure: known", s.targets, "3: external, g, main, r, s", "6: external, g, h, main, r, s")
	wantValue(t, "g", m.Global(l.g), 0)

	_, _, s = run(core.ExternAll)
	wantLog(t, "all: reached", s.reached, "3: external, g, h, main.x, private, quiet, r, s, t",
		"6: external, g, h, main.x, private, quiet, r, s, t")
}

// TestReachedByCopy: an address that was decided in the original of a copy is in the copy, too.
func TestReachedByCopy(t *testing.T) {
	l := newLab()
	s := &spy{}
	var m *Machine
	s.contents = func(r Request) *big.Int { return new(big.Int).SetUint64(m.globalObjects[m.slots[l.g].index].start) }
	call := func(arg core.Expr) core.Stmt {
		return &core.Call{Lhs: l.q.Ref(), Callee: l.ext, Args: []core.Expr{arg}}
	}
	line(l.main,
		&core.Fill{Dst: addr(l.s), Byte: core.NewConst(0, core.Uint8), Size: num(32)},
		call(addr(l.g)), // g is known from here on
		call(addr(l.s)), // and a word of s is arbitrary
		&core.Copy{Dst: addr(l.t), Src: addr(l.s), Size: num(32)},
		set(l.p, at(addr(l.s), 16, ptr)),
		call(addr(l.t)))
	s.writes = func(c ExternalCall) (out []Write) {
		for _, o := range c.Reached {
			if o.Var() == l.s {
				out = append(out, Write{Addr: o.Start() + 16, Size: 8})
			}
		}
		return out
	}
	m = New(program(t, l.globals, l.ext, l.main), s, Options{})
	finish(t, m, Finished)
	wantLog(t, "reached", s.reached, "1: g", "2: s", "5: g, t")
}

// TestReachedFromOutside: words that an external has made arbitrary lead to all that is known outside; where they are not
// whole, or nothing outside has set them, they do not.
func TestReachedFromOutside(t *testing.T) {
	for name, c := range map[string]struct {
		size int64 // of the part of s that is arbitrary
		read bool  // by the program, before the last call
		want []string
	}{
		"a word":               {8, false, []string{"1: g", "2: s", "4: external, g, s"}},
		"words that were read": {16, true, []string{"1: g", "2: s", "4: s"}},
		"a part of one":        {4, false, []string{"1: g", "2: s", "4: external, g, s"}},
		"nothing":              {0, false, []string{"1: g", "2: s", "4: s"}},
	} {
		l := newLab()
		s := &spy{}
		var all []string
		call := func(arg core.Expr) core.Stmt {
			return &core.Call{Lhs: l.q.Ref(), Callee: l.ext, Args: []core.Expr{arg}}
		}
		look := core.Stmt(&core.Skip{})
		if c.read {
			look = &core.Assign{Lhs: []core.Loc{l.p.Ref(), l.q.Ref()}, Rhs: []core.Expr{at(addr(l.s), 16, ptr), at(addr(l.s), 24, ptr)}}
		}
		line(l.main,
			&core.Fill{Dst: addr(l.s), Byte: core.NewConst(0, core.Uint8), Size: num(32)},
			call(addr(l.g)),
			call(addr(l.s)),
			look,
			call(addr(l.s)))
		s.writes = func(e ExternalCall) (out []Write) {
			all = append(all, fmt.Sprintf("%d: %s", e.Node, strings.Join(names(e.All()), ", ")))
			for _, o := range e.Reached {
				if o.Var() == l.s && c.size > 0 {
					out = append(out, Write{Addr: o.Start() + 16, Size: c.size})
				}
			}
			return out
		}
		for _, tiny := range []bool{false, true} {
			s.reached, all = nil, nil
			finish(t, New(program(t, l.globals, l.ext, l.main), s, Options{tiny: tiny}), Finished)
			wantLog(t, name, all, c.want...)
			wantLog(t, name+": by addresses", s.reached, "1: g", "2: s", "4: s")
		}
	}
}

// TestHidden chooses addresses of objects that nobody outside knows.
func TestHidden(t *testing.T) {
	for name, test := range map[string]struct {
		arg  func(*lab) core.Expr
		want string
	}{
		"known":  {func(l *lab) core.Expr { return addr(l.g) }, ""},
		"hidden": {func(*lab) core.Expr { return core.Null(ptr) }, "was chosen for the result, the address of an object that is not known outside (external result)"},
	} {
		l := newLab()
		s := &spy{}
		l.choices = s
		var m *Machine
		s.result = func(Request) *big.Int { return new(big.Int).SetUint64(m.globalObjects[m.slots[l.g].index].start + 4) }
		line(l.main, &core.Call{Lhs: l.p.Ref(), Callee: l.ext, Args: []core.Expr{test.arg(l)}})
		m = New(program(t, l.globals, l.ext, l.main), s, Options{})
		_, err := m.Step()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestState evaluates predicates where C would not.
func TestState(t *testing.T) {
	l := newLab()
	f := newProc("f", ptr)
	x, result := taken(local(f, "x", core.Int32)), local(f, `\result`, ptr)
	f.Result = result
	line(f, set(x, num(77)), set(result, addr(x)))
	l.others = []*core.Proc{f}
	m, _, err := l.run(t, &core.Call{Lhs: l.p.Ref(), Callee: f},
		&core.Alloc{Lhs: l.q.Ref(), Size: num(4)}, store(at(l.q.Ref(), 0, core.Int32), num(78)), &core.Free{Ptr: l.q.Ref()},
		store(at(addr(l.s), 0, core.Uint8), c(3, core.Uint8)), store(at(addr(l.s), 28, core.Int32), num(-1)))
	if err != nil {
		t.Fatal(err)
	}
	eval := func(e core.Expr) *big.Int { return core.EvalIn(e, m.State()) }
	wantValue(t, "a dead local", eval(at(l.p.Ref(), 0, core.Int32)), 77)
	wantValue(t, "freed", eval(at(l.q.Ref(), 0, core.Int32)), 78)
	wantValue(t, "a bool of 3", eval(at(addr(l.s), 0, core.Bool)), 1)
	for _, e := range []core.Expr{core.Null(ptr), &core.Index{X: core.Null(ptr), I: c(-1<<62, core.Int64), Size: 1 << 30},
		&core.Offset{X: addr(l.s), Off: 1 << 62}, &core.Offset{X: addr(l.s), Off: 32}} {
		for _, typ := range []core.Type{core.Int32, core.Bool, ptr, core.Int{Bits: 3}} {
			place := &core.Mem{Addr: e, Typ: typ}
			a, b := eval(place), eval(place)
			w, _ := core.Word(typ)
			if a.Cmp(b) != 0 || !w.Contains(a) {
				t.Errorf("%s is %s and %s", core.ExprString(place), a, b)
			}
		}
	}
	before := eval(at(addr(l.s), 30, core.Int32)) // misaligned
	m.store(m.globalObjects[m.slots[l.s].index], 28, spanOf(0, core.Int32, 0), 5)
	wantValue(t, "a write that a misaligned read overlaps", eval(at(addr(l.s), 30, core.Int32)), before.Int64())
}

// TestBuried makes more dead objects than are kept: the young ones are.
func TestBuried(t *testing.T) {
	f := newProc("f", core.Void{})
	x := taken(local(f, "x", core.Int32))
	line(f, set(x, num(3)))
	p := newProc("main", core.Void{})
	p.Nodes = []*core.Node{node(&core.Call{Callee: f}, 1), node(&core.Branch{}, 0, 2), node(&core.Return{})}
	m := New(program(t, nil, f, p), &script{pick: func(next []int) int { return next[0] }}, Options{})
	var starts []uint64
	for len(starts) < 5*maxDead {
		e, err := m.Step()
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == Entered {
			starts = append(starts, m.Top().object(x).start)
		}
	}
	if n := len(m.objects); n < maxDead || n > 2*maxDead+2 {
		t.Errorf("%d objects are kept", n)
	}
	if m.Object(starts[0]) != nil {
		t.Error("the first object is still there")
	}
	young := new(big.Int).SetUint64(starts[len(starts)-maxDead/2])
	wantValue(t, "x of a young dead frame", m.peek(young, core.Int32, 0), 3)
	if len(m.Objects()) > 1 {
		t.Errorf("live: %v", m.Objects())
	}
}

// TestOnAccess pins what an observer sees.
func TestOnAccess(t *testing.T) {
	l := newLab()
	f := newProc("f", agg(8))
	a := formal(f, "a", agg(8))
	formal(f, "b", core.Int32).AddrTaken = true
	f.Result = a
	line(f)
	line(l.main,
		set(l.g, num(1)),
		set(l.i, at(addr(l.g), 0, core.Int32)),
		store(&core.Mem{Addr: addr(l.s), Typ: core.Int{Bits: 3}, Bit: 14}, c(1, core.Int{Bits: 3})),
		&core.Copy{Dst: addr(l.t), Src: &core.Offset{X: addr(l.s), Off: 8}, Size: num(8)},
		&core.Call{Lhs: &core.Mem{Addr: addr(l.t), Typ: agg(8)}, Callee: f, Args: []core.Expr{addr(l.s), l.g.Ref()}},
		&core.Havoc{Locs: []core.Loc{at(addr(l.s), 8, core.Opaque{Size: 8})}},
	)
	var log []string
	p := program(t, l.globals, f, l.main)
	o := Options{OnAccess: func(a Access) {
		name, _, _ := strings.Cut(a.Object.String(), " at ")
		kind := map[bool]string{false: "reads", true: "writes"}[a.Write]
		place := "nothing"
		switch {
		case a.Loc != nil:
			place = core.ExprString(a.Loc)
		case a.Base != nil:
			place = "block " + core.ExprString(a.Base)
		}
		_, name, _ = strings.Cut(name, " ")
		log = append(log, fmt.Sprintf("%s %s %s+%d, %d bytes: %s", a.Proc.NodeID(a.Node), kind, name, a.Addr-a.Object.Start(), a.Size, place))
	}}
	m := New(p, &script{}, o)
	log = nil // of initial values
	finish(t, m, Finished)
	wantLog(t, "accesses", log,
		"main:0 writes g+0, 4 bytes: g",
		"main:1 reads g+0, 4 bytes: {int32}*(&g + 0)",
		"main:2 writes s+1, 2 bytes: {uint3@14}s",
		"main:3 reads s+8, 8 bytes: block &s + 8",
		"main:3 writes t+0, 8 bytes: block &t",
		"main:4 reads s+0, 8 bytes: block &s",
		"main:4 reads g+0, 4 bytes: g",
		"f:0 writes f.a+0, 8 bytes: nothing",
		"f:0 writes f.b+0, 4 bytes: nothing",
		"f:0 reads f.a+0, 8 bytes: nothing",
		"main:4 writes t+0, 8 bytes: block &t",
		"main:5 writes s+8, 8 bytes: {opaque{}}*(&s + 8)",
	)
}

// TestNarrow uses addresses of 32 bits; a long is aligned to 4 bytes there.
func TestNarrow(t *testing.T) {
	p32 := core.Ptr{Bits: 32}
	s, i, q := global("s", agg(16)), global("i", core.Int32), global("q", p32)
	s.AddrTaken = true
	a := &core.AddrOf{Var: s, Typ: p32}
	main := newProc("main", core.Void{})
	line(main,
		store(at(a, 0, p32), &core.Offset{X: a, Off: 4}),
		store(at(a, 4, core.Int64), c(-5, core.Int64)),
		set(q, &core.ToPtr{X: bin(&core.ToInt{X: at(a, 0, p32), To: core.Int64}, core.Sub, c(1<<32, core.Int64)), Typ: p32}),
		set(i, &core.Conv{X: at(q.Ref(), 0, core.Int64), To: core.Int32}))
	m := New(program(t, []*core.Var{s, i, q}, main), &script{}, Options{})
	finish(t, m, Finished)
	wantValue(t, "i", m.Global(i), -5)
	if m.Global(q).BitLen() > 32 {
		t.Errorf("an address is %v", m.Global(q))
	}
}

// TestRandomPointers sees to it that random pointers are null, known, or wild, and
// never hidden.
func TestRandomPointers(t *testing.T) {
	l := newLab()
	line(l.main, &core.Call{Callee: l.ext, Args: []core.Expr{addr(l.s)}}, &core.Havoc{Locs: []core.Loc{l.p.Ref(), l.u.Ref()}})
	p := program(t, l.globals, l.ext, l.main)
	count := map[string]int{}
	for seed := range uint64(1000) {
		m := New(p, NewRandom(p, seed), Options{})
		finish(t, m, Finished)
		for _, v := range []*core.Var{l.p, l.u} {
			switch o := m.Object(m.Global(v).Uint64()); {
			case m.Global(v).Sign() == 0:
				count[v.Name+" null"]++
			case o == nil:
				count[v.Name+" wild"]++
			default:
				count[v.Name+" "+names([]*Object{o})[0]]++
			}
		}
	}
	t.Log(count)
	for _, kind := range []string{"p null", "p external", "p environment", "p s", "u external", "u environment", "u s"} {
		if count[kind] < 5 {
			t.Errorf("%s: %d times", kind, count[kind])
		}
		delete(count, kind)
	}
	delete(count, "p wild")
	delete(count, "u wild")
	delete(count, "u null")
	for kind := range count {
		t.Errorf("%s is possible", kind)
	}
}

// TestIndeterminate chooses the address of the external object for contents that
// nobody has set, and for such as come from outside.
func TestIndeterminate(t *testing.T) {
	for name, test := range map[string]struct {
		read  func(*lab) []core.Stmt
		allow bool
	}{
		"a global": {func(l *lab) []core.Stmt { return []core.Stmt{set(l.p, at(addr(l.s), 8, ptr))} }, true},
		"new":      {func(l *lab) []core.Stmt { return []core.Stmt{set(l.p, at(l.q.Ref(), 0, ptr))} }, false},
		"copied": {func(l *lab) []core.Stmt {
			return []core.Stmt{&core.Copy{Dst: addr(l.s), Src: l.q.Ref(), Size: num(8)}, set(l.p, at(addr(l.s), 0, ptr))}
		}, false},
		"new, made arbitrary": {func(l *lab) []core.Stmt {
			return []core.Stmt{&core.Fill{Dst: l.q.Ref(), Size: num(8)}, set(l.p, at(l.q.Ref(), 0, ptr))}
		}, true},
		"half of each": {func(l *lab) []core.Stmt {
			return []core.Stmt{&core.Fill{Dst: l.q.Ref(), Size: num(4)}, set(l.p, at(l.q.Ref(), 0, ptr))}
		}, false},
	} {
		l := newLab()
		s := &spy{}
		l.choices = s
		var m *Machine
		s.contents = func(r Request) *big.Int { return new(big.Int).SetUint64(m.known[0].start) }
		stmts := append([]core.Stmt{&core.Alloc{Lhs: l.q.Ref(), Size: num(8)}}, test.read(l)...)
		line(l.main, stmts...)
		m = New(program(t, l.globals, l.ext, l.main), s, Options{})
		_, err := m.Run(context.Background(), 0)
		if (err == nil) != test.allow || err != nil && !strings.Contains(err.Error(), "not known outside (contents of memory)") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
