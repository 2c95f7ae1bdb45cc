package prover

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"c2bp/logic"
	"c2bp/logic/logicgen"
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

func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{6, 12, 20} {
		for _, withModel := range []bool{false, true} {
			b.Run(fmt.Sprintf("preds=%d/model=%v", n, withModel), func(b *testing.B) {
				t := logic.NewTable()
				p := New(nil, Options{NoMemo: true})
				preds := logicgen.Dense(t, n, 1)
				r := rand.New(rand.NewPCG(1, 2))
				u := NewUniverse()
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
						q.model = &Model{u: u}
					}
					p.ask(context.Background(), q)
				}
				report()
			})
		}
	}
}
