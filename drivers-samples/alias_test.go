package samples

import (
	"context"
	"testing"

	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/frontend/core"
)

// BenchmarkAlias tells how precise the alias analysis is on each sample (safe.c), as
// far as accesses through pointers go:
//
//	derefs     places *p, p->f in the program
//	targets    addresses each may be at, on average
//	%one       of them that have one target
//	pairs      pairs of different places in one procedure, one of them a deref
//	%alias     of the pairs that may overlap
//	%named     likewise if nothing were known but what variables the places name
func BenchmarkAlias(b *testing.B) {
	all, err := Find(".")
	if err != nil {
		b.Fatal(err)
	}
	for _, v := range all {
		if v.File != "safe.c" {
			continue
		}
		b.Run(v.Sample, func(b *testing.B) {
			l, err := v.Load(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			prog := l.Unit.Program
			devirt.Resolve(prog)
			var p precision
			for range b.N {
				p = precisionOf(prog)
			}
			if p.derefs == 0 {
				b.Skip("it has no pointers")
			}
			b.ReportMetric(float64(p.derefs), "derefs")
			b.ReportMetric(float64(p.targets)/float64(p.derefs), "targets")
			b.ReportMetric(percent(p.one, p.derefs), "%one")
			b.ReportMetric(float64(p.pairs), "pairs")
			b.ReportMetric(percent(p.aliased, p.pairs), "%alias")
			b.ReportMetric(percent(p.named, p.pairs), "%named")
		})
	}
}

func percent(part, all int) float64 { return 100 * float64(part) / float64(max(all, 1)) }

type precision struct {
	derefs, targets, one, pairs, aliased, named int
}

// precisionOf analyses prog and asks for all places in memory that it mentions.
func precisionOf(prog *core.Program) precision {
	var out precision
	r := alias.Analyze(prog)
	for _, p := range prog.Procs {
		places := placesOf(p)
		for i, m := range places {
			if m.variable == nil {
				set := r.PointsTo(m.Addr).Targets()
				out.derefs++
				out.targets += len(set)
				if len(set) == 1 {
					out.one++
				}
			}
			for _, o := range places[:i] {
				if m.variable != nil && o.variable != nil {
					continue
				}
				out.pairs++
				if r.MayAlias(m.Mem, o.Mem) {
					out.aliased++
				}
				if m.variable == nil && (o.variable == nil || o.variable.AddrTaken) || m.variable != nil && m.variable.AddrTaken {
					out.named++
				}
			}
		}
	}
	return out
}

// memPlace is a place in memory; variable is the one that it names, if any.
type memPlace struct {
	*core.Mem
	variable *core.Var
}

// placesOf lists the scalars in memory that p mentions, those that look the same once.
func placesOf(p *core.Proc) []memPlace {
	var out []memPlace
	seen := map[string]bool{}
	visit := func(e core.Expr) bool {
		m := memPlace{}
		switch e := e.(type) {
		case *core.Mem:
			m = memPlace{e, named(e.Addr)}
		case *core.VarRef:
			if e.Var.InMemory() {
				m = memPlace{&core.Mem{Addr: &core.AddrOf{Var: e.Var, Typ: core.Ptr{Bits: 64}}, Typ: e.Var.Type}, e.Var}
			}
		}
		if m.Mem == nil || seen[core.ExprString(e)] {
			return true
		}
		if _, scalar := core.Word(e.Type()); scalar {
			seen[core.ExprString(e)] = true
			out = append(out, m)
		}
		return true
	}
	for _, n := range p.Nodes {
		core.StmtExprs(n.Stmt, func(e core.Expr) { core.Walk(e, visit) })
	}
	return out
}

// named is the variable that the address a is in, if a says so.
func named(a core.Expr) *core.Var {
	for {
		switch e := a.(type) {
		case *core.AddrOf:
			return e.Var
		case *core.Offset:
			a = e.X
		case *core.Index:
			a = e.X
		default:
			return nil
		}
	}
}
