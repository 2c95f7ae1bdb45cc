package quickxplain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMinimal compares the answers with those of leaving out one member after the other, from the end:
// of random monotone properties, "one of these sets is there".
func TestMinimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 2000 {
		n := 1 + rng.IntN(12)
		var list, given []int
		for i := range n {
			if rng.IntN(5) == 0 {
				given = append(given, i)
			} else {
				list = append(list, i)
			}
		}
		sets := make([][]int, 1+rng.IntN(4))
		for i := range sets {
			for k := range n {
				if rng.IntN(3) == 0 {
					sets[i] = append(sets[i], k)
				}
			}
		}
		has := func(some []int) bool {
			return slices.ContainsFunc(sets, func(s []int) bool {
				return !slices.ContainsFunc(s, func(k int) bool { return !slices.Contains(some, k) })
			})
		}
		if !has(slices.Concat(given, list)) {
			continue
		}
		want := slices.Clone(list)
		for i := len(want) - 1; i >= 0; i-- {
			if less := slices.Delete(slices.Clone(want), i, i+1); has(slices.Concat(given, less)) {
				want = less
			}
		}
		if got := Minimal(list, given, has); !slices.Equal(got, want) {
			t.Fatalf("of %v with %v for %v: %v, want %v", list, given, sets, got, want)
		}
	}
}

// TestQuestions: a few members of many are found with few questions, none of which is asked twice.
func TestQuestions(t *testing.T) {
	list := make([]int, 1024)
	for i := range list {
		list[i] = i
	}
	asked := map[string]int{}
	got := Minimal(list, nil, func(some []int) bool {
		asked[fmt.Sprint(some)]++
		return slices.Contains(some, 100) && slices.Contains(some, 900)
	})
	if !slices.Equal(got, []int{100, 900}) || len(asked) > 60 {
		t.Errorf("%v, with %d questions", got, len(asked))
	}
	for _, times := range asked {
		if times > 1 {
			t.Errorf("one question is asked %d times", times)
		}
	}
}
