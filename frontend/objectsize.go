package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file gives a meaning to __builtin_object_size, by which fortified headers of C libraries and of the Linux kernel ask
// how much room there is where a pointer leads, and call a checking function unless the answer is -1. What a compiler
// answers depends on how much it knows: it may be any value. Those of a compiler that sees no more than the argument, with
// and without optimisation, are marked as certain (core.Node.Free), so that a failing run with one is not in doubt.
//
//	char name[16];                       __builtin_object_size(name, 0)            16
//	struct dev { char id[8]; int n; };   __builtin_object_size(d->id, 1)           8, the member, or -1
//	                                     __builtin_object_size(d->id, 0)           -1: what d leads to is not known
//	                                     __builtin_object_size(p, 0)               -1
//
// The last array of a struct that is reached through a pointer may have more elements than it is declared with: compilers
// disagree whether its size is known.

// objectSize lowers dst = __builtin_object_size(args).
func (b *frame) objectSize(args []cc.ExpressionNode, dst core.Loc) {
	unknown := func() { b.havocLoc(dst, "__builtin_object_size") }
	if len(args) != 2 {
		unknown()
		return
	}
	kind, ok := b.constantValue(args[1])
	if !ok {
		unknown()
		return
	}
	// Bit 0 of the second argument asks for the member instead of the whole object, bit 1 for the least size
	// instead of the greatest.
	sizes := sizesAt(args[0], kind.Val.Bit(0) == 1)
	if kind.Val.Bit(1) == 1 && slices.Contains(sizes, -1) {
		sizes = []int64{0}
	}
	if len(sizes) == 0 {
		unknown()
		return
	}
	end := newLabel()
	br := b.branch()
	for _, size := range sizes {
		b.arm(br)
		b.emit(&core.Assign{Lhs: []core.Loc{dst}, Rhs: []core.Expr{to(core.NewConst(size, core.Int64), dst.Type())}}).Free = true
		b.jump(end)
	}
	b.arm(br)
	unknown()
	b.jump(end)
	b.place(end)
}

// sizesAt returns how many bytes there are where the pointer n leads, up to the end of the object, or of the member; -1 if
// a compiler does not know that. It returns nil for other expressions than the addresses and values of variables and members.
func sizesAt(n cc.ExpressionNode, member bool) []int64 {
	if readsPointer(n) {
		return []int64{-1}
	}
	// 1. What n is the address of: an array, or the operand of &.
	n = withoutCasts(n)
	isArray := true
	if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof {
		n, isArray = ctree.Strip(u.CastExpression), false
	}
	// 2. The members on the way to it, from the innermost one.
	var typ cc.Type
	offset, last := int64(0), true
	through := false // a pointer
	for !through {
		e, ok := n.(*cc.PostfixExpression)
		if !ok {
			break
		}
		f := e.Field()
		if f == nil || f.IsBitfield() || f.Parent() != nil {
			return nil
		}
		if typ == nil {
			typ = f.Type()
		}
		offset, last = offset+f.Offset(), last && isLastMember(f)
		n, through = ctree.Strip(e.PostfixExpression), e.Case == cc.PostfixExpressionPSelect
	}
	// 3. The variable where the way begins, if it is no pointer.
	size := int64(-1)
	if !through {
		d := variableOf(n)
		if d == nil || endsFlexibly(d.Type()) {
			return nil
		}
		if typ == nil {
			typ = d.Type()
		}
		size, last = d.Type().Size()-offset, false
	}
	switch {
	case isArray && typ.Kind() != cc.Array || typ.Size() <= 0: // no address, or no size
		return nil
	case !member:
		return []int64{size}
	case !through:
		return []int64{typ.Size()}
	case last && typ.Kind() == cc.Array || endsFlexibly(typ):
		return []int64{-1}
	}
	return []int64{typ.Size(), -1}
}

// variableOf returns the variable or parameter that n is the name of; nil if n is something else.
func variableOf(n cc.ExpressionNode) *cc.Declarator {
	e, ok := n.(*cc.PrimaryExpression)
	if !ok || e.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	d, _ := e.ResolvedTo().(*cc.Declarator)
	return d
}

// isLastMember reports whether nothing follows f in its struct. The members of a union are all last.
func isLastMember(f *cc.Field) bool {
	s, ok := f.ParentType().(*cc.StructType)
	return !ok || f.Index() == s.NumFields()-1
}

// endsFlexibly reports whether t is a struct whose last member is an array without a size, so that an object of it may be
// larger than its type.
func endsFlexibly(t cc.Type) bool {
	s, ok := t.(*cc.StructType)
	if !ok || s.NumFields() == 0 {
		return false
	}
	f := s.FieldByIndex(s.NumFields() - 1)
	return f.IsFlexibleArrayMember() || f.Type().Kind() == cc.Array && f.Type().Size() <= 0 || endsFlexibly(f.Type())
}

// readsPointer reports whether n, casts aside, is the value of a pointer that lies in a variable or a member, perhaps
// moved by a number: it does not say what it leads to, as an array, a function or an operand of & does.
//
//	p    p + 2    (char *)s->p - n
func readsPointer(n cc.ExpressionNode) bool {
	n = ctree.Strip(n)
	switch e := n.(type) {
	case *cc.CastExpression:
		return e.Case == cc.CastExpressionCast && readsPointer(e.CastExpression)
	case *cc.AdditiveExpression:
		op, x, y, ok := ctree.BinaryOperator(n)
		return ok && (readsPointer(x) || op == core.Add && readsPointer(y))
	case *cc.PrimaryExpression:
		// The type of the variable: that of the expression is a pointer for arrays, too.
		d := variableOf(e)
		return d != nil && d.Type().Kind() == cc.Ptr
	case *cc.PostfixExpression:
		isMember := e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect
		return isMember && e.Field() != nil && e.Field().Type().Kind() == cc.Ptr
	}
	return false
}
