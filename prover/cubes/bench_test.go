package cubes

import (
	"context"
	"fmt"
	"syscall"
	"testing"

	"c2bp/logic"
	"c2bp/logic/logicgen"
	"c2bp/prover"
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

func BenchmarkStrengthen(b *testing.B) {
	for _, n := range []int{4, 6, 8, 10, 12, 16, 20, 60} {
		b.Run(fmt.Sprintf("preds=%d", n), func(b *testing.B) {
			p := prover.New(nil, prover.Options{NoMemo: true})
			seed := uint64(0)
			report := cpu(b)
			for b.Loop() {
				seed++
				t := logic.NewTable()
				fs := logicgen.Dense(t, n+1, seed%10)
				s := NewSpace(p, t, fs[:n], SpaceOptions{})
				if _, _, err := s.Strengthen(context.Background(), fs[n]); err != nil {
					b.Fatal(err)
				}
			}
			report()
			b.ReportMetric(float64(p.Stats().Queries)/float64(b.N), "queries/op")
			b.ReportMetric(float64(p.Stats().Models)/float64(b.N), "models/op")
		})
	}
}
