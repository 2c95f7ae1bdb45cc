package cgen

import (
	"fmt"
	"strconv"
	"strings"
)

// This file generates expressions.

// effects limits the side effects of an expression, so that operands whose order C does not specify
// never disturb each other.
type effects struct {
	hidden map[string]bool // not to be touched: another operand writes them
	write  []variable      // may be written
	call   bool            // functions that touch globals may be called
	noGlob bool            // globals must not be touched: another operand calls
}

// full returns a full expression: any side effects.
func (g *generator) full(depth int) string {
	if g.mem != nil {
		depth = min(depth, 2) // operands are longer
	}
	e := effects{call: !g.pure}
	for _, v := range g.vars {
		if !v.fixed && g.p(50) {
			e.write = append(e.write, v)
		}
	}
	return g.expr(depth, e)
}

// split divides e among n operands without an order: one of them keeps the side effects, and the others
// do not touch the variables that it may write.
func (g *generator) split(e effects, n int) []effects {
	parts := make([]effects, n)
	active := g.n(n)
	// The operands without side effects do not touch the variables that the active one may
	// write; if it may call, no globals at all.
	rest := effects{hidden: map[string]bool{}, noGlob: e.noGlob || e.call}
	for k := range e.hidden {
		rest.hidden[k] = true
	}
	for _, v := range e.write {
		rest.hidden[v.name] = true
	}
	for i := range parts {
		parts[i] = rest
	}
	parts[active] = e
	if g.p(70) { // mostly nobody has side effects, and all may read
		quiet := effects{hidden: e.hidden, noGlob: e.noGlob}
		for i := range parts {
			parts[i] = quiet
		}
	}
	return parts
}

// visible reports whether an expression with the effects e may touch v.
func (e effects) visible(v variable) bool { return !e.hidden[v.name] && !(v.global && e.noGlob) }

// variables returns those in scope that e may read, inner ones hiding outer ones.
func (g *generator) variables(e effects) (list []variable) {
	for i, v := range g.vars {
		hidden := !e.visible(v)
		// A later variable of the same name is in an inner scope.
		for _, w := range g.vars[i+1:] {
			hidden = hidden || w.name == v.name
		}
		if !hidden && !v.isPool() {
			list = append(list, v)
		}
	}
	return list
}

// writable returns those that e may write.
func (g *generator) writable(e effects) (list []variable) {
	for _, v := range g.variables(e) {
		for _, w := range e.write {
			if w == v {
				list = append(list, v)
			}
		}
	}
	return list
}

// constant returns a constant of C: a character, an escape, an enumeration constant, a number near
// the limits of a type in decimal, octal or hexadecimal (whose type depends on the base, C11
// 6.4.4.1), a sizeof, a number with a suffix, or mostly a small number.
func (g *generator) constant() string {
	switch g.n(12) {
	case 0:
		return fmt.Sprintf("'%c'", 'a'+rune(g.n(26)))
	case 1:
		return pick(g, []string{`'\n'`, `'\377'`, `'\x80'`, `'\0'`})
	case 2:
		return g.prefix + pick(g, []string{"A", "B", "C", "D"})
	case 3:
		return pick(g, []string{"2147483647", "2147483648", "0xffffffff", "0x80000000", "4294967295u",
			"9223372036854775807", "0x7fffffffffffffffL", "0xffffffffffffffffUL", "037777777777", "65535", "32768"})
	case 4:
		return fmt.Sprintf("sizeof(%s)", g.typ().name)
	case 5:
		return strconv.Itoa(g.n(300)) + pick(g, []string{"u", "L", "UL", "LL", "ull"})
	}
	return strconv.Itoa(g.n(20))
}

// constantExpr returns an integer constant expression, as initialisers of globals must be: with
// casts, arithmetic, comparisons, and conditional operators.
func (g *generator) constantExpr(depth int) string {
	if depth == 0 || g.p(30) {
		return g.constant()
	}
	x, y := g.constantExpr(depth-1), g.constantExpr(depth-1)
	switch g.n(7) {
	case 0:
		return "-" + small(x)
	case 1:
		return fmt.Sprintf("((%s)%s)", g.typ().name, x)
	case 2:
		return fmt.Sprintf("(%s %s %s)", small(x), pick(g, []string{"+", "-", "*"}), small(y))
	case 3:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"&", "|", "^", "<", "==", ">=", "&&", "||"}), y)
	case 4:
		return fmt.Sprintf("(%s ? %s : %s)", x, y, g.constantExpr(depth-1))
	case 5:
		return "~" + x
	}
	return "!" + x
}

// small returns x reduced, so that overflow of later operations is unlikely.
func small(x string) string { return "(" + x + " % 97)" }

// guard returns small most of the time.
func (g *generator) guard(x string) string {
	if g.p(92) || !g.mentionsVariable(x) {
		return small(x)
	}
	return x
}

// mentionsVariable reports whether x is no constant: gcc does not report
// overflow that it finds while folding constants.
func (g *generator) mentionsVariable(x string) bool {
	for _, rest := range strings.Split(x, g.prefix)[1:] {
		if rest != "" && rest[0] >= 'a' && rest[0] <= 'z' { // constants are A, B, …
			return true
		}
	}
	return false
}

// expr returns an expression with side effects as e allows. Operands that C evaluates in order,
// those of ?:, &&, || and the comma, have all of e; operands without an order share it (split).
func (g *generator) expr(depth int, e effects) string {
	if depth == 0 {
		return g.leaf(e)
	}
	switch k := g.n(26); {
	case k < 3:
		return g.leaf(e)
	case k < 12:
		return g.binary(depth, e)
	case k < 14:
		return g.unary(depth, e)
	case k < 16:
		return fmt.Sprintf("(%s)%s", g.typ().name, paren(g.expr(depth-1, e)))
	case k < 17:
		return fmt.Sprintf("(%s ? %s : %s)", g.expr(depth-1, e), g.expr(depth-1, e), g.expr(depth-1, e))
	case k < 18:
		return g.elvis(depth, e)
	case k < 20:
		return fmt.Sprintf("(%s %s %s)", g.expr(depth-1, e), pick(g, []string{"&&", "||"}), g.expr(depth-1, e))
	case k < 21:
		return g.comma(depth, e)
	case k < 24:
		return g.store(depth, e)
	case k < 25 && !g.pure:
		return g.call(depth, e)
	}
	return g.statementExpr(depth, e)
}

// elvis returns a ?: b. The C parser of this project fails where a is a constant, so
// it is made of a variable.
func (g *generator) elvis(depth int, e effects) string {
	list := g.variables(e)
	if len(list) == 0 {
		return g.leaf(e)
	}
	parts := g.split(e, 2)
	for _, v := range list {
		if parts[0].visible(v) {
			return fmt.Sprintf("((%s ^ %s) ?: %s)", v.name, paren(g.expr(depth-1, parts[1])), g.expr(depth-1, e))
		}
	}
	return g.leaf(e)
}

// comma returns a, b. gcc 12 fails on (_Bool)(1, 2), so a is no constant.
func (g *generator) comma(depth int, e effects) string {
	list := g.variables(e)
	if len(list) == 0 {
		return g.leaf(e)
	}
	if len(g.writable(e)) > 0 {
		return fmt.Sprintf("(%s, %s)", g.store(depth, e), g.expr(depth-1, e))
	}
	return fmt.Sprintf("(%s, %s)", pick(g, list).name, g.expr(depth-1, e))
}

// paren returns x in parentheses.
func paren(x string) string { return "(" + x + ")" }

// leaf returns an operand: a place in memory, a variable, or a constant.
func (g *generator) leaf(e effects) string {
	if x, ok := g.memoryLeaf(e); ok {
		return x
	}
	if list := g.variables(e); len(list) > 0 && g.p(75) {
		return pick(g, list).name
	}
	return g.constant()
}

// unary returns -x, ~x, +x or !x: all but ! promote their operand.
func (g *generator) unary(depth int, e effects) string {
	x := paren(g.expr(depth-1, e))
	switch g.n(5) {
	case 0:
		return "-" + paren(g.guard(x))
	case 1:
		return "~" + x
	case 2:
		return "+" + x
	}
	return "!" + x
}

// binary returns an operation on two operands without an order. Operands of + - * are mostly
// reduced, those of shifts masked, and divisors mostly not zero, so that undefined behaviour is
// rare.
func (g *generator) binary(depth int, e effects) string {
	if g.p(15) {
		if x := g.narrow(e); x != "" {
			return x
		}
	}
	parts := g.split(e, 2)
	// One of the operands may write or call, and the other one must not see that.
	x, y := g.expr(depth-1, parts[0]), g.expr(depth-1, parts[1])
	x, y = paren(x), paren(y)
	switch k := g.n(20); {
	case k < 6:
		return fmt.Sprintf("(%s %s %s)", g.guard(x), pick(g, []string{"+", "-", "*"}), g.guard(y))
	case k < 9:
		return fmt.Sprintf("(%s %s %s)", g.guard(x), pick(g, []string{"/", "%"}), g.divisor(y))
	case k < 11:
		return fmt.Sprintf("(%s >> (%s & %d))", x, y, g.amount())
	case k < 13:
		// The left operand is small, so that no bit is shifted into the sign.
		return fmt.Sprintf("((%s & 1023) << (%s & %d))", x, y, g.amount()/2)
	case k < 16:
		return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"&", "|", "^"}), y)
	}
	return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"==", "!=", "<", "<=", ">", ">="}), y)
}

// narrow returns an operation on two variables of small types, or "": it overflows their type but
// not int, to which they are promoted. A lowering that computes in the type of the operands goes
// wrong: for an unsigned char a, a + a may be 510.
func (g *generator) narrow(e effects) string {
	var small []variable
	for _, v := range g.variables(e) {
		if v.typ.bits <= 16 {
			small = append(small, v)
		}
	}
	if len(small) == 0 {
		return ""
	}
	v, w := pick(g, small), pick(g, small)
	ops := []string{"+", "-", "<<", "&", "^"}
	if v.typ.bits <= 8 {
		ops = append(ops, "*", "*")
	}
	op := pick(g, ops)
	if op == "<<" {
		return fmt.Sprintf("((%s & 255) << (%s & 7))", v.name, w.name)
	}
	return fmt.Sprintf("(%s %s %s)", v.name, op, w.name)
}

// amount returns a mask for shift amounts.
func (g *generator) amount() int {
	if g.p(3) {
		return 63
	}
	return pick(g, []int{7, 15, 31})
}

// divisor returns an expression that is mostly not zero: y itself, y reduced to 1 … 16, or a
// constant of some type, which makes the usual arithmetic conversions of a quotient differ.
func (g *generator) divisor(y string) string {
	switch g.n(30) {
	case 0:
		return y
	case 1, 2, 3, 4, 5, 6, 7, 8, 9:
		return "((" + y + " & 15) + 1)"
	}
	return pick(g, []string{"3", "7u", "-5", "16", "100L", "-2LL", "255ul"})
}

// store returns an assignment, ++ or -- if e allows writing, else an expression.
func (g *generator) store(depth int, e effects) string {
	if x, ok := g.memoryStore(depth, e); ok {
		return x
	}
	// Not in memory: write a variable, or nothing if e lets none be written.
	list := g.writable(e)
	if len(list) == 0 {
		return g.binary(depth, e)
	}
	v := pick(g, list)
	// C does not order the write of v and other side effects of the right side, so these must
	// not be on v.
	inner := e
	inner.write = nil
	for _, w := range e.write { // the right side must not write v
		if w.name != v.name {
			inner.write = append(inner.write, w)
		}
	}
	switch g.n(8) {
	case 0:
		return v.name + "++"
	case 1:
		return v.name + "--"
	case 2:
		return "++" + v.name
	case 3:
		return "--" + v.name
	case 4, 5:
		return fmt.Sprintf("(%s = %s)", v.name, g.expr(depth-1, inner))
	}
	// In a compound assignment the right side must not call what writes v.
	inner.call = inner.call && !v.global
	x := paren(g.expr(depth-1, inner))
	switch g.n(4) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", v.name, pick(g, []string{"&=", "|=", "^="}), x)
	case 1:
		return fmt.Sprintf("(%s %s %s)", v.name, pick(g, []string{"/=", "%="}), g.divisor(x))
	case 2:
		return fmt.Sprintf("(%s >>= (%s & 7))", v.name, x)
	}
	// A signed variable of 32 bits or more is reduced first, or sums would overflow in the end.
	if v.typ.signed && v.typ.bits >= 32 && g.p(85) {
		return fmt.Sprintf("(%s = (%s %% 1000), %s %s %s)", v.name, v.name, v.name, pick(g, []string{"+=", "-="}), small(x))
	}
	return fmt.Sprintf("(%s %s %s)", v.name, pick(g, []string{"+=", "-=", "*="}), small(x))
}

// call returns a call of a function, if e allows it.
func (g *generator) call(depth int, e effects) string {
	if x, ok := g.memoryCall(depth, e); ok {
		return x
	}
	var list []fn
	for _, f := range g.funcs {
		if f.pure || e.call && !e.noGlob {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return g.binary(depth, e)
	}
	return g.callOf(pick(g, list), depth, e)
}

// callOf returns a call of f with arguments without an order: the pointers and structures together
// count as one of them. The first argument of a recursive function is a small depth.
func (g *generator) callOf(f fn, depth int, e effects) string {
	n := len(f.params)
	// C does not order the evaluation of arguments.
	parts := g.split(e, max(n+min(len(f.memory), 1), 1))
	var args []string
	for i := 0; i < n; i++ {
		if i == 0 && f.fuel {
			args = append(args, strconv.Itoa(g.n(4)))
			continue
		}
		args = append(args, g.expr(min(depth-1, 2), parts[i]))
	}
	for _, t := range f.memory {
		args = append(args, g.memoryValue(t, parts[n]))
	}
	return fmt.Sprintf("%s(%s)", f.name, strings.Join(args, ", "))
}

// statementExpr returns a statement expression of gcc: ({ int t = e; e2; }), in which e2 may read
// and write t.
func (g *generator) statementExpr(depth int, e effects) string {
	v := variable{g.fresh("t"), g.typ(), false, false}
	init := g.expr(depth-1, e)
	g.vars = append(g.vars, v)
	// The new variable is in scope in the last expression only.
	e.write = append(append([]variable(nil), e.write...), v)
	text := fmt.Sprintf("({ %s %s = %s; %s; })", v.typ.name, v.name, init, g.expr(depth-1, e))
	g.vars = g.vars[:len(g.vars)-1]
	return text
}
