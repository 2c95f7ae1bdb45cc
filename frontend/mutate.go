package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// mutation breaks one rule of the lowering, so that tests can see that they would
// notice. It is zero but in tests.
type mutation int

const (
	noPromotion      mutation = iota + 1 // small types are not promoted to int
	signedWins                           // int and unsigned have the common type int
	logicalShift                         // >> of a negative value shifts in zeros
	newForOld                            // x++ has the new value of x
	oneDispatch                          // a case range matches its first value only
	noEntryHavoc                         // a block variable keeps its value when the block is entered again
	unshared                             // threads change nothing
	keepAllVolatile                      // every volatile object keeps what was last written to it
	unscaled                             // p + i is i bytes behind p
	noFields                             // all members are at offset 0
	nextField                            // members of a struct are where the next one is
	unionsApart                          // members of a union, but the first, are at its end
	halfCopies                           // half of a struct is copied
	noCopies                             // nothing of it
	noZeros                              // what an initialiser leaves out keeps its value
	staleValues                          // values read from memory are not kept from later writes
	staleAddresses                       // nor are the addresses of destinations
	noCleanups                           // nothing is called at the end of a block
	silentEnd                            // nothing happens when the program ends
	noSignals                            // handlers run when they are installed, if ever
	noQualifiers                         // nothing is const or volatile, to compatible types
	wideBitFields                        // a bit-field is read and written as its type
	keepsOverridden                      // what a later initialiser of the whole overrides stays
	everyRange                           // what follows a range goes on after each of its elements
	nearBits                             // bit instructions work on the word that is their operand
	roundedLiterals                      // literals of type double have the digits of a float
	floatsAsDoubles                      // operations on floats round twice, as doubles
	notLessIsMore                        // x <= y holds where y < x does not
	roundsToNearest                      // the conversion of a number to an integer type rounds
	lostPointers                         // what is not represented carries no addresses
	noCalls                              // procedures are not reached by calls of them,
	noAddresses                          // by their addresses,
	noInitialisers                       // by initialisers,
	noSections                           // or by objects in sections
	shortComparisons                     // the last byte of a comparison does not count
)

// mutatedOffset applies the mutations of where members are to off, which is right.
func (l *typing) mutatedOffset(f *cc.Field, off int64) int64 {
	switch l.opts.mutation {
	case noFields:
		return 0
	case nextField:
		t, ok := f.ParentType().(*cc.StructType)
		if !ok || f.Index()+1 >= t.NumFields() {
			break
		}
		if next, _, known := l.layouts.FieldOffset(t.FieldByIndex(f.Index() + 1)); known {
			return next
		}
	case unionsApart:
		t, ok := f.ParentType().(*cc.UnionType)
		if !ok || f.Index() == 0 {
			break
		}
		size, known := l.layouts.SizeBytes(t)
		if own, fixed := l.layouts.SizeBytes(f.Type()); known && fixed && own < size {
			return size - own
		}
	}
	return off
}

// mutatedSize applies the mutations of how much of a struct is copied.
func (l *sources) mutatedSize(size core.Expr) core.Expr {
	n, ok := size.(*core.Const)
	switch {
	case ok && l.opts.mutation == halfCopies:
		return core.NewConst(n.Val.Int64()/2, n.Typ)
	case ok && l.opts.mutation == noCopies:
		return core.NewConst(0, n.Typ)
	}
	return size
}

// mutated applies the mutations of binary operators.
func (l *sources) mutated(op core.BinaryOp, x, y core.Expr) (core.Expr, core.Expr, *core.Int) {
	t, u := x.Type().(core.Int), y.Type().(core.Int)
	switch l.opts.mutation {
	case floatsAsDoubles:
		if t == core.Float32 && u == t && !op.IsComparison() {
			return convert(x, core.Float64), y, nil
		}
	case noPromotion:
		if t.Bits < 32 && u.Bits < 32 && !t.Bool && !u.Bool && !op.IsShift() && !op.IsComparison() {
			if t.Bits < u.Bits {
				t = u
			}
			return x, y, &t
		}
	case signedWins:
		if t.Bits == u.Bits && t.Signed != u.Signed && !op.IsShift() && t.Bits >= 32 {
			s := core.Int{Bits: t.Bits, Signed: true}
			return convert(x, s), convert(y, s), nil
		}
	case logicalShift:
		if t = promoted(t); op == core.Shr && t.Signed {
			return convert(convert(x, t), core.Int{Bits: t.Bits}), y, &t
		}
	}
	return x, y, nil
}
