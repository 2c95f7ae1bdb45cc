// Package logic defines the formulas that weakest preconditions and predicates
// become: hash-consed terms over integers and truth values. It knows neither C
// nor Z3; package wp builds terms from C, package prover asks Z3 about them.
//
// Terms are kept in a normal form, so that formulas that differ only in spelling
// are the same pointer:
//
//   - integer terms are linear sums c + k1*a1 + … over atoms in a fixed order;
//   - every comparison is t <= 0 or t = 0 with coprime coefficients; negating
//     t <= 0 gives -t+1 <= 0 again, so x < 4 and !(x >= 4) are one term;
//   - constants are folded, and intervals of symbols decide what they can: a
//     symbol with range [0, 255] makes x <= 255 the constant true.
//
// For example, with x a symbol of range [-2³¹, 2³¹-1],
//
//	x + 1 < 5      becomes  -3 + x <= 0
//	!(x >= 4)      becomes  -3 + x <= 0
//
// What is not linear is uninterpreted ([Table.App]): a product of two variables
// is mul(x, y), with the arguments in a fixed order. Proofs are sound under any
// interpretation of it; [Table.Axioms] lists facts about the interpretation meant.
//
// Floating point has no sort of its own: a number is the integer that its bits are, and
// operations are functions of such integers (float.go). Of these the Table knows facts in
// linear arithmetic (floatfacts.go):
//
//	0.5 < d           is ieee64.lt(0x3fe0000000000000, d) = 1, and that is the case if and
//	                  only if 0x3fe0000000000000 < d <= 0x7ff0000000000000
//	d <= 1.0          implies ieee64.add(d, 0.5) <= 1.5, in the order of numbers
//
// A Table is not safe for concurrent use: each worker has its own. Hashes and
// orders depend on the structure of terms alone, never on creation order, so
// caches keyed by [Term.Hash] may be shared between tables.
package logic

import (
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"sort"
)

// Sort is the sort of a term.
type Sort int

const (
	Bool Sort = iota
	Int
)

// Op is the operator at the head of a term.
type Op int

const (
	OpTrue Op = iota
	OpFalse
	OpNot  // of an OpEq only; other negations are pushed inwards
	OpAnd  // two or more Args in a fixed order; none is a constant or an OpAnd
	OpOr   // two or more Args in a fixed order; none is a constant or an OpOr
	OpLe   // Args[0] <= 0
	OpEq   // Args[0] = 0
	OpSum  // Val + Σ Coef[i]*Args[i]; an integer constant is a Sum without Args
	OpSym  // Name, an integer unknown with range [Lo, Hi]
	OpApp  // Name(Args…), uninterpreted, with range [Lo, Hi]
	OpIte  // if Args[0] then Args[1] else Args[2], integers
	OpDiv  // floor(Args[0] / Val), Val > 0
	OpMod  // Args[0] mod Val in [0, Val), Val > 0
	numOps // counts the above
)

// Term is a formula or an integer expression. Two terms of one Table are equal iff their pointers
// are. The fields are for reading only.
type Term struct {
	Op   Op
	Args []*Term
	Coef []*big.Int // OpSum: nonzero, parallel to Args
	Val  *big.Int   // OpSum: the constant; OpDiv, OpMod: the divisor; OpSym: see IsAddress
	// Storage says which objects the object at this address may overlap, nil for none.
	Storage *Storage
	align   int64    // of an address, see Storage.Align
	Name    string   // OpSym, OpApp
	Lo, Hi  *big.Int // interval that holds every value of an Int term; nil: unbounded
	hash    Hash
	syms    []*Term // the OpSym in the term, sorted; shared, do not modify
	floats  bool    // a floating-point operation is in the term
	ones    bool    // a population count is in the term
	maps    bool    // an application without a fixed meaning is in the term
	not     *Term   // the negation, once made
}

// Hash identifies a term by its structure, across tables.
type Hash [16]byte

// Hash returns the structural hash of t.
func (t *Term) Hash() Hash { return t.hash }

// Sort returns the sort of t.
func (t *Term) Sort() Sort {
	if t.Op <= OpEq {
		return Bool
	}
	return Int
}

// Syms returns the symbols that occur in t, in a fixed order.
func (t *Term) Syms() []*Term { return t.syms }

// Mentions reports whether symbol s occurs in t.
func (t *Term) Mentions(s *Term) bool {
	i := sort.Search(len(t.syms), func(i int) bool { return !less(t.syms[i], s) })
	return i < len(t.syms) && t.syms[i] == s
}

// IsAddress reports whether t is the symbol of an object's address; Val is then the
// size of the object.
func (t *Term) IsAddress() bool { return t.Op == OpSym && t.Val != nil }

// Displaced returns t as the sum of another term and a number; base is t itself, and off 0, if it is no such sum.
func (t *Term) Displaced() (base *Term, off *big.Int) {
	if t.Op == OpSum && len(t.Args) == 1 && t.Coef[0].IsInt64() && t.Coef[0].Int64() == 1 {
		return t.Args[0], t.Val
	}
	return t, new(big.Int)
}

// HasMaps reports whether t contains an application without a fixed meaning, such as
// the map of a memory region.
func (t *Term) HasMaps() bool { return t.maps }

// HasFloats reports whether t contains a floating-point operation.
func (t *Term) HasFloats() bool { return t.floats }

// HasOnes reports whether t contains a population count.
func (t *Term) HasOnes() bool { return t.ones }

// IsConst reports whether t is an integer constant.
func (t *Term) IsConst() bool { return t.Op == OpSum && len(t.Args) == 0 }

// less reports whether a comes before b in a total order on structure: by head, then by name, then
// by hash.
func less(a, b *Term) bool {
	if a.Op != b.Op {
		return a.Op < b.Op
	}
	if a.Name != b.Name {
		return a.Name < b.Name
	}
	for i := range a.hash {
		if a.hash[i] != b.hash[i] {
			return a.hash[i] < b.hash[i]
		}
	}
	return false
}

// Table makes terms and shares equal ones.
type Table struct {
	terms       map[Hash]*Term // by structure
	True, False *Term
	parts       map[partKey]*part // facts about floating-point operations, by part; see floatmonotone.go
}

// NewTable returns an empty table.
func NewTable() *Table {
	t := &Table{terms: map[Hash]*Term{}}
	t.True = t.intern(&Term{Op: OpTrue})
	t.False = t.intern(&Term{Op: OpFalse})
	return t
}

// Len returns the number of terms made.
func (t *Table) Len() int { return len(t.terms) }

// intern returns the one term of that structure. n's children are interned.
func (t *Table) intern(n *Term) *Term {
	n.hash = n.computeHash()
	if old := t.terms[n.hash]; old != nil {
		return old
	}
	// A new term: compute what it contains from its children.
	n.syms = n.computeSyms()
	n.maps = n.Op == OpApp && !HasMeaning(n.Name)
	n.floats = n.Op == OpApp && floatOf(n.Name) != nil
	n.ones = n.Op == OpApp && onesWidth(n.Name) > 0
	for _, a := range n.Args {
		n.maps = n.maps || a.maps
		n.floats = n.floats || a.floats
		n.ones = n.ones || a.ones
	}
	t.terms[n.hash] = n
	return n
}

// computeHash hashes the head of n and the hashes of its children.
func (n *Term) computeHash() Hash {
	h := sha256.New()
	// Each part is preceded by its length, so that different terms give different texts.
	put := func(b []byte) {
		var size [4]byte
		binary.LittleEndian.PutUint32(size[:], uint32(len(b)))
		h.Write(size[:])
		h.Write(b)
	}
	num := func(v *big.Int) {
		if v == nil {
			put([]byte("-"))
			return
		}
		b, _ := v.GobEncode()
		put(b)
	}
	h.Write([]byte{byte(n.Op)})
	put([]byte(n.Name))
	num(n.Val)
	if n.Op == OpSym || n.Op == OpApp {
		num(n.Lo)
		num(n.Hi)
	}
	if n.align > 1 { // of objects of two procedures with one name, say
		num(big.NewInt(n.align))
	}
	for i, a := range n.Args {
		if n.Coef != nil {
			num(n.Coef[i])
		}
		h.Write(a.hash[:])
	}
	return Hash(h.Sum(nil)[:16])
}

// computeSyms returns the symbols in n, sorted and each once.
func (n *Term) computeSyms() []*Term {
	if n.Op == OpSym {
		return []*Term{n}
	}
	if len(n.Args) == 1 {
		return n.Args[0].syms
	}
	var all []*Term
	for _, a := range n.Args {
		all = append(all, a.syms...)
	}
	sort.Slice(all, func(i, j int) bool { return less(all[i], all[j]) })
	uniq := all[:0]
	for i, s := range all {
		if i == 0 || s != all[i-1] {
			uniq = append(uniq, s)
		}
	}
	return uniq
}
