package harness

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// This file defines objects outside of the program: those that pointers from outside point to
// (interp.Request.Fresh), and one for all other memory that the program does not define. The
// harness defines an array for each, large enough for the bytes that the run has used.

// lentObject is an object outside of the program.
type lentObject struct {
	object   *interp.Object
	name     string
	image    *image // its first contents
	seen     bool   // a pointer that the run got leads there
	from, to int64  // the bytes that the run has used

	function *core.Proc // what the program calls there, or nil
}

// outsideName is the name of the object for all other memory.
const outsideName = "c2bp_outside"

// lend records that the run has o, which is outside of the program.
func (r *Recorder) lend(o *interp.Object) {
	rec := &r.recording
	l := &lentObject{object: o, name: outsideName, image: newImage(o.Size()), to: o.Size()}
	if o.Environment() {
		// An object of the environment begins at its home address; the first byte counts as used.
		home := int64(o.Home() - o.Start())
		l.name, l.seen, l.from, l.to = fmt.Sprintf("c2bp_environment%d", rec.environments()+1), true, home, home+1
	}
	rec.outside = append(rec.outside, l)
	r.memory.supply(o, 0, o.Size(), l.image)
}

// environments returns the number of objects of the environment.
func (r *Recording) environments() (n int) {
	for _, l := range r.outside {
		if l.object.Environment() {
			n++
		}
	}
	return n
}

// made looks for the object of the environment that was made for the answer v.
func (r *Recorder) made(q interp.Request, v *big.Int) {
	if r.machine == nil || q.Environment() == r.recording.environments() {
		return // those of the initial state are looked for when there is a machine
	}
	if o := r.object(v); o != nil && o.Environment() && r.recording.lent(o) == nil {
		r.lend(o)
	}
}

// lent returns the harness's object for o, nil if o belongs to the program.
func (r *Recording) lent(o *interp.Object) *lentObject {
	for _, l := range r.outside {
		if l.object == o {
			return l
		}
	}
	return nil
}

// at returns the address v as a place in l.
func (l *lentObject) at(v *big.Int) place {
	p := place{base: outside, in: l, off: int64(v.Uint64() - l.object.Start())}
	l.use(p.off, 1)
	return p
}

// use records that the run uses size bytes from off on.
func (l *lentObject) use(off, size int64) {
	l.seen = true
	if l.object.Environment() {
		l.from, l.to = min(l.from, off&^15), max(l.to, off+size)
	}
}

// calls records that the program calls f, of which only the signature is known, at the address v.
// It reports false if the address does not come from outside.
func (r *Recorder) calls(v *big.Int, f *core.Proc) (known bool) {
	l := r.recording.lent(r.object(v))
	if l == nil || !l.object.Environment() || l.function != nil && l.function != f {
		return false
	}
	l.function, l.name, l.from = f, r.recording.functionName(f), int64(l.object.Home()-l.object.Start())
	return true
}

// alone reports whether the harness cannot supply the effects of f, which is being called.
func (r *Recorder) alone(f *core.Proc) bool {
	return byLibraryAlone(f) && (isIdentifier(f.CName) || !r.now.known)
}

// supplied reports whether the harness defines f, of which only the signature is known: whether the
// run has called it at an address from outside.
func (r *Recording) supplied(f *core.Proc) bool {
	return slices.ContainsFunc(r.outside, func(l *lentObject) bool { return l.function == f })
}

// functionName returns the name of f in the harness.
func (r *Recording) functionName(f *core.Proc) string {
	if isIdentifier(f.CName) {
		return f.CName
	}
	return fmt.Sprintf("c2bp_unknown%d", slices.Index(r.Program.Procs, f))
}

// declaration returns the declaration of l.
func (l *lentObject) declaration(r *Recording) string {
	if l.function != nil {
		return "extern " + declaration(l.function.RetType, r.functionName(l.function)) + "(" + parameters(l.function, false) + ");"
	}
	return "extern unsigned char " + l.name + "[];"
}

// define writes the definition of l; functions have theirs elsewhere.
//
//	__attribute__((aligned(16))) unsigned char c2bp_environment1[8] = { [0] = 5 };
func (l *lentObject) define(w *writer) {
	if l.function != nil {
		return
	}
	w.printf("__attribute__((aligned(16))) unsigned char %s[%d]%s;\n", l.name, l.to-l.from, l.image.part(l.from, l.to).initialiser())
}

// outsideDeclarations returns declarations of all objects that the run has seen, a line each.
//
//	extern unsigned char c2bp_environment1[];
//	extern int c2bp_unknown12(int a1);
func (r *Recording) outsideDeclarations() string {
	var b strings.Builder
	for _, l := range r.outside {
		if l.seen {
			b.WriteString(l.declaration(r) + "\n")
		}
	}
	return b.String()
}

// part returns the bytes from … to-1 of img.
func (img *image) part(from, to int64) *image {
	out := &image{size: to - from, rest: img.rest, set: map[int64]imageByte{}}
	for off, b := range img.set {
		if from <= off && off < to {
			out.set[off-from] = b
		}
	}
	for off, p := range img.pointers {
		if from <= off && off < to {
			if out.pointers == nil {
				out.pointers = map[int64]place{}
			}
			out.pointers[off-from] = p
		}
	}
	return out
}

// content is a value that the run has read in memory outside of the program, for the first time.
type content struct {
	expr   string // in C
	value  *big.Int
	typ    core.Type
	place  place // the value, if it is an address
	pos    source.Pos
	before int // as many inputs came before it
}

// found records that a has read the value that was decided last.
func (r *Recorder) found(a interp.Access) {
	d := r.decided
	if d == nil || a.Write || a.Loc == nil || a.Object != d.Object || a.Addr != d.Addr {
		return
	}
	r.decided = nil
	if !a.Object.External() {
		return
	}
	c := content{expr: core.CString(a.Loc), value: d.value, typ: a.Loc.Type(), place: d.at, pos: a.Proc.Nodes[a.Node].Pos, before: len(r.recording.Inputs)}
	r.recording.contents = append(r.recording.contents, c)
}

// decided is a value in memory that the machine has asked for and not read yet.
type decided struct {
	interp.Request
	value *big.Int
	at    place
}

// Got is a value that a run got from outside: the result of a function, or contents of an object
// outside of the program.
type Got struct {
	Func  string // "" for what it found; of a function without a name, the pointer to it in C
	Expr  string // and the place in C
	Value string // of an address, the object that it is in; "" if nobody used it
	Calls string // what Func called back, whatever it returned later
	Pos   source.Pos
}

// Got returns these values in the order in which the run got them.
func (r *Recording) Got() (list []Got) {
	// Contents are merged with the inputs, each before the inputs that came after it.
	contents := r.contents
	for i, in := range r.Inputs {
		for len(contents) > 0 && contents[0].before <= i {
			list = append(list, contents[0].got())
			contents = contents[1:]
		}
		// The input itself, in the words of a report.
		got := Got{Func: in.Func.CName, Value: show(in.Value, in.place, in.Func.RetType), Pos: in.Pos}
		if in.through != "" {
			got.Func = in.through
		}
		if in.back != nil {
			got.Calls = fmt.Sprintf("%s(%s)", in.back.proc.CName, strings.Join(in.back.shown, ", "))
		}
		list = append(list, got)
	}
	for _, c := range contents {
		list = append(list, c.got())
	}
	return list
}

// got returns c in the form for people.
func (c content) got() Got {
	return Got{Expr: c.expr, Value: show(c.value, c.place, c.typ), Pos: c.pos}
}

// show returns the value v of type t, which is the address p, for people.
func show(v *big.Int, p place, t core.Type) string {
	switch {
	case v == nil:
		return ""
	case p.base != outside:
		return core.ValueString(v, t)
	}
	return Name(p.in.object, v.Uint64())
}

// Name returns the address addr in o, which is outside of the program, for people: "env2", "env2 +
// 8 bytes", "outside".
func Name(o *interp.Object, addr uint64) string {
	// Objects of the environment are numbered from 1.
	name := "outside"
	if o.Environment() {
		name = fmt.Sprintf("env%d", o.Environmental())
	}
	if off := int64(addr - o.Home()); off != 0 {
		name += fmt.Sprintf(" %+d bytes", off)
	}
	return strings.NewReplacer(" +", " + ", " -", " - ").Replace(name)
}
