package alias

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"c2bp/frontend/core"
	"c2bp/internal/testkit"
)

// largeProgram makes a program of about 100 nodes for each of n procedures, typed as
// C programs are: devices on lists, each with a buffer and an operation table, in
// modules of ten procedures that share globals and call each other, a library that
// everybody calls, and some calls from module to module.
func largeProgram(n int) *core.Program {
	w := newWorld()
	b := &largeBuilder{world: w, rng: rand.New(rand.NewPCG(7, uint64(n)))}
	b.log = w.Extern("log", core.Void{}, ptr, core.Int32)
	b.get = w.Extern("get", ptr)
	b.library()
	for i := range (n + 9) / 10 {
		b.module(i)
	}
	for i := range b.mods {
		for j := range 10 {
			b.body(i, j)
		}
		do(w.Main, call(b.mods[i].procs[0], addr(b.mods[i].dev), num(1)))
	}
	return w.Prog
}

// Offsets in a device: struct dev { struct dev *next, *parent; char *buf; struct ops
// *ops; void *priv; int n[6]; } of 64 bytes. A buffer is 128 bytes.
const (
	devNext, devParent, devBuf, devOps, devPriv, devNumbers = 0, 8, 16, 24, 32, 40
)

type largeBuilder struct {
	*world
	rng       *rand.Rand
	log, get  *core.Proc
	add, fill *core.Proc
	mods      []largeModule
}

type largeModule struct {
	dev, ops, table, head *core.Var
	flag                  *core.Var
	procs                 []*core.Proc
}

// library makes list_add and a function that fills buffers.
func (b *largeBuilder) library() {
	b.add = b.Proc("list_add", core.Void{})
	d, head := formal(b.add, "d", ptr), formal(b.add, "head", ptr)
	do(b.add,
		set(mem(plus(d.Ref(), devNext, "next"), ptr), mem(plus(head.Ref(), devNext, "next"), ptr)),
		set(mem(plus(head.Ref(), devNext, "next"), ptr), d.Ref()))
	b.fill = b.Proc("fill", ptr)
	p := formal(b.fill, "p", ptr)
	i := local(b.fill, "i", core.Int32)
	do(b.fill, set(i.Ref(), num(0)), set(mem(elem(p.Ref(), i.Ref(), 1), core.Int8), core.NewConst(1, core.Int8)),
		set(b.fill.Result.Ref(), p.Ref()))
}

func (b *largeBuilder) module(i int) {
	m := largeModule{
		dev:   b.Global(fmt.Sprintf("dev%d", i), agg(64), true),
		ops:   b.Global(fmt.Sprintf("ops%d", i), agg(32), true),
		table: b.Global(fmt.Sprintf("table%d", i), agg(256), true),
		head:  b.Global(fmt.Sprintf("head%d", i), agg(64), true),
		flag:  b.Global(fmt.Sprintf("flag%d", i), core.Int32),
	}
	for j := range 10 {
		p := b.Proc(fmt.Sprintf("f%d_%d", i, j), ptr)
		formal(p, "d", ptr)
		formal(p, "n", core.Int32)
		m.procs = append(m.procs, p)
		if j < 4 {
			do(b.Main, set(mem(plus(addr(m.ops), int64(8*j), "op"), ptr), fn(p)))
		}
	}
	b.mods = append(b.mods, m)
}

// body makes about 100 nodes.
func (b *largeBuilder) body(i, j int) {
	m := b.mods[i]
	p := m.procs[j]
	devs, bufs := []*core.Var{p.Formals[0]}, []*core.Var{}
	for k := range 5 {
		devs = append(devs, local(p, fmt.Sprintf("d%d", k), ptr))
		bufs = append(bufs, local(p, fmt.Sprintf("b%d", k), ptr))
		do(p, set(devs[k+1].Ref(), null), set(bufs[k].Ref(), null))
	}
	k := local(p, "k", core.Int32)
	stack := local(p, "stack", agg(128), true)
	tmp := local(p, "tmp", agg(64), true)
	do(p, set(k.Ref(), num(0)), set(devs[1].Ref(), devs[0].Ref()), set(devs[2].Ref(), addr(m.dev)), set(bufs[0].Ref(), addr(stack)))
	dev := func() core.Expr { return devs[b.rng.IntN(len(devs))].Ref() }
	devVar := func() core.Loc { return devs[b.rng.IntN(len(devs))].Ref() }
	buf := func() core.Expr { return bufs[b.rng.IntN(len(bufs))].Ref() }
	bufVar := func() core.Loc { return bufs[b.rng.IntN(len(bufs))].Ref() }
	number := func(d core.Expr) *core.Mem { return mem(plus(d, devNumbers+int64(4*b.rng.IntN(6)), "n"), core.Int32) }
	for range 80 {
		switch b.rng.IntN(22) {
		case 0:
			do(p, set(devVar(), dev()))
		case 1, 2:
			do(p, set(devVar(), mem(plus(dev(), devNext, "next"), ptr)))
		case 3:
			do(p, set(devVar(), mem(plus(dev(), devParent, "parent"), ptr)))
		case 4:
			do(p, set(mem(plus(dev(), devParent, "parent"), ptr), dev()))
		case 5:
			do(p, set(bufVar(), mem(plus(dev(), devBuf, "buf"), ptr)))
		case 6:
			do(p, set(mem(plus(dev(), devBuf, "buf"), ptr), buf()))
		case 7:
			do(p, set(mem(plus(dev(), devOps, "ops"), ptr), addr(m.ops)))
		case 8:
			do(p, set(mem(plus(dev(), devPriv, "priv"), ptr), dev()))
		case 9, 10, 11, 12:
			do(p, set(k.Ref(), bin(number(dev()), core.Add, num(1))))
		case 13, 14, 15:
			do(p, set(number(dev()), k.Ref()))
		case 16:
			do(p, set(mem(elem(buf(), k.Ref(), 1), core.Int8), &core.Conv{X: k.Ref(), To: core.Int8}))
		case 17:
			q := m.procs[b.rng.IntN(10)]
			if b.rng.IntN(20) == 0 {
				q = b.mods[b.rng.IntN(len(b.mods))].procs[0]
			}
			do(p, callTo(devVar(), q, dev(), k.Ref()))
		case 18:
			target := mem(plus(mem(plus(dev(), devOps, "ops"), ptr), int64(8*b.rng.IntN(4)), "op"), ptr)
			if b.rng.IntN(3) == 0 {
				do(p, &core.Call{Lhs: devVar(), Target: target, RetType: ptr, Args: []core.Expr{dev(), k.Ref()}})
			}
		case 19:
			do(p, set(mem(elem(addr(m.table), k.Ref(), 8), ptr), dev()), set(devVar(), mem(elem(addr(m.table), k.Ref(), 8), ptr)))
		case 20:
			switch b.rng.IntN(6) {
			case 0:
				d := devVar()
				do(p, alloc(d, 64), call(b.add, d, addr(m.head)))
			case 1:
				d := bufVar()
				do(p, alloc(d, 128), callTo(bufVar(), b.fill, d))
			case 2:
				do(p, &core.Copy{Dst: addr(tmp), Src: dev(), Size: num64(64)})
			case 3:
				do(p, &core.Copy{Dst: dev(), Src: addr(tmp), Size: num64(64)})
			}
		case 21:
			switch b.rng.IntN(6) {
			case 0:
				do(p, call(b.log, addr(stack), k.Ref()))
			case 1:
				do(p, callTo(bufVar(), b.get))
			}
		}
	}
	do(p, set(m.flag.Ref(), k.Ref()), set(p.Result.Ref(), devs[1].Ref()))
}

func nodeCount(p *core.Program) int {
	n := 0
	for _, q := range p.Procs {
		n += len(q.Nodes)
	}
	return n
}

// TestLarge bounds the work for a large program; the long run has one of the size of
// 100,000 lines of C, every device of which may be on every list.
func TestLarge(t *testing.T) {
	procs, edges := 200, 200_000
	if testkit.Long() {
		procs, edges = 3300, 20_000_000
	}
	p := largeProgram(procs)
	start := time.Now()
	r := Analyze(p)
	solved := time.Since(start)
	g := r.Regions(nil)
	t.Logf("%d nodes: %v, regions %v; %s; %d regions", nodeCount(p), solved, time.Since(start)-solved, r.solver.counts(), g.Len())
	if r.solver.edges > edges || r.solver.rounds > 20 {
		t.Errorf("more than %d edges or 20 rounds", edges)
	}
}

func BenchmarkAnalyze(b *testing.B) {
	p := largeProgram(3300)
	for b.Loop() {
		Analyze(p)
	}
}
