package prover

import (
	"math/big"

	"c2bp/logic"
)

// This file evaluates terms in models. A term is evaluated in hundreds of models, so it is first
// compiled to a list of instructions over numbered registers.

// Program computes a term. Instruction i writes register i; the last is the result. The program of
// x + y <= 3, say, is: 0: x, 1: y, 2: -3 + r0 + r1, 3: r2 <= 0.
type Program struct {
	code   []instr
	regs   []*big.Int
	values []*big.Int // arguments of the application under way
}

// instr computes one subterm.
type instr struct {
	op    logic.Op
	term  *logic.Term
	args  []int   // registers
	sym   int     // OpSym: number of the symbol
	coefs []int64 // OpSum: the coefficients, nil if one of them is large
	first int64   // OpSum with coefs: the constant
}

// Compile returns the program of f, in which common subterms occur once.
func (u *Universe) Compile(f *logic.Term) *Program {
	p := &Program{}
	p.compile(u, f, map[*logic.Term]int{})
	// The registers lie in one block of memory.
	block := make([]big.Int, len(p.code))
	for i := range block {
		p.regs = append(p.regs, &block[i])
	}
	return p
}

// compile appends the instructions for f, unless done has them, and returns the register of the
// result.
func (p *Program) compile(u *Universe, f *logic.Term, done map[*logic.Term]int) int {
	if r, ok := done[f]; ok {
		return r
	}
	in := instr{op: f.Op, term: f}
	for _, a := range f.Args {
		in.args = append(in.args, p.compile(u, a, done))
	}
	switch f.Op {
	case logic.OpSym:
		in.sym = u.symbol(f)
	case logic.OpSum:
		in.smallSum()
	}
	r := len(p.code)
	p.code = append(p.code, in)
	done[f] = r
	return r
}

// Truth returns the truth value of a formula in m; it fails if m does not fit.
func (m *Model) Truth(p *Program) (value, ok bool) {
	v, ok := m.run(p)
	return ok && v.Sign() != 0, ok
}

// extend appends f to a program under construction, and runs the new instructions.
func (m *Model) extend(p *Program, f *logic.Term, done map[*logic.Term]int) (*big.Int, bool) {
	from := len(p.code)
	r := p.compile(m.u, f, done)
	for len(p.regs) < len(p.code) {
		p.regs = append(p.regs, new(big.Int))
	}
	return p.regs[r], m.runFrom(p, from)
}

// run computes p in m; the result is overwritten by the next run. It fails if an application is
// outside its range.
func (m *Model) run(p *Program) (*big.Int, bool) {
	ok := m.runFrom(p, 0)
	return p.regs[len(p.code)-1], ok
}

// runFrom runs p from instruction from on.
func (m *Model) runFrom(p *Program, from int) bool {
	for i := from; i < len(p.code); i++ {
		in, r := &p.code[i], p.regs[i]
		if in.op == logic.OpApp {
			p.values = p.values[:0]
			for _, a := range in.args {
				p.values = append(p.values, p.regs[a])
			}
			v, ok := m.application(in.term, p.values)
			if !ok {
				return false
			}
			r.Set(v)
			continue
		}
		p.step(m, in, r)
	}
	return true
}

// step executes an instruction, other than an application, with the result r.
func (p *Program) step(m *Model, in *instr, r *big.Int) {
	arg := func(i int) *big.Int { return p.regs[in.args[i]] }
	truth := func(b bool) {
		r.SetInt64(0)
		if b {
			r.SetInt64(1)
		}
	}
	switch in.op {
	case logic.OpTrue, logic.OpFalse:
		truth(in.op == logic.OpTrue)
	case logic.OpNot:
		truth(arg(0).Sign() == 0)
	case logic.OpAnd, logic.OpOr:
		v := in.op == logic.OpAnd
		for i := range in.args {
			if (arg(i).Sign() != 0) != v {
				v = !v
				break
			}
		}
		truth(v)
	case logic.OpLe:
		truth(arg(0).Sign() <= 0)
	case logic.OpEq:
		truth(arg(0).Sign() == 0)
	case logic.OpSum:
		if v, ok := p.addSmall(in); ok {
			r.SetInt64(v)
			return
		}
		r.Set(in.term.Val)
		var k big.Int
		for i, c := range in.term.Coef {
			r.Add(r, k.Mul(c, arg(i)))
		}
	case logic.OpSym:
		r.Set(m.Symbol(in.sym))
	case logic.OpIte:
		if arg(0).Sign() != 0 {
			r.Set(arg(1))
		} else {
			r.Set(arg(2))
		}
	case logic.OpDiv:
		r.Div(arg(0), in.term.Val) // Euclidean; floor since the divisor is positive
	case logic.OpMod:
		r.Mod(arg(0), in.term.Val)
	}
}

// half bounds numbers whose products, and sums of two products, fit into 64 bits.
const half = 1 << 31

// isHalf reports whether -half < v < half.
func isHalf(v *big.Int) bool { return v.IsInt64() && -half < v.Int64() && v.Int64() < half }

// smallSum prepares in, a sum, for addSmall: it notes the coefficients, unless a number is large.
func (in *instr) smallSum() {
	if !isHalf(in.term.Val) {
		return
	}
	coefs := make([]int64, len(in.term.Coef))
	for i, c := range in.term.Coef {
		if !isHalf(c) {
			return
		}
		coefs[i] = c.Int64()
	}
	in.coefs, in.first = coefs, in.term.Val.Int64()
}

// addSmall computes in, a sum, in 64 bits; ok is false where numbers are too large for that.
func (p *Program) addSmall(in *instr) (sum int64, ok bool) {
	if in.coefs == nil {
		return 0, false
	}
	sum = in.first
	for i, c := range in.coefs {
		v := p.regs[in.args[i]]
		// Both summands stay below 1<<62.
		if !isHalf(v) || sum <= -1<<62 || sum >= 1<<62 {
			return 0, false
		}
		sum += c * v.Int64()
	}
	return sum, true
}
