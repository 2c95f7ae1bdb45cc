package abstract

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"
)

func TestDbg(t *testing.T) {
	from, _ := strconv.Atoi(os.Getenv("FROM"))
	for seed := from; seed < from+20; seed++ {
		prog, preds := generated(uint64(seed))
		t0 := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		r, err := Program(ctx, prog, preds, Options{Jobs: 1})
		cancel()
		if err != nil {
			t.Log(seed, err, time.Since(t0))
			continue
		}
		t.Log(seed, time.Since(t0), r.Stats)
	}
}
