package refs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"c2bp/alias"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file decides which pointers are kept.

// Want asks for a struct type to be kept.
type Want struct {
	Record *core.Record
	This   *core.Var // the object in predicates of the type; nil if there are none
	Why    string    // "it has object predicates"
}

// Class is a struct type that is kept.
type Class struct {
	Record *core.Record
	Name   string    // in the Boolean program
	Why    string    // it is kept
	This   *core.Var // a pointer that leads to any object of the class
	Fields []*Field  // the members that are kept, by offset
	Inner  []*Inner  // the objects of other classes in it
	Outer  []*Inner  // those of others that it may be

	// mixed is set if a pointer from outside that is declared to point to the type may lead elsewhere
	// in an object that is kept than to the first byte of one of this class.
	mixed bool
}

// Field is a pointer member that is kept, or its part for one of several classes.
type Field struct {
	Off   int64
	Name  string // in the Boolean program
	Class *Class // of the objects that it leads to
	as    *core.Mem
}

// Refusal is a type that is not kept, and the reason.
type Refusal struct {
	Record *core.Record
	Why    string
}

// Plan says which pointers of a program are kept, and as references to which classes. A pointer that leads
// to objects of several classes, such as a void *, is several references, of which one at most is not
// null.
type Plan struct {
	Classes []*Class
	Refused []Refusal

	prog     *core.Program
	result   *alias.Result
	accesses []access
	vars     map[*core.Var][]*Class   // pointers that are kept
	parts    map[*alias.Object][]part // the objects of all classes
	byVar    map[*core.Var][]part     // the same
	bySite   map[*core.Alloc][]part
	spots    map[*core.Var][]Spot // those that have names
	steps    map[string]*Inner    // by their marks
}

// New makes the plan for a program that has been through devirt.Resolve, and its analysis. Types whose
// members lead to one that is wanted are wanted, too: else nothing is known of the pointers in them.
func New(prog *core.Program, result *alias.Result, wants []Want) *Plan {
	for {
		p := plan(prog, result, wants)
		more := p.leading(wants)
		if len(more) == 0 {
			return p
		}
		wants = append(wants[:len(wants):len(wants)], more...)
	}
}

// plan makes the plan for the types that are wanted.
func plan(prog *core.Program, result *alias.Result, wants []Want) *Plan {
	p := &Plan{
		prog: prog, result: result,
		vars: map[*core.Var][]*Class{}, parts: map[*alias.Object][]part{}, spots: map[*core.Var][]Spot{},
		byVar: map[*core.Var][]part{}, bySite: map[*core.Alloc][]part{}, steps: map[string]*Inner{},
	}
	p.accesses = findAccesses(prog, result)
	// 1. Find the objects of each type, or the reason not to keep it.
	for _, w := range outermostFirst(wants) {
		c := &Class{Record: w.Record, Why: w.Why, This: w.This}
		if why := p.findObjects(c); why != "" {
			p.forget(c)
			p.Refused = append(p.Refused, Refusal{w.Record, why})
			continue
		}
		if c.This == nil {
			c.This = &core.Var{Name: "this", Type: prog.Pointer(), Kind: core.Ghost, To: w.Record}
		}
		c.Name = p.className(w.Record)
		p.Classes = append(p.Classes, c)
	}
	p.nameSpots()
	for _, c := range p.Classes {
		c.mixed = p.isMixed(c)
	}
	// 2. Keep variables.
	p.eachVar(func(v *core.Var) {
		if _, isPointer := v.Type.(core.Ptr); isPointer && !v.InMemory() {
			if list := p.leadTo(result.PointsTo(v.Ref()), v.To); len(list) > 0 {
				p.vars[v] = list
			}
		}
	})
	// 3. Let predicates lead to all objects, and keep members.
	for _, c := range p.Classes {
		c.This.Init = p.anyOf(c)
	}
	for _, c := range p.Classes {
		c.Fields = p.fieldsOf(c)
	}
	return p
}

// leading lists the types that are not wanted, and that have a member which leads to objects of one that is
// kept, or is declared to, or is one itself, if there are pointers to them.
func (p *Plan) leading(wants []Want) (list []Want) {
	known := map[*core.Record]bool{}
	for _, w := range wants {
		known[w.Record] = true
	}
	add := func(r *core.Record, format string, args ...any) {
		known[r] = true
		list = append(list, Want{Record: r, Why: fmt.Sprintf(format, args...)})
	}
	pointed := map[*core.Record]bool{}
	p.eachVar(func(v *core.Var) { pointed[v.To] = true })
	for _, a := range p.accesses {
		pointed[a.mem.To] = true
		if _, isPointer := a.mem.Typ.(core.Ptr); !isPointer || known[a.record] || a.name == "" {
			continue
		}
		c := p.class(a.mem.To)
		for _, t := range p.result.PointsTo(a.mem).Targets() {
			if classes := p.classesAt(t); len(classes) > 0 {
				c = classes[0]
			}
		}
		if c != nil {
			add(a.record, "its member %s leads to %s", a.name, c.Record.Name)
		}
	}
	p.eachFlow(func(to core.Loc, from core.Expr) {
		r, part := declaredTo(to), declaredTo(core.Base(from))
		at := along(wayTo(from), 1)
		if c := p.class(r); c == nil || part == nil || known[part] || at.Some || at.Size != 1 {
			return
		}
		if offsets, ok := offsetsIn(r, part); ok && slices.Contains(offsets, -at.Off) {
			add(part, "pointers to it lead to the %s that it is a part of", r.Name)
		}
	})
	for _, r := range p.prog.Records() {
		if !pointed[r] || known[r] {
			continue
		}
		for _, c := range p.Classes {
			if offsets, ok := offsetsIn(r, c.Record); ok && len(offsets) > 0 {
				add(r, "a part of it is %s", c.Record.Name)
				break
			}
		}
	}
	return list
}

// eachFlow calls f for all assignments and arguments.
func (p *Plan) eachFlow(f func(to core.Loc, from core.Expr)) {
	for _, q := range p.prog.Procs {
		for _, n := range q.Nodes {
			switch st := n.Stmt.(type) {
			case *core.Assign:
				for i, l := range st.Lhs {
					f(l, st.Rhs[i])
				}
			case *core.Call:
				for i, v := range st.Callee.Formals {
					f(v.Ref(), st.Args[i])
				}
			}
		}
	}
}

// declaredTo returns the type that a pointer is declared to point to; nil if that is not known.
func declaredTo(e core.Expr) *core.Record {
	switch e := e.(type) {
	case *core.VarRef:
		return e.Var.To
	case *core.Mem:
		return e.To
	}
	return nil
}

// eachVar calls f for all variables.
func (p *Plan) eachVar(f func(*core.Var)) {
	for _, v := range p.prog.Globals {
		f(v)
	}
	for _, q := range p.prog.Procs {
		for _, v := range slices.Concat(q.Formals, q.Locals) {
			f(v)
		}
		if q.Result != nil && !slices.Contains(q.Locals, q.Result) {
			f(q.Result)
		}
	}
}

// mostClasses bounds the classes of one pointer.
const mostClasses = 3

// leadTo returns the classes to whose objects a pointer with these targets, declared to point to a type,
// leads; nil if it may lead elsewhere, or anywhere in one of them but to its first byte.
func (p *Plan) leadTo(targets alias.Set, to *core.Record) (list []*Class) {
	declared := p.class(to)
	for _, t := range targets.Targets() {
		var c *Class
		switch classes := p.classesAt(t); {
		case t.Object.Kind == alias.Outside && (declared == nil || !declared.mixed),
			slices.Contains(classes, declared):
			c = declared
		case len(classes) > 0 && t.Object.Kind != alias.Outside:
			c = classes[0]
		}
		if c == nil {
			return nil
		}
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	if len(list) == 0 && declared != nil {
		return []*Class{declared} // it is null wherever it is followed
	}
	if len(list) > mostClasses || slices.ContainsFunc(list, func(c *Class) bool { return p.sameAddress(c, list) }) {
		return nil
	}
	slices.SortFunc(list, func(a, b *Class) int { return cmp.Compare(slices.Index(p.Classes, a), slices.Index(p.Classes, b)) })
	return list
}

// sameAddress reports whether objects of c begin with one of a class in list: an address would be both.
func (p *Plan) sameAddress(c *Class, list []*Class) bool {
	return slices.ContainsFunc(list, func(d *Class) bool { return slices.Contains(c.Embeds(d), 0) })
}

// class returns the class of a type; nil if it is not kept.
func (p *Plan) class(r *core.Record) *Class {
	for _, c := range p.Classes {
		if c.Record == r && r != nil {
			return c
		}
	}
	return nil
}

// anyOf returns an expression whose targets are all objects of a class to which something leads that the
// program follows.
func (p *Plan) anyOf(c *Class) core.Expr {
	u := &union{plan: p, reached: map[alias.Target]bool{}}
	// 1. Variables that are kept, and objects in variables.
	p.eachVar(func(v *core.Var) {
		if slices.Contains(p.vars[v], c) {
			u.add(v.Ref())
		}
	})
	for _, o := range p.result.Objects() {
		for _, x := range p.parts[o] {
			if x.class == c && o.Var != nil {
				u.add(x.any(o.Var, p.prog.Pointer()))
			}
		}
	}
	// 2. Parts of others.
	for _, i := range c.Outer {
		u.add(&core.Offset{X: i.Owner.This.Ref(), Off: i.Off})
	}
	// 3. Objects to which only pointers in other objects lead, or pointers that are not kept.
	for _, a := range p.accesses {
		if a.record != c.Record {
			continue
		}
		for _, t := range a.first.Targets() {
			if !u.reached[t] && (slices.Contains(p.classesAt(t), c) || t.Object.Kind == alias.Outside && !c.mixed) {
				u.add(a.object)
				break
			}
		}
	}
	if u.e == nil {
		return core.Null(p.prog.Pointer())
	}
	return u.e
}

// union is an expression that has the targets of several.
type union struct {
	plan    *Plan
	e       core.Expr
	reached map[alias.Target]bool // its targets
}

// add adds the targets of x.
func (u *union) add(x core.Expr) {
	for _, t := range u.plan.result.PointsTo(x).Targets() {
		u.reached[t] = true
	}
	if u.e == nil {
		u.e = x
	} else {
		u.e = &core.Cond{C: core.NewConst(1, core.Int32), X: u.e, Y: x}
	}
}

// fieldsOf returns the members of a class that are kept, by offset.
func (p *Plan) fieldsOf(c *Class) (list []*Field) {
	// 1. One access to each; those that read it know the type that it is declared to point to.
	members := map[int64]access{}
	for _, a := range p.accesses {
		_, isPointer := a.mem.Typ.(core.Ptr)
		if a.record != c.Record || !isPointer || a.name == "" || slices.ContainsFunc(c.Inner, func(i *Inner) bool { return i.meets(a.off, core.Bytes(a.mem.Typ)) }) {
			continue
		}
		if old, ok := members[a.off]; !ok || old.mem.To == nil {
			members[a.off] = a
		}
	}
	// 2. Those that lead to objects of classes.
	for off, a := range members {
		place := c.place(c.This.Ref(), off, a.mem)
		classes := p.leadTo(p.result.PointsTo(place), a.mem.To)
		for _, d := range classes {
			name := a.name
			if len(classes) > 1 {
				name = RoleName(name, d)
			}
			list = append(list, &Field{Off: off, Name: name, Class: d, as: a.mem})
		}
	}
	slices.SortStableFunc(list, func(a, b *Field) int { return cmp.Compare(a.Off, b.Off) })
	return list
}

// RoleName returns the name of that part of a pointer which leads to objects of class c, if it leads to
// objects of others, too: {data as dev}.
func RoleName(name string, c *Class) string { return fmt.Sprintf("{%s as %s}", name, c.Name) }

// place returns the member at an offset of the object of c at an address, read as a place of the program
// is.
func (c *Class) place(object core.Expr, off int64, as *core.Mem) *core.Mem {
	return as.At(&core.Offset{X: object, Off: off, Of: c.Record, Member: off})
}

// To returns the type that the member is declared to point to, nil if that is not known.
func (f *Field) To() *core.Record { return f.as.To }

// Place returns the member f of any object of c.
func (c *Class) Place(f *Field) *core.Mem { return c.place(c.This.Ref(), f.Off, f.as) }

// At returns the member f of the object of class c at an address.
func (f *Field) At(object core.Expr, c *Class) *core.Mem { return c.place(object, f.Off, f.as) }

// At returns the fields for the pointer member at an offset of an object of c: one for each class of
// the objects that it leads to; none if it is not kept.
func (c *Class) At(off int64) (list []*Field) {
	for _, f := range c.Fields {
		if f.Off == off {
			list = append(list, f)
		}
	}
	return list
}

// Var returns the classes of the objects that a pointer variable leads to; nil if it is not kept.
func (p *Plan) Var(v *core.Var) []*Class { return p.vars[v] }

// Of returns the classes of the objects in an object in memory.
func (p *Plan) Of(o *alias.Object) (list []*Class) {
	for _, x := range p.parts[o] {
		list = append(list, x.class)
	}
	return list
}

// In returns the classes of the objects in a variable.
func (p *Plan) In(v *core.Var) (list []*Class) {
	for _, x := range p.byVar[v] {
		list = append(list, x.class)
	}
	return list
}

// Holds returns the classes of the objects that begin at a byte of a variable or, if v is nil, of an allocation.
func (p *Plan) Holds(v *core.Var, site *core.Alloc, off int64) (list []*Class) {
	parts := p.byVar[v]
	if v == nil {
		parts = p.bySite[site]
	}
	for _, x := range parts {
		if x.has(off) {
			list = append(list, x.class)
		}
	}
	return list
}

// Site returns the class of the objects that an Alloc makes, at whose first byte they are; nil if there
// is none. Other objects at that byte are parts of them.
func (p *Plan) Site(s *core.Alloc) *Class {
	if list := p.Holds(nil, s, 0); len(list) > 0 {
		return list[0]
	}
	return nil
}

// className returns a name for the class of a type, an identifier that no class has.
func (p *Plan) className(r *core.Record) string {
	name := r.Name
	if i := strings.LastIndexByte(name, ' '); i >= 0 {
		name = name[i+1:]
	}
	if !boolprog.ValidName(name) || strings.ContainsAny(name, "{-#") || boolprog.IsReferenceWord(name) {
		name = "object"
	}
	taken := func(name string) bool {
		return slices.ContainsFunc(p.Classes, func(c *Class) bool { return c.Name == name })
	}
	for base, i := name, 2; taken(name); i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	return name
}
