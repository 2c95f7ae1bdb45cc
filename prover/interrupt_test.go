package prover

import (
	"math/big"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"testing"
	"time"

	"c2bp/logic"
)

// TestInterrupts: an interrupt reaches the program while several provers are at work.
func TestInterrupts(t *testing.T) {
	heard := make(chan os.Signal, 1000)
	signal.Notify(heard, os.Interrupt)
	defer signal.Stop(heard)
	var wg sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		wg.Go(func() {
			for i := int64(0); i < 12; i++ {
				p := New(nil, Options{})
				table := logic.NewTable()
				x, y, z := table.Sym("x", nil, nil), table.Sym("y", nil, nil), table.Sym("z", nil, nil)
				sum := table.Add(table.Scale(big.NewInt(3), x), table.Add(table.Scale(big.NewInt(5), y), table.Scale(big.NewInt(7), z)))
				p.Check(t.Context(), []*logic.Term{table.Eq(sum, table.Int(100+i)), table.Lt(x, y), table.Lt(y, z)}, table)
				p.Close()
			}
		})
	}
	go func() { wg.Wait(); close(done) }()
	sent := 0
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			select {
			case <-heard:
				sent++
			case <-time.After(time.Minute): // it never comes
				t.Fatal("an interrupt is lost")
			}
		}
	}
	t.Logf("%d interrupts were heard", sent)
	if sent == 0 {
		t.Error("there was no time for an interrupt")
	}
}
