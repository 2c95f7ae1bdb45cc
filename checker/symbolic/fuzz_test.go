package symbolic

import "testing"

// FuzzAgreement compares the engine, with any of its optimisations, with brute force on
// the random program of any seed.
func FuzzAgreement(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, flags uint8) {
		tuning := Tuning{
			ForgetNever:  flags&1 != 0,
			Postorder:    flags&2 != 0,
			CollectEach:  flags&4 != 0,
			ReorderNever: flags&8 != 0,
			Ordering:     orders[int(flags>>4)%len(orders)],
		}
		if flags&128 != 0 {
			tuning.ReorderAt = 1
		}
		if err := agree(t, seed, Options{Tuning: tuning}, &coverage{}); err != nil {
			t.Fatalf("%v\n%s", err, random(seed))
		}
	})
}
