package harness

import (
	"fmt"
	"math/big"
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
//		case 0: {
//			char *f = a2;
//			((int (*)(int, void *))f)(3, a3);
//			goto again;
//		}
//		case 1: return 0;
//		}
//	}
//
// What is called may call it in turn: these cases come between.

// callback is a call of a function of the program from outside.
type callback struct {
	target string // in C
	proc   *core.Proc
	found  []string // pointers in memory, as they were before anything was stored
	args   []string // in C
	shown  []string // for people
}

// calledBack notes the call c, which f is about to execute, of a procedure with a body.
func (r *Recorder) calledBack(f *interp.Frame, c *core.Call, node *core.Node) {
	in := r.lastInput(c.By)
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
	for o, w := range in.ways {
		if o.Proc() == target {
			back.target = w.text
		}
	}
	if back.target == "" {
		r.gap("how "+nameOf(c.By)+" finds "+target.CName, node.Pos)
		return
	}
	for i, v := range evaluate(f, c.Args) {
		word, scalar := core.Word(target.Formals[i].Type)
		if v == nil || !scalar {
			r.gap("what "+nameOf(c.By)+" passes to "+target.CName, node.Pos)
			return
		}
		at, ok := place{}, true
		if _, pointer := target.Formals[i].Type.(core.Ptr); pointer {
			at, ok = r.locate(v, in.args)
		}
		if w, found := in.ways[r.object(v)]; !ok && found {
			back.shown = append(back.shown, r.name(v))
			back.args = append(back.args, fmt.Sprintf("p%d + %d", len(back.found), int64(v.Uint64()-w.to)))
			back.found = append(back.found, w.text)
			continue
		}
		if !ok {
			r.gap("the address that "+nameOf(c.By)+" passes to "+target.CName, node.Pos)
			return
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

// name is the address v, which is in an object, for people.
func (r *Recorder) name(v *big.Int) string {
	o := r.object(v)
	s := "memory"
	if o.Var() != nil {
		s = "&" + o.Var().Name
	}
	if off := int64(v.Uint64() - o.Start()); off != 0 {
		s += fmt.Sprintf(" + %d bytes", off)
	}
	return s
}

// lastInput is the last input, if f supplied it and has not called anything in it.
func (r *Recorder) lastInput(f *core.Proc) *Input {
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

// way is how a function finds an object: a pointer in C, and where it leads.
type way struct {
	text string
	to   uint64
}

// ways are how a function that is given args finds objects and functions of the program: they are
// among them, or in memory that they lead to.
func (r *Recorder) ways(args arguments) map[*interp.Object]way {
	var work []way
	for i, a := range args {
		if a != nil && a.Sign() != 0 {
			work = append(work, way{fmt.Sprintf("(char *)a%d", i+1), a.Uint64()})
		}
	}
	found := map[*interp.Object]way{}
	for len(work) > 0 {
		w := work[0]
		work = work[1:]
		o := r.machine.Object(w.to)
		if o == nil || found[o].text != "" {
			continue
		}
		found[o] = w
		if o.External() || o.Proc() != nil {
			continue
		}
		r.machine.Words(o, func(off int64, v uint64) {
			if v != 0 && r.machine.Object(v) != nil {
				work = append(work, way{fmt.Sprintf("*(char **)(%s + %d)", w.text, off-int64(w.to-o.Start())), v})
			}
		})
	}
	return found
}

// String is the call in C, of what f points to.
func (c *callback) String() string {
	var types []string
	for _, v := range c.proc.Formals {
		types = append(types, typeName(v.Type))
	}
	if len(types) == 0 {
		types = []string{"void"}
	}
	return fmt.Sprintf("((%s (*)(%s))f)(%s)", typeName(c.proc.RetType), strings.Join(types, ", "), strings.Join(c.args, ", "))
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
