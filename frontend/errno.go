package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file lets library functions with models set errno, as any of them may (C17 7.5p3).
//
//	errno == 0             *__errno_location() == 0: the result of the call is arbitrary each time,
//	                       and so is the value at that address
//	int *e = &errno;       e is kept: its pointee changes in each call of a model
//	extern int errno;      so does the variable

// errnoFunctions has the functions that return the address of errno in the headers of C libraries.
var errnoFunctions = map[string]bool{"__errno_location": true, "___errno": true, "__errno": true, "__error": true, "_errno": true}

// findErrno looks in the body of a function for an address of errno that is not dereferenced at once.
func (l *program) findErrno(body cc.Node) {
	taken, followed := map[cc.Node]bool{}, map[cc.Node]bool{}
	ctree.Walk(body, func(n cc.Node) bool {
		switch e := n.(type) {
		case *cc.UnaryExpression:
			// *__errno_location() without & before it is an access; any other address is kept.
			switch x := ctree.Strip(e.CastExpression); {
			case e.Case == cc.UnaryExpressionAddrof:
				taken[x] = true
			case e.Case == cc.UnaryExpressionDeref && !taken[n]:
				followed[x] = true
			}
		case *cc.PostfixExpression:
			if e.Case == cc.PostfixExpressionCall && errnoFunctions[ctree.CalleeName(e)] && !followed[n] {
				l.errnoKept = true
			}
		}
		return true
	})
}

// errno returns the variable errno that the program declares, or nil. A program that defines errno
// itself has a variable that no library function changes.
func (l *program) errno() *core.Var {
	if o := l.objects["errno"]; o != nil && o.v.Foreign && isScalar(o.v) {
		return o.v
	}
	return nil
}

// setsErrno reports whether calls of models must set errno: the program declares it or keeps its address.
func (l *linker) setsErrno() bool {
	return !l.isModels && (l.errnoKept || l.errno() != nil)
}

// settingErrno lowers a call of the library function f, whose result goes to dst: do lowers the call and
// stores the result in the location that it is given, and errno is set before dst is.
func (b *frame) settingErrno(f *function, dst core.Loc, do func(dst core.Loc)) {
	if !b.setsErrno() {
		do(dst)
		return
	}
	// 1. The call, with its result in a temporary: errno is set before dst.
	result := dst
	if dst != nil && isScalarType(dst.Type()) {
		dst = b.stable(dst)
		result = b.temp(dst.Type()).Ref()
	}
	do(result)
	// 2. errno becomes arbitrary: the variable, and an int at any address if the program keeps one.
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
	// 3. The result.
	if result != dst {
		b.assign(dst, result)
	}
}

// errnoEffects adds the writes of settingErrno to the effects of a call.
func (c effectCollector) errnoEffects() {
	if !c.setsErrno() {
		return
	}
	if v := c.errno(); v != nil {
		c.writes[v] = true
	}
	c.writesMemory = c.writesMemory || c.errnoKept
}
