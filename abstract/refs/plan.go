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
