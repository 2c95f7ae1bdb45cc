package frontend

import (
	"c2bp/frontend/core"
)

// mutation breaks one rule of the lowering, so that tests can see that they would
// notice. It is zero but in tests.
type mutation int

const (
	noPromotion    mutation = iota + 1 // small types are not promoted to int
	signedWins                         // int and unsigned have the common type int
	logicalShift                       // >> of a negative value shifts in zeros
	newForOld                          // x++ has the new value of x
	oneDispatch                        // a case range matches its first value only
	noEntryHavoc                       // a block variable keeps its value when the block is entered again
	unscrubbed                         // the names of parameters in casts are not blanked
	gluedCommas                        // macros with variable arguments stay as they are
	unscaled                           // p + i is i bytes behind p
	noFields                           // all members are at offset 0
	halfCopies                         // half of a struct is copied
	noZeros                            // what an initialiser leaves out keeps its value
	staleValues                        // values read from memory are not kept from later writes
	staleAddresses                     // nor are the addresses of destinations
	wideBitFields                      // a bit-field is read and written as its type
)

// mutated applies the mutations of binary operators.
func (b *functionLowerer) mutated(op core.BinaryOp, x, y core.Expr) (core.Expr, core.Expr, *core.Int) {
	t, u := x.Type().(core.Int), y.Type().(core.Int)
	switch b.opts.mutation {
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
