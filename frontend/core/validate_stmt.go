package core

// This file checks statements and expressions, see validate.go.

func (v *validator) stmt(s Stmt) {
	switch s := s.(type) {
	case *Assume:
		v.condition(s.Cond)
	case *Assert:
		v.condition(s.Cond)
	case *Assign:
		v.assign(s)
	case *Havoc:
		v.written(s.Locs)
		for _, l := range s.Locs {
			v.arbitrary(l)
		}
	case *Call:
		v.call(s)
	case *Skip, *Branch, *Return:
	default:
		v.errorf("unknown statement %T", s)
	}
}

func (v *validator) condition(e Expr) {
	if e == nil {
		v.errorf("no condition")
		return
	}
	v.read(e)
}

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
		if lhs, known := v.typeOf(s.Lhs[i]); ok && known && lhs != Type(t) {
			v.errorf("%s has type %s, but %s has type %s", ExprString(s.Lhs[i]), lhs, ExprString(e), t)
		}
	}
}

// written checks locations that one statement writes.
func (v *validator) written(list []Loc) {
	seen := map[*Var]bool{}
	for _, l := range list {
		x := variableOf(l)
		if x == nil {
			v.errorf("a location that is no variable: %T", l)
			continue
		}
		v.inScope(x)
		if seen[x] {
			v.errorf("%s is written twice", x.Name)
		}
		seen[x] = true
	}
}

// arbitrary checks a location that may get any value of its type.
func (v *validator) arbitrary(l Loc) {
	if x := variableOf(l); x != nil && x.Logical {
		v.errorf("the logical %s may get a value other than 0 and 1", x.Name)
	}
}

// variableOf is the variable that l is, or nil.
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
	case *Conv:
		return e.To.Bool || isLogical(e.X) && (e.To.Bits > 1 || !e.To.Signed)
	case *Unary:
		return e.Op == Not
	case *Binary:
		return e.Op.IsComparison() || e.Op.IsLogical()
	}
	return false
}

// typeOf is the type of a location that written has accepted.
func (v *validator) typeOf(l Loc) (Type, bool) {
	x := variableOf(l)
	if x == nil || x.Type == nil {
		return nil, false
	}
	return x.Type, true
}

func (v *validator) inScope(x *Var) {
	if v.globals[x] || v.scope[x] {
		return
	}
	if v.predicate && x.Kind == Ghost && x.Proc == v.proc {
		return
	}
	v.errorf("%s %s is not in scope", x.Kind, x.Name)
}

func (v *validator) call(s *Call) {
	if s.Callee == nil || !v.procs[s.Callee] {
		v.errorf("the callee is not a procedure of the program")
		return
	}
	f := s.Callee
	if len(s.Args) != len(f.Formals) {
		v.errorf("%d arguments, %s has %d formals", len(s.Args), f.Name, len(f.Formals))
	}
	for i, e := range s.Args {
		if i < len(f.Formals) {
			v.argument(e, f.Formals[i])
		}
	}
	if s.Lhs == nil {
		if s.ResultConv != nil {
			v.errorf("a ResultConv without a destination")
		}
		return
	}
	v.written([]Loc{s.Lhs})
	v.arbitrary(s.Lhs)
	v.destination(s)
}

func (v *validator) argument(e Expr, formal *Var) {
	want, isInt := formal.Type.(Int)
	switch {
	case e == nil && isInt:
		v.errorf("no argument for %s, which is not opaque", formal.Name)
	case e == nil:
	case !isInt:
		v.errorf("an argument for the opaque formal %s", formal.Name)
	default:
		if t, ok := v.read(e); ok && t != want {
			v.errorf("the argument %s has type %s, the formal %s has %s", ExprString(e), t, formal.Name, want)
		}
	}
}

// destination checks the types on the way from the callee's result to Lhs.
func (v *validator) destination(s *Call) {
	lhs, ok := v.typeOf(s.Lhs)
	if !ok {
		return
	}
	given := s.Callee.RetType
	if s.ResultConv != nil {
		v.intType("ResultConv", *s.ResultConv)
		if _, isInt := given.(Int); !isInt {
			v.errorf("a ResultConv of the result type %v", given)
		}
		given = *s.ResultConv
	}
	if given != lhs {
		v.errorf("the destination %s has type %s, the result %v", ExprString(s.Lhs), lhs, given)
	}
}

// read checks an expression of a node and returns its type; ok is false if the
// type is no integer type or could not be found out. What is wrong is reported.
func (v *validator) read(e Expr) (t Int, ok bool) {
	switch e := e.(type) {
	case *Const:
		v.intType("a constant", e.Typ)
		if e.Val == nil || !e.Typ.Contains(e.Val) {
			v.errorf("the constant %v is no value of %s", e.Val, e.Typ)
		}
		return e.Typ, e.Val != nil
	case *VarRef:
		return v.readVar(e.Var)
	case *Unary:
		return v.unary(e)
	case *Binary:
		return v.binary(e)
	case *Conv:
		v.intType("a conversion", e.To)
		if e.X == nil {
			v.errorf("a conversion of nothing")
			return e.To, false
		}
		_, ok := v.read(e.X)
		return e.To, ok
	case *Cond:
		return v.conditional(e)
	default:
		v.errorf("no expression: %T", e)
	}
	return Int{}, false
}

func (v *validator) conditional(e *Cond) (Int, bool) {
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

func (v *validator) readVar(x *Var) (Int, bool) {
	if x == nil {
		v.errorf("a reference to no variable")
		return Int{}, false
	}
	v.inScope(x)
	t, ok := x.Type.(Int)
	if !ok {
		v.errorf("%s of type %v is read", x.Name, x.Type)
	}
	if x.Volatile {
		v.errorf("the volatile variable %s is read; it should be havocked", x.Name)
	}
	return t, ok
}

func (v *validator) unary(e *Unary) (Int, bool) {
	t, ok := v.read(e.X)
	if e.Op == Not {
		return Int32, ok
	}
	if ok && t.Bool {
		v.errorf("arithmetic on bool: %s", ExprString(e))
	}
	return t, ok
}

func (v *validator) binary(e *Binary) (Int, bool) {
	t, okX := v.read(e.X)
	u, okY := v.read(e.Y)
	switch {
	case !okX || !okY:
	case e.Op.IsLogical() && v.predicate:
	case e.Op.IsLogical():
		for _, x := range []Expr{e.X, e.Y} {
			if op := partialOperation(x); op != nil {
				v.errorf("%s, which may be undefined, inside %s", ExprString(op), e.Op)
			}
		}
	case !e.Op.IsShift() && t != u:
		v.errorf("operands of types %s and %s: %s", t, u, ExprString(e))
	case !e.Op.IsComparison() && (t.Bool || u.Bool):
		v.errorf("arithmetic on bool: %s", ExprString(e))
	}
	if e.Op.IsComparison() || e.Op.IsLogical() {
		t = Int32
	}
	return t, okX && okY
}

// partialOperation returns a part of e that is undefined for some values of its
// operands, or nil.
func partialOperation(e Expr) Expr {
	switch e := e.(type) {
	case *Conv:
		return partialOperation(e.X)
	case *Unary:
		if e.Op == Neg && isSigned(e) {
			return e
		}
		return partialOperation(e.X)
	case *Binary:
		switch e.Op {
		case Add, Sub, Mul:
			if isSigned(e) {
				return e
			}
		case Div, Rem, Shl, Shr:
			return e
		}
		if op := partialOperation(e.X); op != nil {
			return op
		}
		return partialOperation(e.Y)
	}
	return nil
}

func isSigned(e Expr) bool {
	t, ok := e.Type().(Int)
	return ok && t.Signed
}
