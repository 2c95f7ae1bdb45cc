package trace

import (
	"testing"

	"c2bp/checker/symbolic"
)

// FuzzTraces checks the traces of the random program of any seed, with any of the engine's
// optimisations.
func FuzzTraces(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, flags uint8) {
		tuning := symbolic.Tuning{
			ForgetNever:  flags&1 != 0,
			Postorder:    flags&2 != 0,
			CollectEach:  flags&4 != 0,
			ReorderNever: flags&8 != 0,
			Ordering:     orders[int(flags>>4)%len(orders)],
		}
		if flags&128 != 0 {
			tuning.ReorderAt = 1
		}
		if err := agree(t, seed, tuning, Options{}, &coverage{}); err != nil {
			t.Fatalf("%v\n%s", err, random(seed))
		}
	})
}
