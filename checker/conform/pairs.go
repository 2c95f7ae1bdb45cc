package conform

// This file stores pairs, and their obligations.

// pair is a state of the implementation at a place of the specification.
type pair struct {
	state, place int32
	relied       int32 // the first obligation that relies on the pair, or none
	death        int32 // index of its reason in check.deaths, or none if it lives
}

// none is no index.
const none = -1

// obligation is a step of the implementation that a pair must be able to answer.
type obligation struct {
	owner  int32  // the pair
	to     int32  // the state to which the step leads
	action Action // of the step
	at     int32  // which partner is relied on
	next   int32  // another obligation that relies on the same pair, or none
}

// pairs is a set of pairs, numbered in the order in which they are added.
type pairs struct {
	list  []pair
	table []int32 // 0, or 1 + a number
}

// newPairs returns the empty set.
func newPairs() *pairs { return &pairs{table: make([]int32, 1<<10)} }

// number returns the number of a pair, which is added if it is not there.
func (p *pairs) number(state, place int32) int32 {
	i := p.find(state, place)
	if p.table[i] != 0 {
		return p.table[i] - 1
	}
	p.list = append(p.list, pair{state, place, none, none})
	p.table[i] = int32(len(p.list))
	// At most half of the table is used.
	if 2*len(p.list) > len(p.table) {
		p.table = make([]int32, 2*len(p.table))
		for n := range p.list {
			p.table[p.find(p.list[n].state, p.list[n].place)] = int32(n + 1)
		}
	}
	return int32(len(p.list) - 1)
}

// find returns the index in the table at which a pair is or belongs.
func (p *pairs) find(state, place int32) int {
	mask := uint64(len(p.table) - 1)
	h := (uint64(uint32(state))<<32 | uint64(uint32(place))) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	for i := h & mask; ; i = (i + 1) & mask {
		n := p.table[i]
		if n == 0 || p.list[n-1].state == state && p.list[n-1].place == place {
			return int(i)
		}
	}
}
