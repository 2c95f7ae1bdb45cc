package fuzz

import (
	"math/big"
	"slices"

	"c2bp/frontend/core/interp"
)

// This file replays crashes, and minimises them (delta debugging): iterations of loops that a failing
// run does not need are removed, as long as it fails at the same place.

// replay repeats the choices of a script. It chooses 0 at the end of the script, and where the
// script does not fit. It records what it chose.
type replay struct {
	random *interp.Random // for externals
	script []choice
	memory map[uint64][]choice // what memory holds, by address
	made   []choice
}

// newReplay returns a replay of script. Contents of memory are found by address, since their order
// may change when others are left out.
func newReplay(r *interp.Random, script []choice) *replay {
	p := &replay{random: r, memory: map[uint64][]choice{}}
	for _, a := range script {
		if a.addr != 0 {
			p.memory[a.addr] = append(p.memory[a.addr], a)
		} else {
			p.script = append(p.script, a)
		}
	}
	return p
}

// take takes the value of the next choice of the script.
func (p *replay) take(at interp.Place) int64 { return p.next(at).value }

// next takes the next choice of the script, and records it as one at the place at.
func (p *replay) next(at interp.Place) choice {
	a := choice{}
	if len(p.script) > 0 {
		a, p.script = p.script[0], p.script[1:]
	}
	a.at = at
	p.made = append(p.made, a)
	return a
}

// Branch repeats the choice of a successor, if that is open.
func (p *replay) Branch(at interp.Place, open []int) int {
	if len(open) == 1 {
		return open[0]
	}
	if n := int(p.take(at)); slices.Contains(open, n) {
		return n
	}
	p.made[len(p.made)-1].value = int64(open[0])
	return open[0]
}

// Number repeats the choice of a number or an address.
func (p *replay) Number(q *interp.Request) int64 {
	// 1. The next choice, or the next one for this address.
	var a choice
	if q.Why != interp.Contents {
		a = p.next(q.Place)
	} else {
		if list := p.memory[q.Addr]; len(list) > 0 {
			a, p.memory[q.Addr] = list[0], list[1:]
		}
		p.made = append(p.made, choice{at: q.Place, addr: q.Addr})
	}
	// 2. An address of a new object is that of a new object here.
	v := a.value
	if a.fresh {
		v, a.fresh = q.Fresh()
	}
	if !q.Fits(v) {
		v = 0
	}
	// 3. Record what was chosen in the end.
	last := &p.made[len(p.made)-1]
	last.value, last.fresh = v, a.fresh
	return v
}

// Value is not used, since the choices are interp.Numbers.
func (p *replay) Value(interp.Request) *big.Int { panic("fuzz: a replay makes numbers") }

// External repeats the effects of an external call, by their seed.
func (p *replay) External(c interp.ExternalCall) []interp.Write {
	if c.Callee.Assembly { // nothing could supply its effects
		return nil
	}
	return p.random.Again(uint64(p.take(c.Place))).External(c)
}

// recorded adapts a replay to a recorder, which asks for values instead of numbers.
type recorded struct{ p *replay }

func (r recorded) Branch(at interp.Place, open []int) int { return r.p.Branch(at, open) }

// Value returns the number as a value of the requested type.
func (r recorded) Value(q interp.Request) *big.Int {
	v := big.NewInt(r.p.Number(&q))
	if !q.Type.Signed && v.Sign() < 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), 64))
	}
	return v
}

func (r recorded) External(c interp.ExternalCall) []interp.Write { return r.p.External(c) }

// Choices returns the choices of a crash, for an interpreter that is to repeat the run.
func (k *Campaign) Choices(c *Crash) interp.Choices {
	return recorded{newReplay(k.inputs.random, c.script)}
}

// repeat makes a run by a script. It returns nil unless the run fails at the site in fewer than
// that number of steps.
func (k *Campaign) repeat(script []choice, site, steps int) *Crash {
	p := newReplay(k.inputs.random, script)
	m := k.prepared.New(p, k.options)
	r := &run{Campaign: k, machine: m, counts: make([]uint8, len(k.targets.nodes))}
	for m.Steps() < steps {
		switch r.step() {
		case over:
			return nil
		case failing:
			if r.site != site || r.steps() >= steps {
				return nil
			}
			return &Crash{script: p.made, Steps: r.steps(), Site: site}
		}
	}
	return nil
}

// Minimize shortens a crash by leaving out parts of its script: from a choice to another one at the
// same place, long parts first. It spends at most effort steps.
func (k *Campaign) Minimize(a *Crash, effort int) *Crash {
	end := k.spent + effort
	for size := len(a.script) / 2; size > 0; size /= 2 {
		for i := 0; i+size < len(a.script) && k.spent < end; {
			// 1. The part from i ends before the next choice at the same place, size choices later
			// or more.
			j := i + size
			for j < len(a.script) && a.script[j].at != a.script[i].at {
				j++
			}
			// 2. Without it, does the run still fail, and earlier?
			var b *Crash
			if j < len(a.script) {
				b = k.repeat(slices.Concat(a.script[:i], a.script[j:]), a.Site, a.Steps)
			}
			// 3. If not, move on; else continue with the shorter script at the same index.
			if b == nil {
				i += max(1, size/2)
				continue
			}
			a = b
		}
	}
	return a
}
