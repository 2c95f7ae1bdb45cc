package refine

import (
	"slices"
	"strings"
	"testing"

	"c2bp/frontend/cgen/wide"
	"c2bp/frontend/core"
	"c2bp/ieee"
	"c2bp/internal/testkit"
)

// This file changes programs that were read, for each class of programs of package wide, by a defect of
// the kind that the class is there for: some program of the class must be decided wrongly then.

// wideMutant is a defect of the tool.
type wideMutant struct {
	class   string
	form    string // of the programs
	from    uint64 // seed of the first: others show it later
	what    string
	program func(*core.Program) // changes what was read
}

var wideMutants = []wideMutant{
	{class: "integers", from: 19, form: "guess", what: "what is written through a pointer is lost", program: lose(func(n *core.Node) bool {
		a, ok := n.Stmt.(*core.Assign)
		if !ok {
			return false
		}
		m, ok := a.Lhs[0].(*core.Mem)
		if !ok {
			return false
		}
		_, through := m.Addr.(*core.VarRef)
		return through
	})},
	{class: "carriers", from: 12, form: "function-int128", what: "what is not represented carries no addresses", program: eachStatement(func(s core.Stmt) core.Stmt {
		if h, ok := s.(*core.Havoc); ok && len(h.From) > 0 {
			h.From = nil
		}
		return s
	})},
	{class: "initialisers", from: 30, form: "automatic", what: "what an initialiser leaves out is not zero", program: eachStatement(func(s core.Stmt) core.Stmt {
		if f, ok := s.(*core.Fill); ok && f.Byte != nil {
			return &core.Fill{Dst: f.Dst, Size: f.Size, Byte: core.NewConst(1, core.Uint8)}
		}
		return s
	})},
	{class: "strings", from: 3, form: "tail", what: "string literals are distinct", program: eachVariable(func(v *core.Var) { v.Merged = false })},
	{class: "blocks", from: 6, form: "cases", what: "objects of different blocks are distinct", program: eachVariable(func(v *core.Var) { v.Block = "" })},
	{class: "empties", from: 3, form: "globals", what: "objects without size are distinct", program: eachVariable(func(v *core.Var) {
		if a, ok := v.Type.(core.Agg); ok && a.Size == 0 {
			v.Type = core.Agg{Name: a.Name, Size: 1}
		}
	})},
	{class: "volatile", form: "call", what: "what is written to a variable is lost", program: lose(func(n *core.Node) bool {
		_, ok := n.Stmt.(*core.Assign)
		return ok && strings.Contains(n.Text, "=") && !strings.Contains(n.Text, "int ") && !strings.Contains(n.Text, "struct ") || strings.Contains(n.Text, "++")
	})},
	{class: "floating", from: 18, form: "compound", what: "numbers are rounded to integers", program: func(p *core.Program) {
		eachNode(p, func(_ *core.Proc, n *core.Node) {
			n.Stmt = core.ReplaceOperands(n.Stmt, func(e core.Expr) core.Expr {
				return core.Replace(e, func(e core.Expr) core.Expr {
					f, ok := e.(*core.Float)
					if !ok || f.Op != ieee.ToInt {
						return nil
					}
					whole := &core.Float{Op: ieee.Rint, Args: f.Args, Typ: f.Args[0].Type().(core.Int)}
					return &core.Float{Op: ieee.ToInt, Args: []core.Expr{whole}, Typ: f.Typ}
				})
			})
		})
	}},
	{class: "structs", form: "copy", what: "half of a struct is copied", program: eachStatement(func(s core.Stmt) core.Stmt {
		c, ok := s.(*core.Copy)
		if !ok {
			return s
		}
		half := *c
		if n, known := c.Size.(*core.Const); known {
			half.Size = core.NewConst(n.Val.Int64()/2, n.Typ)
		}
		return &half
	})},
	{class: "control", form: "switch", what: "a case range matches its first value only", program: eachStatement(func(s core.Stmt) core.Stmt {
		a, ok := s.(*core.Assume)
		if !ok {
			return s
		}
		r, ok := a.Cond.(*core.Binary)
		if !ok {
			return s
		}
		low, ok := r.X.(*core.Binary)
		switch {
		case ok && r.Op == core.LAnd && low.Op == core.Ge:
			return &core.Assume{Cond: &core.Binary{Op: core.Eq, X: low.X, Y: low.Y}}
		case ok && r.Op == core.LOr && low.Op == core.Lt:
			return &core.Assume{Cond: &core.Binary{Op: core.Ne, X: low.X, Y: low.Y}}
		}
		return s
	})},
	{class: "files", form: "pointer-static", what: "what the second file initialises stays zero", program: lose(func(n *core.Node) bool {
		_, ok := n.Stmt.(*core.Assign)
		return ok && n.Pos.File == "b.c" && strings.Contains(n.Text, "=") && !strings.Contains(n.Text, "{ return")
	})},
	{class: "callbacks", from: 5, form: "direct", what: "functions without a body call nothing", program: lose(func(n *core.Node) bool {
		_, ok := n.Stmt.(*core.Call)
		return ok && strings.HasPrefix(n.Text, "ext")
	})},
	{class: "externals", from: 5, form: "value", what: "external variables are zero at first", program: atStart("main", func(p *core.Program, _ []*core.Var) core.Expr {
		for _, g := range p.Globals {
			if t, ok := g.Type.(core.Int); ok && g.Foreign {
				return &core.Binary{Op: core.Eq, X: g.Ref(), Y: core.NewConst(0, t)}
			}
		}
		return nil
	})},
	{class: "arguments", from: 24, form: "order", what: "main has an argument at least", program: atStart("main", func(_ *core.Program, f []*core.Var) core.Expr {
		if len(f) == 0 {
			return nil
		}
		return &core.Binary{Op: core.Gt, X: f[0].Ref(), Y: core.NewConst(1, f[0].Type.(core.Int))}
	})},
	{class: "entries", from: 3, form: "each-other", what: "arguments of the entry do not lead to one place", program: atStart("entry", func(_ *core.Program, f []*core.Var) core.Expr {
		return &core.Binary{Op: core.Ne, X: f[2].Ref(), Y: f[3].Ref()}
	})},
}

func eachNode(p *core.Program, do func(*core.Proc, *core.Node)) {
	for _, q := range p.Procs {
		for _, n := range q.Nodes {
			do(q, n)
		}
	}
}

// eachStatement replaces every statement.
func eachStatement(by func(core.Stmt) core.Stmt) func(*core.Program) {
	return func(p *core.Program) {
		eachNode(p, func(_ *core.Proc, n *core.Node) { n.Stmt = by(n.Stmt) })
	}
}

func eachVariable(do func(*core.Var)) func(*core.Program) {
	return func(p *core.Program) {
		for _, g := range p.Globals {
			do(g)
		}
		for _, q := range p.Procs {
			for _, v := range q.Locals {
				do(v)
			}
		}
	}
}

// lose takes the effect of the nodes that which chooses away.
func lose(which func(*core.Node) bool) func(*core.Program) {
	return func(p *core.Program) {
		eachNode(p, func(_ *core.Proc, n *core.Node) {
			if which(n) {
				n.Stmt = &core.Skip{}
			}
		})
	}
}

// atStart assumes a condition, unless it is nil, when a procedure with these formals starts.
func atStart(proc string, condition func(*core.Program, []*core.Var) core.Expr) func(*core.Program) {
	return func(p *core.Program) {
		q := p.Proc(proc)
		c := condition(p, q.Formals)
		if c == nil {
			return
		}
		// The node that was the first one follows the new one, and the return node stays the last.
		first, last, moved := *q.Nodes[0], q.Nodes[q.Exit()], q.Exit()
		for _, n := range append(q.Nodes, &first) {
			for i, s := range n.Succ {
				if s == moved {
					n.Succ[i] = moved + 1
				}
			}
		}
		q.Nodes = append(slices.Clone(q.Nodes[:moved]), &first, last)
		q.Nodes[0] = &core.Node{Stmt: &core.Assume{Cond: c}, Succ: []int{moved}, Pos: first.Pos}
	}
}

// Each class has programs that a defect of its kind decides wrongly.
func TestWideMutants(t *testing.T) {
	testkit.NeedGCC(t)
	const most = 36
	for _, mutant := range wideMutants {
		t.Run(mutant.class, func(t *testing.T) {
			t.Parallel()
			m := wideManner{options: wide.Options{Classes: []string{mutant.class}, Form: mutant.form, Parts: 1}, compiler: wide.Compiler{Dir: t.TempDir()}, broken: mutant}
			var list []*wideTrial
			for i := range uint64(most) {
				list = append(list, &wideTrial{program: wide.Generate(mutant.from+i, m.options)})
			}
			tried := 0
			for batch := range slices.Chunk(list, 2) {
				for _, x := range m.choose(t, &m.compiler, batch) {
					tried++
					if m.try(t.Context(), x); len(x.wrong) == 0 || x.refused || x.panicked {
						continue
					}
					y := *x
					y.wrong = nil
					if (wideManner{}).try(t.Context(), &y); len(y.wrong) > 0 {
						continue // it is decided wrongly anyway
					}
					t.Logf("%s: program %d, %v, shows it: %s", mutant.what, x.program.Seed, x.program.Forms, x.wrong[0])
					return
				}
			}
			t.Errorf("%s: none of %d programs shows it", mutant.what, tried)
		})
	}
}

// Each class has its mutant.
func TestWideMutantsAreAll(t *testing.T) {
	have := map[string]bool{}
	for _, m := range wideMutants {
		have[m.class] = true
	}
	for _, c := range wide.Classes() {
		if !have[c] {
			t.Errorf("the class %s has no mutant", c)
		}
	}
}
