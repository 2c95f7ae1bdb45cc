package temporal

// This file makes the product of a pushdown system with a Büchi automaton: the automaton reads the atoms of the
// head, and the system moves.

// explored remembers the moves and labels of the heads of a system.
type explored struct {
	sys    System
	known  map[head]*systemHead
	pruned bool // a run may end silently
}

// systemHead is a head of the system.
type systemHead struct {
	label Label
	moves Moves
}

// at returns the label and the moves of a head.
func (x *explored) at(loc, symbol int32) (*systemHead, error) {
	at := head{loc, symbol}
	if h, ok := x.known[at]; ok {
		return h, nil
	}
	moves, err := x.sys.Moves(int(loc), int(symbol))
	if err != nil {
		return nil, err
	}
	h := &systemHead{x.sys.Label(int(loc), int(symbol)), moves}
	if h.label.Silent && len(moves.List) == 0 && !moves.Pruned && !moves.Void {
		panic("temporal: a silent head has no moves")
	}
	x.known[at] = h
	x.pruned = x.pruned || moves.Pruned || moves.Void
	return h, nil
}

// paired makes locations of pairs, numbered as they are met: of a location of the system, and a state of that which reads
// the run.
type paired struct {
	explored
	numbers map[pair]int32
	pairs   []pair
}

// pair is a location of the system with a state.
type pair struct{ loc, state int32 }

// newPaired returns an empty table of pairs.
func newPaired(sys System) paired {
	return paired{explored: explored{sys: sys, known: map[head]*systemHead{}}, numbers: map[pair]int32{}}
}

// number returns the number of a pair.
func (x *paired) number(p pair) int32 {
	n, ok := x.numbers[p]
	if !ok {
		n = int32(len(x.pairs))
		x.numbers[p] = n
		x.pairs = append(x.pairs, p)
	}
	return n
}

// arc returns a move of the system with the next state.
func (x *paired) arc(m Move, i, state int32, accept bool) arc {
	a := arc{n: int8(len(m.Word)), accept: accept, move: i, top: m.Top}
	if m.Top {
		return a
	}
	if len(m.Word) > 2 {
		panic("temporal: a move pushes more than two symbols")
	}
	a.to = x.number(pair{int32(m.Loc), state})
	for k, symbol := range m.Word {
		a.word[k] = int32(symbol)
	}
	return a
}

// shown returns the location of the system that a pair has.
func (x *paired) shown(p int32) int { return int(x.pairs[p].loc) }

// product is the product with a Büchi automaton.
type product struct {
	paired
	automaton *Automaton
}

// newProduct returns the product.
func newProduct(sys System, a *Automaton) *product { return &product{newPaired(sys), a} }

// start returns the initial configurations: those of the system, with each initial state.
func (x *product) start() ([]arc, error) {
	moves, err := x.sys.Start()
	if err != nil {
		return nil, err
	}
	var out []arc
	for _, s := range x.automaton.Init {
		for i, m := range moves {
			out = append(out, x.arc(m, int32(i), int32(s), false))
		}
	}
	return out, nil
}

// expand returns the moves of a head.
func (x *product) expand(p, symbol int32) ([]arc, error) {
	at := x.pairs[p]
	h, err := x.at(at.loc, symbol)
	if err != nil {
		return nil, err
	}
	// 1. The automaton does not see a silent head.
	var out []arc
	if h.label.Silent {
		for i, m := range h.moves.List {
			out = append(out, x.arc(m, int32(i), at.state, false))
		}
		return out, nil
	}
	// 2. A run that can do nothing stays.
	stays := len(h.moves.List) == 0 && !h.moves.Pruned && !h.moves.Void
	for _, t := range x.automaton.States[at.state] {
		if !t.Has(h.label.Atoms) {
			continue
		}
		if stays {
			out = append(out, x.arc(Move{Loc: int(at.loc), Word: []int{int(symbol)}}, Stays, int32(t.To), t.Accept))
		}
		for i, m := range h.moves.List {
			out = append(out, x.arc(m, int32(i), int32(t.To), t.Accept))
		}
	}
	return out, nil
}
