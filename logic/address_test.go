package logic

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestAddressesAreApart compares equations of addresses with their truth in random
// placements of objects that do not overlap.
func TestAddressesAreApart(t *testing.T) {
	decided := 0
	wrong := func(mutate mutation) string {
		r := rand.New(rand.NewPCG(4, 5))
		for range 3000 {
			tab := NewTable()
			tab.mutate = mutate
			sizes := []int64{1 + r.Int64N(6), 1 + r.Int64N(6), 0}
			var syms []*Term
			value := map[*Term]int64{}
			next := int64(firstAddress)
			for _, i := range r.Perm(len(sizes)) { // often without a gap between them
				s := tab.Addr(fmt.Sprint("&x", i), sizes[i], 64)
				value[s] = next
				next += max(sizes[i], 1) + r.Int64N(2)
				syms = append(syms, s)
			}
			a, b := syms[r.IntN(3)], syms[r.IntN(3)]
			i, j := r.Int64N(9)-1, r.Int64N(9)-1
			f := tab.Eq(tab.Add(a, tab.Int(i)), tab.Add(b, tab.Int(j)))
			equal := value[a]+i == value[b]+j
			if f == tab.False && a != b {
				decided++
			}
			if f == tab.False && equal || f == tab.True && !equal {
				return fmt.Sprintf("%v + %d = %v + %d is decided to be %v, with %v", a, i, b, j, f, value)
			}
			if fact := tab.Disjoint(a, b); a != b && fact.Eval(func(s *Term) *big.Int { return big.NewInt(value[s]) }, Meaning).Sign() == 0 {
				return fmt.Sprintf("%v does not hold of objects that are apart", fact)
			}
		}
		return ""
	}
	if what := wrong(sound); what != "" {
		t.Error(what)
	}
	if decided < 500 {
		t.Errorf("only %d equations were decided", decided)
	}
	if wrong(apartWrong) == "" {
		t.Error("objects that are apart from what is behind them: not caught")
	}
}
