package symbolic

import "testing"

// FuzzAgreement compares the engine, with any of its optimisations, with brute force on
// the random program of any seed.
func FuzzAgreement(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, flags uint8) {
		opts := Options{
			forgetNever:  flags&1 != 0,
			postorder:    flags&2 != 0,
			collectEach:  flags&4 != 0,
			reorderNever: flags&8 != 0,
			order:        orders[int(flags>>4)%len(orders)],
		}
		if flags&128 != 0 {
			opts.reorderAt = 1
		}
		if err := agree(t, seed, opts, &coverage{}); err != nil {
			t.Fatalf("%v\n%s", err, random(seed))
		}
	})
}
