package prover

import (
	"testing"

	"c2bp/logic"
)

// TestFixedAddresses: objects that a query puts at numbers overlap if the numbers say so, and objects that it leaves
// open do not overlap those.
func TestFixedAddresses(t *testing.T) {
	tab := logic.NewTable()
	x, y, z := tab.Addr("&x", 8, 64, logic.Storage{}), tab.Addr("&y", 16, 64, logic.Storage{}), tab.Addr("&z", 1, 64, logic.Storage{})
	at := func(a *logic.Term, n int64) *logic.Term { return tab.Eq(a, tab.Int(n)) }
	for _, c := range []struct {
		name string
		lits []*logic.Term
		want Answer
	}{
		{"apart", []*logic.Term{at(x, 4096), at(y, 8192)}, Sat},
		{"side by side", []*logic.Term{at(x, 8192), at(y, 8176)}, Sat},
		{"the end of one in the other", []*logic.Term{at(x, 8192), at(y, 8177)}, Unsat},
		{"one in the other", []*logic.Term{at(x, 8200), at(y, 8192)}, Unsat},
		{"an open one in one", []*logic.Term{at(x, 4096), at(y, 8192), tab.Lt(tab.Int(8192), z), tab.Lt(z, tab.Int(8208))}, Unsat},
		{"an open one behind one", []*logic.Term{at(x, 4096), at(y, 8192), tab.Lt(tab.Int(8192), z), tab.Lt(z, tab.Int(8209))}, Sat},
		{"two numbers for one", []*logic.Term{at(x, 4096), at(x, 8192)}, Unsat},
		{"a multiple of one", []*logic.Term{at(tab.Scale(tab.Int(2).Val, x), 16384), at(y, 8192)}, Unsat},
	} {
		p := New(nil, Options{})
		if got := p.Check(background, c.lits, tab); got != c.want || p.Err() != nil {
			t.Errorf("%s: %v, %v; want %v", c.name, got, p.Err(), c.want)
		}
		p.Close()
	}
}

// TestFixedPairs: no fact is stated of two objects whose numbers say that they are apart, but of all other pairs.
func TestFixedPairs(t *testing.T) {
	tab := logic.NewTable()
	var lits []*logic.Term
	for i, name := range []string{"&a", "&b", "&c"} {
		lits = append(lits, tab.Eq(tab.Addr(name, 8, 64, logic.Storage{}), tab.Int(int64(4096*(i+1)))))
	}
	open := tab.Lt(tab.Int(1<<20), tab.Addr("&open", 8, 64, logic.Storage{}))
	z := newEncoder(0)
	infos := func(fs []*logic.Term) (list []*literal) {
		for _, f := range fs {
			list = append(list, z.literal(f, tab))
		}
		return list
	}
	if got := len(z.apart(infos(lits), lits, tab)); got != 0 {
		t.Errorf("%d facts about objects at numbers", got)
	}
	if all := append(lits, open); len(z.apart(infos(all), all, tab)) != 3 {
		t.Errorf("%d facts about one object more", len(z.apart(infos(all), all, tab)))
	}
}
