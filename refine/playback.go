package refine

import (
	"math/big"
	"slices"

	"c2bp/frontend/core/interp"
)

// This file repeats trials, and makes them shorter: rounds of loops that a failing run does
// not need are left out, as long as it fails in the same place.

// playback makes the choices of a script again, and 0 when it is at its end or something
// else is asked for. It notes what it does.
type playback struct {
	random *interp.Random // for externals
	script []answer
	memory map[uint64][]answer // what memory holds, by address
	made   []answer
}

func newPlayback(r *interp.Random, script []answer) *playback {
	p := &playback{random: r, memory: map[uint64][]answer{}}
	for _, a := range script {
		if a.addr != 0 {
			p.memory[a.addr] = append(p.memory[a.addr], a)
		} else {
			p.script = append(p.script, a)
		}
	}
	return p
}

// take takes the next choice of the script.
func (p *playback) take(at interp.Place) int64 { return p.next(at).value }

func (p *playback) next(at interp.Place) answer {
	a := answer{}
	if len(p.script) > 0 {
		a, p.script = p.script[0], p.script[1:]
	}
	a.at = at
	p.made = append(p.made, a)
	return a
}

// Branch picks what was picked.
func (p *playback) Branch(at interp.Place, open []int) int {
	if len(open) == 1 {
		return open[0]
	}
	if n := int(p.take(at)); slices.Contains(open, n) {
		return n
	}
	p.made[len(p.made)-1].value = int64(open[0])
	return open[0]
}

// Number picks what was picked.
func (p *playback) Number(q *interp.Request) int64 {
	var a answer
	if q.Why != interp.Contents {
		a = p.next(q.Place)
	} else {
		if list := p.memory[q.Addr]; len(list) > 0 {
			a, p.memory[q.Addr] = list[0], list[1:]
		}
		p.made = append(p.made, answer{at: q.Place, addr: q.Addr})
	}
	v := a.value
	if a.fresh {
		v, a.fresh = q.Fresh()
	}
	if !q.Fits(v) {
		v = 0
	}
	last := &p.made[len(p.made)-1]
	last.value, last.fresh = v, a.fresh
	return v
}

// Value is not used: the choices are interp.Numbers.
func (p *playback) Value(interp.Request) *big.Int { panic("refine: a playback makes numbers") }

// External does what was done.
func (p *playback) External(c interp.ExternalCall) []interp.Write {
	if c.Callee.Assembly { // nobody could supply that
		return nil
	}
	return p.random.Again(uint64(p.take(c.Place))).External(c)
}

// recorded is a playback for a recorder, which wants values and not numbers.
type recorded struct{ p *playback }

func (r recorded) Branch(at interp.Place, open []int) int { return r.p.Branch(at, open) }

func (r recorded) Value(q interp.Request) *big.Int {
	v := big.NewInt(r.p.Number(&q))
	if !q.Type.Signed && v.Sign() < 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), 64))
	}
	return v
}

func (r recorded) External(c interp.ExternalCall) []interp.Write { return r.p.External(c) }

// repeat makes a run by a script. It returns nil unless that fails at a site, in less than
// so many steps.
func (k *trials) repeat(script []answer, site, steps int) *attempt {
	p := newPlayback(k.chance.random, script)
	m := k.prepared.New(p, k.options)
	r := &run{trials: k, machine: m, counts: make([]uint8, len(k.ground.spots))}
	for m.Steps() < steps {
		switch r.step() {
		case over:
			return nil
		case failing:
			if r.site != site || r.steps() >= steps {
				return nil
			}
			return &attempt{script: p.made, steps: r.steps(), site: site}
		}
	}
	return nil
}

// shorten leaves out what the run does not need: from a choice to another one in the same
// place, long stretches first. It takes so many steps at most.
func (k *trials) shorten(a *attempt, effort int) *attempt {
	end := k.spent + effort
	for size := len(a.script) / 2; size > 0; size /= 2 {
		for i := 0; i+size < len(a.script) && k.spent < end; {
			j := i + size
			for j < len(a.script) && a.script[j].at != a.script[i].at {
				j++
			}
			var b *attempt
			if j < len(a.script) {
				b = k.repeat(slices.Concat(a.script[:i], a.script[j:]), a.site, a.steps)
			}
			if b == nil {
				i += max(1, size/2)
				continue
			}
			a = b
		}
	}
	return a
}
