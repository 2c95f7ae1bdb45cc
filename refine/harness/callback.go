package harness

import (
	"fmt"
	"math/big"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file records calls of the program's functions by a function without a body, and writes these
// calls. In a run such a function is executed once before each callback and once for its result; in
// C it is called once:
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
// A callback may call the function recursively: these cases come between.

// callback is a call of a function of the program from outside.
type callback struct {
	target string // in C
	proc   *core.Proc
	found  []string // pointers in memory, as they were before anything was stored
	args   []string // in C
	shown  []string // for people
}

// calledBack records the call c, which f is about to execute, of a procedure with a body.
func (r *Recorder) calledBack(f *interp.Frame, c *core.Call, node *core.Node) {
	// 1. The input that calls back, and the function that is called.
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
	// 2. A pointer to that function must be reachable from the arguments of the input.
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
	// 3. So must every address that is passed.
	for i, v := range evaluate(f, c.Args) {
		word, scalar := core.Word(target.Formals[i].Type)
		if v == nil || !scalar {
			r.gap("what "+nameOf(c.By)+" passes to "+target.CName, node.Pos)
			return
		}
		// An address is relative to memory that the function knows.
		at, ok := place{}, true
		if _, pointer := target.Formals[i].Type.(core.Ptr); pointer {
			at, ok = r.locate(v, in.args)
		}
		// An address that is only reachable through memory is read from there, before any store.
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
		// A number, or an address that the function can name itself.
		shown := show(v, at, target.Formals[i].Type)
		if at.base == argument {
			shown = strings.Replace(at.String(), fmt.Sprintf("(char *)a%d", at.index+1), fmt.Sprintf("argument %d", at.index+1), 1)
		}
		back.shown = append(back.shown, shown)
		back.args = append(back.args, constant(word.Convert(v), target.Formals[i].Type, at))
	}
	in.back = back
}

// name returns the address v, which is in an object, for people.
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

// lastInput returns the last input, if f supplied it and has not called back in it, else nil.
func (r *Recorder) lastInput(f *core.Proc) *Input {
	if n := len(r.recording.Inputs); n > 0 {
		if in := &r.recording.Inputs[n-1]; in.Func == f && in.back == nil {
			return in
		}
	}
	return nil
}

// simpleType reports whether p takes scalars only, and returns one or nothing.
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

// way is a path by which a function finds an object: a pointer expression in C, and its value.
type way struct {
	text string
	to   uint64
}

// ways returns the objects and functions of the program that a function with these arguments can
// reach: through the arguments themselves, or through memory that they point to.
//
//	(char *)a2                                 the second argument
//	*(char **)((char *)a2 + 8)                 a pointer in the object that it points to
//	*(char **)(*(char **)((char *)a2 + 8) + 0)
func (r *Recorder) ways(args arguments) map[*interp.Object]way {
	// 1. Start with the arguments that are no null pointers.
	var work []way
	for i, a := range args {
		if a != nil && a.Sign() != 0 {
			work = append(work, way{fmt.Sprintf("(char *)a%d", i+1), a.Uint64()})
		}
	}
	// 2. Breadth first: the shortest expression to each object; memory outside is not searched.
	found := map[*interp.Object]way{}
	for len(work) > 0 {
		// The first expression to an object is kept.
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

// String returns the call in C, of the function that f points to.
//
//	((int (*)(int, void *))f)(3, a3)
func (c *callback) String() string {
	// The pointer is cast to the type of the procedure: the parameter may have another one.
	var types []string
	for _, v := range c.proc.Formals {
		types = append(types, typeName(v.Type))
	}
	if len(types) == 0 {
		types = []string{"void"}
	}
	return fmt.Sprintf("((%s (*)(%s))f)(%s)", typeName(c.proc.RetType), strings.Join(types, ", "), strings.Join(c.args, ", "))
}

// callsBack reports whether one of the inputs calls back.
func callsBack(inputs []Input) bool {
	for _, in := range inputs {
		if in.back != nil {
			return true
		}
	}
	return false
}
