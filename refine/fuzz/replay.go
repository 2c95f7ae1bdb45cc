package fuzz

import (
	"math/big"
	"slices"

	"c2bp/frontend/core/interp"
)

// This file replays crashes, and minimises them: rounds of loops that a failing run does not need
// are left out, as long as it fails in the same place (delta debugging).

// replay makes the choices of a script again, and 0 when it is at its end or something
// else is asked for. It notes what it does.
type replay struct {
	random *interp.Random // for externals
	script []choice
	memory map[uint64][]choice // what memory holds, by address
	made   []choice
}

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

// take takes the next choice of the script.
func (p *replay) take(at interp.Place) int64 { return p.next(at).value }

func (p *replay) next(at interp.Place) choice {
	a := choice{}
	if len(p.script) > 0 {
		a, p.script = p.script[0], p.script[1:]
	}
	a.at = at
	p.made = append(p.made, a)
	return a
}

// Branch picks what was picked.
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

// Number picks what was picked.
func (p *replay) Number(q *interp.Request) int64 {
	var a choice
	if q.Why != interp.Contents {
		a = p.next(q.Place)
	} else {
		if list := p.memory[q.Addr]; len(list) > 0 {
			a, p.memory[q.Addr] = list[0], list[1:]
		}
		p.made = append(p.made, choice{at: q.Place, addr: q.Addr})
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
func (p *replay) Value(interp.Request) *big.Int { panic("fuzz: a replay makes numbers") }

// External does what was done.
func (p *replay) External(c interp.ExternalCall) []interp.Write {
	if c.Callee.Assembly { // nobody could supply that
		return nil
	}
	return p.random.Again(uint64(p.take(c.Place))).External(c)
}

// recorded is a replay for a recorder, which wants values and not numbers.
type recorded struct{ p *replay }

func (r recorded) Branch(at interp.Place, open []int) int { return r.p.Branch(at, open) }

func (r recorded) Value(q interp.Request) *big.Int {
	v := big.NewInt(r.p.Number(&q))
	if !q.Type.Signed && v.Sign() < 0 {
		v.Add(v, new(big.Int).Lsh(big.NewInt(1), 64))
	}
	return v
}

func (r recorded) External(c interp.ExternalCall) []interp.Write { return r.p.External(c) }

// Choices returns the choices of a crash, for an interpreter that is to make the run again.
func (k *Campaign) Choices(c *Crash) interp.Choices {
	return recorded{newReplay(k.inputs.random, c.script)}
}

// repeat makes a run by a script. It returns nil unless that fails at a site, in less than
// so many steps.
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

// Minimize leaves out what the run does not need: from a choice to another one in the same
// place, long stretches first. It takes so many steps at most.
func (k *Campaign) Minimize(a *Crash, effort int) *Crash {
	end := k.spent + effort
	for size := len(a.script) / 2; size > 0; size /= 2 {
		for i := 0; i+size < len(a.script) && k.spent < end; {
			j := i + size
			for j < len(a.script) && a.script[j].at != a.script[i].at {
				j++
			}
			var b *Crash
			if j < len(a.script) {
				b = k.repeat(slices.Concat(a.script[:i], a.script[j:]), a.Site, a.Steps)
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
