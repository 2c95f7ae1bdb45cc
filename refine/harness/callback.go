package harness

import (
	"fmt"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file notes which functions of the program a function without a body calls back, and writes
// these calls. In a run it is executed once before each of them and once for its result; in C it
// is called once:
//
//	int request_irq(unsigned a1, void *a2, void *a3)
//	{
//		static unsigned calls;
//	again:
//		switch (calls++) {
//		case 0: ((int (*)(int, void *))a2)(3, a3); goto again;
//		case 1: return 0;
//		}
//	}
//
// What is called may call it in turn: these cases come between.

// callback is a call of a function of the program from outside.
type callback struct {
	target place
	proc   *core.Proc
	args   []string // in C
	shown  []string // for people
}

// calledBack notes the call c, which f is about to execute, of a procedure with a body.
func (r *Recorder) calledBack(f *interp.Frame, c *core.Call, node *core.Node) {
	in := r.before(c.By)
	target := c.Callee
	if target == nil {
		if a, err := f.Eval(c.Target); err == nil && r.object(a) != nil {
			target = r.object(a).Proc()
		}
	}
	if in == nil || target == nil || !simpleType(target) {
		r.gap("what "+nameOf(c.By)+" calls", node.Pos)
		return
	}
	back := &callback{proc: target}
	ok := false
	for _, o := range r.machine.Objects() {
		if o.Proc() == target {
			back.target, ok = r.locateAmong(o, in.args)
		}
	}
	if !ok {
		r.gap("how "+nameOf(c.By)+" finds "+target.CName, node.Pos)
		return
	}
	for i, v := range evaluate(f, c.Args) {
		word, scalar := core.Word(target.Formals[i].Type)
		if v == nil || !scalar {
			r.gap("what "+nameOf(c.By)+" passes to "+target.CName, node.Pos)
			return
		}
		at := place{}
		if _, pointer := target.Formals[i].Type.(core.Ptr); pointer {
			if at, ok = r.locate(v, in.args); !ok {
				r.gap("the address that "+nameOf(c.By)+" passes to "+target.CName, node.Pos)
				return
			}
		}
		shown := show(v, at, target.Formals[i].Type)
		if at.base == argument {
			shown = strings.Replace(at.String(), fmt.Sprintf("(char *)a%d", at.index+1), fmt.Sprintf("argument %d", at.index+1), 1)
		}
		back.shown = append(back.shown, shown)
		back.args = append(back.args, constant(word.Convert(v), target.Formals[i].Type, at))
	}
	in.back = back
}

// before is the last input, if f supplied it and has not called anything in it.
func (r *Recorder) before(f *core.Proc) *Input {
	if n := len(r.recording.Inputs); n > 0 {
		if in := &r.recording.Inputs[n-1]; in.Func == f && in.back == nil {
			return in
		}
	}
	return nil
}

// simpleType reports whether p is called with scalars only, and returns one or nothing.
func simpleType(p *core.Proc) bool {
	if _, ok := p.RetType.(core.Agg); ok || p.Variadic != nil {
		return false
	}
	for _, v := range p.Formals {
		if _, ok := core.Word(v.Type); !ok {
			return false
		}
	}
	return true
}

// locateAmong is where a call with args finds the address of o: it is one of them.
func (r *Recorder) locateAmong(o *interp.Object, args arguments) (place, bool) {
	for i, a := range args {
		if a != nil && a.Uint64() == o.Start() {
			return place{base: argument, index: i}, true
		}
	}
	return place{}, false
}

// String is the call in C.
func (c *callback) String() string {
	var types []string
	for _, v := range c.proc.Formals {
		types = append(types, typeName(v.Type))
	}
	if len(types) == 0 {
		types = []string{"void"}
	}
	return fmt.Sprintf("((%s (*)(%s))%s)(%s)", typeName(c.proc.RetType), strings.Join(types, ", "), c.target, strings.Join(c.args, ", "))
}

// callsBack reports whether one of the inputs does.
func callsBack(inputs []Input) bool {
	for _, in := range inputs {
		if in.back != nil {
			return true
		}
	}
	return false
}
