package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
)

// This file lets library functions with models set errno, as any of them may (C17 7.5p3).
//
//	errno == 0             *__errno_location() == 0: what the call returns is arbitrary each
//	                       time, and so is what is there
//	int *e = &errno;       e is kept: what it points to changes in each call of a model
//	extern int errno;      so does the variable

// errnoFunctions are those that return the address of errno in the headers of C libraries.
var errnoFunctions = map[string]bool{"__errno_location": true, "___errno": true, "__errno": true, "__error": true, "_errno": true}

// findErrno looks in the body of a function for an address of errno that is not followed at
// once.
func (l *linker) findErrno(body cc.Node) {
	taken, followed := map[cc.Node]bool{}, map[cc.Node]bool{}
	walk(body, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.UnaryExpression:
			switch x := strip(e.CastExpression); {
			case e.Case == cc.UnaryExpressionAddrof:
				taken[x] = true
			case e.Case == cc.UnaryExpressionDeref && !taken[n]:
				followed[x] = true
			}
		case *cc.PostfixExpression:
			if e.Case == cc.PostfixExpressionCall && errnoFunctions[calleeName(e)] && !followed[n] {
				l.errnoKept = true
			}
		}
		return true
	})
}

// errno returns the variable that the program declares for it, or nil.
func (l *linker) errno() *core.Var {
	if o := l.objects["errno"]; o != nil && o.v.Foreign && isScalar(o.v) {
		return o.v
	}
	return nil
}

// setsErrno reports whether calls of models change what the program knows of errno.
func (l *linker) setsErrno() bool {
	return !l.isModels && (l.errnoKept || l.errno() != nil)
}

// settingErrno lowers a call of the library function f by do, which stores its result in the
// place that it is given, for dst: errno is set before the result is stored.
func (b *functionLowerer) settingErrno(f *function, dst core.Loc, do func(dst core.Loc)) {
	if !b.setsErrno() {
		do(dst)
		return
	}
	result := dst
	if dst != nil && isScalarType(dst.Type()) {
		dst = b.stable(dst)
		result = b.temp(dst.Type()).Ref()
	}
	do(result)
	why := f.name + " may set errno"
	if v := b.errno(); v != nil {
		b.emit(&core.Havoc{Locs: []core.Loc{v.Ref()}, Why: why})
	}
	if b.errnoKept {
		end := newLabel()
		br := b.branch()
		b.arm(br)
		t := b.temp(b.pointer())
		b.emit(&core.Havoc{Locs: []core.Loc{t.Ref()}, Why: why})
		b.emit(&core.Havoc{Locs: []core.Loc{mem(t.Ref(), core.Int32)}, Why: why})
		b.jump(end)
		b.arm(br)
		b.skip()
		b.place(end)
	}
	if result != dst {
		b.assign(dst, result)
	}
}

// errnoEffects adds what settingErrno does to the effects of a call.
func (c effectCollector) errnoEffects() {
	if !c.setsErrno() {
		return
	}
	if v := c.errno(); v != nil {
		c.writes[v] = true
	}
	c.writesMemory = c.writesMemory || c.errnoKept
}
