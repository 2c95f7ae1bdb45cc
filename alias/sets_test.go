package alias

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSets compares operations on sets with those on maps: members, order, and that equal sets have one number.
func TestSets(t *testing.T) {
	// The first sets are the empty one, and one that is much larger than most.
	random := rand.New(rand.NewPCG(1, 2))
	table := newSetTable()
	type set struct {
		id   setID
		want map[int32]bool
	}
	var large []int32
	for x := range int32(40 * blockSize) {
		if x%50 < 2 {
			large = append(large, x)
		}
	}
	all := []set{{0, map[int32]bool{}}, {table.internAny(large), map[int32]bool{}}}
	for _, x := range large {
		all[1].want[x] = true
	}
	numbers := map[string]setID{}
	add := func(s set) {
		list := slices.Sorted(maps.Keys(s.want))
		if got := slices.Collect(table.all(s.id)); !slices.Equal(got, list) || table.size(s.id) != len(list) {
			t.Fatalf("members are %v, %d in number; expected %v", got, table.size(s.id), list)
		}
		key := fmt.Sprint(list)
		if n, known := numbers[key]; known && n != s.id {
			t.Fatalf("%v has the numbers %d and %d", list, n, s.id)
		}
		numbers[key] = s.id
		all = append(all, s)
	}
	for range 20000 {
		// 1. Close to the ends of blocks, and far from each other.
		a, b := all[random.IntN(len(all))], all[random.IntN(len(all))]
		x := int32(random.IntN(40)*blockSize + []int{0, 1, 63, 64, 254, 255}[random.IntN(6)])
		switch random.IntN(4) {
		case 0:
			add(set{table.single(x), map[int32]bool{x: true}})
		case 1:
			c := set{table.union(a.id, b.id), maps.Clone(a.want)}
			maps.Copy(c.want, b.want)
			add(c)
		case 2:
			c := set{table.minus(a.id, b.id), maps.Clone(a.want)}
			maps.DeleteFunc(c.want, func(x int32, _ bool) bool { return b.want[x] })
			add(c)
		case 3:
			list := []int32{x, 9000, x, 5}
			add(set{table.internAny(list), map[int32]bool{x: true, 9000: true, 5: true}})
		}
		if got := table.contains(a.id, func(y int32) bool { return y == x }); got != a.want[x] {
			t.Fatalf("contains %d: %t", x, got)
		}
		if len(all) > 300 { // so that sets stay small
			all = all[:2]
		}
	}
}
