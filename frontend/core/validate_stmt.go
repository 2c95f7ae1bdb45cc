package core

import "c2bp/ieee"

// This file checks statements and expressions, see validate.go.

// stmt checks a statement.
func (v *validator) stmt(s Stmt) {
	switch s := s.(type) {
	case *Assume:
		v.condition(s.Cond)
	case *Assert:
		v.check = s.Check != nil
		v.condition(s.Cond)
		v.check = false
	case *Assign:
		v.assign(s)
	case *Copy:
		v.pointer("the destination of a copy", s.Dst)
		v.pointer("the source of a copy", s.Src)
		v.integer("the size of a copy", s.Size)
		v.parts(s.Parts)
	case *Fill:
		v.pointer("the destination of a fill", s.Dst)
		v.integer("the size of a fill", s.Size)
		if s.Byte != nil {
			if t, ok := v.read(s.Byte); ok && t != Type(Uint8) {
				v.errorf("the byte of a fill, %s, has type %s", ExprString(s.Byte), t)
			}
		}
	case *Data:
		v.pointer("the destination of data", s.Dst)
	case *Alloc:
		v.written([]Loc{s.Lhs})
		if t, ok := v.typeOf(s.Lhs); ok {
			if _, isPtr := t.(Ptr); !isPtr {
				v.errorf("the address of a new object is assigned to %s of type %s", ExprString(s.Lhs), t)
			}
		}
		v.integer("the size of an object", s.Size)
	case *Free:
		v.pointer("what is freed", s.Ptr)
	case *Havoc:
		v.written(s.Locs)
		for _, l := range s.Locs {
			v.arbitrary(l)
		}
		for _, x := range s.From {
			v.source(x)
		}
		if s.Reads != nil {
			v.volatile(s)
		}
	case *Call:
		v.call(s)
	case *Skip, *Branch, *Return:
	default:
		v.errorf("unknown statement %T", s)
	}
}

// volatile checks the read of a volatile place: s stores an arbitrary value, perhaps the one that
// is stored there, in one location of the same type.
func (v *validator) volatile(s *Havoc) {
	if x, ok := s.Reads.(*VarRef); ok && !x.Var.InMemory() || len(s.Locs) != 1 || s.Region || s.Begin {
		v.errorf("a volatile place in memory is read into one location")
		return
	}
	if m, ok := s.Reads.(*Mem); ok {
		v.read(m)
	}
	if t, ok := v.typeOf(s.Locs[0]); ok && t != s.Reads.Type() {
		v.errorf("a volatile place of type %s is read into %s", s.Reads.Type(), ExprString(s.Locs[0]))
	}
}

// source checks a value that went into one that is not represented.
func (v *validator) source(x Source) {
	switch {
	case (x.Value == nil) == (x.At == nil):
		v.errorf("what goes into a value that is not represented is a value, or is at an address")
	case x.Value != nil:
		v.read(x.Value)
	default:
		v.pointer("where a value is that is not represented", x.At)
		if x.Size != nil {
			v.integer("the size of a value that is not represented", x.Size)
		}
	}
}

// condition checks that e can be tested against zero.
func (v *validator) condition(e Expr) {
	if e == nil {
		v.errorf("no condition")
		return
	}
	if t, ok := v.read(e); ok {
		v.noFloat("the condition "+ExprString(e), t)
	}
}

// assign checks the two sides of an assignment.
func (v *validator) assign(s *Assign) {
	if len(s.Lhs) != len(s.Rhs) || len(s.Lhs) == 0 {
		v.errorf("%d left sides, %d right sides", len(s.Lhs), len(s.Rhs))
		return
	}
	v.written(s.Lhs)
	for i, e := range s.Rhs {
		if e == nil {
			v.errorf("no right side for %s", ExprString(s.Lhs[i]))
			continue
		}
		if x := variableOf(s.Lhs[i]); x != nil && x.Logical && !isLogical(e) {
			v.errorf("%s is assigned to the logical %s", ExprString(e), x.Name)
		}
		t, ok := v.read(e)
		// Nothing is converted implicitly.
		if lhs, known := v.typeOf(s.Lhs[i]); ok && known && lhs != t {
			v.errorf("%s has type %s, but %s has type %s", ExprString(s.Lhs[i]), lhs, ExprString(e), t)
		}
	}
}

// written checks locations that one statement writes. A variable occurs once; places in memory may
// overlap.
func (v *validator) written(list []Loc) {
	seen := map[*Var]bool{}
	for _, l := range list {
		switch l := l.(type) {
		case *VarRef:
			v.inScope(l.Var)
			if seen[l.Var] {
				v.errorf("%s is written twice", l.Var.Name)
			}
			seen[l.Var] = true
		case *Mem:
			v.place(l)
		default:
			v.errorf("a location that is no variable or place: %T", l)
		}
	}
}

// place checks a place in memory, but not that its type can be read.
func (v *validator) place(m *Mem) {
	v.placeAddress(m)
	switch t := m.Typ.(type) {
	case Int:
		v.intType("a place", t)
		if m.Bit < 0 {
			v.errorf("%s starts at bit %d", ExprString(m), m.Bit)
		}
	case Ptr, Agg, Opaque:
		if m.Bit != 0 {
			v.errorf("%s, of type %s, starts at bit %d", ExprString(m), t, m.Bit)
		}
	default:
		v.errorf("a place of type %v: %s", m.Typ, ExprString(m))
	}
}

// placeAddress checks the address of m. Its text is made only if it is wrong: making it for each
// place within a place takes quadratic time.
func (v *validator) placeAddress(m *Mem) {
	if m.Addr == nil {
		v.errorf("the address of %s is missing", ExprString(m))
		return
	}
	if t, ok := v.read(m.Addr); ok {
		if _, isPtr := t.(Ptr); !isPtr {
			v.errorf("the address of %s is %s, of type %s", ExprString(m), ExprString(m.Addr), t)
		}
	}
}

// parts checks the parts that a copy lists.
func (v *validator) parts(list []Part) {
	end := int64(0) // in bits
	for _, p := range list {
		// Parts are in order, and each starts at or after the end of the one before.
		start := 8*p.Off + int64(p.Bit)
		if start < end || p.Off < 0 || p.Count < 1 {
			v.errorf("the parts of a copy overlap or are not in order: %s", partList(list))
			return
		}
		t, ok := Word(p.Typ)
		if !ok {
			v.errorf("a part of a copy has type %v", p.Typ)
			return
		}
		end = start + int64(t.Bits)
		if p.Count > 1 {
			end = 8 * (p.Off + p.Count*Bytes(p.Typ))
		}
	}
}

// pointer checks that e is an expression of pointer type.
func (v *validator) pointer(what string, e Expr) {
	if e == nil {
		v.errorf("%s is missing", what)
		return
	}
	if t, ok := v.read(e); ok {
		if _, isPtr := t.(Ptr); !isPtr {
			v.errorf("%s is %s, of type %s", what, ExprString(e), t)
		}
	}
}

// integer checks that e is an expression of integer type.
func (v *validator) integer(what string, e Expr) {
	if e == nil {
		v.errorf("%s is missing", what)
		return
	}
	v.readInt(what, e)
}

// readInt checks an expression of integer type, and returns that.
func (v *validator) readInt(what string, e Expr) (Int, bool) {
	t, ok := v.read(e)
	if !ok {
		return Int{}, false
	}
	i, isInt := t.(Int)
	if !isInt {
		v.errorf("%s is %s, of type %s", what, ExprString(e), t)
	}
	return i, isInt
}

// arbitrary checks a location that may get any value of its type: a Logical variable may not.
func (v *validator) arbitrary(l Loc) {
	if x := variableOf(l); x != nil && x.Logical {
		v.errorf("the logical %s may get a value other than 0 and 1", x.Name)
	}
}

// variableOf returns the variable that l is, or nil.
func variableOf(l Loc) *Var {
	if r, ok := l.(*VarRef); ok {
		return r.Var
	}
	return nil
}

// isLogical reports whether e is 0 or 1 by its form.
func isLogical(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return e.Val != nil && Bool.Contains(e.Val)
	case *VarRef:
		return e.Var != nil && (e.Var.Logical || e.Var.Type == Type(Bool))
	case *Mem:
		return e.Typ == Type(Bool)
	case *Conv:
		// A signed bit-field of one bit holds 0 and -1.
		return e.To.Bool || isLogical(e.X) && (e.To.Bits > 1 || !e.To.Signed)
	case *Unary:
		return e.Op == Not
	case *Float:
		return e.Op.IsTruth()
	case *Binary:
		return e.Op.IsComparison() || e.Op.IsLogical()
	}
	return false
}

// typeOf returns the type of a location that written has accepted; ok is false if it has none.
func (v *validator) typeOf(l Loc) (Type, bool) {
	switch l := l.(type) {
	case *VarRef:
		return l.Var.Type, l.Var.Type != nil
	case *Mem:
		return l.Typ, l.Typ != nil
	}
	return nil, false
}

// inScope checks that x may be mentioned.
func (v *validator) inScope(x *Var) {
	if v.globals[x] || v.scope[x] {
		return
	}
	if v.predicate && x.Kind == Ghost && x.Proc == v.proc {
		return
	}
	v.errorf("%s %s is not in scope", x.Kind, x.Name)
}

// call checks a call.
func (v *validator) call(s *Call) {
	// 1. The callee or target, and the arguments.
	ret := s.RetType
	switch f := s.Callee; {
	case f != nil:
		if !v.procs[f] {
			v.errorf("the callee is not a procedure of the program")
			return
		}
		ret = f.RetType
		if s.Target != nil {
			v.errorf("a call of both %s and a target", f.Name)
		}
		if len(s.Args) != len(f.Formals) {
			v.errorf("%d arguments, %s has %d formals", len(s.Args), f.Name, len(f.Formals))
		}
		// Their number was checked: do not go beyond the formals.
		for i, e := range s.Args {
			if i < len(f.Formals) {
				v.argument(e, f.Formals[i])
			}
		}
	case s.Target != nil:
		v.pointer("the target of a call", s.Target)
		if ret == nil {
			v.errorf("an indirect call without a return type")
		}
		// Formals are not known: the address must be that of a procedure whose formals fit.
		for _, e := range s.Args {
			if e != nil {
				v.read(e)
			}
		}
	default:
		v.errorf("the callee is not a procedure of the program")
		return
	}
	for _, e := range s.Extra {
		if e != nil {
			v.read(e)
		}
	}
	// 2. The destination.
	if s.Lhs == nil {
		if s.ResultConv != nil {
			v.errorf("a ResultConv without a destination")
		}
		return
	}
	v.written([]Loc{s.Lhs})
	v.arbitrary(s.Lhs)
	v.destination(s, ret)
}

// argument checks the argument e for a formal.
func (v *validator) argument(e Expr, formal *Var) {
	want := formal.Type
	if _, opaque := want.(Opaque); opaque {
		if e != nil {
			v.errorf("an argument for the opaque formal %s", formal.Name)
		}
		return
	}
	if e == nil {
		v.errorf("no argument for %s, which is not opaque", formal.Name)
		return
	}
	if _, agg := want.(Agg); agg {
		v.pointer("the argument for "+formal.Name, e)
		return
	}
	if t, ok := v.read(e); ok && t != want {
		v.errorf("the argument %s has type %s, the formal %s has %s", ExprString(e), t, formal.Name, want)
	}
}

// destination checks the types on the way from the callee's result, of type given, to Lhs.
func (v *validator) destination(s *Call, given Type) {
	lhs, ok := v.typeOf(s.Lhs)
	if !ok {
		return
	}
	if s.ResultConv != nil {
		v.intType("ResultConv", *s.ResultConv)
		v.noFloat("a ResultConv", *s.ResultConv)
		v.noFloat("what a ResultConv converts", given)
		if _, isInt := given.(Int); !isInt {
			v.errorf("a ResultConv of the result type %v", given)
		}
		given = *s.ResultConv
	}
	if given != lhs {
		v.errorf("the destination %s has type %s, the result %v", ExprString(s.Lhs), lhs, given)
	}
}

// read checks an expression of a node and returns its type, an Int or Ptr; ok is false if it has
// another type or none. It reports all errors that it finds.
func (v *validator) read(e Expr) (t Type, ok bool) {
	switch e := e.(type) {
	case *Const:
		v.intType("a constant", e.Typ)
		if e.Val == nil || !e.Typ.Contains(e.Val) {
			v.errorf("the constant %v is no value of %s", e.Val, e.Typ)
		}
		return e.Typ, e.Val != nil
	case *VarRef:
		return v.readVar(e.Var)
	case *Mem:
		v.place(e)
		if _, ok := Word(e.Typ); !ok {
			v.errorf("%s of type %v is read", ExprString(e), e.Typ)
			return nil, false
		}
		return e.Typ, true
	case *AddrOf:
		return v.address(e)
	case *FuncAddr:
		if !v.predicate && !v.procs[e.Proc] {
			v.errorf("the address of what is no procedure of the program")
		}
		return v.ptrType(e.Typ)
	case *Offset:
		v.pointer("the base of an offset", e.X)
		return v.pointerOf(e.X)
	case *Index:
		v.pointer("the base of an index", e.X)
		v.integer("an index", e.I)
		if e.Size < 0 {
			v.errorf("elements of size %d: %s", e.Size, ExprString(e))
		}
		if e.Count < 0 {
			v.errorf("an array of %d elements: %s", e.Count, ExprString(e))
		}
		if e.Row < 0 || e.Row > 0 && e.Count != 0 {
			v.errorf("the address of an element of %d, and of %d: %s", e.Row, e.Count, ExprString(e))
		}
		return v.pointerOf(e.X)
	case *Diff:
		v.pointer("an operand of a difference", e.X)
		v.pointer("an operand of a difference", e.Y)
		if e.Size <= 0 {
			v.errorf("elements of size %d: %s", e.Size, ExprString(e))
		}
		v.intType("a difference", e.Typ)
		return e.Typ, true
	case *ToPtr:
		v.integer("what becomes a pointer", e.X)
		return v.ptrType(e.Typ)
	case *ToInt:
		v.pointer("what becomes an integer", e.X)
		v.intType("a conversion", e.To)
		return e.To, true
	case *Unary:
		return v.unary(e)
	case *Float:
		return v.float(e)
	case *Binary:
		return v.binary(e)
	case *Conv:
		v.intType("a conversion", e.To)
		if e.X == nil {
			v.errorf("a conversion of nothing")
			return e.To, false
		}
		// Only a conversion between an unsigned integer and a floating-point type of one width
		// keeps the bits.
		t, ok := v.readInt("what is converted", e.X)
		if ok && t.Float != e.To.Float && (t.Bits != e.To.Bits || t.Signed || e.To.Signed) || t.Float && e.To.Float && t != e.To {
			v.errorf("the bits of %s become %s: %s", t, e.To, ExprString(e))
		}
		return e.To, ok
	case *Cond:
		return v.conditional(e)
	default:
		v.errorf("no expression: %T", e)
	}
	return nil, false
}

// pointerOf returns the type of x, which pointer has checked; ok is false if that was an error.
func (v *validator) pointerOf(x Expr) (Type, bool) {
	if x == nil {
		return nil, false
	}
	t, ok := x.Type().(Ptr)
	return t, ok
}

// ptrType checks the width of pointers.
func (v *validator) ptrType(t Ptr) (Type, bool) {
	if t.Bits != 32 && t.Bits != 64 {
		v.errorf("pointers of %d bits", t.Bits)
	}
	return t, true
}

// address checks e.
func (v *validator) address(e *AddrOf) (Type, bool) {
	if e.Var == nil {
		v.errorf("the address of no variable")
		return nil, false
	}
	v.inScope(e.Var)
	if !e.Var.InMemory() {
		v.errorf("&%s, but its address is not marked as taken", e.Var.Name)
	}
	return v.ptrType(e.Typ)
}

// conditional checks e, which only predicates may contain.
func (v *validator) conditional(e *Cond) (Type, bool) {
	if !v.predicate {
		v.errorf("?: outside a predicate: %s", ExprString(e))
	}
	_, okC := v.read(e.C)
	t, okX := v.read(e.X)
	u, okY := v.read(e.Y)
	if okX && okY && t != u {
		v.errorf("operands of types %s and %s: %s", t, u, ExprString(e))
	}
	return t, okC && okX && okY
}

// readVar checks that x can be read, and returns its type; ok is false if it is no scalar.
func (v *validator) readVar(x *Var) (Type, bool) {
	if x == nil {
		v.errorf("a reference to no variable")
		return nil, false
	}
	v.inScope(x)
	_, ok := Word(x.Type)
	if !ok {
		v.errorf("%s of type %v is read", x.Name, x.Type)
	}
	if x.Volatile {
		v.errorf("the volatile variable %s is read; it should be havocked", x.Name)
	}
	return x.Type, ok
}

// unary checks e and returns its type, as read does.
func (v *validator) unary(e *Unary) (Type, bool) {
	if e.Op == Not {
		t, ok := v.read(e.X)
		if ok {
			v.noFloat("the operand of !", t)
		}
		return Int32, ok
	}
	t, ok := v.readInt("the operand of "+e.Op.String(), e.X)
	if ok && (t.Bool || t.Float) {
		v.errorf("arithmetic on %s: %s", t, ExprString(e))
	}
	if e.Op == Ones {
		return Int32, ok
	}
	return t, ok
}

// binary checks e and returns its type, as read does.
func (v *validator) binary(e *Binary) (Type, bool) {
	t, okX := v.read(e.X)
	u, okY := v.read(e.Y)
	switch {
	case !okX || !okY:
	case e.Op.IsLogical() && v.predicate:
	// The operation that follows a check evaluates its operands in any case.
	case e.Op.IsLogical() && v.check:
	// In a node, && and || do not short-circuit: operands must be defined for all values.
	case e.Op.IsLogical():
		for _, x := range []Expr{e.X, e.Y} {
			if op := partialOperation(x); op != nil {
				v.errorf("%s, which may be undefined, inside %s", ExprString(op), e.Op)
			}
		}
	case !e.Op.IsShift() && t != u:
		v.errorf("operands of types %s and %s: %s", t, u, ExprString(e))
	case !e.Op.IsComparison():
		v.arithmetic(e, t, u)
	}
	if e.Op.IsComparison() || e.Op.IsLogical() {
		t = Int32
	}
	return t, okX && okY
}

// arithmetic checks the types of the operands of e, which computes a number.
func (v *validator) arithmetic(e *Binary, t, u Type) {
	a, okA := t.(Int)
	b, okB := u.(Int)
	switch {
	case !okA || !okB:
		v.errorf("arithmetic on pointers: %s", ExprString(e))
	case a.Bool || b.Bool:
		v.errorf("arithmetic on bool: %s", ExprString(e))
	case a.Float || b.Float:
		v.errorf("arithmetic on the bits of floating-point numbers: %s", ExprString(e))
	}
}

// partialOperation returns a part of e that is undefined for some values of its operands or in some
// states, or nil. In a node both operands of && are evaluated: n != 0 && 8 / n > 1 is no condition
// of a node.
func partialOperation(e Expr) Expr {
	// Accesses, address arithmetic, signed overflow, division and shifts may be undefined.
	switch x := e.(type) {
	case *Mem, *Offset, *Index, *Diff:
		return e
	case *Float:
		if x.Op == ieee.ToInt {
			return e
		}
	case *Unary:
		if x.Op == Neg && isSigned(x) {
			return e
		}
	case *Binary:
		switch x.Op {
		case Add, Sub, Mul:
			if isSigned(x) {
				return e
			}
		case Div, Rem, Shl, Shr:
			return e
		}
	}
	for _, c := range Children(e) {
		if op := partialOperation(c); op != nil {
			return op
		}
	}
	return nil
}

// isSigned reports whether e is of a signed integer type.
func isSigned(e Expr) bool {
	t, ok := e.Type().(Int)
	return ok && t.Signed
}
