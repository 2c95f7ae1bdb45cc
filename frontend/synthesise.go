package frontend

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file gives bodies to intrinsics that are called through pointers: a direct call
// becomes statements of the caller, but a pointer must point to a procedure.

// synthesise makes a body for f, whose address is taken and which the program does not define. It
// reports false if f stays an external function. For example f = strcpy; f(a, b); calls a procedure
// strcpy whose body is the model's.
func (l *linker) synthesise(f *function) bool {
	// 1. The kind of the function, and the types of its parameters.
	kind := kindOf(f.name)
	if kind == notIntrinsic && f.noreturn {
		kind = end
	}
	var params []core.Type
	switch m := f.model; {
	case m != nil && m.format < 0:
		// A model with the parameters of its procedure.
		kind = replaced
		for _, v := range m.proc.Formals {
			params = append(params, v.Type)
		}
	case m != nil:
		return false // the model of a function that prints needs the arguments of the call
	}
	switch kind {
	case replaced:
	case assertion, assumption:
		params = []core.Type{core.Int32}
		if len(f.proc.Formals) > 0 && isScalarType(f.proc.Formals[0].Type) {
			params[0] = f.proc.Formals[0].Type
		}
	case elementary:
		for _, t := range primitives[f.name].params {
			params = append(params, t.core(l.pointer()))
		}
	case failure, end, nothing:
	case refused, starting, installing, forking:
		l.error(f.pos, "%s may be called through a pointer, and it is not supported: its control flow cannot be followed", f.name)
		return false
	default:
		return false
	}
	// 2. Formals, if the declaration has none.
	p := f.proc
	if len(p.Formals) < len(params) {
		p.Formals = nil
		for i, t := range params {
			p.Formals = append(p.Formals, &core.Var{Name: fmt.Sprintf("#%d", i+1), Type: t, Kind: core.Formal, Proc: p, Pos: f.pos})
		}
	}
	// 3. The body.
	b := &functionLowerer{frame: frame{linker: l, fn: f, proc: p, used: map[string]bool{}}}
	b.pos = f.pos
	if p.RetType != core.Type(core.Void{}) {
		p.Result = &core.Var{Name: `\result`, Type: p.RetType, Kind: core.Local, Proc: p, Pos: f.pos}
		p.Locals = append(p.Locals, p.Result)
	}
	b.intrinsicBody(kind, params)
	exit := newLabel()
	b.jump(exit)
	p.Nodes = b.finish(exit)
	return true
}

// intrinsicBody lowers the effect of the intrinsic b.fn on its formals, converted to the types of params.
func (b *functionLowerer) intrinsicBody(kind intrinsicKind, params []core.Type) {
	// 1. The arguments: formals of other types are arbitrary.
	var args []core.Expr
	for i, t := range params {
		if v := b.proc.Formals[i]; isScalarType(v.Type) {
			args = append(args, to(v.Ref(), t))
		} else {
			args = append(args, b.anyValue(t))
		}
	}
	// 2. The effect, as of a direct call.
	switch kind {
	case assertion:
		b.emit(&core.Assert{Cond: isTrue(args[0])})
	case assumption:
		b.emit(&core.Assume{Cond: isTrue(args[0])}).Origin = assumedBy(b.fn.name)
	// Calls of built-in models set errno, see errno.go.
	case replaced:
		b.useModel(b.fn.model)
		do := func(dst core.Loc) { b.modelBody(b.fn, b.fn.model, nil, args, dst) }
		if b.fn.model.file != "" {
			do(b.resultPlace())
			break
		}
		b.settingErrno(b.fn, b.resultPlace(), do)
	case elementary:
		m := primitives[b.fn.name]
		b.withResult(m.result.core(b.pointer()), nil, b.resultPlace(), b.fn.name, func(dst core.Loc) {
			m.do(&primitiveCall{functionLowerer: b, args: args, dst: dst})
		})
	// A failure, an end, or nothing. An external function that does not return may exit.
	default:
		if kindOf(b.fn.name) == notIntrinsic {
			b.perhapsExit()
		}
		b.intrinsicEffect(b.fn.name)
		if b.fn.noreturn && kind == end {
			b.emit(&core.Assume{Cond: truth(false)})
		}
	}
}

// resultPlace returns the location of the result, nil if there is none.
func (b *frame) resultPlace() core.Loc {
	if b.proc.Result == nil {
		return nil
	}
	return b.proc.Result.Ref()
}
