package prover

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"syscall"
	"testing"

	"c2bp/logic"
)

// cpu reports processor time, which says more than wall-clock time on a busy machine.
func cpu(b *testing.B) func() {
	now := func() int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return u.Utime.Nano() + u.Stime.Nano()
	}
	start := now()
	return func() { b.ReportMetric(float64(now()-start)/float64(b.N)/1e3, "cpu-µs/op") }
}

// dense returns n random comparisons of linear sums over few symbols, all connected.
func dense(t *logic.Table, n int, seed uint64) []*logic.Term {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	lo, hi := big.NewInt(-1<<31), big.NewInt(1<<31-1)
	var syms []*logic.Term
	for i := range 2 + n/4 {
		syms = append(syms, t.Sym(fmt.Sprintf("v%d", i), lo, hi))
	}
	var fs []*logic.Term
	for len(fs) < n {
		s := t.Int(r.Int64N(20) - 10)
		for range 1 + r.IntN(2) {
			s = t.Add(s, t.Scale(big.NewInt(r.Int64N(5)-2), syms[r.IntN(len(syms))]))
		}
		f := t.Le(s, t.Int(0))
		if r.IntN(4) == 0 {
			f = t.Eq(s, t.Int(0))
		}
		if f != t.True && f != t.False {
			fs = append(fs, f)
		}
	}
	return fs
}

func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{6, 12, 20} {
		for _, withModel := range []bool{false, true} {
			b.Run(fmt.Sprintf("preds=%d/model=%v", n, withModel), func(b *testing.B) {
				t := logic.NewTable()
				p := New(nil, Options{NoMemo: true})
				preds := dense(t, n, 1)
				r := rand.New(rand.NewPCG(1, 2))
				u := newUniverse()
				report := cpu(b)
				for b.Loop() {
					var fs []*logic.Term
					for range 3 {
						f := preds[r.IntN(n)]
						if r.IntN(2) == 0 {
							f = t.Not(f)
						}
						fs = append(fs, f)
					}
					q := &query{lits: fs, t: t}
					if withModel {
						q.model = &model{u: u}
					}
					p.ask(context.Background(), q)
				}
				report()
			})
		}
	}
}

func BenchmarkStrengthen(b *testing.B) {
	for _, n := range []int{4, 6, 8, 10, 12, 16, 20, 60} {
		b.Run(fmt.Sprintf("preds=%d", n), func(b *testing.B) {
			p := New(nil, Options{NoMemo: true})
			seed := uint64(0)
			report := cpu(b)
			for b.Loop() {
				seed++
				t := logic.NewTable()
				fs := dense(t, n+1, seed%10)
				s := NewSpace(p, t, fs[:n], SpaceOptions{})
				if _, _, err := s.Strengthen(context.Background(), fs[n]); err != nil {
					b.Fatal(err)
				}
			}
			report()
			b.ReportMetric(float64(p.stats.Queries)/float64(b.N), "queries/op")
			b.ReportMetric(float64(p.stats.Models)/float64(b.N), "models/op")
		})
	}
}
