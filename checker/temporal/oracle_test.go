package temporal

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file has pushdown systems as tables, and decides formulas by brute force: it explores the configurations
// with a bounded stack one by one, and looks for an accepting cycle of the product by a nested depth-first search
// (Courcoubetis et al. 1992).

// table is a pushdown system.
type table struct {
	starts []Move
	moves  map[[2]int]Moves
	labels map[[2]int]Label
}

func (t *table) Start() ([]Move, error)               { return t.starts, nil }
func (t *table) Moves(loc, symbol int) (Moves, error) { return t.moves[[2]int{loc, symbol}], nil }
func (t *table) Label(loc, symbol int) Label          { return t.labels[[2]int{loc, symbol}] }

// String lists the moves.
func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, "start", t.starts)
	for p := range 9 {
		for g := range 9 {
			at := [2]int{p, g}
			if m, ok := t.moves[at]; ok {
				fmt.Fprintf(&b, "<%d,%d> %+v %+v\n", p, g, t.labels[at], m)
			}
		}
	}
	return b.String()
}

// randomTable returns a system with locations 0 … locs-1 and symbols 0 … symbols-1, the last of which is the
// bottom of the stack. Its last but one symbol is silent, if silent is set.
func randomTable(rng *rand.Rand, locs, symbols int, silent, pruned bool) *table {
	t := &table{moves: map[[2]int]Moves{}, labels: map[[2]int]Label{}}
	bottom, quiet := symbols-1, -1
	if silent && symbols > 2 {
		quiet = symbols - 2
	}
	loud := func() int {
		for {
			if g := rng.IntN(symbols - 1); g != quiet {
				return g
			}
		}
	}
	for p := range locs {
		for g := range symbols {
			at := [2]int{p, g}
			t.labels[at] = Label{Atoms: rng.Uint64N(4) | rng.Uint64N(2)*4, Silent: g == quiet}
			m := Moves{}
			n := rng.IntN(4)
			if g == quiet {
				n = 1
			}
			for range n {
				to := Move{Loc: rng.IntN(locs)}
				switch k := rng.IntN(6); {
				case g == quiet:
					to.Word = []int{loud()}
				case g == bottom && k < 3:
					to.Word = []int{bottom}
				case g == bottom:
					to.Word = []int{loud(), bottom}
				case k < 2:
				case k < 4:
					to.Word = []int{rng.IntN(symbols - 1)}
				default:
					to.Word = []int{loud(), rng.IntN(symbols - 1)}
				}
				m.List = append(m.List, to)
			}
			m.Pruned = pruned && g != quiet && rng.IntN(6) == 0
			if pruned && g != quiet && rng.IntN(15) == 0 {
				m = Moves{Void: true}
			}
			t.moves[at] = m
		}
	}
	t.starts = []Move{{Loc: 0, Word: []int{bottom}}}
	if rng.IntN(3) == 0 {
		t.starts = append(t.starts, Move{Loc: rng.IntN(locs), Word: []int{loud(), bottom}})
	}
	return t
}

// oracle explores configurations.
type oracle struct {
	t     *table
	a     *Automaton
	depth int  // most symbols
	cut   bool // a configuration had more
}

// config is a configuration with a state of the automaton; the stack as text, its top first.
type config struct {
	loc, state int
	stack      string
}

// successor is a configuration after a move.
type successor struct {
	config
	accept bool
}

// next returns the successors.
func (o *oracle) next(c config) (out []successor) {
	symbol := int(c.stack[0] - '0')
	at := [2]int{c.loc, symbol}
	moves, label := o.t.moves[at], o.t.labels[at]
	if len(moves.List) == 0 && !moves.Pruned && !moves.Void {
		moves.List = []Move{{Loc: c.loc, Word: []int{symbol}}}
	}
	to := func(state int, accept bool) {
		for _, m := range moves.List {
			stack := c.stack[1:]
			for i := len(m.Word) - 1; i >= 0; i-- {
				stack = string(rune('0'+m.Word[i])) + stack
			}
			if len(stack) > o.depth {
				o.cut = true
				continue
			}
			out = append(out, successor{config{m.Loc, state, stack}, accept})
		}
	}
	if label.Silent {
		to(c.state, false)
		return out
	}
	for _, tr := range o.a.States[c.state] {
		if tr.Has(label.Atoms) {
			to(tr.To, tr.Accept)
		}
	}
	return out
}

// initial returns the initial configurations.
func (o *oracle) initial() (out []config) {
	for _, m := range o.t.starts {
		for _, s := range o.a.Init {
			stack := ""
			for _, g := range m.Word {
				stack += string(rune('0' + g))
			}
			out = append(out, config{m.Loc, s, stack})
		}
	}
	return out
}

// cycle reports whether there is an accepting cycle: the inner search starts, in postorder of the outer one, at the
// target of each accepting move, and looks for the source.
func (o *oracle) cycle() bool {
	outer, inner := map[config]bool{}, map[config]bool{}
	var look func(c, goal config) bool
	look = func(c, goal config) bool {
		if c == goal {
			return true
		}
		if inner[c] {
			return false
		}
		inner[c] = true
		for _, s := range o.next(c) {
			if look(s.config, goal) {
				return true
			}
		}
		return false
	}
	var search func(c config) bool
	search = func(c config) bool {
		outer[c] = true
		list := o.next(c)
		for _, s := range list {
			if !outer[s.config] && search(s.config) {
				return true
			}
		}
		// An accepting move makes c the seed of an inner search. The inner search of another seed that came this way
		// would have found this seed, too, had it been on a cycle.
		for _, s := range list {
			if s.accept && look(s.config, c) {
				return true
			}
		}
		return false
	}
	for _, c := range o.initial() {
		if !outer[c] && search(c) {
			return true
		}
	}
	return false
}

// prefix reports whether a run has a prefix that no continuation satisfies; a is the automaton of the formula.
func (o *oracle) prefix() bool {
	type point struct {
		config
		set string
	}
	encode := func(set map[int]bool) string { return fmt.Sprint(set) }
	sets := map[string]map[int]bool{}
	seen := map[point]bool{}
	var todo []point
	add := func(c config, set map[int]bool) {
		c.state = 0
		p := point{c, encode(set)}
		sets[p.set] = set
		if !seen[p] {
			seen[p] = true
			todo = append(todo, p)
		}
	}
	first := map[int]bool{}
	for _, s := range o.a.Init {
		first[s] = true
	}
	for _, m := range o.t.starts {
		stack := ""
		for _, g := range m.Word {
			stack += string(rune('0' + g))
		}
		add(config{m.Loc, 0, stack}, first)
	}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		at := [2]int{p.loc, int(p.stack[0] - '0')}
		if o.t.moves[at].Void {
			continue
		}
		set := sets[p.set]
		if label := o.t.labels[at]; !label.Silent {
			set = map[int]bool{}
			for s := range sets[p.set] {
				for _, tr := range o.a.States[s] {
					if tr.Has(label.Atoms) {
						set[tr.To] = true
					}
				}
			}
		}
		if len(set) == 0 {
			return true
		}
		plain := &oracle{t: o.t, a: &Automaton{Init: []int{0}, States: [][]Transition{{{}}}}, depth: o.depth}
		for _, s := range plain.next(p.config) {
			add(s.config, set)
		}
		o.cut = o.cut || plain.cut
	}
	return false
}
