package cgen

import (
	"fmt"
	"strings"
)

// This file generates lvalues: variables, members, elements, pointees.

// somewhere is a place: an lvalue, or a pointer to it.
type somewhere struct {
	text   string
	ptr    string // the pointer, if the place is *ptr; text is empty then
	typ    *mtype
	pool   int
	scope  int  // it lives as long as that scope
	simple bool // its address is constant
}

// lvalue returns the place as C text.
func (s somewhere) lvalue() string {
	if s.ptr != "" {
		return "(*" + s.ptr + ")"
	}
	return s.text
}

// address returns a pointer to the place.
func (s somewhere) address() string {
	if s.ptr != "" {
		return s.ptr
	}
	return "&" + s.text
}

// quiet returns e without side effects.
func (e effects) quiet() effects { return effects{hidden: e.hidden, noGlob: e.noGlob} }

// sees reports whether e may read the objects of a pool.
func (e effects) sees(pool int) bool { return e.visible(variable{name: poolName(pool), global: true}) }

// writes reports whether e may write them.
func (e effects) writes(pool int) bool {
	for _, v := range e.write {
		if v.name == poolName(pool) {
			return e.sees(pool)
		}
	}
	return false
}

// allows reports whether e may use the objects of a pool, for writing perhaps.
func (e effects) allows(pool int, write bool) bool {
	if write {
		return e.writes(pool)
	}
	return e.sees(pool)
}

// search describes the wanted place.
type search struct {
	want     func(*mtype) bool
	write    bool
	scope    int  // what lives as long as that
	constant bool // its address is constant
}

// isInt holds for integers, bit-fields among them.
func isInt(t *mtype) bool { return t.kind == integer || t.kind == bitField }

// leads reports whether there may be a place as s wants it in t; pointers are followed
// at most depth times.
func (s search) leads(t *mtype, e effects, depth int) bool {
	if s.want(t) {
		return true
	}
	switch t.kind {
	case array:
		return s.leads(t.elem, e, depth)
	case pointer:
		return depth > 0 && e.allows(t.pool, s.write) && s.leads(t.elem, e, depth-1)
	case record:
		for _, m := range t.rec.members {
			if s.leads(m.typ, e, depth) {
				return true
			}
		}
	}
	return false
}

// maxDerefs bounds the number of pointers that lead to a place.
const maxDerefs = 2

// find returns a random place as s wants it.
func (g *generator) find(s search, e effects) (somewhere, bool) {
	var roots []somewhere
	depth := maxDerefs
	// An address constant follows no pointer.
	if s.constant {
		depth = 0
	}
	for _, o := range g.mem.objects {
		// Objects that live long enough, in pools that the expression may touch.
		if o.scope <= s.scope && e.allows(o.pool, s.write) && s.leads(o.typ, e, depth) {
			roots = append(roots, somewhere{text: o.name, typ: o.typ, pool: o.pool, scope: o.scope, simple: true})
		}
	}
	for _, v := range g.mem.pointers {
		if !s.constant && v.scope <= s.scope && !(v.global() && e.noGlob) && e.allows(v.typ.pool, s.write) && s.leads(v.typ.elem, e, maxDerefs) {
			// What a variable points to lives at least as long as the variable.
			roots = append(roots, somewhere{ptr: v.name, typ: v.typ.elem, pool: v.typ.pool, scope: v.scope})
		}
	}
	// Every root leads to such a place, so the walk from it arrives.
	if len(roots) == 0 {
		return somewhere{}, false
	}
	return g.walk(pick(g, roots), s, e, depth), true
}

// walk goes from p to a place as s wants it, which p leads to: into an element or member, or to the
// pointee; a pointer that may be null is replaced if it is, (q ?: &o).
func (g *generator) walk(p somewhere, s search, e effects, depth int) somewhere {
	for {
		// Stop here, or go on to a place inside of this one.
		if s.want(p.typ) && (isInt(p.typ) || g.p(60) || !g.deeper(p.typ, s, e, depth)) {
			return p
		}
		switch p.typ.kind {
		case array:
			p = g.elementOf(p, e, s.constant)
		case pointer:
			ptr := p.lvalue()
			if p.typ.null {
				// The null pointer is never followed, in any run.
				ptr = fmt.Sprintf("(%s ?: %s)", ptr, g.nonNull(p.typ))
			}
			p = somewhere{ptr: ptr, typ: p.typ.elem, pool: p.typ.pool}
			depth--
		case record:
			var list []member
			for _, m := range p.typ.rec.members {
				if s.leads(m.typ, e, depth) {
					list = append(list, m)
				}
			}
			p = g.memberOf(p, pick(g, list))
		}
	}
}

// deeper reports whether there is a place as s wants it inside of t.
func (g *generator) deeper(t *mtype, s search, e effects, depth int) bool {
	inner := s
	inner.want = func(u *mtype) bool { return u != t && s.want(u) }
	return inner.leads(t, e, depth)
}

// nonNull returns a pointer that takes the place of a null pointer of type p.
func (g *generator) nonNull(p *mtype) string {
	for _, o := range g.mem.objects {
		if o.scope == 0 && o.pool == p.pool && o.typ.same(p.elem) {
			return "&" + o.name
		}
	}
	panic("cgen: nothing for a null pointer: " + p.String())
}

// memberOf returns a member of a structure: p->m, (*p).m or s.m; a member of an anonymous structure
// is reached through it without a name.
func (g *generator) memberOf(p somewhere, m member) somewhere {
	if m.name == "" {
		p.typ = m.typ
		return p
	}
	switch {
	case p.ptr != "" && g.p(80):
		p.text = p.ptr + "->" + m.name
		if strings.HasPrefix(p.ptr, "&") {
			p.text = paren(p.ptr) + "->" + m.name
		}
	default:
		p.text = p.lvalue() + "." + m.name
	}
	p.ptr, p.typ = "", m.typ
	return p
}

// elementOf returns an element of an array, and of an array of arrays also from a pointer to
// another row:
//
//	a[i]  i[a]  (*(a + i))  (&a[j] - j)[i]
func (g *generator) elementOf(p somewhere, e effects, constant bool) somewhere {
	i := fmt.Sprint(g.n(p.typ.n))
	if !constant && !g.p(40) {
		i = g.index(p.typ.n, e)
		p.simple = false
	}
	base := p.lvalue()
	if p.typ.elem.kind == array && g.p(25) { // a row, from a pointer to a row
		j := g.n(p.typ.n)
		base = fmt.Sprintf("(&%s[%d] - %d)", base, j, j)
	}
	switch {
	case g.p(85):
		p.text = fmt.Sprintf("%s[%s]", base, i)
	case g.p(20):
		p.text = fmt.Sprintf("%s[%s]", paren(i), base)
	default:
		p.text = fmt.Sprintf("(*(%s + %s))", base, i)
	}
	p.ptr, p.typ = "", p.typ.elem
	return p
}

// index returns an index into an array of n elements that is in range whatever the value of its
// expression.
func (g *generator) index(n int, e effects) string {
	g.mem.nested++
	defer func() { g.mem.nested-- }()
	x := g.expr(1, e.quiet())
	switch {
	case n&(n-1) == 0:
		return fmt.Sprintf("(%s & %d)", paren(x), n-1)
	case g.p(50):
		return fmt.Sprintf("((unsigned char)%s %% %d)", paren(x), n)
	}
	return fmt.Sprintf("(%s %% %du)", paren("(unsigned)"+paren(x)), n)
}

// intPlace returns an integer in memory.
func (g *generator) intPlace(e effects, write bool) (somewhere, bool) {
	p, ok := g.find(search{want: isInt, write: write, scope: g.mem.scope}, e)
	if ok && p.typ.kind != bitField && g.p(15) {
		p = g.disguise(p)
	}
	return p, ok
}

// disguise returns p by way of casts: through a number, void * or char *, one step forth and back,
// or a sum of addresses and sizes:
//
//	*((int *)(unsigned long)&x)
//	*((int *)((unsigned long)(&x + 1) - sizeof(int)))
//
// An analysis of pointers that does not follow such a way loses the object.
func (g *generator) disguise(p somewhere) somewhere {
	t := p.typ.String()
	ptr := p.address()
	switch g.n(6) {
	case 0:
		p.ptr = fmt.Sprintf("((%s *)(unsigned long)%s)", t, paren(ptr))
	case 1:
		p.ptr = fmt.Sprintf("((%s *)(void *)%s)", t, paren(ptr))
	case 2:
		p.ptr = paren(ptr)
	case 3:
		p.ptr = fmt.Sprintf("((%s *)((char *)%s + 0))", t, paren(ptr))
	case 4:
		p.ptr = fmt.Sprintf("(%s + 1 - 1)", paren(ptr))
	default:
		p.ptr = fmt.Sprintf("(%s *)((unsigned long)(%s + 1) - sizeof(%s))", t, paren(ptr), t)
		p.ptr = paren(p.ptr)
	}
	p.text = ""
	return p
}

// constantAddress returns a pointer for the initialiser of a global object.
func (g *generator) constantAddress(p *mtype) string {
	if p.null && g.p(40) {
		return "0"
	}
	e := inPool(effects{}, p.pool)
	if target, ok := g.find(search{want: p.elem.same, constant: true}, e); ok && g.p(80) {
		return g.pointTo(target)
	}
	if p.null {
		return "0"
	}
	return g.base(p)
}

// address returns a pointer to an object that lives at least as long as scope, in an expression with the
// effects e: it reads only variables that e allows.
func (g *generator) address(p *mtype, e effects, scope int) string {
	if p.null && g.p(40) {
		return "0"
	}
	// The result of a function that chooses one of two pointers.
	if g.p(12) {
		for _, f := range g.mem.selects {
			if f.typ.same(p) {
				return fmt.Sprintf("%s(%s, %s, %s)", f.name, g.expr(1, e.quiet()), g.address(p, e, scope), g.address(p, e, scope))
			}
		}
	}
	var list []string
	for _, v := range g.mem.pointers {
		if v.typ.same(p) && v.scope <= scope && !(v.global() && e.noGlob) {
			list = append(list, v.name)
		}
	}
	if len(list) > 0 && g.p(30) {
		return pick(g, list)
	}
	// An object of the pool that lives long enough; or null, or the object that every kind of
	// pointers has.
	target, ok := g.find(search{want: p.elem.same, scope: scope}, inPool(e.quiet(), p.pool))
	switch {
	case ok && g.p(85):
		return g.pointTo(target)
	case p.null:
		return "0"
	case g.hasBase(p) || len(list) == 0:
		return g.base(p)
	}
	return pick(g, list)
}

// inPool returns e for places of one pool only.
func inPool(e effects, pool int) effects {
	hidden := map[string]bool{}
	for k := range e.hidden {
		hidden[k] = true
	}
	for k := range pools {
		if k != pool {
			hidden[poolName(k)] = true
		}
	}
	e.hidden = hidden
	return e
}

// pointTo returns a pointer to p, disguised perhaps, as by disguise.
func (g *generator) pointTo(p somewhere) string {
	a := p.address()
	t := p.typ
	// A cast to a pointer to an array is written in another way.
	if t.kind == array {
		return a
	}
	switch {
	case g.p(80):
		return a
	case g.p(30):
		return fmt.Sprintf("(%s *)(void *)%s", t, paren(a))
	case g.p(30):
		return fmt.Sprintf("(%s *)(unsigned long)%s", t, paren(a))
	case g.p(50):
		return "&" + paren("*"+a)
	}
	return fmt.Sprintf("(%s *)((char *)%s + sizeof(%s) - sizeof(%s))", t, paren(a), t, t)
}
