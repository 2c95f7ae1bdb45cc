package frontend

import (
	"math"
	"math/bits"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/source"
)

// This file reports violations of constraints that every compiler refuses and the parser accepts.

// checkType reports an error if t, the type of an object or function called name, is not a valid type.
// Only the first violation is reported; nothing is reported for types that cc does not know.
func (l *typing) checkType(pos source.Pos, name string, t cc.Type) {
	elements := uint64(1) // of the arrays around t
	for t != nil {
		// Go inwards: pointers, results and elements must be valid in turn.
		switch x := t.(type) {
		case *cc.PointerType:
			t, elements = x.Elem(), 1
		case *cc.FunctionType:
			if t = x.Result(); t != nil && (t.Kind() == cc.Array || t.Kind() == cc.Function) {
				l.error(pos, "%s: a function cannot return an array or a function", name)
				return
			}
			elements = 1
		case *cc.ArrayType:
			if t = x.Elem(); t != nil && t.Kind() == cc.Function {
				l.error(pos, "%s: an array of functions", name)
				return
			}
			var tooLarge uint64
			if n := x.Len(); n > 0 {
				tooLarge, elements = bits.Mul64(elements, uint64(n))
			}
			if tooLarge > 0 || !l.fits(elements, t) {
				l.error(pos, "%s: the array is larger than the address space", name)
				return
			}
		default:
			return
		}
	}
}

// fits reports whether an array of so many elements of type t can be an object: differences of
// pointers into it must be representable. An array of unknown size fits.
func (l *typing) fits(elements uint64, t cc.Type) bool {
	limit := uint64(math.MaxInt64)
	if l.opts.Bits32 {
		limit = math.MaxInt32
	}
	size, known := int64(1), true
	if t.Kind() != cc.Array {
		size, known = l.layouts.SizeBytes(t)
	}
	tooLarge, total := bits.Mul64(elements, uint64(max(size, 0)))
	return !known || tooLarge == 0 && total <= limit
}

// checkObject reports an error if the type of the object d is not valid.
func (l *typing) checkObject(pos source.Pos, d *cc.Declarator) {
	if d.Type().Kind() == cc.Void && !d.IsExtern() {
		l.error(pos, "the variable %s has type void", d.Name())
	}
	l.checkType(pos, d.Name(), d.Type())
}

// checkScalar reports an error if n, of type t, is assigned to a scalar and is a structure or array.
func (l *sources) checkScalar(n cc.ExpressionNode, t core.Type) {
	if a, isAgg := t.(core.Agg); isAgg {
		l.error(ccfix.At(n.Position()), "%s, a %s, cannot become a number or pointer", l.TextOf(n), a.Name)
	}
}

// caseLabels holds the positions of the case labels of a switch that were seen, by value. Values
// are those after the conversion to the type of the switch.
type caseLabels map[string]source.Pos

// add adds the value c of the label at pos and reports whether it is new; first is the position of the
// first label with that value.
func (d caseLabels) add(c *core.Const, pos source.Pos) (first source.Pos, isNew bool) {
	key := c.Val.String()
	if first, seen := d[key]; seen {
		return first, false
	}
	d[key] = pos
	return pos, true
}
