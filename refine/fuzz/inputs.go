package fuzz

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file makes the choices of runs. They are random, but not uniformly: values that a comparison
// once required of an input, say the cases of a switch on it, are chosen more often; and in half of
// the runs the last choice at a place is often repeated there, so that one action is done many
// times.

// choice is one choice, as it is recorded in a script.
type choice struct {
	at    interp.Place
	addr  uint64 // where memory holds it, if it was asked for when it was read
	value int64  // modulo 2^64; of a Branch, the node
	fresh bool   // it is the address of an object that was made for it
}

// inputs makes the choices and records them.
// Half of the runs are steady, and one in eight is wild.
type inputs struct {
	random   *interp.Random
	rng      *rand.Rand
	script   []choice // of the present run
	memories map[interp.Place]*memory
	run      int
	steady   bool // of this run: it repeats itself
	wild     bool // and what nobody sets is not 0
	recent   [8]*memory
	next     int // of recent
	avoided  map[*core.Node]bool
	tried    []int    // by comparison: how often it was made
	guide    *guiding // of the present run, or nil
}

// memory is the history of choices at one node.
// Its hints are values that would have changed the outcome of a comparison.
type memory struct {
	asked int
	run   int // in which last was chosen
	last  int64
	hints []int64 // what comparisons wanted
}

const (
	maxHints = 32
	// A comparison is solved this often at first, and then once in so many times.
	oftenAsked, seldomAsked = 64, 32
)

// newInputs returns inputs without any history.
func newInputs(r *interp.Random, rng *rand.Rand) *inputs {
	return &inputs{random: r, rng: rng, memories: map[interp.Place]*memory{}}
}

// start begins another run, and decides its habits.
func (c *inputs) start() {
	c.run++
	c.script = c.script[:0]
	c.steady, c.wild = c.one(2), c.one(8)
	c.recent = [len(c.recent)]*memory{}
}

// one returns true once in n times.
func (c *inputs) one(n int) bool { return c.rng.IntN(n) == 0 }

// memory returns the history of the node at, whatever the call depth.
func (c *inputs) memory(at interp.Place) *memory {
	at.Depth = 0
	h := c.memories[at]
	if h == nil {
		h = &memory{}
		c.memories[at] = h
	}
	return h
}

// repeats reports whether the last choice in h is to be repeated.
func (c *inputs) repeats(h *memory) bool { return c.steady && h.run == c.run && !c.one(8) }

// Branch picks any of open, but none that is to be avoided if there is another one.
func (c *inputs) Branch(at interp.Place, open []int) int {
	if len(open) == 1 {
		return open[0]
	}
	open = c.unavoided(at.Proc, open)
	h := c.memory(at)
	n := open[c.rng.IntN(len(open))]
	if guided := c.guide.way(at, open); guided >= 0 {
		n = guided
	} else if c.repeats(h) && slices.Contains(open, int(h.last)) {
		n = int(h.last)
	}
	h.run, h.last = c.run, int64(n)
	c.script = append(c.script, choice{at: at, value: int64(n)})
	return n
}

// unavoided returns those of open, nodes of p, that are not to be avoided; all if there are no others.
func (c *inputs) unavoided(p *core.Proc, open []int) []int {
	avoided := func(n int) bool { return c.avoided[p.Nodes[n]] }
	if len(c.avoided) == 0 || !slices.ContainsFunc(open, avoided) {
		return open
	}
	if rest := slices.DeleteFunc(slices.Clone(open), avoided); len(rest) > 0 {
		return rest
	}
	return open
}

// Number picks a number or an address.
func (c *inputs) Number(q *interp.Request) int64 {
	made := q.Environment()
	a := choice{at: q.Place, value: c.number(q)}
	a.fresh = q.Environment() > made
	if q.Why == interp.Contents {
		a.addr = q.Addr
	}
	c.script = append(c.script, a)
	return a.value
}

// number picks the value for a request.
func (c *inputs) number(q *interp.Request) int64 {
	// 1. That of the run which this one is like.
	if v, ok := c.guide.number(q); ok {
		return v
	}
	// 2. Values without a history: unset variables, pointers, truth values.
	switch {
	case q.Why == interp.InitLocal && !c.wild:
		return 0
	case q.Pointer, q.Why < interp.Havocked, q.Var != nil && q.Var.Logical:
		return c.random.Pick(q)
	}
	// 3. The last value again.
	h := c.memory(q.Place)
	h.asked++
	if c.repeats(h) && q.Fits(h.last) {
		return h.last
	}
	// 4. A new value, which later comparisons are related to.
	v := c.fresh(q, h)
	h.run, h.last = c.run, v
	c.recent[c.next%len(c.recent)] = h
	c.next++
	return v
}

// fresh returns a new number: mostly one from a comparison, or from interp.Random; at first, and
// sometimes later, a random one of 64 bits, which is recognised when it is compared.
func (c *inputs) fresh(q *interp.Request, h *memory) int64 {
	v := int64(c.rng.Uint64())
	switch n := c.rng.IntN(16); {
	case h.asked <= 3, n >= 14:
	case n < 6 && len(h.hints) > 0:
		v = h.hints[c.rng.IntN(len(h.hints))]
	default:
		return c.random.Pick(q)
	}
	if v = q.Convert(v); q.Fits(v) {
		return v
	}
	return c.random.Pick(q)
}

// Value is not used, since the choices are interp.Numbers.
func (c *inputs) Value(interp.Request) *big.Int { panic("fuzz: inputs are numbers") }

// External chooses like interp.Random with a seed, which is recorded.
func (c *inputs) External(x interp.ExternalCall) []interp.Write {
	// Nothing could supply the effects of assembly.
	if x.Callee.Assembly {
		return nil
	}
	seed := c.rng.Int64()
	c.script = append(c.script, choice{at: x.Place, value: seed})
	return c.random.Again(uint64(seed)).External(x)
}

// compare learns from a comparison the values that would change its outcome.
func (c *inputs) compare(k interp.Comparison) {
	for len(c.tried) <= k.Site {
		c.tried = append(c.tried, 0)
	}
	if n := c.tried[k.Site]; n < oftenAsked || n%seldomAsked == 0 {
		k.Solve(c.hint)
	}
	c.tried[k.Site]++
}

// hint records that wanted would have been useful instead of now, for the recent choices of that
// value. Small numbers are ignored, since many choices have them.
func (c *inputs) hint(now, wanted int64) {
	if now >= -16 && now <= 16 || now == wanted {
		return
	}
	for _, h := range c.recent {
		if h != nil && h.last == now && len(h.hints) < maxHints && !slices.Contains(h.hints, wanted) {
			h.hints = append(h.hints, wanted)
		}
	}
}
