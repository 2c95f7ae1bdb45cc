package fuzz

import (
	"context"
	"math"
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file makes runs that are like a failing run of another program, one that differs little: the same C with another rule in
// it. A driver that leaves at once when a call fails, and so keeps its interrupts, keeps its mappings, too.
//
//	rule irqs        probe() → request_irq() == 0, ioremap() == 5, register_netdev() < 0 → return      an interrupt is left
//	rule mappings    the same choices                                                                  a mapping is left
//
// A node of one program is that of the other one which stands at the same place of the same procedure and says the same. The
// choices at a node are made in their order. All others, such as those of the rule itself, are random.

// Guide is the choices of a run, by place.
type Guide struct {
	branches map[string][]int // the number of a way among those of the node
	values   map[string][]guided
}

// guided is the value of a choice: a number, or if env is not 0 an address off bytes into an object of the environment.
type guided struct {
	value int64
	env   int
	off   uint64
}

// NewGuide returns a guide without any choice.
func NewGuide() *Guide { return &Guide{map[string][]int{}, map[string][]guided{}} }

// spot names a choice at node i of p for v, nil for that of a way.
func spot(p *core.Proc, i int, v *core.Var) string {
	n := p.Nodes[i]
	s := p.Name + " " + n.Pos.String() + " " + core.StmtString(n.Stmt)
	if v != nil {
		s += " " + v.Name
	}
	return s
}

// Branch adds the way from node i of p to node to.
func (g *Guide) Branch(p *core.Proc, i, to int) {
	k := spot(p, i, nil)
	g.branches[k] = append(g.branches[k], slices.Index(p.Nodes[i].Succ, to))
}

// Value adds the value of a choice at node i of p for v, perhaps nil, in a run that m has made.
func (g *Guide) Value(p *core.Proc, i int, v *core.Var, x *big.Int, m *interp.Machine) {
	k := spot(p, i, v)
	bits := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	a := guided{value: int64(bits)}
	if o := m.Object(bits); o != nil && o.Environment() { // it lives until the end
		a.env, a.off = o.Environmental(), bits-o.Start()
	}
	g.values[k] = append(g.values[k], a)
}

// guiding is a guide as a run comes along: how many choices it has made at each place. The names of places are kept.
type guiding struct {
	*Guide
	made  map[string]int
	names map[asked]string
}

// asked is a node at which a choice is made for a variable, perhaps nil.
type asked struct {
	n *core.Node
	v *core.Var
}

// spot returns the name of a place, which is made once.
func (g *guiding) spot(at interp.Place, v *core.Var) string {
	k := asked{at.Proc.Nodes[at.Node], v}
	name, known := g.names[k]
	if !known {
		name = spot(at.Proc, at.Node, v)
		g.names[k] = name
	}
	return name
}

// way returns the way that the run takes at a place, if that is open; -1 if there is no guide, or it has none.
func (g *guiding) way(at interp.Place, open []int) int {
	if g == nil {
		return -1
	}
	k := g.spot(at, nil)
	list, i := g.branches[k], g.made[k]
	if i == len(list) {
		return -1
	}
	g.made[k]++
	if succ := at.Proc.Nodes[at.Node].Succ; list[i] >= 0 && list[i] < len(succ) && slices.Contains(open, succ[list[i]]) {
		return succ[list[i]]
	}
	return -1
}

// number returns the value that the run has at a place, if it fits; ok is false if there is no guide, or it has none.
func (g *guiding) number(q *interp.Request) (v int64, ok bool) {
	if g == nil {
		return 0, false
	}
	k := g.spot(q.Place, q.Var)
	list, i := g.values[k], g.made[k]
	if i == len(list) {
		return 0, false
	}
	g.made[k]++
	a := list[i]
	switch {
	// An object that is known, or the next one.
	case a.env > q.Environment():
		v, ok = q.Fresh()
		return v, ok
	case a.env > 0:
		j := slices.IndexFunc(q.Targets(), func(o *interp.Object) bool { return o.Environmental() == a.env })
		if j < 0 {
			return 0, false
		}
		a.value = int64(q.Targets()[j].Start() + a.off)
	}
	return a.value, q.Fits(a.value)
}

// Follow makes a number of runs with the choices of a guide until one fails, and returns that, or nil.
func (k *Campaign) Follow(ctx context.Context, g *Guide, runs int) *Crash {
	defer func() { k.inputs.guide = nil }()
	names := map[asked]string{}
	for i := 0; i < runs && ctx.Err() == nil; i++ {
		k.inputs.guide = &guiding{g, map[string]int{}, names}
		for r := k.begin(k.initial()); r.machine.Err() == nil && r.machine.Steps() < MaxRun; {
			if end := r.step(); end == failing {
				return &Crash{script: r.from.whole(k.inputs.script), Steps: r.steps(), Site: r.site}
			} else if end == over {
				break
			}
		}
	}
	return nil
}
