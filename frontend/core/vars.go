package core

// WalkVars calls f for every occurrence of a variable in e, from left to right.
func WalkVars(e Expr, f func(*Var)) {
	switch e := e.(type) {
	case *VarRef:
		f(e.Var)
	case *Unary:
		WalkVars(e.X, f)
	case *Conv:
		WalkVars(e.X, f)
	case *Binary:
		WalkVars(e.X, f)
		WalkVars(e.Y, f)
	case *Cond:
		WalkVars(e.C, f)
		WalkVars(e.X, f)
		WalkVars(e.Y, f)
	}
}

// Mentions reports whether a variable of which f holds occurs in e.
func Mentions(e Expr, f func(*Var) bool) bool {
	found := false
	WalkVars(e, func(v *Var) { found = found || f(v) })
	return found
}
